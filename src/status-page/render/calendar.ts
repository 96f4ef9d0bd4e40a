import { instantOfWall, offsetAt } from '../../lib/time-zone.ts';

const DAY_MS = 24 * 3600_000;

/** Calendar day of a time in a zone, as the UTC midnight of that date: dates are compared and formatted without a zone. */
export function dateOf(at: number, zone: string): number {
  return Math.floor((at + offsetAt(zone, at)) / DAY_MS) * DAY_MS;
}

/** The last days of a zone, today first. Days that the zone left out, such as 2011-12-30 in Apia, are not among them. */
export function lastDates(now: number, zone: string, count: number): number[] {
  const dates: number[] = [];
  for (let date = dateOf(now, zone); dates.length < count; date -= DAY_MS) {
    if (exists(date, zone)) dates.push(date);
  }
  return dates;
}

/** Noon exists on every day that a zone has: clocks change at night, and by less than 12 hours. */
function exists(date: number, zone: string): boolean {
  return dateOf(instantOfWall(zone, date + DAY_MS / 2), zone) === date;
}
