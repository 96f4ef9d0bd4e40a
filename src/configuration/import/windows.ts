import { isTimeZone } from '../../lib/time-zone.ts';
import { nameOf } from './common.ts';
import type { Draft } from './draft.ts';
import { windowTimes, type ForeignSchedule } from './maintenance.ts';
import { Notes, quoted } from './notes.ts';

const WEEKDAYS = ['su', 'mo', 'tu', 'we', 'th', 'fr', 'sa'];
/** Maximum number of monitors of a window. */
const MAX_MONITORS = 500;

/** Maintenance that recurs on days of the week. */
export interface DailyWindow {
  name: string;
  /** Wall time such as `23:00` or `23:00:00`. */
  start: string;
  seconds: number;
  timezone: string;
  /** English names of days, of which two letters are enough; every day when there is none. */
  days: readonly string[];
  /** Keys. */
  monitors: readonly string[];
}

export function addDailyWindow(
  draft: Draft,
  source: string,
  window: DailyWindow,
  now: number,
): void {
  const notes = new Notes();
  const { name, start, seconds, monitors } = window;
  if (monitors.length === 0) return draft.leaveOut(source, 'None of its monitors is taken over.');
  if (!isTimeZone(window.timezone))
    notes.change(`Its times are in UTC: ${quoted(window.timezone)} is no known time zone.`);
  const days = window.days.map((day) => WEEKDAYS.indexOf(day.slice(0, 2).toLowerCase()));
  const weekdays = [...new Set(days.filter((day) => day >= 0))].toSorted((a, b) => a - b);
  const [, hour, minute] = /^(\d\d):(\d\d)/.exec(start) ?? [];
  const recurs = {
    hours: [Number(hour)],
    minute: Number(minute),
    ...(weekdays.length > 0 && { weekdays }),
  };
  if (monitors.length > MAX_MONITORS)
    notes.change(`It is for all monitors of the team: a window names at most ${MAX_MONITORS}.`);
  const timezone = isTimeZone(window.timezone) ? window.timezone : 'UTC';
  addWindow(draft, {
    source,
    notes,
    name,
    now,
    schedule: { timezone, durationSeconds: Math.min(seconds, 86_400), recurs },
    scope: { monitors: monitors.length > MAX_MONITORS ? [] : monitors },
  });
}

/** Adds a maintenance window, unless it is over or recurs in a way that ours can't. */
export function addWindow(
  draft: Draft,
  window: {
    source: string;
    notes: Notes;
    name: string;
    now: number;
    schedule: ForeignSchedule;
    scope: { monitors?: readonly string[]; tags?: readonly string[] | undefined };
  },
): void {
  const { source, notes, now, schedule, scope } = window;
  const times = windowTimes(schedule, now);
  if (typeof times === 'string') return draft.leaveOut(source, times, notes);
  const name = nameOf(window.name, 100, 'Maintenance', notes);
  draft.add('maintenance_windows', { source, notes, fields: { name, ...times, ...scope } });
}
