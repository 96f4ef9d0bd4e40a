import { MONTHS, type Cron } from './cron-expression.ts';

/** Days in the order in which people list them: Sunday last. */
const WEEK = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');

/** Maximum number of times of a day that are listed one by one. */
const MOST_NAMED = 6;
/** Fewer times at equal distances are named one by one, too. */
const FEWEST_REPEATED = 4;

/**
 * When a job is due, in plain English that can follow "runs": `at 02:00 on Monday`. Wall-clock time; "from … to …" names
 * the first and the last time of the day. Two expressions with the same words are due at the same times of the wall
 * clock. What is done when clocks change stands in cron.ts, and the next times show it.
 */
export function describeCron(cron: Cron): string {
  const times = describeTimes(cron);
  const days = describeDays(cron);
  if (days !== '') return `${times} ${days}`;
  const months = describeMonths(cron);
  const everyDay = times.startsWith('every') ? '' : ' every day';
  return `${times}${everyDay}${months === '' ? '' : ` ${months}`}`;
}

function describeTimes({ minutes, hours }: Cron): string {
  const isEveryHour = hours.length === 24;
  if (isEveryHour && minutes.length === 1) return `every hour at ${counted('minute', minutes)}`;

  const times = hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute));
  const [first = 0, last = first] = [times[0], times.at(-1)];
  const distance = equalDistance(times);
  if (distance !== null) {
    const every = `every ${lengthOf(distance)}`;
    return isEveryHour && first === 0 ? every : `${every} from ${clock(first)} to ${clock(last)}`;
  }
  if (isEveryHour) return `every hour at ${counted('minute', minutes)}`;
  if (times.length <= MOST_NAMED) return `at ${series(times.map(clock), 'and')}`;
  const these = minutes.length === 60 ? 'every minute' : `at ${counted('minute', minutes)}`;
  return `${these} of ${counted('hour', hours)}`;
}

/** Minutes from each time to the next; null when they differ or the times are few. */
function equalDistance(times: number[]): number | null {
  if (times.length < FEWEST_REPEATED) return null;
  const distances = new Set(times.slice(1).map((time, index) => time - (times[index] ?? 0)));
  const [distance = 0, ...others] = distances;
  return others.length === 0 ? distance : null;
}

function lengthOf(minutes: number): string {
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
  return count === 1 ? unit : `${count} ${unit}s`;
}

/** `09:05` for so many minutes after midnight. */
function clock(time: number): string {
  return [Math.floor(time / 60), time % 60].map((part) => `${part}`.padStart(2, '0')).join(':');
}

/** Which days of the months, and of which months; nothing when all days fit. */
function describeDays(cron: Cron): string {
  const { daysOfMonth, daysOfWeek, isEitherDay } = cron;
  const isAnyDate = daysOfMonth.size === 31;
  const isAnyWeekday = daysOfWeek.size === 7;
  if (isEitherDay ? isAnyDate || isAnyWeekday : isAnyDate && isAnyWeekday) return '';

  const months = describeMonths(cron);
  if (isEitherDay) {
    const either = `on ${counted('day', rising(daysOfMonth))} of the month or on ${weekdays(cron)}`;
    // The months belong to both days.
    return months === '' ? either : `${either}, only ${months}`;
  }
  if (isAnyDate) return `on ${weekdays(cron)}${months === '' ? '' : ` ${months}`}`;
  if (isAnyWeekday) return dates(cron);
  const which = daysOfMonth.size === 1 ? 'if it is a' : 'that are a';
  return `${dates(cron)} ${which} ${series(weekdayNames(cron), 'or')}`;
}

function dates({ daysOfMonth, months }: Cron): string {
  const days = rising(daysOfMonth);
  const names = rising(months).map((month) => MONTHS[month - 1] ?? '');
  if (days.length === 1 && names.length === 1) return `on ${days[0]} ${names[0]}`;
  const on = `on ${counted('day', days)} of`;
  if (names.length === 12) return `${on} the month`;
  const range = rangeOf(names, MONTHS);
  return range === null ? `${on} ${series(names, 'and')}` : `${on} each month from ${range}`;
}

/** `in March`, `from March to October`; nothing when all months fit. */
function describeMonths({ months }: Cron): string {
  if (months.size === 12) return '';
  const names = rising(months).map((month) => MONTHS[month - 1] ?? '');
  const range = rangeOf(names, MONTHS);
  return range === null ? `in ${series(names, 'and')}` : `from ${range}`;
}

function weekdays(cron: Cron): string {
  const names = weekdayNames(cron);
  return rangeOf(names, WEEK) ?? series(names, 'and');
}

function weekdayNames({ daysOfWeek }: Cron): string[] {
  return WEEK.filter((_, index) => daysOfWeek.has((index + 1) % 7));
}

/** `Monday to Friday` for three or more names that follow one another; null for others. */
function rangeOf(names: string[], all: string[]): string | null {
  const [first = '', last = ''] = [names[0], names.at(-1)];
  const length = all.indexOf(last) - all.indexOf(first) + 1;
  return names.length >= 3 && names.length === length ? `${first} to ${last}` : null;
}

/** `day 5`, `days 1 to 7 and 15`. */
function counted(noun: string, numbers: number[]): string {
  return `${noun}${numbers.length === 1 ? '' : 's'} ${series(runs(numbers), 'and')}`;
}

/** Three or more numbers that follow one another become `1 to 7`. */
function runs(numbers: number[]): string[] {
  const texts: string[] = [];
  for (let start = 0; start < numbers.length;) {
    let end = start;
    while (numbers[end + 1] === (numbers[end] ?? 0) + 1) end += 1;
    const run = numbers.slice(start, end + 1);
    if (run.length >= 3) texts.push(`${run[0]} to ${run.at(-1)}`);
    else texts.push(...run.map(String));
    start = end + 1;
  }
  return texts;
}

function series(texts: string[], word: 'and' | 'or'): string {
  const before = texts.slice(0, -1);
  const last = texts.at(-1) ?? '';
  return before.length === 0 ? last : `${before.join(', ')} ${word} ${last}`;
}

function rising(numbers: Set<number>): number[] {
  return [...numbers].toSorted((one, other) => one - other);
}
