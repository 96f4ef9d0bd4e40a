import type { Clock } from './clock.ts';

const TOLERANCE_MS = 1_000;

/** Detects that the wall clock was set back, by comparing it with the monotonic clock. */
export class ClockSetbackDetector {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Wall time minus monotonic time: constant unless the clock is set. */
  #offset: number | null = null;

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#clock = clock;
  }

  /** Whether the clock may have been set back since the last `acknowledge`; true before the first. */
  isSetBack(): boolean {
    const offset = this.offset();
    if (this.#offset === null || offset < this.#offset - TOLERANCE_MS) return true;
    // Follow steps forward and drift, so that a later step back is measured from here.
    this.#offset = offset;
    return false;
  }

  /**
   * Current offset. Read it before work that takes time and pass it to `acknowledge` afterwards, so that a step in
   * between is detected.
   */
  offset(): number {
    return this.#clock.now() - this.#clock.monotonic();
  }

  /** Marks every step before this offset was read as handled. */
  acknowledge(offset: number): void {
    this.#offset = offset;
  }
}
