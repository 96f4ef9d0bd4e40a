import type { PageLanguage } from '../../facts/model.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Numbers, lists, dates and times as a language writes them. Times are epoch milliseconds, zones IANA names. */
export interface Formats {
  list(names: readonly string[]): string;
  number(value: number): string;
  /** Percentage that is never rounded up: 99.9996 is not 100. */
  percent(value: number): string;
  milliseconds(value: number): string;
  /** Such as `1 h 12 min`; two units at most. */
  duration(ms: number): string;
  /** Such as `21 November`. */
  day(at: number, zone: string): string;
  /** Such as `21 Nov`, for lists. */
  shortDay(at: number, zone: string): string;
  /** Such as `21`. */
  dayOfMonth(at: number, zone: string): string;
  /** Such as `November`. */
  monthName(at: number, zone: string): string;
  /** Such as `21 November 2026`. */
  fullDay(at: number, zone: string): string;
  /** Of a month such as `2026-11`: `November 2026`. */
  month(month: string): string;
  /** Such as `14:16 UTC`. */
  time(at: number, zone: string): string;
  /** Such as `22 Nov 2026, 14:16 UTC`. */
  dateTime(at: number, zone: string): string;
  /** Such as `22 Nov 2026, 15:30–16:30 UTC`. */
  range(from: number, to: number, zone: string): string;
  /** Short name of the zone at a time, such as `CET`. */
  zoneName(at: number, zone: string): string;
}

/** Abbreviations of units, with their space, and words for days. */
export interface Units {
  minute: string;
  hour: string;
  /** By plural category. */
  day: { one: string; other: string };
  lessThanAMinute: string;
  /** Between two units. */
  gap: string;
}

/**
 * Formats of a language.
 *
 * @param locale variant whose dates are read everywhere; English is the British one, with 24 hours and the day first
 */
export function formatsOf(locale: string, units: Units): Formats {
  const conjunction = new Intl.ListFormat(locale);
  const numbers = new Intl.NumberFormat(locale);
  const plural = new Intl.PluralRules(locale);
  const percents = new Intl.NumberFormat(locale, { maximumFractionDigits: 3, style: 'percent' });
  const milliseconds = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'millisecond',
    maximumFractionDigits: 0,
  });
  const months = new Intl.DateTimeFormat(locale, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const days = byZone(locale, { day: 'numeric', month: 'long' });
  const shortDays = byZone(locale, { day: 'numeric', month: 'short' });
  const daysOfMonth = byZone('en', { day: 'numeric' });
  const monthNames = byZone(locale, { month: 'long' });
  const fullDays = byZone(locale, { day: 'numeric', month: 'long', year: 'numeric' });
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const times = byZone(locale, clock);
  const moments = byZone(locale, { day: 'numeric', month: 'short', year: 'numeric', ...clock });
  const names = byZone(locale, { timeZoneName: 'short' });
  const americanNames = byZone('en-US', { timeZoneName: 'short' });

  const zoneName = (at: number, zone: string) => {
    const name = nameIn(names(zone), at);
    // British English has no short names of American zones.
    return locale === 'en-GB' && name.startsWith('GMT') ? nameIn(americanNames(zone), at) : name;
  };
  const dayCount = (count: number) =>
    (plural.select(count) === 'one' ? units.day.one : units.day.other).replace(
      '#',
      numbers.format(count),
    );
  const two = (first: string, second: number, unit: string) =>
    second === 0 ? first : `${first}${units.gap}${second}${unit}`;

  return {
    list: (listed) => conjunction.format(listed),
    number: (value) => numbers.format(value),
    percent: (value) => percents.format(roundedDown(value) / 100),
    milliseconds: (value) => milliseconds.format(value),
    duration: (ms) => {
      if (ms < MINUTE) return units.lessThanAMinute;
      if (ms < HOUR) return `${Math.floor(ms / MINUTE)}${units.minute}`;
      if (ms < DAY)
        return two(
          `${Math.floor(ms / HOUR)}${units.hour}`,
          Math.floor((ms % HOUR) / MINUTE),
          units.minute,
        );
      return two(
        dayCount(Math.floor(ms / DAY)),
        ms < 10 * DAY ? Math.floor((ms % DAY) / HOUR) : 0,
        units.hour,
      );
    },
    day: (at, zone) => days(zone).format(at),
    shortDay: (at, zone) => shortDays(zone).format(at),
    dayOfMonth: (at, zone) => daysOfMonth(zone).format(at),
    monthName: (at, zone) => monthNames(zone).format(at),
    fullDay: (at, zone) => fullDays(zone).format(at),
    month: (month) => months.format(Date.parse(`${month}-01T00:00:00Z`)),
    time: (at, zone) => `${times(zone).format(at)} ${zoneName(at, zone)}`,
    dateTime: (at, zone) => `${moments(zone).format(at)} ${zoneName(at, zone)}`,
    range: (from, to, zone) => {
      const [begin, end] = [zoneName(from, zone), zoneName(to, zone)];
      const isOneDay = fullDays(zone).format(from) === fullDays(zone).format(to);
      const second = isOneDay ? times(zone).format(to) : moments(zone).format(to);
      const first = `${moments(zone).format(from)}${begin === end ? '' : ` ${begin}`}`;
      return `${first}${isOneDay && begin === end ? '–' : ' – '}${second} ${end}`;
    },
    zoneName,
  };
}

/** Two decimals below 99.99, three above, cut off. */
function roundedDown(percent: number): number {
  const scale = percent > 99.99 ? 1_000 : 100;
  // A binary fraction such as 99.87 may lie just below its decimals.
  return Math.floor(Number((percent * scale).toFixed(6))) / scale;
}

/** A formatter takes 50 times longer to create than to use. */
function byZone(
  locale: string,
  options: Intl.DateTimeFormatOptions,
): (zone: string) => Intl.DateTimeFormat {
  const known = new Map<string, Intl.DateTimeFormat>();
  return (zone) => {
    let formatter = known.get(zone);
    if (formatter === undefined) {
      formatter = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone });
      known.set(zone, formatter);
    }
    return formatter;
  };
}

function nameIn(formatter: Intl.DateTimeFormat, at: number): string {
  return formatter.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** Picks the form of a noun or verb for a count. */
export function pluralOf(
  language: PageLanguage,
): (count: number, one: string, other: string) => string {
  const rules = new Intl.PluralRules(language);
  return (count, one, other) => (rules.select(count) === 'one' ? one : other);
}
