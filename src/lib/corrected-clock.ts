import type { Clock } from './clock.ts';

/** A machine's clock whose wall time can be corrected; its monotonic time and its timers are the machine's. */
export interface CorrectedClock extends Clock {
  /** Milliseconds by which this clock is ahead of the machine's now. */
  readonly correctionMs: number;
  readonly isCorrected: boolean;
  /**
   * Shows the machine's time plus that many milliseconds, and goes on with the monotonic clock: setting the machine's clock
   * no longer changes it. Null shows the machine's time again. Either is a step of this clock.
   */
  correct(milliseconds: number | null): void;
}

/** @returns a clock that shows the machine's time until it is corrected. */
export function createCorrectedClock(machine: Clock): CorrectedClock {
  /** Wall time minus monotonic time; null while the machine's time is shown. */
  let offset: number | null = null;
  const now = () => (offset === null ? machine.now() : Math.floor(offset + machine.monotonic()));
  return {
    ...machine,
    now,
    get correctionMs() {
      return offset === null ? 0 : now() - machine.now();
    },
    get isCorrected() {
      return offset !== null;
    },
    correct(milliseconds) {
      offset = milliseconds === null ? null : machine.now() + milliseconds - machine.monotonic();
    },
  };
}
