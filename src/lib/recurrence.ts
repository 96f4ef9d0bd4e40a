import type { RRuleTemporal } from 'rrule-temporal';

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** A validated recurrence rule (RFC 5545, section 3.3.10). Lists are as written. */
export interface RecurrenceRule {
  frequency: Frequency;
  interval: number;
  count: number | null;
  /** Last possible start: an instant (epoch ms), or a wall time represented as if it were UTC. */
  until: { at: number } | { wall: number } | null;
  weekStart: string | null;
  byDay: string[] | null;
  numbers: Partial<Record<NumberList, number[]>>;
}

/** List parts other than BYDAY, with the library's name and the limits of each. */
const NUMBER_LISTS = {
  BYMONTH: { name: 'byMonth', lowest: 1, highest: 12, isSigned: false, most: 12 },
  BYMONTHDAY: { name: 'byMonthDay', lowest: 1, highest: 31, isSigned: true, most: 31 },
  BYYEARDAY: { name: 'byYearDay', lowest: 1, highest: 366, isSigned: true, most: 366 },
  BYWEEKNO: { name: 'byWeekNo', lowest: 1, highest: 53, isSigned: true, most: 53 },
  BYSETPOS: { name: 'bySetPos', lowest: 1, highest: 366, isSigned: true, most: 31 },
  // More of them would produce thousands of occurrences in a few months.
  BYHOUR: { name: 'byHour', lowest: 0, highest: 23, isSigned: false, most: 4 },
  BYMINUTE: { name: 'byMinute', lowest: 0, highest: 59, isSigned: false, most: 1 },
  BYSECOND: { name: 'bySecond', lowest: 0, highest: 59, isSigned: false, most: 1 },
} as const;
type NumberList = keyof typeof NUMBER_LISTS;

const MAX_COUNT = 10_000;
const MAX_INTERVAL = 1_000;
const MAX_LENGTH = 500;

type Parsed = { rule: RecurrenceRule } | { fault: string };

/** Invalid rule; the message follows the word "must". */
class RuleFault extends Error {}

/**
 * Parses a rule without DTSTART, with or without `RRULE:`, or says what it must be. The shortest period is a day, so
 * that a rule can't produce unbounded work.
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
  if (text.length > MAX_LENGTH) throw new RuleFault(`must have at most ${MAX_LENGTH} characters`);
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
    interval: readNumber('INTERVAL', parts.get('INTERVAL'), MAX_INTERVAL) ?? 1,
    count: readNumber('COUNT', parts.get('COUNT'), MAX_COUNT),
    until: readUntil(parts.get('UNTIL')),
    weekStart,
    byDay: readDays(parts.get('BYDAY')),
    numbers,
  };
  validateCombinations(rule);
  return rule;
}

function refuseIf(isWrong: boolean, what: string): void {
  if (isWrong) throw new RuleFault(`must not have ${what}`);
}

/** Rejects invalid combinations of parts (RFC 5545, section 3.3.10). */
function validateCombinations({ frequency, count, until, byDay, numbers }: RecurrenceRule): void {
  refuseIf(count !== null && until !== null, 'both COUNT and UNTIL');
  refuseIf(
    numbers.BYWEEKNO !== undefined && frequency !== 'YEARLY',
    'BYWEEKNO unless it is YEARLY',
  );
  refuseIf(
    numbers.BYYEARDAY !== undefined && frequency !== 'YEARLY',
    'BYYEARDAY unless it is YEARLY',
  );
  refuseIf(
    numbers.BYMONTHDAY !== undefined && frequency === 'WEEKLY',
    'BYMONTHDAY when it is WEEKLY',
  );
  // The library interprets the combination differently.
  refuseIf(
    numbers.BYWEEKNO !== undefined && (numbers.BYYEARDAY ?? numbers.BYMONTHDAY) !== undefined,
    'BYWEEKNO together with BYYEARDAY or BYMONTHDAY',
  );
  const isNumbered = byDay?.some((day) => day.length > 2) ?? false;
  refuseIf(
    isNumbered && (frequency === 'DAILY' || frequency === 'WEEKLY'),
    'numbers in BYDAY unless it is MONTHLY or YEARLY',
  );
  refuseIf(isNumbered && numbers.BYWEEKNO !== undefined, 'numbers in BYDAY beside BYWEEKNO');
  const { BYSETPOS: positions, ...lists } = numbers;
  // For positions among hours, days or weeks, the library takes seconds to find that there are none.
  refuseIf(
    positions !== undefined && (frequency === 'DAILY' || frequency === 'WEEKLY'),
    'BYSETPOS unless it is MONTHLY or YEARLY',
  );
  refuseIf(
    positions !== undefined && (numbers.BYHOUR?.length ?? 0) > 1,
    'BYSETPOS beside several hours in BYHOUR',
  );
  refuseIf(
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

/** A date without a time includes the whole day. */
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

/** First occurrence of a rule (epoch ms), and the IANA zone whose wall time it follows. */
export interface RecurrenceStart {
  startsAt: number;
  timezone: string;
}

export type Recurrences = Awaited<ReturnType<typeof createRecurrences>>;

let loaded: Promise<Recurrences> | null = null;

/** Loads the recurrence library on first use: 9 MB that most installations never need. */
export function loadRecurrences(): Promise<Recurrences> {
  return (loaded ??= createRecurrences());
}

/**
 * Library steps after which a rule is considered to have no more occurrences: 30 to 60 ms, and more than ten years of
 * days.
 */
const MAX_STEPS = 5_000;
/** Maximum change of a wall time by a zone's transitions, including skipped days. */
const MAX_SHIFT_MS = 26 * 3_600_000;
const HORIZON_MS = 50 * 366 * DAY_MS;

async function createRecurrences() {
  const [{ RRuleTemporal: Rule }, { Temporal }] = await Promise.all([
    import('rrule-temporal'),
    import('temporal-polyfill'),
  ]);

  /** Wall time of an instant, represented as if it were UTC. */
  function wallOf(at: number, timezone: string): number {
    const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
    return at + zoned.offsetNanoseconds / 1_000_000;
  }

  const utc = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('UTC');

  /** Instant of a wall time: a skipped time is the end of the gap, a repeated one its first occurrence. */
  function instantOf(wall: number, timezone: string): number {
    const plain = utc(wall).toPlainDateTime();
    const zoned = plain.toZonedDateTime(timezone, { disambiguation: 'compatible' });
    if (zoned.toPlainDateTime().equals(plain)) return zoned.epochMilliseconds;
    // Search from 1 ms later: this may be the instant of the transition, and only earlier ones are found.
    const jump = zoned.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
    return jump!.epochMilliseconds;
  }

  /**
   * Computes wall times as if in UTC: in a zone, the library omits occurrences at skipped times, and maintenance would
   * not happen that night.
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
      maxIterations: MAX_STEPS,
    });
  }

  /** Starts after an instant, in order, epoch ms. Ends if none follows within fifty years. */
  function* startsAfter(
    rule: RecurrenceRule,
    { startsAt, timezone }: RecurrenceStart,
    after: number,
  ): Generator<number> {
    const wallStart = wallOf(startsAt, timezone);
    let cursor = Math.max(wallOf(after, timezone) - MAX_SHIFT_MS, wallStart - 1);
    const series = inWallTime(rule, wallStart, cursor + HORIZON_MS);
    let last = Math.max(after, startsAt - 1);
    for (;;) {
      const wall = nextOf(series, cursor);
      if (wall === null) return;
      // The first occurrence is exactly startsAt, even if its wall time is repeated.
      const at = wall === wallStart ? startsAt : instantOf(wall, timezone);
      if (rule.until !== null && isPast(rule.until, { at, wall })) return;
      // Two occurrences in the same skipped hour start at the same instant and count once.
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
    // The library gave up: the rule names days that don't exist or are too rare.
    if (error instanceof Error && error.message.startsWith('Maximum ')) return null;
    throw error;
  }
}
