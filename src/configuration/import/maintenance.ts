import { parseCron } from '../../lib/cron-expression.ts';
import { parseRecurrence } from '../../lib/recurrence.ts';
import { instantOfWall, isTimeZone } from '../../lib/time-zone.ts';

const DAY_MS = 86_400_000;
const MAX_DURATION_SECONDS = 31 * 86_400;
/** What the API takes as the beginning of a window, in days from now. */
const EARLIEST_DAYS = 90;
const LATEST_DAYS = 3_653;
/** Days that are searched for the first occurrence: 29 February is one in at most eight years. */
const SEARCHED_DAYS = 8 * 366;
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** When maintenance of another service is. */
export interface ForeignSchedule {
  /** IANA name. */
  timezone: string;
  durationSeconds: number;
  /** A date and time without an offset, where it begins once. */
  once?: string;
  /** In wall time, where it recurs: every day unless days or months are given. */
  recurs?: Recurrence;
}

export interface Recurrence {
  minute: number;
  hours: readonly number[];
  /** Interval in days, counted from the first date. */
  everyDays?: number;
  /** 0 (Sunday) to 6. */
  weekdays?: readonly number[];
  /** 1 to 31, or from -1 for the last day. */
  monthDays?: readonly number[];
  /** 1 to 12. */
  months?: readonly number[];
  /** First and last date, such as `2026-01-31`. */
  from?: string | undefined;
  until?: string | undefined;
}

export interface WindowTimes {
  starts_at: string;
  ends_at: string;
  rrule?: string;
  timezone: string;
}

/** The times of a window of ours, or a sentence that says why there is none. A recurring one begins anew after `now`. */
export function windowTimes(schedule: ForeignSchedule, now: number): WindowTimes | string {
  const { timezone, durationSeconds, once, recurs } = schedule;
  if (!isTimeZone(timezone)) return `Its time zone ${timezone.slice(0, 60)} is not known.`;
  if (!(durationSeconds >= 1)) return 'It has no duration.';
  if (durationSeconds > MAX_DURATION_SECONDS) return 'It takes longer than 31 days.';
  const wall = recurs === undefined ? wallOf(once) : firstOccurrence(recurs, now);
  if (typeof wall !== 'number') return wall ?? 'It has no time at which it begins.';
  const start = instantOfWall(timezone, wall);
  const end = start + Math.round(durationSeconds) * 1000;
  if (recurs === undefined && end <= now) return 'It is over.';
  if (start < now - EARLIEST_DAYS * DAY_MS) return `It began more than ${EARLIEST_DAYS} days ago.`;
  if (start > now + LATEST_DAYS * DAY_MS) return 'It begins in more than ten years.';
  const rule = recurs && ruleOf(recurs);
  const parsed = rule === undefined ? null : parseRecurrence(rule);
  if (parsed !== null && 'fault' in parsed) return 'It recurs in a way that Tocsin does not know.';
  return {
    starts_at: new Date(start).toISOString(),
    ends_at: new Date(end).toISOString(),
    ...(rule !== undefined && { rrule: rule }),
    timezone,
  };
}

/** The recurrence that a cron expression of five fields means; null where it is none that a window can have. */
export function recurrenceOfCron(expression: string): Recurrence | null {
  const parsed = parseCron(expression);
  if (!parsed.ok) return null;
  const { minutes, hours, daysOfMonth, months, daysOfWeek } = parsed.cron;
  const [minute, ...otherMinutes] = minutes;
  const hasWeekdays = daysOfWeek.size < 7;
  const hasMonthDays = daysOfMonth.size < 31;
  if (minute === undefined || otherMinutes.length > 0 || (hasWeekdays && hasMonthDays)) return null;
  return {
    minute,
    hours,
    ...(hasWeekdays && { weekdays: [...daysOfWeek].toSorted((a, b) => a - b) }),
    ...(hasMonthDays && { monthDays: [...daysOfMonth].toSorted((a, b) => a - b) }),
    ...(months.size < 12 && { months: [...months].toSorted((a, b) => a - b) }),
  };
}

const WALL = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?)?Z?$/;

/** A wall time as if it were UTC, epoch ms; null for what is none. */
function wallOf(text: string | undefined): number | null {
  const [, date, time = '00:00', second = '00'] = WALL.exec(text?.trim() ?? '') ?? [];
  const at = Date.parse(`${date}T${time}:${second}.000Z`);
  return Number.isNaN(at) ? null : at;
}

/** The wall time of the first occurrence from now on, as if it were UTC, or why there is none. */
function firstOccurrence(recurs: Recurrence, now: number): number | string {
  const { minute, hours, everyDays = 1 } = recurs;
  const [hour] = hours.toSorted((a, b) => a - b);
  if (hour === undefined || !isTimeOfDay(hour, minute)) return 'It has no time of day.';
  const today = Math.floor(now / DAY_MS);
  const from = dayOf(recurs.from) ?? today;
  const until = dayOf(recurs.until) ?? Number.POSITIVE_INFINITY;
  const missed = Math.max(0, Math.ceil((today - from) / everyDays)) * everyDays;
  const begin = from + missed;
  for (let day = begin; day < begin + SEARCHED_DAYS; day += everyDays) {
    if (day > until) return 'It is over.';
    if (isMeant(day, recurs)) return day * DAY_MS + (hour * 60 + minute) * 60_000;
  }
  return 'It recurs on no day.';
}

const isTimeOfDay = (hour: number, minute: number) =>
  Number.isInteger(hour) &&
  hour >= 0 &&
  hour < 24 &&
  Number.isInteger(minute) &&
  minute >= 0 &&
  minute < 60;

const dayOf = (date: string | undefined) => {
  const at = wallOf(date);
  return at === null ? null : Math.floor(at / DAY_MS);
};

function isMeant(day: number, { weekdays, monthDays, months }: Recurrence): boolean {
  const date = new Date(day * DAY_MS);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const fromEnd = date.getUTCDate() - new Date(Date.UTC(year, month + 1, 0)).getUTCDate() - 1;
  return (
    (weekdays === undefined || weekdays.includes(date.getUTCDay())) &&
    (monthDays === undefined ||
      monthDays.includes(date.getUTCDate()) ||
      monthDays.includes(fromEnd)) &&
    (months === undefined || months.includes(month + 1))
  );
}

/** The rule of RFC 5545, section 3.3.10. */
function ruleOf({ hours, everyDays, weekdays, monthDays, months, until }: Recurrence): string {
  const last = wallOf(until);
  const parts = [
    `FREQ=${weekdays !== undefined ? 'WEEKLY' : monthDays !== undefined ? 'MONTHLY' : 'DAILY'}`,
    everyDays !== undefined && everyDays > 1 && `INTERVAL=${everyDays}`,
    weekdays !== undefined && `BYDAY=${weekdays.map((day) => WEEKDAYS[day]).join(',')}`,
    monthDays !== undefined && `BYMONTHDAY=${monthDays.join(',')}`,
    months !== undefined && `BYMONTH=${months.join(',')}`,
    hours.length > 1 && `BYHOUR=${hours.join(',')}`,
    last !== null && `UNTIL=${new Date(last).toISOString().slice(0, 10).replaceAll('-', '')}`,
  ];
  return parts.filter((part) => part !== false).join(';');
}
