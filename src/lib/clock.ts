/** Source of time and timers, passed in so that tests and the simulation control it. */
export interface Clock {
  /** Wall time in epoch milliseconds. May step when the machine's clock is set. */
  now(): number;
  /** Milliseconds from an arbitrary origin; never goes back. */
  monotonic(): number;
  /** Runs `call` once after that many milliseconds. Pass the returned timer to `clear` to cancel it. */
  after(milliseconds: number, call: () => void): Timer;
  clear(timer: Timer | null | undefined): void;
  /** Runs `call` once after the events already in the event loop's queue. */
  soon(call: () => void): void;
}

/** Maximum difference between the clocks of two processes. */
export const CLOCK_TOLERANCE_MS = 1_000;

export type Timer = object;

/** The earlier of two times; null stands for never. */
export function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (milliseconds, call) => setTimeout(call, milliseconds),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
  soon: (call) => setImmediate(call),
};

/**
 * Runs `call` once the events were handled that arrived while this process stood still. A timer that fires late comes
 * before them.
 */
export function afterPendingEvents(clock: Pick<Clock, 'soon'>, call: () => void): void {
  clock.soon(() => clock.soon(call));
}

export function sleep(clock: Pick<Clock, 'after'>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => void clock.after(milliseconds, resolve));
}

/** Resolves when the work has settled or the time is over; rejects as the work does. */
export async function waitAtMost(clock: Clock, milliseconds: number, work: Promise<unknown>) {
  const deadline = Promise.withResolvers<void>();
  const timer = clock.after(milliseconds, deadline.resolve);
  await Promise.race([work, deadline.promise]).finally(() => clock.clear(timer));
}

const TOLERANCE_MS = 1_000;

/** Detects that the wall clock was set back, by comparing it with the monotonic clock. */
export class ClockSetbackDetector {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
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

/** A machine's clock whose wall time can be corrected; its monotonic time and its timers are the machine's. */
export type CorrectedClock = ReturnType<typeof createCorrectedClock>;

/** @returns a clock that shows the machine's time until it is corrected. */
export function createCorrectedClock(machine: Clock) {
  /** Wall time minus monotonic time; null while the machine's time is shown. */
  let offset: number | null = null;
  const now = () => (offset === null ? machine.now() : Math.floor(offset + machine.monotonic()));
  return {
    ...machine,
    now,
    /** Milliseconds by which this clock is ahead of the machine's now. */
    get correctionMs() {
      return offset === null ? 0 : now() - machine.now();
    },
    get isCorrected() {
      return offset !== null;
    },
    /**
     * Shows the machine's time plus that many milliseconds, and goes on with the monotonic clock: setting the machine's
     * clock no longer changes it. Null shows the machine's time again. Either is a step of this clock.
     */
    correct(milliseconds: number | null) {
      offset = milliseconds === null ? null : machine.now() + milliseconds - machine.monotonic();
    },
  };
}
