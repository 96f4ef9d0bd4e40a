import { union, uptime, type Interval, type Span } from '../engine/history/uptime.ts';
import { dateOf, type LocalPeriod } from './facts/days.ts';
import type { DayFacts } from './facts/model.ts';

/** When a service was in which status, and its maintenance. */
export interface ServiceTimes {
  /** In chronological order. */
  spans: readonly Span[];
  observedUntil: number | null;
  excluded: readonly Interval[];
}

/** What another service saw of a day. */
interface ObservedElsewhere {
  upSeconds: number;
  downSeconds: number;
}

const DAY_MS = 86_400_000;

/**
 * Creates a function that returns the first day with the same values, since most days of most services are equal. For days of
 * one page as of one time.
 */
export function createDaySharing() {
  const known = new Map<string, DayFacts>();
  return (day: DayFacts) => {
    const { from, upMs, degradedMs, downMs, excludedMs, unobservedMs, beforeMs, maintenanceMs } =
      day;
    const key = `${from} ${upMs} ${degradedMs} ${downMs} ${excludedMs} ${unobservedMs} ${beforeMs} ${maintenanceMs} ${day.isImported}`;
    const first = known.get(key) ?? day;
    known.set(key, first);
    return first;
  };
}

/** Computes the facts of each day of a monitor that was created at `createdAt`. `days` are in chronological order. */
export function dayFacts(
  { spans, observedUntil, excluded }: ServiceTimes,
  days: readonly LocalPeriod[],
  { createdAt, now }: { createdAt: number; now: number },
): DayFacts[] {
  const windows = union(excluded);
  let first = 0;
  let firstWindow = 0;
  return days.map(({ from, to }) => {
    const end = Math.max(from, Math.min(to, now));
    const start = Math.min(end, Math.max(from, createdAt));
    while (first < spans.length && (spans[first]!.toAt ?? Infinity) <= from) first += 1;
    while (firstWindow < windows.length && windows[firstWindow]!.to <= from) firstWindow += 1;
    const [current, next] = [spans[first], windows[firstWindow]];
    const isObserved = observedUntil !== null && to <= Math.min(observedUntil, now);
    if (
      isObserved &&
      start === from &&
      current !== undefined &&
      covers(current, from, to) &&
      (next?.from ?? to) >= to
    )
      return wholeDay(current.status, from, to);
    const inside = spans.slice(
      first,
      indexFrom(spans, first, (span) => span.fromAt >= to),
    );
    const maintenance = windows.slice(
      firstWindow,
      indexFrom(windows, firstWindow, (window) => window.from >= to),
    );
    const times = uptime({
      spans: inside,
      observedUntil,
      from: start,
      to: end,
      now,
      excluded: maintenance,
    });
    const maintenanceMs = maintenance.reduce(
      (sum, window) => sum + Math.max(0, Math.min(window.to, end) - Math.max(window.from, start)),
      0,
    );
    const { upMs, degradedMs, downMs, excludedMs, unobservedMs } = times;
    return {
      from,
      to,
      upMs,
      degradedMs,
      downMs,
      excludedMs,
      unobservedMs,
      beforeMs: start - from,
      futureMs: to - end,
      maintenanceMs,
    };
  });
}

/** Replaces days from before the monitor existed by those that another service observed, where there are any. */
export function withImported(
  days: readonly DayFacts[],
  imported: ReadonlyMap<number, ObservedElsewhere>,
  zone: string,
): DayFacts[] {
  return days.map((day) => {
    const length = day.to - day.from;
    const found = day.beforeMs < length ? undefined : imported.get(dateOf(day.from, zone) / DAY_MS);
    if (found === undefined) return day;
    // Days of the other service may be longer, by its clock or zone.
    const downMs = Math.min(length, found.downSeconds * 1_000);
    const upMs = Math.min(length - downMs, found.upSeconds * 1_000);
    const unobservedMs = length - downMs - upMs;
    return { ...day, upMs, downMs, unobservedMs, beforeMs: 0, isImported: true };
  });
}

function covers({ fromAt, toAt }: Span, from: number, to: number): boolean {
  return fromAt <= from && (toAt ?? Infinity) >= to;
}

/** Most days are of one status from beginning to end: they need no computation. */
function wholeDay(status: Span['status'], from: number, to: number): DayFacts {
  const of = (one: Span['status']) => (status === one ? to - from : 0);
  return {
    from,
    to,
    upMs: of('online'),
    degradedMs: of('degraded'),
    downMs: of('offline'),
    excludedMs: 0,
    unobservedMs: of('unobserved'),
    beforeMs: 0,
    futureMs: 0,
    maintenanceMs: 0,
  };
}

/** Index of the first item from `start` on that fits; the number of items without one. */
function indexFrom<Item>(items: readonly Item[], start: number, fits: (item: Item) => boolean) {
  let index = start;
  while (index < items.length && !fits(items[index]!)) index += 1;
  return index;
}
