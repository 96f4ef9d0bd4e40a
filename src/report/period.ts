import { instantOfWall, offsetAt } from '../lib/time-zone.ts';

/** Periods of saved reports: whole days of the report's zone, today not among them. */
export const REPORT_PERIODS = [
  'last_7_days',
  'last_30_days',
  'last_90_days',
  'last_month',
] as const;
export type ReportPeriod = (typeof REPORT_PERIODS)[number];

/** How often recipients get a mail: on Mondays, or on the first of the month, at 07:00 in the report's zone. */
export const FREQUENCIES = ['none', 'weekly', 'monthly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** `[from, to)` in epoch milliseconds. */
export interface Interval {
  from: number;
  to: number;
}

const DAY_MS = 86_400_000;
const MAIL_HOUR_MS = 7 * 3_600_000;
const MONDAY = 1;

/** Instant at which a calendar day of the zone begins. `day` counts days since 1970-01-01. */
function startOf(zone: string, day: number): number {
  return instantOfWall(zone, day * DAY_MS);
}

/** Calendar day of the zone at an instant, in days since 1970-01-01. */
function dayAt(zone: string, at: number): number {
  return Math.floor((at + offsetAt(zone, at)) / DAY_MS);
}

/** The period that ended last, as of now. */
export function periodOf(period: ReportPeriod, zone: string, now: number): Interval {
  const today = dayAt(zone, now);
  if (period === 'last_month') {
    const first = firstOfMonth(today);
    return { from: startOf(zone, firstOfMonth(first - 1)), to: startOf(zone, first) };
  }
  const days = { last_7_days: 7, last_30_days: 30, last_90_days: 90 }[period];
  return { from: startOf(zone, today - days), to: startOf(zone, today) };
}

/** Whether an interval is whole days of the zone. */
const areDays = (zone: string, { from, to }: Interval) =>
  [from, to].every((at) => at === startOf(zone, dayAt(zone, at)));

/** Whether an interval is one whole month of the zone. */
export function isMonth(zone: string, { from, to }: Interval): boolean {
  const [first, end] = [dayAt(zone, from), dayAt(zone, to)];
  return (
    areDays(zone, { from, to }) && firstOfMonth(end) === end && firstOfMonth(end - 1) === first
  );
}

/** What an interval is compared with: the month before a whole month, as many days before whole days, else as long a time. */
export function periodBefore(zone: string, { from, to }: Interval): Interval {
  if (!areDays(zone, { from, to })) return { from: 2 * from - to, to: from };
  const [first, end] = [dayAt(zone, from), dayAt(zone, to)];
  const day = isMonth(zone, { from, to }) ? firstOfMonth(first - 1) : 2 * first - end;
  return { from: startOf(zone, day), to: from };
}

function firstOfMonth(day: number): number {
  return day - new Date(day * DAY_MS).getUTCDate() + 1;
}

/** First mail after an instant; null without a frequency. */
export function nextMailAt(frequency: Frequency, zone: string, after: number): number | null {
  if (frequency === 'none') return null;
  // At most 31 days separate two mails.
  for (let day = dayAt(zone, after); ; day++) {
    const date = new Date(day * DAY_MS);
    const isDay = frequency === 'weekly' ? date.getUTCDay() === MONDAY : date.getUTCDate() === 1;
    const at = instantOfWall(zone, day * DAY_MS + MAIL_HOUR_MS);
    if (isDay && at > after) return at;
  }
}

/** Days of the zone within an interval, the first and last cut at its edges. A day with a change of clocks has 23 or 25 hours. */
export function daysOf(zone: string, { from, to }: Interval): Interval[] {
  const days: Interval[] = [];
  for (let day = dayAt(zone, from); ; day++) {
    const begin = Math.max(from, startOf(zone, day));
    const end = Math.min(to, startOf(zone, day + 1));
    if (begin >= to) return days;
    // A day that a zone skipped, as at the date line, has no length.
    if (end > begin) days.push({ from: begin, to: end });
  }
}

/** The last days of the zone in chronological order, today until now included, with the date of each (`2030-01-31`). */
export function lastDaysOf(zone: string, count: number, now: number) {
  const today = dayAt(zone, now);
  return Array.from({ length: count }, (_, index) => {
    const day = today - count + 1 + index;
    const from = startOf(zone, day);
    const to = Math.max(from, Math.min(now, startOf(zone, day + 1)));
    return { from, to, date: new Date(day * DAY_MS).toISOString().slice(0, 10) };
  });
}
