import type { DayFacts } from '../facts/model.ts';
import type { DayClass } from './words/index.ts';

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

/** Class of a day in a bar. */
export function classOf(day: DayFacts): DayClass {
  return RULES.find(({ matches }) => matches(day))!.dayClass;
}

/** Observed share of the part of a day in which the monitor existed, 0 to 1. */
function observedShare(day: DayFacts): number {
  const existing = day.to - day.from - day.beforeMs - day.futureMs;
  return existing <= 0 ? 0 : 1 - day.unobservedMs / existing;
}

/** Consecutive days of one class. */
export interface DayRun {
  dayClass: DayClass;
  /** Index of the first day. */
  first: number;
  count: number;
  /** Beginnings of the first and the last day. */
  from: number;
  to: number;
  downMs: number;
}

/** Runs of days of one class, in order. */
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
