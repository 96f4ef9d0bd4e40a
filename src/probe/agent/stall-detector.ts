import type { Clock, Timer } from '../../lib/clock.ts';

/** Durations for which the process was stalled, in milliseconds. */
export interface Stalls {
  longestMs: number;
  totalMs: number;
}

/**
 * Detects that this process did not run: a blocked event loop, a suspended process or machine. Uses one timer between
 * `start` and `stop`.
 */
export type StallDetector = ReturnType<typeof createStallDetector>;

export interface StallMark {
  at: number;
  totalMs: number;
}

const TICK_MS = 50;
/** Shorter delays are normal scheduling. */
const MIN_STALL_MS = 20;
/**
 * Minimum clock difference of a suspended machine, whose monotonic clock stops; a smaller one is a clock adjustment.
 */
const CLOCK_JUMP_MS = 1_000;
const MAX_STALLS = 1_000;

export function createStallDetector(clock: Clock) {
  let timer: Timer | null = null;
  let last = { monotonic: 0, wall: 0 };
  let totalMs = 0;
  /** Newest last. */
  let stalls: { endedAt: number; milliseconds: number }[] = [];

  /** Records the time since the last measurement, so that a stall counts before the delayed timer has run. */
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
    /** Returns a mark to pass to `since`. */
    mark() {
      measure();
      return { at: last.monotonic, totalMs };
    },
    since(mark: StallMark) {
      measure();
      let longestMs = 0;
      for (let i = stalls.length - 1; i >= 0 && stalls[i]!.endedAt > mark.at; i--)
        longestMs = Math.max(longestMs, stalls[i]!.milliseconds);
      return { longestMs, totalMs: totalMs - mark.totalMs };
    },
  };
}
