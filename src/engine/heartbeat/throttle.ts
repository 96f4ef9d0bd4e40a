import type { PingWindow } from '../../model/heartbeat.ts';

/** The ping limit counts in windows of a minute that begin with a token's first ping (contract 5.10, 5.13). */
export const WINDOW_MS = 60_000;

export interface Counted {
  isAllowed: boolean;
  /** The same one when nothing was counted: a refused ping costs nothing. */
  window: PingWindow | null;
  remaining: number;
  /** Epoch milliseconds. */
  resetAt: number;
}

/** Counts a ping at `at` (epoch ms). A window from the future, written before a clock was set back, is over. */
export function countPing(window: PingWindow | null, at: number, limit: number): Counted {
  const holds = window !== null && window.from <= at && at < window.from + WINDOW_MS;
  const from = holds ? window.from : at;
  const count = holds ? window.count : 0;
  const resetAt = from + WINDOW_MS;
  if (count >= limit) return { isAllowed: false, window, remaining: 0, resetAt };
  const counted = { from, count: count + 1 };
  return { isAllowed: true, window: counted, remaining: limit - counted.count, resetAt };
}
