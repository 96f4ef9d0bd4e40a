import type { DayFacts } from '../facts/model.ts';
import { classOf, runsOf, type DayRun } from './days.ts';
import type { DayClass, Words } from './words/index.ts';

/** Row of the table that says the same as a bar: the days of a class, in words. */
export interface DaysRow {
  dayClass: DayClass;
  days: string;
}

/** Maximum number of days with downtime that are listed; more are shown by their total. */
const MAX_DAYS_WITH_DOWNTIME = 12;

/** Maximum number of runs that are listed; more are shown by month, which is shorter. */
const MAX_RUNS = 8;

/** Rows for all classes but `up`, which has the other days. */
export function daysTable(days: readonly DayFacts[], words: Words, zone: string): DaysRow[] {
  const runs = runsOf(days);
  return (['down', 'degraded', 'maintenance', 'unobserved'] as const).flatMap((dayClass) => {
    const ofClass = runs.filter((run) => run.dayClass === dayClass);
    if (ofClass.length === 0) return [];
    const downDays = dayClass === 'down' ? days.filter((day) => classOf(day) === 'down') : [];
    if (downDays.length > 0 && downDays.length <= MAX_DAYS_WITH_DOWNTIME)
      return [{ dayClass, days: withDowntime(downDays, words, zone) }];
    const downMs = downDays.reduce((sum, day) => sum + day.downMs, 0);
    const total = downMs > 0 ? ` (${words.days.total(words.duration(downMs))})` : '';
    const write = ofClass.length > MAX_RUNS ? byMonth : inFull;
    return [{ dayClass, days: `${write(ofClass, words, zone)}${total}` }];
  });
}

/** Such as `25 Oct (1 h 2 min), 22 Nov (14 min)`. */
function withDowntime(days: readonly DayFacts[], words: Words, zone: string): string {
  return days
    .map(({ from, downMs }) => `${words.shortDay(from, zone)} (${words.duration(downMs)})`)
    .join(', ');
}

/** Such as `13 Oct, 22 Oct to 23 Oct`. */
function inFull(runs: readonly DayRun[], words: Words, zone: string): string {
  return runs
    .map(({ from, to }) => {
      const first = words.shortDay(from, zone);
      return from === to ? first : words.days.span(first, words.shortDay(to, zone));
    })
    .join(', ');
}

/** Such as `August: 25, 27–29; September: 1, 3`. A run stands in the month in which it begins. */
function byMonth(runs: readonly DayRun[], words: Words, zone: string): string {
  const months = Map.groupBy(runs, ({ from }) => words.monthName(from, zone));
  const texts = [...months].map(([month, ofMonth]) => {
    const numbers = ofMonth.map(({ from, to }) => {
      const first = words.dayOfMonth(from, zone);
      if (from === to) return first;
      const isSameMonth = words.monthName(to, zone) === month;
      return `${first}–${isSameMonth ? words.dayOfMonth(to, zone) : words.shortDay(to, zone)}`;
    });
    return `${month}: ${numbers.join(', ')}`;
  });
  return texts.join('; ');
}
