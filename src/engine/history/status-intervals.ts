import type { SpanStatus } from '../../model/incident.ts';
import { observedParts, union, type Interval, type UptimeQuestion } from './uptime.ts';

export interface Outage extends Interval {
  status: Extract<SpanStatus, 'offline' | 'degraded'>;
}

/** What to mark in a chart of a period, in chronological order and cut at its ends. */
export function statusIntervals(question: UptimeQuestion) {
  const { from, to, now, excluded = [] } = question;
  const outages: Outage[] = [];
  const observed = observedParts(question);
  for (const { status, ...part } of observed)
    if (status !== 'online') addOutage(outages, { ...part, status });
  return {
    outages,
    /** Maintenance and what corrections exclude, without overlaps. */
    excluded: union(excluded).flatMap((window) => cut(window, { from, to }) ?? []),
    /** Time whose status is not known, as uptime() counts it. */
    unobserved: gapsBetween(union(observed), { from, to: Math.min(to, now) }),
  };
}

/** Spans that follow each other with one status, as after a correction, are one outage. */
function addOutage(outages: Outage[], next: Outage): void {
  const last = outages.at(-1);
  if (last?.status === next.status && last.to === next.from) last.to = next.to;
  else outages.push(next);
}

/** The part of an interval inside the bounds; null when there is none. */
function cut(interval: Interval, bounds: Interval): Interval | null {
  const from = Math.max(interval.from, bounds.from);
  const to = Math.min(interval.to, bounds.to);
  return from < to ? { from, to } : null;
}

/** @param intervals in order, without overlaps, inside the period. */
function gapsBetween(intervals: readonly Interval[], { from, to }: Interval): Interval[] {
  const ends = [from, ...intervals.map((interval) => interval.to)];
  const starts = [...intervals.map((interval) => interval.from), to];
  return ends.flatMap((end, index) => cut({ from: end, to: starts[index]! }, { from, to }) ?? []);
}

export type Merged<Item extends Interval> = Item & {
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

/** Times in which a monitor was paused, cut to the period. @param changes since its start until now, in order. */
export function pausesOf(
  changes: readonly { at: number; isPaused: boolean }[],
  isPaused: boolean,
  { from, to }: Interval,
): Interval[] {
  const wasPaused = changes[0] === undefined ? isPaused : !changes[0].isPaused;
  const all = [{ at: from, isPaused: wasPaused }, ...changes];
  return all.flatMap((change, index) => {
    const end = all[index + 1]?.at ?? Infinity;
    return change.isPaused ? (cut({ from: change.at, to: end }, { from, to }) ?? []) : [];
  });
}
