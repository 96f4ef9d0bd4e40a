import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';

/** A timer that fires later than this was delayed by a frozen process, whose missed rounds are spread out. */
export const FREEZE_MS = 2_000;
/** Drift between the wall clock and the monotonic clock that counts as a step. */
const CLOCK_STEP_MS = 500;
const INTERVAL_MS = 1_000;

interface ClockWatchOptions {
  clock: Clock;
  log: Log;
  /** Called after the wall clock was set, by `stepMs`. */
  onStep(stepMs: number): void;
  onFreeze(): void;
}

/** Detects steps of the wall clock, and freezes of this process. */
export class ClockWatch {
  readonly #options: ClockWatchOptions;
  #offset: number;
  #timer: Timer | null = null;

  constructor(options: ClockWatchOptions) {
    this.#options = options;
    this.#offset = this.#currentOffset();
  }

  start(): void {
    this.check();
    this.#timer = this.#options.clock.after(INTERVAL_MS, () => this.start());
  }

  stop(): void {
    this.#options.clock.clear(this.#timer);
  }

  /** @param lateMs delay of the timer that fired just now. */
  check(lateMs = 0): void {
    const { log, onStep, onFreeze } = this.#options;
    const offset = this.#currentOffset();
    const stepMs = offset - this.#offset;
    if (Math.abs(stepMs) > CLOCK_STEP_MS) {
      this.#offset = offset;
      // Log: The clock of the machine was set. Let NTP keep it.
      log.warn({ step_ms: Math.round(stepMs) }, 'The clock jumped; all rounds were rescheduled.');
      onStep(stepMs);
    } else if (lateMs > FREEZE_MS) {
      // Log: The machine was suspended or out of processor time.
      log.warn(
        { late_ms: Math.round(lateMs) },
        'The process was frozen; missed rounds are made up for.',
      );
      onFreeze();
    }
  }

  #currentOffset(): number {
    const { clock } = this.#options;
    return clock.now() - clock.monotonic();
  }
}
