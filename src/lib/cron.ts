import type { Cron } from './cron-expression.ts';
import { offsetPeriods, type OffsetPeriod } from './time-zone.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Changes of this much forward, or more than this backward, are clock corrections rather than daylight saving. */
const CLOCK_SET = 3 * HOUR;
/** Longer than any change of a zone's clocks. */
const WINDOW = 2 * DAY;
/** 29 February on a given day of the week can be 40 years away. */
const FARTHEST = 48 * 366 * DAY;

/**
 * Finds the first instant after `after` at which a job is due, in epoch milliseconds; null only beyond the last date.
 *
 * Changes of the zone's clocks are taken as Debian's cron takes them (cron.c, main): a job with a star in minute or hour
 * follows the wall clock, so it skips the skipped hour and fires again in the repeated one. Any other is a fixed-time
 * job: in a skipped hour it is due right after the jump, in a repeated hour only the first time. When the clock jumps
 * by 3 hours or more (a zone that changes the date), nothing is made up for and nothing left out.
 * @param timezone a name that `isTimeZone` accepts; RangeError otherwise.
 */
export function nextFire(cron: Cron, timezone: string, after: number): number | null {
  for (let start = after; Number.isFinite(start);) {
    const end = start + WINDOW;
    if (!isDate(start - CLOCK_SET - MINUTE) || !isDate(end)) return null;
    // The time before shows which part of a repeated hour has already fired.
    const window = offsetPeriods(timezone, start - CLOCK_SET - MINUTE, end);
    const fire = fireIn(cron, window, after);
    if (fire !== null) return fire;
    // Nothing fires before the next matching wall time: skip to shortly before it.
    const offset = window.at(-1)?.offset ?? 0;
    const next = firstMatch(cron, end + offset, end + offset + FARTHEST);
    if (next === null) return null;
    start = Math.max(end - 1, next - offset - WINDOW + HOUR);
  }
  return null;
}

function isDate(instant: number): boolean {
  return Math.abs(instant) <= 8.64e15;
}

/** The first instant after `after` at which the job fires within consecutive periods. */
function fireIn(cron: Cron, window: OffsetPeriod[], after: number): number | null {
  let previous: OffsetPeriod | undefined;
  for (const period of window) {
    const fire = fireWithin(cron, period, previous, after);
    if (fire !== null) return fire;
    previous = period;
  }
  return null;
}

function fireWithin(
  cron: Cron,
  period: OffsetPeriod,
  previous: OffsetPeriod | undefined,
  after: number,
): number | null {
  const { from, to, offset } = period;
  const jump = previous === undefined ? 0 : offset - previous.offset;
  const isFixedTime = !cron.isWildcard;
  const isMadeUp = isFixedTime && jump > 0 && jump < CLOCK_SET && from > after;
  if (isMadeUp && firstMatch(cron, from + offset - jump, from + offset) !== null) return from;

  const isDoneBefore = isFixedTime && jump < 0 && jump >= -CLOCK_SET;
  const begin = isDoneBefore ? from - jump : from;
  const match = firstMatch(cron, Math.max(begin, after + 1) + offset, to + offset);
  return match === null ? null : match - offset;
}

/** First matching full minute of wall time in [from, to); wall times are represented as if they were UTC. */
function firstMatch(cron: Cron, from: number, to: number): number | null {
  const start = Math.ceil(from / MINUTE) * MINUTE;
  let day = Math.floor(start / DAY) * DAY;
  while (day < to && isDate(day)) {
    const date = new Date(day);
    if (!cron.months.has(date.getUTCMonth() + 1)) {
      day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
      continue;
    }
    const minute = fitsDay(cron, date) ? firstMinute(cron, (start - day) / MINUTE) : null;
    if (minute !== null) {
      const match = day + minute * MINUTE;
      return match < to ? match : null;
    }
    day += DAY;
  }
  return null;
}

function fitsDay(cron: Cron, date: Date): boolean {
  const isDayOfMonth = cron.daysOfMonth.has(date.getUTCDate());
  const isDayOfWeek = cron.daysOfWeek.has(date.getUTCDay());
  return cron.isEitherDay ? isDayOfMonth || isDayOfWeek : isDayOfMonth && isDayOfWeek;
}

/** First matching minute of a day at or after `from`, counted from midnight. */
function firstMinute(cron: Cron, from: number): number | null {
  for (const hour of cron.hours) {
    if (hour * 60 + 59 < from) continue;
    const minute = cron.minutes.find((candidate) => hour * 60 + candidate >= from);
    if (minute !== undefined) return hour * 60 + minute;
  }
  return null;
}
