import { words } from '../words/index.ts';

/** How times and durations are written: in the language of the page unless another one is given. */
export type TimeWords = typeof words.time;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Narrow no-break space between a number and its unit. */
const THIN = '\u202f';

/** Writes a duration with its two largest units, such as "3 h 40 min"; below a minute in seconds. */
export function duration(ms: number, { units }: Pick<TimeWords, 'units'> = words.time): string {
  const whole = Math.max(0, Math.floor(ms / SECOND));
  if (whole < 60) return `${whole}${THIN}${units.s}`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) {
    const seconds = whole % 60;
    const isLong = minutes >= 10 || seconds === 0;
    return isLong
      ? `${minutes}${THIN}${units.min}`
      : `${minutes}${THIN}${units.min} ${seconds}${THIN}${units.s}`;
  }
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return withRest(hours, units.h, minutes % 60, units.min);
  const days = Math.floor(hours / 24);
  return days >= 10 ? `${days}${THIN}${units.d}` : withRest(days, units.d, hours % 24, units.h);
}

/** Like `duration` with the largest unit alone, such as "3 h". */
export function roughDuration(
  ms: number,
  { units }: Pick<TimeWords, 'units'> = words.time,
): string {
  if (ms < MINUTE) return `${Math.max(0, Math.floor(ms / SECOND))}${THIN}${units.s}`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}${THIN}${units.min}`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)}${THIN}${units.h}`;
  return `${Math.floor(ms / DAY)}${THIN}${units.d}`;
}

function withRest(whole: number, unit: string, rest: number, restUnit: string): string {
  const head = `${whole}${THIN}${unit}`;
  return rest === 0 ? head : `${head} ${rest}${THIN}${restUnit}`;
}

/** Writes how far a time is from now: "2 min ago", "in 3 h"; a date when it is further away than a day. */
export function relative(
  at: number,
  now: number,
  zone: string,
  time: TimeWords = words.time,
): string {
  const away = Math.abs(at - now);
  if (away < 5 * SECOND) return time.now;
  if (away < DAY) {
    const text = roughDuration(away, time);
    return at < now ? time.ago(text) : time.ahead(text);
  }
  return day(at, now, zone, time);
}

/** Writes a day: "today", "yesterday", "14 Mar", or "14 Mar 2028" in another year. */
export function day(at: number, now: number, zone: string, time: TimeWords = words.time): string {
  const distance = dayNumber(now, zone) - dayNumber(at, zone);
  if (distance === 0) return time.today;
  if (distance === 1) return time.yesterday;
  const isSameYear = yearOf(at, zone) === yearOf(now, zone);
  return formatter(time.locale, zone, {
    day: 'numeric',
    month: 'short',
    ...(!isSameYear && { year: 'numeric' }),
  }).format(at);
}

/** Writes a time of day: "14:02", or "14:02:11" with seconds. */
export function clock(
  at: number,
  zone: string,
  withSeconds = false,
  locale = words.time.locale,
): string {
  return formatter(locale, zone, {
    hour: '2-digit',
    minute: '2-digit',
    ...(withSeconds && { second: '2-digit' }),
    hourCycle: 'h23',
  }).format(at);
}

/** Writes a time in full, with its zone: "23 Nov 2026, 14:02:11 CET". */
export function absolute(at: number, zone: string, locale = words.time.locale): string {
  return formatter(locale, zone, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  }).format(at);
}

/** Writes "today, 14:02:11" or "14 Mar, 14:02". */
export function dayAndTime(
  at: number,
  now: number,
  zone: string,
  time: TimeWords = words.time,
): string {
  return `${day(at, now, zone, time)}, ${clock(at, zone, false, time.locale)}`;
}

/** Writes a whole or rounded number with separators of thousands. */
export function count(value: number, locale = words.time.locale): string {
  return numbers(locale, 0).format(value);
}

/** Writes milliseconds without their unit: one decimal below 10, none above. */
export function milliseconds(value: number, locale = words.time.locale): string {
  return numbers(locale, value < 10 && !Number.isInteger(value) ? 1 : 0).format(value);
}

/**
 * Writes an uptime without the sign: "100", "99.998", "99.41". Never rounds up to 100.
 */
export function percent(
  value: number,
  locale = words.time.locale,
  digits = value >= 99.9 ? 3 : value >= 10 ? 2 : 1,
): string {
  if (value >= 100) return numbers(locale, 0).format(100);
  const scale = 10 ** digits;
  return numbers(locale, digits, digits).format(Math.floor(value * scale + 1e-7) / scale);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Formatters are slow to create: each is kept. */
function formatter(
  locale: string,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${JSON.stringify(options)}`;
  let found = formatters.get(key);
  if (found === undefined) {
    found = new Intl.DateTimeFormat(locale, { ...options, timeZone });
    formatters.set(key, found);
  }
  return found;
}

const numberFormats = new Map<string, Intl.NumberFormat>();

function numbers(locale: string, maximum: number, minimum = 0): Intl.NumberFormat {
  const key = `${locale} ${maximum} ${minimum}`;
  let found = numberFormats.get(key);
  if (found === undefined) {
    found = new Intl.NumberFormat(locale, {
      maximumFractionDigits: maximum,
      minimumFractionDigits: minimum,
    });
    numberFormats.set(key, found);
  }
  return found;
}

/** Number of a day in a time zone, for differences. */
function dayNumber(at: number, zone: string): number {
  const [year, month, date] = formatter('sv-SE', zone, {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
    .format(at)
    .split('-')
    .map(Number);
  return Date.UTC(year!, month! - 1, date!) / DAY;
}

function yearOf(at: number, zone: string): string {
  return formatter('sv-SE', zone, { year: 'numeric' }).format(at);
}
