import type {
  AnnouncementKind,
  Impact,
  IncidentState,
  MaintenanceState,
} from '../../facts/model.ts';

/** Classes of a day in a bar. */
export type DayClass = 'up' | 'degraded' | 'down' | 'maintenance' | 'unobserved';

/** Services by their names, or how many where that is too long. */
export type Who = readonly string[] | number;

export interface Problems {
  down: Who;
  degraded: Who;
}

/** Automatic announcement or update, to be put into words. */
export interface AutomaticSubject {
  kind: AnnouncementKind;
  impact: Impact;
  /** Affected services of the page; may be empty. */
  names: readonly string[];
  isEnded: boolean;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Sunday, in days since 1970. */
const FIRST_SUNDAY = 3;
/** Languages whose calendars begin on Sunday (CLDR, supplemental week data). */
const SUNDAY_FIRST = new Set(['pt', 'ja']);

/**
 * Numbers, lists, dates and times as a language writes them. Times are epoch milliseconds, zones IANA names.
 *
 * @param locale variant whose dates are read everywhere; English is the British one, with 24 hours and the day first
 * @param own units in place of those of CLDR, `#` for their number, and what stands between two of them
 */
export function formatsOf(
  locale: string,
  lessThanAMinute: string,
  { gap = ' ', ...own }: { minute?: string; hour?: string; day?: string; gap?: string } = {},
) {
  const conjunction = new Intl.ListFormat(locale);
  const numbers = new Intl.NumberFormat(locale);
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
  const weekdays = byZone(locale, { weekday: 'short' });
  const longWeekdays = byZone(locale, { weekday: 'long' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const names = byZone(locale, { timeZoneName: 'short' });
  const americanNames = byZone('en-US', { timeZoneName: 'short' });

  const zoneName = (at: number, zone: string) => {
    const name = nameIn(names(zone), at);
    // British English has no short names of American zones.
    return locale === 'en-GB' && name.startsWith('GMT') ? nameIn(americanNames(zone), at) : name;
  };
  const counted = (unit: 'minute' | 'hour' | 'day') => {
    const unitDisplay = unit === 'day' ? 'long' : 'short';
    const usual = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay });
    return (count: number) =>
      own[unit]?.replace('#', numbers.format(count)) ??
      usual.format(count).replace(/\s(?=\D+$)/, ' ');
  };
  const [minutes, hours, wholeDays] = [counted('minute'), counted('hour'), counted('day')];

  return {
    list: (listed: readonly string[]) => conjunction.format(listed),
    /** Percentage that is never rounded up: 99.9996 is not 100. */
    percent: (value: number) => percents.format(roundedDown(value) / 100),
    milliseconds: (value: number) => milliseconds.format(value),
    /** Such as `1 h 12 min`; two units at most. */
    duration: (ms: number) => {
      if (ms < MINUTE) return lessThanAMinute;
      const [large, small] =
        ms < HOUR
          ? [minutes(Math.floor(ms / MINUTE)), 0]
          : ms < DAY
            ? [hours(Math.floor(ms / HOUR)), Math.floor((ms % HOUR) / MINUTE)]
            : [wholeDays(Math.floor(ms / DAY)), ms < 10 * DAY ? Math.floor((ms % DAY) / HOUR) : 0];
      return small === 0 ? large : `${large}${gap}${(ms < DAY ? minutes : hours)(small)}`;
    },
    /** Such as `90 days ago`, and for 0 `Today` or `Now`. */
    ago: (count: number, unit: 'day' | 'hour' | 'second') => {
      const text = relative.format(-count, unit);
      return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
    },
    /** Days of a week in their order, as `short` for reading and `long` for listening. */
    weekdays: Array.from({ length: 7 }, (_, index) => {
      const day = (FIRST_SUNDAY + index + (SUNDAY_FIRST.has(locale) ? 0 : 1)) * DAY;
      return { short: weekdays('UTC').format(day), long: longWeekdays('UTC').format(day) };
    }),
    /** Place of a calendar date in its week, 0 to 6. @param date UTC midnight. */
    placeInWeek: (date: number) =>
      (new Date(date).getUTCDay() + (SUNDAY_FIRST.has(locale) ? 0 : 6)) % 7,
    /** Such as `21 November`. */
    day: (at: number, zone: string) => days(zone).format(at),
    /** Such as `21 Nov`. */
    shortDay: (at: number, zone: string) => shortDays(zone).format(at),
    /** Such as `21`. */
    dayOfMonth: (at: number, zone: string) => daysOfMonth(zone).format(at),
    /** Such as `November`. */
    monthName: (at: number, zone: string) => monthNames(zone).format(at),
    /** Of a month such as `2026-11`: `November 2026`. */
    month: (month: string) => months.format(Date.parse(`${month}-01T00:00:00Z`)),
    /** Such as `14:16 UTC`. */
    time: (at: number, zone: string) => `${times(zone).format(at)} ${zoneName(at, zone)}`,
    /** Such as `22 Nov 2026, 14:16 UTC`. */
    dateTime: (at: number, zone: string) => `${moments(zone).format(at)} ${zoneName(at, zone)}`,
    /** Such as `22 Nov 2026, 15:30–16:30 UTC`. */
    range: (from: number, to: number, zone: string) => {
      const [begin, end] = [zoneName(from, zone), zoneName(to, zone)];
      const isOneDay = fullDays(zone).format(from) === fullDays(zone).format(to);
      const second = isOneDay ? times(zone).format(to) : moments(zone).format(to);
      const first = `${moments(zone).format(from)}${begin === end ? '' : ` ${begin}`}`;
      return `${first}${isOneDay && begin === end ? '–' : ' – '}${second} ${end}`;
    },
  };
}

/** Two decimals below 99.99, three above, cut off. */
function roundedDown(percent: number): number {
  const scale = percent > 99.99 ? 1_000 : 100;
  // A binary fraction such as 99.87 may lie just below its decimals.
  return Math.floor(Number((percent * scale).toFixed(6))) / scale;
}

/** A formatter takes 50 times longer to create than to use. */
function byZone(locale: string, options: Intl.DateTimeFormatOptions) {
  const known = new Map<string, Intl.DateTimeFormat>();
  return (zone: string) => {
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

/**
 * How sentences about services agree with how many they are.
 *
 * @param one what counts a service where names would be too long, `#` for the number
 * @param other what counts several
 */
export function grammarOf(
  locale: string,
  { list }: Pick<ReturnType<typeof formatsOf>, 'list'>,
  one: string,
  other = one,
) {
  const rules = new Intl.PluralRules(locale);
  const plural = (count: number, ofOne: string, ofOthers: string) =>
    rules.select(count) === 'one' ? ofOne : ofOthers;
  /** Services by their names, or how many they are. */
  const subject = (who: Who) =>
    typeof who === 'number' ? plural(who, one, other).replace('#', String(who)) : list(who);
  /** Services and a verb in its forms of the present and of the past. */
  const verb =
    (is: string, are: string, was = is, were = are): Clause =>
    (who, isOver = false) =>
      `${subject(who)} ${plural(countOf(who), isOver ? was : is, isOver ? were : are)}`;
  return { plural, subject, verb };
}

const countOf = (who: Who) => (typeof who === 'number' ? who : who.length);

/** Says something of services, or that it is over. */
type Clause = (who: Who, isOver?: boolean) => string;

type Troubles = Record<'down' | 'degraded', Clause>;

/**
 * What can be wrong with services, and the sentence about all that is.
 *
 * @param marks comma between its clauses and full stop of the language
 */
export function troublesOf(troubles: Troubles, marks = { between: ', ', end: '.' }) {
  const problems = (found: Problems) => {
    const wrong = (['down', 'degraded'] as const).filter((how) => countOf(found[how]) > 0);
    return `${wrong.map((how) => troubles[how](found[how])).join(marks.between)}${marks.end}`;
  };
  return { ...troubles, problems };
}

interface AutomaticPhrases extends Record<
  'identified' | 'monitoring' | MaintenanceState | AnnouncementKind,
  string
> {
  /** Stands for services that nobody named. */
  aService: string;
  maintenanceOf(who: readonly string[]): string;
  /** An incident without an impact. */
  incidentOf(who: readonly string[], isOver: boolean): string;
  /** @param clause what checks find of services, which is what `troubles` say */
  investigating(clause: string, who: readonly string[], how: keyof Troubles): string;
  resolved(who: readonly string[]): string;
}

/** Titles and texts of announcements that no person wrote. */
export function automaticOf(troubles: Troubles, phrases: AutomaticPhrases) {
  return {
    title: ({ kind, impact, names, isEnded }: AutomaticSubject) => {
      if (names.length === 0) return phrases[kind];
      if (kind === 'maintenance') return phrases.maintenanceOf(names);
      if (impact === 'none') return phrases.incidentOf(names, isEnded);
      return troubles[impact === 'minor' ? 'degraded' : 'down'](names, isEnded);
    },
    text: (state: IncidentState | MaintenanceState, { names, impact }: AutomaticSubject) => {
      const who = names.length === 0 ? [phrases.aService] : names;
      if (state === 'resolved') return phrases.resolved(who);
      if (state !== 'investigating') return phrases[state];
      const how = impact === 'minor' || impact === 'none' ? 'degraded' : 'down';
      return phrases.investigating(troubles[how](who), who, how);
    },
  };
}

/** Writes whose status a page shows. A name such as `Acme status` says it already. */
export function statusOf(write: (name: string) => string): (name: string) => string {
  return (name) => (SAYS_STATUS.test(name) ? name : write(name));
}

// `\b` knows letters of ASCII only.
const SAYS_STATUS = /\bstat(us|ut|o)\b|\bestado\b|(?<!\p{L})état(?!\p{L})|ステータス|状況|状态/iu;
