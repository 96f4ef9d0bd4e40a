/** Recurrence by choices, in the wall time of a window's zone. Wall times are texts such as 2030-01-31T22:00. Pure. */

export const REPEATS = [
  'none',
  'daily',
  'weekly',
  'monthday',
  'weekday',
  'last',
  'custom',
] as const;
export type Repeat = (typeof REPEATS)[number];

export const DAY_CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type DayCode = (typeof DAY_CODES)[number];

export interface Recurrence {
  repeat: Repeat;
  /** Every how many days, weeks or months. */
  interval: number;
  /** Of `weekly`; none for the weekday of the start. */
  days: DayCode[];
  /** Last day, such as 2030-01-31; empty for none. */
  until: string;
  /** Of `custom`. */
  rule: string;
}

export const ONCE: Recurrence = { repeat: 'none', interval: 1, days: [], until: '', rule: '' };

const DAY_MS = 86_400_000;
/** Days to look ahead for the next times: more than four years, so that 29 February is found. */
const MAX_DAYS = 1_500;

/** Whether it recurs more often than weekly, as far as the choices tell. */
export function isFrequent({ repeat, interval, days }: Recurrence): boolean {
  return (repeat === 'daily' && interval < 7) || (repeat === 'weekly' && days.length > 1);
}

/** Days since 1970 of the date of a wall time. */
function dayOf(wall: string): number {
  return Math.floor(Date.parse(`${wall.slice(0, 10)}T00:00:00Z`) / DAY_MS);
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Code of the weekday of a wall time. */
export function weekdayOf(wall: string): DayCode {
  return codeOf(dayOf(wall));
}

/** 1 January 1970 was a Thursday. */
function codeOf(day: number): DayCode {
  return DAY_CODES[(((day + 3) % 7) + 7) % 7]!;
}

/** Which one of its month the weekday of a wall time is, from 1. */
export function positionOf(wall: string): number {
  return Math.ceil(Number(wall.slice(8, 10)) / 7);
}

/** Rule of RFC 5545 for the API; null for a window that is once. */
export function ruleOf(recurrence: Recurrence, start: string): string | null {
  const { repeat, interval, days, until, rule } = recurrence;
  if (repeat === 'none') return null;
  if (repeat === 'custom') return rule.trim();
  const parts = [frequencyOf(repeat)];
  if (interval > 1) parts.push(`INTERVAL=${interval}`);
  if (repeat === 'weekly') {
    const chosen =
      days.length === 0 ? [weekdayOf(start)] : DAY_CODES.filter((one) => days.includes(one));
    parts.push(`BYDAY=${chosen.join(',')}`);
  }
  if (repeat === 'monthday') parts.push(`BYMONTHDAY=${Number(start.slice(8, 10))}`);
  if (repeat === 'weekday') parts.push(`BYDAY=${positionOf(start)}${weekdayOf(start)}`);
  if (repeat === 'last') parts.push(`BYDAY=-1${weekdayOf(start)}`);
  if (until !== '') parts.push(`UNTIL=${until.replaceAll('-', '')}T235959`);
  return parts.join(';');
}

function frequencyOf(repeat: Exclude<Repeat, 'none' | 'custom'>): string {
  if (repeat === 'daily') return 'FREQ=DAILY';
  return repeat === 'weekly' ? 'FREQ=WEEKLY' : 'FREQ=MONTHLY';
}

/** The choices that a stored rule comes from; `custom` for any other rule. */
export function recurrenceOf(rule: string | null, start: string): Recurrence {
  if (rule === null) return ONCE;
  const parts = new Map(
    rule
      .replace(/^RRULE:/i, '')
      .split(';')
      .map(pairOf),
  );
  const interval = Number(parts.get('INTERVAL') ?? 1);
  const until = /^(\d{4})(\d{2})(\d{2})T235959$/.exec(parts.get('UNTIL') ?? '');
  const days = (parts.get('BYDAY') ?? '').split(',').filter((one) => isDayCode(one));
  for (const repeat of ['daily', 'weekly', 'monthday', 'weekday', 'last'] as const) {
    const choice: Recurrence = {
      ...ONCE,
      repeat,
      interval,
      days: repeat === 'weekly' ? days : [],
      until: until === null ? '' : until.slice(1).join('-'),
    };
    if (isSameRule(ruleOf(choice, start)!, rule)) return choice;
  }
  return { ...ONCE, repeat: 'custom', rule };
}

function pairOf(part: string): [string, string] {
  const [name = '', value = ''] = part.split('=');
  return [name.toUpperCase(), value.toUpperCase()];
}

function isDayCode(text: string): text is DayCode {
  return (DAY_CODES as readonly string[]).includes(text);
}

function isSameRule(one: string, other: string): boolean {
  return sortedParts(one) === sortedParts(other);
}

function sortedParts(rule: string): string {
  const parts = rule
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .split(';');
  return parts.toSorted().join(';');
}

/**
 * Next starts as wall times, at most `most`, not before the start; null for a rule that only the API reads.
 *
 * @param after wall time; starts before it are left out
 */
export function nextStarts(
  recurrence: Recurrence,
  start: string,
  after: string,
  most: number,
): string[] | null {
  if (recurrence.repeat === 'custom') return null;
  if (Number.isNaN(Date.parse(start))) return [];
  if (recurrence.repeat === 'none') return start >= after ? [start] : [];
  const first = dayOf(start);
  const from = Math.max(first, dayOf(after));
  const starts: string[] = [];
  for (let day = from; day < from + MAX_DAYS && starts.length < most; day += 1) {
    const date = dateOf(day);
    if (recurrence.until !== '' && date > recurrence.until) break;
    const wall = `${date}${start.slice(10)}`;
    if (wall >= after && comesOn(recurrence, day, first, start)) starts.push(wall);
  }
  return starts;
}

function comesOn(
  { repeat, interval, days }: Recurrence,
  day: number,
  first: number,
  start: string,
) {
  const date = dateOf(day);
  switch (repeat) {
    case 'daily':
      return (day - first) % interval === 0;
    case 'weekly': {
      const weeks = (mondayOf(day) - mondayOf(first)) / 7;
      const chosen = days.length === 0 ? [weekdayOf(start)] : days;
      return weeks % interval === 0 && chosen.includes(codeOf(day));
    }
    default: {
      if ((monthOf(date) - monthOf(start)) % interval !== 0) return false;
      if (repeat === 'monthday') return date.slice(8, 10) === start.slice(8, 10);
      if (codeOf(day) !== weekdayOf(start)) return false;
      if (repeat === 'weekday') return positionOf(date) === positionOf(start);
      return dateOf(day + 7).slice(5, 7) !== date.slice(5, 7);
    }
  }
}

function mondayOf(day: number): number {
  return day - DAY_CODES.indexOf(codeOf(day));
}

function monthOf(wall: string): number {
  return Number(wall.slice(0, 4)) * 12 + Number(wall.slice(5, 7));
}
