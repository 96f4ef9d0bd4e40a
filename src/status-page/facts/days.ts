import { instantOfWall, offsetAt } from '../../lib/time-zone.ts';

export interface LocalPeriod {
  from: number;
  to: number;
}

const DAY_MS = 86_400_000;

/** Calendar day of a time in a zone, as the UTC midnight of that date: dates are compared and formatted without a zone. */
export function dateOf(at: number, zone: string): number {
  return Math.floor((at + offsetAt(zone, at)) / DAY_MS) * DAY_MS;
}

/**
 * The last `count` days in a zone, the day of `now` last. A day with a change of clocks has 23 or 25 hours; one that a
 * zone skipped, as Samoa did on 30 December 2011, is left out.
 */
export function lastDays(zone: string, now: number, count: number): readonly LocalPeriod[] {
  const today = dateOf(now, zone) / DAY_MS;
  const key = `${zone} ${today} ${count}`;
  const days = known.get(key) ?? daysUntil(zone, today, count);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, days);
  return days;
}

/** Pages are read again and again on one day, and each midnight takes several formats of a date. */
const known = new Map<string, readonly LocalPeriod[]>();
const MAX_KNOWN = 500;

/** @param today number of the last day since 1970. */
function daysUntil(zone: string, today: number, count: number): LocalPeriod[] {
  const startOf = (day: number) => instantOfWall(zone, day * DAY_MS);
  const days: LocalPeriod[] = [];
  let to = startOf(today + 1);
  for (let day = today; days.length < count; day--) {
    const from = startOf(day);
    if (from < to) days.push({ from, to });
    to = from;
  }
  return days.toReversed();
}

export function monthOf(zone: string, instant: number): string {
  return new Date(dateOf(instant, zone)).toISOString().slice(0, 7);
}

/** The month before or after one, such as `2029-12` for `2030-01` and -1. */
export function monthBeside(month: string, step: 1 | -1): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + step)).toISOString().slice(0, 7);
}

/** Bounds of a month such as `2030-01` in a zone; null for a text that is no month from 1970 to 9998. */
export function monthBounds(zone: string, month: string): LocalPeriod | null {
  const [, year, number] = /^(19[7-9]\d|[2-9]\d{3})-(0[1-9]|1[0-2])$/.exec(month) ?? [];
  if (year === undefined || year === '9999') return null;
  const startOf = (index: number) => instantOfWall(zone, Date.UTC(Number(year), index));
  return { from: startOf(Number(number) - 1), to: startOf(Number(number)) };
}

/** ISO 8601 in UTC, with milliseconds. */
export const isoTime = (at: number) => new Date(at).toISOString();
