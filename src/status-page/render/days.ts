import type { DayFacts } from '../facts/model.ts';
import type { DayClass, Words } from './words/index.ts';

/**
 * Classes of a day; the first rule that matches counts. What went wrong shows however short it was, and a day is only
 * `up` if it was observed for most of the time that has passed since the monitor was created.
 */
const RULES: readonly { dayClass: DayClass; matches: (day: DayFacts) => boolean }[] = [
  { dayClass: 'down', matches: (day) => day.downMs > 0 },
  { dayClass: 'degraded', matches: (day) => day.degradedMs > 0 },
  { dayClass: 'maintenance', matches: (day) => day.maintenanceMs > 0 || day.excludedMs > 0 },
  { dayClass: 'unobserved', matches: (day) => observedShare(day) < MIN_OBSERVED_SHARE },
  { dayClass: 'up', matches: () => true },
];

const MIN_OBSERVED_SHARE = 0.5;

export function classOf(day: DayFacts): DayClass {
  return RULES.find(({ matches }) => matches(day))!.dayClass;
}

/** Names of the classes: the words of services, but where a day has one of its own. */
export function classNames({ days, service }: Words): Record<DayClass, string> {
  return { up: service.up, unobserved: service.notObserved, ...days.classes };
}

function observedShare({ upMs, degradedMs, downMs, excludedMs, unobservedMs }: DayFacts): number {
  const observed = upMs + degradedMs + downMs + excludedMs;
  return observed === 0 ? 0 : observed / (observed + unobservedMs);
}

/** What the days of several services add up to, which is of the class of the worst of them. */
export function sumOfDays(days: readonly DayFacts[]): DayFacts {
  const sum = (key: keyof DayFacts & `${string}Ms`) => days.reduce((all, day) => all + day[key], 0);
  return {
    ...days[0]!,
    upMs: sum('upMs'),
    degradedMs: sum('degradedMs'),
    downMs: sum('downMs'),
    excludedMs: sum('excludedMs'),
    unobservedMs: sum('unobservedMs'),
    beforeMs: sum('beforeMs'),
    futureMs: sum('futureMs'),
    maintenanceMs: sum('maintenanceMs'),
  };
}

export interface DayRun {
  dayClass: DayClass;
  first: number;
  count: number;
  /** Beginnings of the first and the last day. */
  from: number;
  to: number;
  downMs: number;
}

export function runsOf(days: readonly DayFacts[]): DayRun[] {
  const runs: DayRun[] = [];
  for (const [index, day] of days.entries()) {
    const dayClass = classOf(day);
    const open = runs.at(-1);
    if (open?.dayClass === dayClass) {
      open.count++;
      open.to = day.from;
      open.downMs += day.downMs;
    } else {
      const { from, downMs } = day;
      runs.push({ dayClass, first: index, count: 1, from, to: from, downMs });
    }
  }
  return runs;
}

/** Maximum number of days with downtime that are listed; more are shown by their total. */
const MAX_DAYS_WITH_DOWNTIME = 12;

/** Maximum number of runs that are listed; more are shown by month, which is shorter. */
const MAX_RUNS = 8;

/** A part of a row. One that names a day, by its beginning, leads to what happened then. */
export interface Piece {
  text: string;
  day?: number;
}

/** Rows of a table that says the same as a bar: the days of each class but `up`, which has the others. */
export function daysTable(days: readonly DayFacts[], words: Words, zone: string) {
  const runs = runsOf(days);
  return (['down', 'degraded', 'maintenance', 'unobserved'] as const).flatMap((dayClass) => {
    const ofClass = runs.filter((run) => run.dayClass === dayClass);
    if (ofClass.length === 0) return [];
    const downDays = dayClass === 'down' ? days.filter((day) => classOf(day) === 'down') : [];
    if (downDays.length > 0 && downDays.length <= MAX_DAYS_WITH_DOWNTIME)
      return [{ dayClass, days: withDowntime(downDays, words, zone) }];
    const downMs = downDays.reduce((sum, day) => sum + day.downMs, 0);
    const total = downMs > 0 ? [{ text: ` (${words.days.total(words.duration(downMs))})` }] : [];
    const write = ofClass.length > MAX_RUNS ? byMonth : inFull;
    return [{ dayClass, days: [...write(ofClass, words, zone), ...total] }];
  });
}

const separated = (items: readonly Piece[][], between: string) =>
  items.flatMap((pieces, index) => (index === 0 ? pieces : [{ text: between }, ...pieces]));

/** Such as `25 Oct (1 h 2 min), 22 Nov (14 min)`. */
function withDowntime(days: readonly DayFacts[], words: Words, zone: string): Piece[] {
  return separated(
    days.map(({ from, downMs }) => [
      { text: words.shortDay(from, zone), day: from },
      { text: ` (${words.duration(downMs)})` },
    ]),
    ', ',
  );
}

/** Such as `13 Oct, 22 Oct to 23 Oct`. */
function inFull(runs: readonly DayRun[], words: Words, zone: string): Piece[] {
  return separated(
    runs.map(({ from, to }) => {
      const first = words.shortDay(from, zone);
      const text = from === to ? first : words.days.span(first, words.shortDay(to, zone));
      return [{ text, day: from }];
    }),
    ', ',
  );
}

/** Such as `August: 25, 27–29; September: 1, 3`. A run stands in the month in which it begins. */
function byMonth(runs: readonly DayRun[], words: Words, zone: string): Piece[] {
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
  return [{ text: texts.join('; ') }];
}
