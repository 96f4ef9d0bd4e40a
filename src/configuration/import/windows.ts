import { cut } from '../../lib/text.ts';
import { isTimeZone } from '../../lib/time-zone.ts';
import { nameOf } from './common.ts';
import type { Draft } from './draft.ts';
import { windowTimes, type ForeignSchedule } from './maintenance.ts';
import { Notes, quoted } from './notes.ts';

const WEEKDAYS = ['su', 'mo', 'tu', 'we', 'th', 'fr', 'sa'];
/** Characters of a description. */
const MAX_DESCRIPTION = 10_000;
/** Maximum number of monitors, and of groups, of a window. */
const MAX_LISTED = 500;

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

export function addDailyWindow(draft: Draft, source: string, window: DailyWindow, now: number) {
  const notes = new Notes();
  const { name, start, seconds, monitors } = window;
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
  const timezone = isTimeZone(window.timezone) ? window.timezone : 'UTC';
  addWindow(draft, {
    source,
    notes,
    name,
    now,
    schedule: { timezone, durationSeconds: Math.min(seconds, 86_400), recurs },
    scope: { monitors },
  });
}

/** Adds a maintenance window, unless it is over, recurs in a way that ours can't, or is for nothing that is imported. */
export function addWindow(
  draft: Draft,
  window: {
    source: string;
    notes: Notes;
    name: unknown;
    /** Text for visitors. */
    description?: string | undefined;
    now: number;
    /** A text says why there is none. */
    schedule: ForeignSchedule | string;
    /** Keys, or tags. Nothing names the whole team. */
    scope: {
      monitors?: readonly string[];
      groups?: readonly string[];
      tags?: readonly string[] | undefined;
    };
  },
): void {
  const { source, notes, now, schedule } = window;
  const times = typeof schedule === 'string' ? schedule : windowTimes(schedule, now);
  if (typeof times === 'string') return draft.leaveOut(source, times, notes);
  const { tags } = window.scope;
  const [monitors, groups] = [window.scope.monitors, window.scope.groups].map((keys = []) => [
    ...new Set(keys),
  ]) as [string[], string[]];
  const isNamed = monitors.length + groups.length > 0;
  if (window.scope.monitors !== undefined && !isNamed)
    return draft.leaveOut(source, 'It covers no imported monitor.');
  const isWhole = monitors.length > MAX_LISTED || groups.length > MAX_LISTED;
  if (isWhole)
    notes.change(`It is for all monitors of the team: a window names at most ${MAX_LISTED}.`);
  const name = nameOf(window.name, 100, 'Maintenance', notes);
  const scope = isWhole
    ? {}
    : { ...(monitors.length > 0 && { monitors }), ...(groups.length > 0 && { groups }), tags };
  const description = cut(window.description?.trim() ?? '', MAX_DESCRIPTION) || undefined;
  const fields = { name, description, ...times, ...scope };
  draft.add('maintenance_windows', { source, notes, fields });
}
