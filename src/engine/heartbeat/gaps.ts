import { CLOCK_TOLERANCE_MS } from '../../lib/clock.ts';
import { MARK_HOLDS_MS, type ServiceGap } from '../../model/heartbeat.ts';

interface Wait {
  armedAt: number;
  /** The earliest time at which the ping could be sent. */
  from: number;
  /** The last one at which it would be in time, included. */
  to: number;
}

/** The newest of our gaps in which the ping may have been sent; null when we listened all the time. */
export function lastGapWithin(gaps: readonly ServiceGap[], wait: Wait): ServiceGap | null {
  let last: ServiceGap | null = null;
  for (const gap of gaps) {
    if (touches(gap, wait) && (last === null || gap.to > last.to)) last = gap;
  }
  return last;
}

/** While the clock is set back, any time may have passed: whatever was waited for then may have come in it. */
function touches(gap: ServiceGap, { armedAt, from, to }: Wait): boolean {
  if (isSetback(gap)) return armedAt <= gap.to + CLOCK_TOLERANCE_MS && gap.to <= to;
  return gap.from <= to && gap.to > from;
}

/**
 * The gaps as they concern times up to `now`. One that ends in the future was recorded before the clock was set back, once
 * or several times: it says nothing of the times that the clock shows once more since. Of a setback that lies in no gap
 * nobody knows from when on these are; then all of them are in doubt.
 */
export function gapsUntil(now: number, gaps: readonly ServiceGap[]): readonly ServiceGap[] {
  const isAhead = (at: number) => at > now + CLOCK_TOLERANCE_MS;
  if (!gaps.some(({ to }) => isAhead(to))) return gaps;
  const setbacks = gaps.filter(isSetback);
  return gaps.flatMap((gap) => {
    if (!isAhead(gap.to)) return gap;
    let { to } = gap;
    while (isAhead(to)) {
      const after = setbacks.filter((one) => one.from >= to && one.to < to);
      to = after.length > 0 ? Math.max(...after.map((one) => one.to)) : now;
    }
    return gap.from < to ? { from: gap.from, to } : [];
  });
}

/** Whether the clock was set back meanwhile, from `from` to `to`. */
export function isSetback({ from, to }: ServiceGap): boolean {
  return from > to;
}

/** An instant by both clocks of a process, in milliseconds. */
export interface Moment {
  wall: number;
  monotonic: number;
}

/**
 * The time between two moments by the clock that saw more of it: the monotonic one stands still while a machine is
 * suspended, and the wall clock may be set back.
 */
export function elapsed(since: Moment, now: Moment): number {
  return Math.max(now.wall - since.wall, now.monotonic - since.monotonic);
}

/** The gap that a new mark records; null when none. @param doubtSince from when on pings may have been lost. */
export function absence(lastMark: Moment, now: Moment, doubtSince: number | null) {
  const away = elapsed(lastMark, now);
  if (doubtSince === null && away <= MARK_HOLDS_MS) return null;
  // From the present backwards: after the clock was set back, the last mark may lie in the future.
  return { from: Math.floor(Math.min(now.wall - away, doubtSince ?? Infinity)), to: now.wall };
}

interface Beginning {
  newestMark: number | null;
  readyAt: Moment;
  now: Moment;
  highest: number;
  refusedSince: number | null;
}

/**
 * The gaps that a starting process records. One is from the newest mark of any process, however short ago
 * that was, since nobody knows what was on its way to the one that ended; it ends when this one took pings. Where the
 * clock was set back meanwhile, the length of the gap is not known: a gap that ends before it begins records that.
 */
export function absenceBefore(beginning: Beginning): ServiceGap[] {
  const { newestMark, readyAt, now, highest, refusedSince } = beginning;
  const gaps: ServiceGap[] = [];
  if ((newestMark ?? 0) <= now.wall + CLOCK_TOLERANCE_MS) {
    const readyFor = now.monotonic - readyAt.monotonic;
    const to = refusedSince === null ? Math.floor(now.wall - readyFor) : now.wall;
    gaps.push({ from: Math.min(newestMark ?? 0, refusedSince ?? Infinity, to), to });
  }
  const before = Math.max(newestMark ?? 0, highest);
  const isSetBack = before > now.wall + CLOCK_TOLERANCE_MS;
  return isSetBack ? [...gaps, { from: Math.ceil(before), to: now.wall }] : gaps;
}

/** After a gap: that the clock was set back in it, from the latest time that it showed; as a gap of its own. */
export function setback(gap: ServiceGap | null, highest: number, now: Moment): ServiceGap[] {
  return gap === null || highest <= now.wall ? [] : [{ from: Math.ceil(highest), to: now.wall }];
}
