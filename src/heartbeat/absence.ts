import type { ServiceGap } from '../model/heartbeat.ts';

/** An instant by both clocks of a process, in milliseconds. */
export interface Moment {
  /** Since the epoch. */
  wall: number;
  monotonic: number;
}

/** So long a mark says that its process takes pings. */
export const MARK_HOLDS_MS = 10_000;

/**
 * The time between two moments by the clock that saw more of it: the monotonic one stands still while a machine is
 * suspended, and the wall clock may be set back.
 */
export function elapsed(since: Moment, now: Moment): number {
  return Math.max(now.wall - since.wall, now.monotonic - since.monotonic);
}

/**
 * The gap that a new mark of a process has to tell of, null when none. `doubtSince`: from when on (epoch ms) pings
 * may have been lost, because one was refused or a mark failed.
 */
export function absence(
  lastMark: Moment,
  now: Moment,
  doubtSince: number | null,
): ServiceGap | null {
  const away = elapsed(lastMark, now);
  if (doubtSince === null && away <= MARK_HOLDS_MS) return null;
  // From the present backwards: after the clock was set back, the last mark may lie in the future.
  return { from: Math.floor(Math.min(now.wall - away, doubtSince ?? Infinity)), to: now.wall };
}

/**
 * The gap that a process which begins tells of: from the newest mark of any process, however short ago that was, since
 * nobody knows what was on its way to the one that ended. Null when that mark lies in the future: the clock was set
 * back, and how long nobody listened can't be told.
 */
export function absenceBefore(
  newestMark: number | null,
  now: number,
  doubtSince: number | null,
): ServiceGap | null {
  const from = Math.min(newestMark ?? 0, doubtSince ?? Infinity);
  return from <= now ? { from, to: now } : null;
}
