import type { Clock, Timer } from './clock.ts';

export interface PollerOptions {
  /** Looks once for what is due, and does it or takes it up. May be long: nobody looks meanwhile. */
  look(): Promise<void>;
  clock: Clock;
  /** Milliseconds from the end of a look to the next one. */
  everyMs: number;
  /** The same after a failure; `everyMs` unless given. */
  afterFailureMs?: number;
  /** Errors that may pass by themselves, as of a database that is away: nobody is told, and it looks again as always. */
  isUnavailable(error: unknown): boolean;
  /** Told of any other error that a look rejected with. Must not throw. */
  onFailure(error: unknown): void;
}

/** Looks for work again and again, one look at a time, whatever becomes of one. */
export interface Poller {
  /** Looks now, or first after that many milliseconds. Does nothing once it was stopped. */
  start(afterMs?: number): void;
  /** There is something to see: looks now, or once more when the look that is under way has ended. */
  nudge(): void;
  /** No look begins any more. Settles when the one that is under way has ended; never rejects. */
  stop(): Promise<void>;
  /** So that a long look can end early. */
  readonly isStopped: boolean;
}

export function createPoller(options: PollerOptions): Poller {
  const { look, clock, everyMs, afterFailureMs = everyMs, isUnavailable, onFailure } = options;
  let timer: Timer | null = null;
  let looking: Promise<void> = Promise.resolve();
  let isLooking = false;
  let isAsked = false;
  let isStarted = false;
  let isStopped = false;

  function lookNow(): void {
    if (!isStarted || isStopped) return;
    clock.clear(timer);
    isAsked = true;
    if (!isLooking) looking = lookWhileAsked();
  }

  async function lookWhileAsked(): Promise<void> {
    // Before the first look, which may nudge at once.
    isLooking = true;
    let waitMs = everyMs;
    while (isAsked) {
      isAsked = false;
      waitMs = everyMs;
      try {
        await look();
      } catch (error) {
        if (!isUnavailable(error)) {
          onFailure(error);
          waitMs = afterFailureMs;
        }
      }
    }
    isLooking = false;
    if (!isStopped) timer = clock.after(waitMs, lookNow);
  }

  return {
    start(afterMs) {
      if (isStarted || isStopped) return;
      isStarted = true;
      if (afterMs === undefined) lookNow();
      else timer = clock.after(afterMs, lookNow);
    },
    nudge: lookNow,
    async stop() {
      isStopped = true;
      isAsked = false;
      clock.clear(timer);
      await looking;
    },
    get isStopped() {
      return isStopped;
    },
  };
}
