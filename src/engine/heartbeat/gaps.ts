import { CLOCK_TOLERANCE_MS } from '../../lib/clock.ts';
import type { ServiceGap } from '../../model/heartbeat.ts';

/** Time in which a ping was waited for, epoch milliseconds. */
export interface Wait {
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
 * The gaps as they concern times up to `now`. One that ends in the future was recorded before the clock was set back: it
 * says nothing of the times that the clock shows once more since. Of a setback that lies in no gap nobody knows from when
 * on these are; then all of them are in doubt.
 */
export function gapsUntil(now: number, gaps: readonly ServiceGap[]): readonly ServiceGap[] {
  const isAhead = ({ to }: ServiceGap) => to > now + CLOCK_TOLERANCE_MS;
  if (!gaps.some(isAhead)) return gaps;
  return gaps.flatMap((gap) => {
    if (!isAhead(gap)) return gap;
    const after = gaps.filter((one) => isSetback(one) && one.from >= gap.to && one.to < gap.to);
    const to = after.length > 0 ? Math.max(...after.map((one) => one.to)) : now;
    return gap.from < to ? { from: gap.from, to } : [];
  });
}

/** Whether the clock was set back meanwhile, from `from` to `to`. */
export function isSetback({ from, to }: ServiceGap): boolean {
  return from > to;
}
