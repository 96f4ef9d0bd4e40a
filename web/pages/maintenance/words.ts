import type { MaintenanceWindow } from '../../app/api.gen.ts';
import { toWallMinute } from '../../lib/wall-time.ts';
import { words } from '../../words/index.ts';
import { DAY_CODES, positionOf, recurrenceOf, weekdayOf, type DayCode } from './recurrence.ts';

/** 1 January 2029 was a Monday. */
function dayName(code: DayCode, style: 'long' | 'short'): string {
  const format = new Intl.DateTimeFormat(words.time.locale, { weekday: style, timeZone: 'UTC' });
  return format.format(Date.UTC(2029, 0, 1 + DAY_CODES.indexOf(code)));
}

export function shortDay(code: DayCode): string {
  return dayName(code, 'short');
}

/** A wall time such as "Sun 13 Jan, 02:00". */
export function wallText(wall: string): string {
  const at = Date.parse(`${wall}Z`);
  if (Number.isNaN(at)) return '';
  const format = new Intl.DateTimeFormat(words.time.locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  });
  return format.format(at);
}

/** How a window recurs, such as "every week on Tue, Sun"; the rule itself when it is none of the choices. */
export function recurrenceText({ rrule, starts_at, timezone }: MaintenanceWindow): string {
  const { maintenance } = words;
  const start = toWallMinute(Date.parse(starts_at), timezone);
  const { repeat, interval, days, rule } = recurrenceOf(rrule, start);
  const monthly = maintenance.every(maintenance.units.monthly, interval);
  switch (repeat) {
    case 'none':
      return '';
    case 'daily':
      return maintenance.every(maintenance.units.daily, interval);
    case 'weekly':
      return `${maintenance.every(maintenance.units.weekly, interval)} ${maintenance.on(days.map(shortDay).join(', '))}`;
    case 'monthday':
      return `${monthly} ${maintenance.onDay(Number(start.slice(8, 10)))}`;
    case 'weekday':
    case 'last': {
      const position = repeat === 'last' ? -1 : positionOf(start);
      return `${monthly} ${maintenance.nth(position, dayName(weekdayOf(start), 'long'))}`;
    }
    case 'custom':
      return rule;
  }
}
