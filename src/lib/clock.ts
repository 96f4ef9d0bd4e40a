/** Everything that has to do with time is handed in through this, so that tests and the simulation own it. */
export interface Clock {
  /** Wall time in epoch milliseconds. May step when the machine's clock is set. */
  now(): number;
  /** Milliseconds that only ever grow, from an arbitrary origin. */
  monotonic(): number;
  /** Calls once after that many milliseconds; returns what `clear` takes. */
  after(milliseconds: number, call: () => void): Timer;
  clear(timer: Timer | null | undefined): void;
  /** Calls once after the events that are waiting now. */
  soon(call: () => void): void;
}

/** The clocks of two processes may differ by this much, milliseconds. */
export const CLOCK_TOLERANCE_MS = 1_000;

export type Timer = object;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (milliseconds, call) => setTimeout(call, milliseconds),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
  soon: (call) => setImmediate(call),
};

export function sleep(clock: Clock, milliseconds: number): Promise<void> {
  return new Promise((resolve) => void clock.after(milliseconds, resolve));
}
