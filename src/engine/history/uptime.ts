import type { SpanStatus } from '../../model/incident.ts';

/** From `fromAt` until `toAt` (epoch ms), or until further notice, a monitor was `status`. */
export interface Span {
  status: SpanStatus;
  fromAt: number;
  toAt: number | null;
}

export interface Interval {
  from: number;
  to: number;
}

export interface UptimeQuestion {
  /** Spans of one monitor in chronological order; where two overlap, the first one counts. */
  spans: readonly Span[];
  /** Until when the last verdict holds; null when there never was one. What follows is unobserved. */
  observedUntil: number | null;
  /** The period, epoch milliseconds, `to` not included. */
  from: number;
  to: number;
  now: number;
  /** Maintenance windows: downtime inside is excluded and shown apart (contract 27.23). May overlap. */
  excluded?: readonly Interval[];
}

/** `upMs + degradedMs + downMs + excludedMs + unobservedMs` is the period, to the millisecond. */
export interface Uptime {
  /** Time online; a degraded monitor is up too, but counted apart. */
  upMs: number;
  degradedMs: number;
  downMs: number;
  excludedMs: number;
  /** Time of which nothing is known, the future included. */
  unobservedMs: number;
  /** Share of up and degraded in the observed time without the excluded; null when there is none. */
  uptimePercent: number | null;
  /** Share of the period that was really measured; null when the period is empty. */
  observedPercent: number | null;
}

type ObservedPart = Interval & { status: Exclude<SpanStatus, 'unobserved'> };

/** The parts of a period in which a monitor was observed, in order and without overlaps. */
export function observedParts({
  spans,
  observedUntil,
  from,
  to,
  now,
}: Omit<UptimeQuestion, 'excluded'>): ObservedPart[] {
  const observedEnd = Math.min(to, now, observedUntil ?? from);
  const parts: ObservedPart[] = [];
  let seenUntil = from;
  for (const { status, fromAt, toAt } of spans) {
    if (status === 'unobserved') continue;
    const seen = clip(fromAt, toAt ?? observedEnd, seenUntil, observedEnd);
    seenUntil = seen.to;
    if (seen.to > seen.from) parts.push({ status, ...seen });
  }
  return parts;
}

/** Computes the uptime of a monitor during a period, from spans and never from counts of checks. */
export function uptime(question: UptimeQuestion): Uptime {
  const { from, to, excluded = [] } = question;
  const period = Math.max(0, to - from);
  let windows: readonly Interval[] | null = null;
  const time = { online: 0, degraded: 0, offline: 0 };
  let excludedMs = 0;
  for (const seen of observedParts(question)) {
    time[seen.status] += seen.to - seen.from;
    if (seen.status !== 'offline') continue;
    windows ??= union(excluded);
    excludedMs += overlapOf(seen, windows);
  }
  const up = time.online + time.degraded;
  const down = time.offline - excludedMs;
  const unobserved = period - up - time.offline;
  return {
    upMs: time.online,
    degradedMs: time.degraded,
    downMs: down,
    excludedMs,
    unobservedMs: unobserved,
    uptimePercent: up + down > 0 ? (100 * up) / (up + down) : null,
    observedPercent: period > 0 ? (100 * (period - unobserved)) / period : null,
  };
}

/** The part inside the bounds; empty (`from` = `to`) when there is none. */
function clip(from: number, to: number, lower: number, upper: number): Interval {
  const end = Math.max(lower, Math.min(to, upper));
  return { from: Math.min(Math.max(from, lower), end), to: end };
}

/** The same time as these intervals, in order and without overlaps or empty ones. */
export function union(intervals: readonly Interval[]): Interval[] {
  const merged: Interval[] = [];
  for (const interval of intervals.toSorted((a, b) => a.from - b.from)) {
    if (interval.to <= interval.from) continue;
    const last = merged.at(-1);
    if (last && interval.from <= last.to) last.to = Math.max(last.to, interval.to);
    else merged.push({ ...interval });
  }
  return merged;
}

/** A time of a monitor, such as an outage, and the parts of it in which the monitor was observed. */
export interface ObservedTime extends Interval {
  observed: readonly Interval[];
}

/** Length of the time of these, taken together, in which none of them was observed, ms. */
export function unobservedIn(times: readonly ObservedTime[]): number {
  return lengthOf(times) - lengthOf(times.flatMap(({ observed }) => observed));
}

function lengthOf(intervals: readonly Interval[]): number {
  return union(intervals).reduce((sum, { from, to }) => sum + to - from, 0);
}

/** Length of the part of an interval that lies in windows without overlaps, ms. */
export function overlapOf(interval: Interval, windows: readonly Interval[]): number {
  let sum = 0;
  for (const window of windows) {
    const common = clip(window.from, window.to, interval.from, interval.to);
    sum += common.to - common.from;
  }
  return sum;
}
