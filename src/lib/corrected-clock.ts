import type { Clock } from './clock.ts';

/** A machine's clock with its wall time corrected; its monotonic time and its timers are the machine's. */
export interface CorrectedClock extends Clock {
  /** Milliseconds that are added to the machine's wall time. */
  readonly correctionMs: number;
  /** Sets the correction, which is a step of this clock. */
  correct(milliseconds: number): void;
}

/** @returns a clock that shows the machine's time until it is corrected. */
export function createCorrectedClock(machine: Clock): CorrectedClock {
  let correctionMs = 0;
  return {
    ...machine,
    now: () => machine.now() + correctionMs,
    get correctionMs() {
      return correctionMs;
    },
    correct(milliseconds) {
      correctionMs = milliseconds;
    },
  };
}
