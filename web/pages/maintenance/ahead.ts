import type { MaintenanceWindow } from '../../app/api.gen.ts';
import { fromWallTime, toWallMinute } from '../../lib/wall-time.ts';
import { laterWall } from './draft.ts';
import { nextStarts, recurrenceOf } from './recurrence.ts';

/** A day, such as 2030-01-31, with the windows that have an occurrence on it. */
export interface DayAhead {
  date: string;
  windows: Pick<MaintenanceWindow, 'id' | 'name'>[];
}

type Planned = Pick<
  MaintenanceWindow,
  | 'id'
  | 'name'
  | 'starts_at'
  | 'ends_at'
  | 'rrule'
  | 'timezone'
  | 'active_until'
  | 'next_starts_at'
  | 'next_ends_at'
>;

/** Time of an occurrence, in epoch milliseconds. */
interface Occurrence {
  from: number;
  to: number;
}

const DAY_MS = 86_400_000;

/** Days from today on, in the zone of the reader. Of rules that only the API reads, the next occurrence is known. Pure. */
export function daysAhead(
  windows: readonly Planned[],
  { now, zone, days }: { now: number; zone: string; days: number },
): DayAhead[] {
  const today = `${toWallMinute(now, zone).slice(0, 10)}T00:00`;
  const found = windows.flatMap((window) =>
    occurrencesOf(window, now, days).map(({ from, to }) => ({
      window,
      first: toWallMinute(from, zone).slice(0, 10),
      // One that ends at midnight is not on the next day.
      last: toWallMinute(to - 1, zone).slice(0, 10),
    })),
  );
  return Array.from({ length: days }, (_, index) => {
    const date = laterWall(today, index * DAY_MS).slice(0, 10);
    const here = found.filter(({ first, last }) => first <= date && date <= last);
    return { date, windows: [...new Set(here.map(({ window }) => window))] };
  });
}

function occurrencesOf(window: Planned, now: number, most: number): Occurrence[] {
  const { starts_at, ends_at, rrule, timezone, active_until: until } = window;
  const { next_starts_at: next, next_ends_at: end } = window;
  const active = until === null ? [] : [{ from: now, to: Date.parse(until) }];
  if (next === null) return active;
  const start = toWallMinute(Date.parse(starts_at), timezone);
  const lasts = Date.parse(ends_at) - Date.parse(starts_at);
  const starts = nextStarts(recurrenceOf(rrule, start), start, toWallMinute(now, timezone), most);
  if (starts === null)
    return [...active, { from: Date.parse(next), to: Date.parse(end ?? next) + 1 }];
  const coming = starts.flatMap((wall) => {
    const from = Date.parse(fromWallTime(wall, timezone) ?? '');
    return Number.isNaN(from) ? [] : [{ from, to: from + lasts }];
  });
  return [...active, ...coming];
}
