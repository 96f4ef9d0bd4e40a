import type { RRuleTemporal } from 'rrule-temporal';

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** A recurrence rule (RFC 5545, section 3.3.10), read and found sound. Lists are as written. */
export interface RecurrenceRule {
  frequency: Frequency;
  interval: number;
  count: number | null;
  /** The last start that is meant: an instant (epoch ms), or a wall time written as if it were UTC. */
  until: { at: number } | { wall: number } | null;
  weekStart: string | null;
  byDay: string[] | null;
  numbers: Partial<Record<NumberList, number[]>>;
}

/** What may be listed beside BYDAY, and the name that the library has for it. */
const NUMBER_LISTS = {
  BYMONTH: { name: 'byMonth', lowest: 1, highest: 12, isSigned: false, most: 12 },
  BYMONTHDAY: { name: 'byMonthDay', lowest: 1, highest: 31, isSigned: true, most: 31 },
  BYYEARDAY: { name: 'byYearDay', lowest: 1, highest: 366, isSigned: true, most: 366 },
  BYWEEKNO: { name: 'byWeekNo', lowest: 1, highest: 53, isSigned: true, most: 53 },
  BYSETPOS: { name: 'bySetPos', lowest: 1, highest: 366, isSigned: true, most: 31 },
  // More of them would make thousands of occurrences in a few months.
  BYHOUR: { name: 'byHour', lowest: 0, highest: 23, isSigned: false, most: 4 },
  BYMINUTE: { name: 'byMinute', lowest: 0, highest: 59, isSigned: false, most: 1 },
  BYSECOND: { name: 'bySecond', lowest: 0, highest: 59, isSigned: false, most: 1 },
} as const;
type NumberList = keyof typeof NUMBER_LISTS;

const MOST_COUNT = 10_000;
const MOST_INTERVAL = 1_000;
const MOST_CHARACTERS = 500;

type Parsed = { rule: RecurrenceRule } | { fault: string };

/** Thrown while a rule is read; its message follows the word "must". */
class RuleFault extends Error {}

/**
 * Reads the text of a rule without DTSTART, `RRULE:` before it or not, or says what it must be. Bounded so that nothing
 * it gives can keep the machine busy: a day is the shortest period.
 */
export function parseRecurrence(text: string): Parsed {
  try {
    return { rule: readRule(partsOf(text)) };
  } catch (error) {
    if (error instanceof RuleFault) return { fault: error.message };
    throw error;
  }
}

function partsOf(text: string): Map<string, string> {
  if (text.length > MOST_CHARACTERS)
    throw new RuleFault(`must have at most ${MOST_CHARACTERS} characters`);
  const parts = new Map<string, string>();
  for (const part of text
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .split(';')) {
    const match = /^([A-Z]+)=([A-Z0-9+,-]+)$/.exec(part);
    if (match === null)
      throw new RuleFault('must be a recurrence rule such as FREQ=WEEKLY;BYDAY=TU,TH');
    const [, name = '', value = ''] = match;
    if (parts.has(name)) throw new RuleFault(`must have ${name} once`);
    parts.set(name, value);
  }
  return parts;
}

const SINGLE_PARTS = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'WKST', 'BYDAY'];

function readRule(parts: ReadonlyMap<string, string>): RecurrenceRule {
  for (const name of parts.keys()) {
    if (!SINGLE_PARTS.includes(name) && !Object.hasOwn(NUMBER_LISTS, name))
      throw new RuleFault(`must not have ${name}: it is none of the parts that are known here`);
  }
  const frequency = FREQUENCIES.find((one) => one === parts.get('FREQ'));
  if (frequency === undefined) throw new RuleFault(`must have a FREQ of ${FREQUENCIES.join(', ')}`);
  const numbers: RecurrenceRule['numbers'] = {};
  for (const name of Object.keys(NUMBER_LISTS) as NumberList[]) {
    const value = parts.get(name);
    if (value !== undefined) numbers[name] = readNumbers(name, value);
  }
  const weekStart = parts.get('WKST') ?? null;
  if (weekStart !== null && !isWeekday(weekStart))
    throw new RuleFault(`must have a WKST of ${WEEKDAYS.join(', ')}`);
  const rule: RecurrenceRule = {
    frequency,
    interval: readNumber('INTERVAL', parts.get('INTERVAL'), MOST_INTERVAL) ?? 1,
    count: readNumber('COUNT', parts.get('COUNT'), MOST_COUNT),
    until: readUntil(parts.get('UNTIL')),
    weekStart,
    byDay: readDays(parts.get('BYDAY')),
    numbers,
  };
  judgeTogether(rule);
  return rule;
}

function refuse(isWrong: boolean, what: string): void {
  if (isWrong) throw new RuleFault(`must not have ${what}`);
}

/** What the parts must not be beside each other (RFC 5545, section 3.3.10). */
function judgeTogether({ frequency, count, until, byDay, numbers }: RecurrenceRule): void {
  refuse(count !== null && until !== null, 'both COUNT and UNTIL');
  refuse(numbers.BYWEEKNO !== undefined && frequency !== 'YEARLY', 'BYWEEKNO unless it is YEARLY');
  refuse(
    numbers.BYYEARDAY !== undefined && frequency !== 'YEARLY',
    'BYYEARDAY unless it is YEARLY',
  );
  refuse(
    numbers.BYMONTHDAY !== undefined && frequency === 'WEEKLY',
    'BYMONTHDAY when it is WEEKLY',
  );
  // The library that finds the days takes the two together for something else.
  refuse(
    numbers.BYWEEKNO !== undefined && (numbers.BYYEARDAY ?? numbers.BYMONTHDAY) !== undefined,
    'BYWEEKNO together with BYYEARDAY or BYMONTHDAY',
  );
  const isNumbered = byDay?.some((day) => day.length > 2) ?? false;
  refuse(
    isNumbered && (frequency === 'DAILY' || frequency === 'WEEKLY'),
    'numbers in BYDAY unless it is MONTHLY or YEARLY',
  );
  refuse(isNumbered && numbers.BYWEEKNO !== undefined, 'numbers in BYDAY beside BYWEEKNO');
  const { BYSETPOS: positions, ...lists } = numbers;
  // Positions among hours, or in days and weeks, would take seconds to find out that there are none.
  refuse(
    positions !== undefined && (frequency === 'DAILY' || frequency === 'WEEKLY'),
    'BYSETPOS unless it is MONTHLY or YEARLY',
  );
  refuse(
    positions !== undefined && (numbers.BYHOUR?.length ?? 0) > 1,
    'BYSETPOS beside several hours in BYHOUR',
  );
  refuse(
    positions !== undefined && byDay === null && Object.keys(lists).length === 0,
    'BYSETPOS without another list, such as BYDAY',
  );
}

function readNumber(name: string, value: string | undefined, highest: number): number | null {
  if (value === undefined) return null;
  const number = /^\d{1,6}$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > highest)
    throw new RuleFault(`must have a whole number from 1 to ${highest} as ${name}`);
  return number;
}

function readNumbers(name: NumberList, value: string): number[] {
  const { lowest, highest, isSigned, most } = NUMBER_LISTS[name];
  const numbers = value.split(',').map((text) => {
    const number = /^[+-]?\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
    const size = isSigned ? Math.abs(number) : number;
    if (!(size >= lowest && size <= highest) || Object.is(number, -0)) {
      const negative = isSigned ? `, or from -${highest} to -${lowest}` : '';
      throw new RuleFault(`must have numbers from ${lowest} to ${highest}${negative} in ${name}`);
    }
    return number;
  });
  if (numbers.length > most)
    throw new RuleFault(`must have at most ${most} ${most === 1 ? 'value' : 'values'} in ${name}`);
  return numbers;
}

const isWeekday = (text: string) => (WEEKDAYS as readonly string[]).includes(text);

function readDays(value: string | undefined): string[] | null {
  if (value === undefined) return null;
  const days = value.split(',');
  for (const day of days) {
    const number = Number(/^([+-]?[1-9]\d?)?[A-Z]{2}$/.exec(day)?.[1] ?? 1);
    const isKnown = /^([+-]?[1-9]\d?)?[A-Z]{2}$/.test(day) && isWeekday(day.slice(-2));
    if (!isKnown || Math.abs(number) > 53)
      throw new RuleFault('must have days such as MO, 1MO or -1FR in BYDAY');
  }
  if (days.length > 40) throw new RuleFault('must have at most 40 days in BYDAY');
  return days;
}

const UNTIL = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/;
const DAY_MS = 86_400_000;

/** A date means its whole day. */
function readUntil(value: string | undefined): RecurrenceRule['until'] {
  if (value === undefined) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone] =
    UNTIL.exec(value) ?? [];
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const at = Date.parse(text);
  if (Number.isNaN(at) || new Date(at).toISOString() !== text)
    throw new RuleFault('must have an UNTIL such as 20300131T220000Z or 20300131');
  if (zone !== undefined) return { at };
  return { wall: value.length === 8 ? at + DAY_MS - 1 : at };
}

/** The first occurrence that a rule is counted from (epoch ms), and the IANA zone in whose wall time it recurs. */
export interface RecurrenceStart {
  startsAt: number;
  timezone: string;
}

/** Finds the starts of occurrences. */
export interface Recurrences {
  /** Those after an instant, in order, epoch ms. It ends where none follows within fifty years. */
  startsAfter(rule: RecurrenceRule, start: RecurrenceStart, after: number): Iterable<number>;
}

let loaded: Promise<Recurrences> | null = null;

/** Loads what finds occurrences, when it is needed first: 9 MB that most installations never need. */
export function loadRecurrences(): Promise<Recurrences> {
  return (loaded ??= makeRecurrences());
}

/** Steps after which a rule is taken to give nothing: 30 to 60 ms at most, and more than ten years of days. */
const MOST_STEPS = 5_000;
/** What no wall time is ever moved by, whole days that a zone left out included. */
const MOST_SHIFT_MS = 26 * 3_600_000;
/** A start further off is none: nobody plans so far ahead. */
const HORIZON_MS = 50 * 366 * DAY_MS;

async function makeRecurrences(): Promise<Recurrences> {
  const [{ RRuleTemporal: Rule }, { Temporal }] = await Promise.all([
    import('rrule-temporal'),
    import('temporal-polyfill'),
  ]);

  /** The wall time of an instant, written as if it were UTC. */
  function wallOf(at: number, timezone: string): number {
    const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
    return at + zoned.offsetNanoseconds / 1_000_000;
  }

  const utc = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('UTC');

  /** A time that the clocks skip is the end of the jump; of one that they show twice the first is meant. */
  function instantOf(wall: number, timezone: string): number {
    const plain = utc(wall).toPlainDateTime();
    const zoned = plain.toZonedDateTime(timezone, { disambiguation: 'compatible' });
    if (zoned.toPlainDateTime().equals(plain)) return zoned.epochMilliseconds;
    // Only a transition before the given time is found, and this may be the very time of it.
    const jump = zoned.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
    return jump!.epochMilliseconds;
  }

  /**
   * The library counts in UTC, where no time is skipped: by itself it leaves out occurrences that the clocks skip, and
   * then there would be a night without maintenance.
   */
  function inWallTime(rule: RecurrenceRule, wallStart: number, wallEnd: number): RRuleTemporal {
    const lists = Object.entries(rule.numbers).map(([name, values]) => [
      NUMBER_LISTS[name as NumberList].name,
      values,
    ]);
    return new Rule({
      freq: rule.frequency,
      interval: rule.interval,
      ...(rule.count !== null && { count: rule.count }),
      ...(rule.byDay !== null && { byDay: rule.byDay }),
      ...(rule.weekStart !== null && { wkst: rule.weekStart }),
      ...Object.fromEntries(lists),
      dtstart: utc(wallStart),
      until: utc(wallEnd),
      maxIterations: MOST_STEPS,
    });
  }

  function* startsAfter(
    rule: RecurrenceRule,
    { startsAt, timezone }: RecurrenceStart,
    after: number,
  ): Generator<number> {
    const wallStart = wallOf(startsAt, timezone);
    let cursor = Math.max(wallOf(after, timezone) - MOST_SHIFT_MS, wallStart - 1);
    const series = inWallTime(rule, wallStart, cursor + HORIZON_MS);
    let last = Math.max(after, startsAt - 1);
    for (;;) {
      const wall = nextOf(series, cursor);
      if (wall === null) return;
      // The first one is where it was put, even if the clocks show its time twice.
      const at = wall === wallStart ? startsAt : instantOf(wall, timezone);
      if (rule.until !== null && isPast(rule.until, { at, wall })) return;
      // Two that the clocks skip begin at once, and are one.
      if (at > last) yield (last = at);
      cursor = wall;
    }
  }

  return { startsAfter };
}

function isPast(until: { at: number } | { wall: number }, start: { at: number; wall: number }) {
  return 'at' in until ? start.at > until.at : start.wall > until.wall;
}

function nextOf(series: RRuleTemporal, after: number): number | null {
  try {
    return series.next(new Date(after))?.epochMilliseconds ?? null;
  } catch (error) {
    // It gave up: the rule names days that no calendar has, or too few of them.
    if (error instanceof Error && error.message.startsWith('Maximum ')) return null;
    throw error;
  }
}
