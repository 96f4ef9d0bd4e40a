import type { Interval } from './uptime.ts';

/** An interval of a list that is bounded. */
export type Merged<Item extends Interval> = Item & {
  /** Number of intervals that it covers. */
  count: number;
};

/**
 * Bounds a list for a chart. Of more than `most` intervals, neighbors whose distance is less than that part of the period become one
 * that covers them: a chart cannot show what lies between them. No interval is left out.
 *
 * @param intervals in chronological order, without overlaps, inside the period.
 * @param most at least 1.
 */
export function mergeIntervals<Item extends Interval>(
  intervals: readonly Item[],
  { from, to }: Interval,
  most: number,
): Merged<Item>[] {
  const distance = intervals.length > most ? (to - from) / most : 0;
  const merged: Merged<Item>[] = [];
  for (const interval of intervals) {
    const last = merged.at(-1);
    if (last !== undefined && interval.from - last.to < distance) {
      last.to = interval.to;
      last.count += 1;
    } else merged.push({ ...interval, count: 1 });
  }
  return merged;
}
