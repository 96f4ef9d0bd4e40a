import type { SpanStatus } from '../../model/incident.ts';
import { union, type Interval, type UptimeQuestion } from './uptime.ts';

/** A time in which a monitor was offline or degraded. */
export interface Outage extends Interval {
  status: Extract<SpanStatus, 'offline' | 'degraded'>;
}

/** What to mark in a chart of a period. All lists are in chronological order and cut at the ends of the period. */
export interface StatusIntervals {
  outages: Outage[];
  /** Maintenance and what corrections exclude, without overlaps. */
  excluded: Interval[];
  /** Time whose status is not known, as uptime() counts it. */
  unobserved: Interval[];
}

/** Divides a period by status. It reads spans as uptime() does, so that the lengths are the same. */
export function statusIntervals(question: UptimeQuestion): StatusIntervals {
  const { spans, from, to, now, observedUntil, excluded = [] } = question;
  const observedEnd = Math.min(to, now, observedUntil ?? from);
  const outages: Outage[] = [];
  const observed: Interval[] = [];
  let seenUntil = from;
  for (const { status, fromAt, toAt } of spans) {
    const part = cut(
      { from: fromAt, to: toAt ?? observedEnd },
      { from: seenUntil, to: observedEnd },
    );
    if (status === 'unobserved' || part === null) continue;
    seenUntil = part.to;
    observed.push(part);
    if (status !== 'online') addOutage(outages, { ...part, status });
  }
  return {
    outages,
    excluded: union(excluded).flatMap((window) => cut(window, { from, to }) ?? []),
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
export function cut(interval: Interval, bounds: Interval): Interval | null {
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
