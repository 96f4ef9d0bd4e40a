import type { Clock, Timer } from '../../lib/clock.ts';

/** How long the event loop stood still within a stretch of time, in milliseconds. */
export interface Stalls {
  longestMs: number;
  totalMs: number;
}

/**
 * Notices when this process did not run: a blocked event loop, a stopped process, a machine asleep. Between `start` and
 * `stop` it costs one timer.
 */
export interface StallDetector {
  start(): void;
  stop(): void;
  /** A mark to ask `since` with. */
  mark(): StallMark;
  since(mark: StallMark): Stalls;
}

export interface StallMark {
  at: number;
  totalMs: number;
}

const TICK_MS = 50;
/** Lateness below this is a loop that works, not one that stands still. */
const MIN_STALL_MS = 20;
/** A machine asleep stops the monotonic clock, not the wall clock; a smaller difference is a clock being set right. */
const CLOCK_JUMP_MS = 1_000;
const MAX_STALLS = 1_000;

export function createStallDetector(clock: Clock): StallDetector {
  let timer: Timer | null = null;
  let last = { monotonic: 0, wall: 0 };
  let totalMs = 0;
  /** Newest last. */
  let stalls: { endedAt: number; milliseconds: number }[] = [];

  /** Takes note of the time since the last look, so that a stall counts before the timer that was late has run. */
  function measure(): void {
    const now = { monotonic: clock.monotonic(), wall: clock.now() };
    const elapsed = now.monotonic - last.monotonic;
    const asleep = now.wall - last.wall - elapsed;
    const late = elapsed - TICK_MS + (asleep >= CLOCK_JUMP_MS ? asleep : 0);
    last = now;
    if (late < MIN_STALL_MS) return;
    totalMs += late;
    stalls.push({ endedAt: now.monotonic, milliseconds: late });
    if (stalls.length > MAX_STALLS) stalls.shift();
  }

  function tick(): void {
    measure();
    timer = clock.after(TICK_MS, tick);
  }

  return {
    start() {
      if (timer !== null) return;
      last = { monotonic: clock.monotonic(), wall: clock.now() };
      timer = clock.after(TICK_MS, tick);
    },
    stop() {
      clock.clear(timer);
      timer = null;
      stalls = [];
    },
    mark() {
      measure();
      return { at: last.monotonic, totalMs };
    },
    since(mark) {
      measure();
      let longestMs = 0;
      for (let i = stalls.length - 1; i >= 0 && stalls[i]!.endedAt > mark.at; i--)
        longestMs = Math.max(longestMs, stalls[i]!.milliseconds);
      return { longestMs, totalMs: totalMs - mark.totalMs };
    },
  };
}
