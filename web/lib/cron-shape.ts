import type { Words } from '../words/index.ts';

/** When a cron expression runs, where a few words can say it. Times are those of its zone. */
export type CronShape =
  | { every: 'minutes'; count: number }
  | { every: 'hours'; count: number; minute: number }
  | { every: 'day'; time: string }
  /** Days from 0, Sunday, to 6; in the order of a week that begins on Monday. */
  | { every: 'week'; days: number[]; time: string }
  | { every: 'month'; day: number; time: string };

const MACROS: Record<string, string> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
};
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Reads the usual shapes of five fields; null for all others, which the expression itself says best. */
export function cronShape(expression: string): CronShape | null {
  const given = expression.trim().toLowerCase();
  const fields = (MACROS[given] ?? given).split(/\s+/);
  if (fields.length !== 5) return null;
  const [minute, hour, day, month, weekday] = fields as [string, string, string, string, string];
  if (month !== '*') return null;
  const isAnyDay = day === '*' && weekday === '*';
  const minutes = stepOf(minute, 60);
  if (isAnyDay && hour === '*' && minutes !== null) return { every: 'minutes', count: minutes };
  const atMinute = numberOf(minute, 0, 59);
  if (atMinute === null) return null;
  const hours = stepOf(hour, 24);
  if (isAnyDay && hours !== null) return { every: 'hours', count: hours, minute: atMinute };
  const atHour = numberOf(hour, 0, 23);
  if (atHour === null) return null;
  const time = [atHour, atMinute].map((part) => String(part).padStart(2, '0')).join(':');
  if (isAnyDay) return { every: 'day', time };
  if (day === '*') {
    const days = daysOf(weekday);
    return days === null ? null : { every: 'week', days, time };
  }
  // Not every month has the days after the 28th.
  const atDay = numberOf(day, 1, 28);
  return weekday === '*' && atDay !== null ? { every: 'month', day: atDay, time } : null;
}

/** Step of a field that begins anew without a shorter one, such as 15 of 60 minutes; 1 for each. */
function stepOf(field: string, whole: number): number | null {
  if (field === '*') return 1;
  const step = Number(/^\*\/(\d{1,2})$/.exec(field)?.[1] ?? 0);
  return step > 0 && step < whole && whole % step === 0 ? step : null;
}

function numberOf(field: string, least: number, most: number): number | null {
  if (!/^\d{1,2}$/.test(field)) return null;
  const number = Number(field);
  return number >= least && number <= most ? number : null;
}

/** Days of a list with ranges, such as `mon-fri` or `1,3,7`. */
function daysOf(field: string): number[] | null {
  const found = new Set<number>();
  for (const part of field.split(',')) {
    const [from, to = from, ...more] = part.split('-').map(dayOf);
    if (more.length > 0 || from === null || to === null || from === undefined || to === undefined)
      return null;
    if (from > to) return null;
    for (let day = from; day <= to; day += 1) found.add(day % 7);
  }
  return [...found].toSorted((one, other) => ((one + 6) % 7) - ((other + 6) % 7));
}

/** 0 and 7 are both Sunday. */
function dayOf(text: string): number | null {
  const named = DAYS.indexOf(text);
  return named === -1 ? numberOf(text, 0, 7) : named;
}

/** A shape as words. Pure. */
export function cronText(shape: CronShape, texts: Words['cron'], locale: string): string {
  switch (shape.every) {
    case 'minutes':
      return texts.minutes(shape.count);
    case 'hours':
      return texts.atMinute(texts.hours(shape.count), shape.minute);
    case 'day':
      return texts.day(shape.time);
    case 'week':
      return texts.week(daysText(shape.days, texts, locale), shape.time);
    default:
      return texts.month(shape.day, shape.time);
  }
}

/** Three or more days of the week that follow one another as a range, others as a list. From 0, Sunday. */
function daysText(days: readonly number[], texts: Words['cron'], locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  // 7 January 2029 was a Sunday.
  const names = days.map((day) => format.format(Date.UTC(2029, 0, 7 + day)));
  const isRange = days.every((day, index) => index === 0 || day === (days[index - 1]! + 1) % 7);
  return names.length >= 3 && isRange
    ? texts.fromTo(names[0]!, names.at(-1)!)
    : texts.onDays(new Intl.ListFormat(locale).format(names));
}
