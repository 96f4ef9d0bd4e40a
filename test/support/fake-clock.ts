import type { Clock, Timer } from '../../src/lib/clock.ts';
import { turnOfTheEventLoop, waitUntil } from './event-loop.ts';

export interface FakeClock extends Clock {
  /** Advances the clock event by event. Rejects with what a timer's callback throws. */
  advance(milliseconds: number): Promise<void>;
  /**
   * Advances the clock until the predicate holds, which is evaluated after every event; rejects after that many
   * milliseconds.
   */
  runUntil(predicate: () => boolean | Promise<boolean>, maximumMs: number): Promise<void>;
  /** Runs everything that needs no time to pass: microtasks, promises, and I/O of the real event loop. */
  settle(): Promise<void>;
  /** Sets the wall clock ahead by that many milliseconds; the monotonic clock does not change. */
  stepWall(milliseconds: number): void;
  /**
   * Freezes the process: both clocks move on and nothing runs. Timers that fell due meanwhile fire late, at the next
   * advance.
   */
  freeze(milliseconds: number): void;
  pending(): { timers: number; soons: number };
}

export interface FakeClockOptions {
  /** Wall time at the start, epoch milliseconds. */
  now?: number;
  /** Whether work without a timer is in progress, so that time must not pass yet. */
  busy?: () => boolean;
}

interface FakeTimer {
  dueAt: number;
  call: () => void;
}

/** Longest delay of setTimeout, which turns longer ones into 1 ms; here they throw. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;
/** More events than this without time passing are an endless loop. */
const MAXIMUM_TURNS = 100_000;
const PATIENCE_MS = 60_000;

const realImmediates = () => process.getActiveResourcesInfo().includes('Immediate');

/**
 * A clock on which time passes only when the test advances it. Between two events everything settles, so that code that
 * awaits SQLite in memory has finished before the next virtual instant. Timers of one instant fire in the order in
 * which they were set.
 */
export function createFakeClock(options: FakeClockOptions = {}): FakeClock {
  const { now: origin = Date.UTC(2030, 0, 1), busy = () => false } = options;
  let elapsed = 0;
  let wallOffset = origin;
  const timers: FakeTimer[] = [];
  let soons: (() => void)[] = [];

  function after(milliseconds: number, call: () => void): Timer {
    if (!(milliseconds <= LONGEST_DELAY_MS))
      throw new RangeError(`setTimeout can't wait ${milliseconds} ms.`);
    const timer = { dueAt: elapsed + Math.max(1, Math.trunc(milliseconds)), call };
    const later = timers.findIndex((other) => other.dueAt > timer.dueAt);
    timers.splice(later === -1 ? timers.length : later, 0, timer);
    return timer;
  }

  function clear(timer: Timer | null | undefined): void {
    const index = timers.indexOf(timer as FakeTimer);
    if (index !== -1) timers.splice(index, 1);
  }

  async function settle(): Promise<void> {
    const startedAt = performance.now();
    for (let turn = 0; turn < MAXIMUM_TURNS; turn += 1) {
      await turnOfTheEventLoop();
      if (soons.length > 0) await runSoons();
      else if (!busy() && !realImmediates()) return;
      const patienceLeft = () => performance.now() - startedAt < PATIENCE_MS;
      if (!busy() || !patienceLeft()) continue;
      // Outside work takes real time.
      await waitUntil(() => !busy() || soons.length > 0 || !patienceLeft());
      turn = 0;
    }
    throw new Error(
      `Still not settled after ${MAXIMUM_TURNS} turns without time passing: something loops.`,
    );
  }

  async function runSoons(): Promise<void> {
    const waiting = soons;
    soons = [];
    for (const call of waiting) {
      call();
      await Promise.resolve();
    }
  }

  /** Fires the next timer due until then; returns false if there is none. Everything has settled before and after. */
  async function fireNext(until: number): Promise<boolean> {
    const next = timers[0];
    if (next === undefined || next.dueAt > until) return false;
    timers.shift();
    elapsed = Math.max(elapsed, next.dueAt);
    next.call();
    await settle();
    return true;
  }

  return {
    now: () => wallOffset + elapsed,
    monotonic: () => elapsed,
    after,
    clear,
    soon: (call) => void soons.push(call),
    settle,

    async advance(milliseconds) {
      const until = elapsed + milliseconds;
      await settle();
      while (await fireNext(until));
      elapsed = Math.max(elapsed, until);
    },

    async runUntil(predicate, maximumMs) {
      const until = elapsed + maximumMs;
      await settle();
      while (!(await predicate())) {
        // The predicate itself may have started work.
        await settle();
        if (!(await fireNext(until))) throw new Error(`It did not happen within ${maximumMs} ms.`);
      }
    },

    stepWall: (milliseconds) => void (wallOffset += milliseconds),
    freeze: (milliseconds) => void (elapsed += milliseconds),
    pending: () => ({ timers: timers.length, soons: soons.length }),
  };
}
