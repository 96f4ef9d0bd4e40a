import { enumerated } from './text.ts';

/** A cron expression that was read. Which instants it means is said in cron.ts. */
export interface Cron {
  /** 0 to 59, rising. */
  minutes: number[];
  /** 0 to 23, rising. */
  hours: number[];
  /** 1 to 31. */
  daysOfMonth: Set<number>;
  /** 1 to 12. */
  months: Set<number>;
  /** 0 (Sunday) to 6. */
  daysOfWeek: Set<number>;
  /** Both day fields are restricted: a day fits when either of them says so; otherwise both have to. */
  isEitherDay: boolean;
  /** The minute or the hour begins with `*`: the job follows the wall clock through every change of it. */
  isWildcard: boolean;
}

interface Field {
  name: string;
  lowest: number;
  highest: number;
  /** Allowed values, in words. */
  allowed: string;
  /** The first name stands for `lowest`. */
  names: string[];
}

export const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const SHORT_MONTHS = MONTHS.map((name) => name.slice(0, 3).toLowerCase());
const DAYS = 'sun mon tue wed thu fri sat'.split(' ');

const MINUTE = field('minute', 0, 59, 'minutes are 0 to 59');
const HOUR = field('hour', 0, 23, 'hours are 0 to 23');
const DAY_OF_MONTH = field('day-of-month', 1, 31, 'days of the month are 1 to 31');
const MONTH = field('month', 1, 12, 'months are 1 to 12 or jan to dec', SHORT_MONTHS);
const DAY_OF_WEEK = field(
  'day-of-week',
  0,
  7,
  'days of the week are 0 to 7 (0 and 7 are Sunday) or sun to sat',
  DAYS,
);

const LONGEST_EXPRESSION = 255;
/** Days of each month in its longest year. */
const LONGEST = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A mistake in one field, as a predicate. */
class Fault extends Error {}

/**
 * Reads an expression of five fields in the language of Debian's cron (contract 11.13): names in any case,
 * lists, ranges, steps of a range or of `*`, 7 as Sunday.
 * @returns `fault` is a predicate that can follow the field's name: `has 61 in the minute field: minutes are 0 to 59`.
 */
export function parseCron(
  expression: string,
): { ok: true; cron: Cron } | { ok: false; fault: string } {
  try {
    return { ok: true, cron: read(expression) };
  } catch (error) {
    if (error instanceof Fault) return { ok: false, fault: error.message };
    throw error;
  }
}

function read(expression: string): Cron {
  if (expression.length > LONGEST_EXPRESSION) {
    throw new Fault(`must have at most ${LONGEST_EXPRESSION} characters`);
  }
  const texts = expression.trim().split(/\s+/);
  if (texts[0]?.startsWith('@') === true) {
    throw new Fault(
      `must be five fields such as "0 3 * * *", not a word such as ${show(texts[0])}`,
    );
  }
  const [minute, hour, dayOfMonth, month, dayOfWeek] = texts;
  if (
    minute === undefined ||
    hour === undefined ||
    dayOfMonth === undefined ||
    month === undefined ||
    dayOfWeek === undefined ||
    texts.length > 5
  ) {
    const count = expression.trim() === '' ? 'no fields' : fieldCount(texts.length);
    throw new Fault(
      `has ${count}, but must have five: minute, hour, day of month, month, day of week`,
    );
  }
  const cron: Cron = {
    minutes: readField(MINUTE, minute),
    hours: readField(HOUR, hour),
    daysOfMonth: new Set(readField(DAY_OF_MONTH, dayOfMonth)),
    months: new Set(readField(MONTH, month)),
    daysOfWeek: new Set(readField(DAY_OF_WEEK, dayOfWeek).map((day) => day % 7)),
    isEitherDay: !dayOfMonth.startsWith('*') && !dayOfWeek.startsWith('*'),
    isWildcard: minute.startsWith('*') || hour.startsWith('*'),
  };
  if (!canFire(cron)) throw new Fault(neverFires(cron));
  return cron;
}

function fieldCount(count: number): string {
  return count === 1 ? '1 field' : `${count} fields`;
}

/** Every date, 29 February too, falls on each day of the week at some time: only the day of the month can be missing. */
function canFire(cron: Cron): boolean {
  if (cron.isEitherDay) return true;
  const lowest = Math.min(...cron.daysOfMonth);
  return [...cron.months].some((month) => lowest <= (LONGEST[month - 1] ?? 0));
}

/** `never fires: February has no day 30`. */
function neverFires({ months, daysOfMonth }: Cron): string {
  const names = MONTHS.filter((_, index) => months.has(index + 1));
  const have = names.length === 1 ? 'has' : 'have';
  return `never fires: ${enumerated(names)} ${have} no day ${Math.min(...daysOfMonth)}`;
}

/** The numbers a field stands for, rising. */
function readField(of: Field, text: string): number[] {
  const numbers = new Set(text.split(',').flatMap((item) => readItem(of, item, text)));
  return [...numbers].toSorted((one, other) => one - other);
}

/** One item of a list: `*`, `5`, `mon`, `1-5`, each of them but single values with a step. */
function readItem(of: Field, item: string, whole: string): number[] {
  const match = /^(?:(\*)|([^-/*]+)(?:-([^-/*]+))?)(?:\/([^-/*]+))?$/.exec(item);
  if (match === null) throw unreadable(of, item === '' ? whole : item);
  const [, star, first, last, step] = match;
  const by = step === undefined ? 1 : readStep(of, item, step);
  if (star !== undefined || first === undefined) return stepped(of.lowest, of.highest, by);

  const from = readNumber(of, first);
  if (last === undefined) {
    if (step === undefined) return [from];
    throw new Fault(
      `has ${show(item)} in the ${of.name} field: a step needs a range or a star, such as ${first}-${of.highest}/${step} or */${step}`,
    );
  }
  const to = readEnd(of, from, last);
  if (to < from) {
    throw new Fault(
      `has ${show(item)} in the ${of.name} field: a range must go from the lower value to the higher one`,
    );
  }
  return stepped(from, to, by);
}

/** The end of a range: `fri-sun` means the Sunday after. */
function readEnd(of: Field, from: number, text: string): number {
  const to = readNumber(of, text);
  const isSundayAfter = of === DAY_OF_WEEK && text.toLowerCase() === 'sun' && from > 0;
  return isSundayAfter ? 7 : to;
}

function readNumber(of: Field, text: string): number {
  const name = of.names.indexOf(text.toLowerCase());
  if (name >= 0) return of.lowest + name;
  if (!/^\d+$/.test(text)) throw unreadable(of, text);
  const number = Number(text);
  if (number < of.lowest || number > of.highest) throw unreadable(of, text);
  return number;
}

function readStep(of: Field, item: string, text: string): number {
  const step = /^\d+$/.test(text) ? Number(text) : 0;
  if (step >= 1) return step;
  throw new Fault(
    `has ${show(item)} in the ${of.name} field: a step is a whole number of at least 1, such as */2`,
  );
}

function stepped(from: number, to: number, by: number): number[] {
  const count = Math.floor((to - from) / by) + 1;
  return Array.from({ length: count }, (_, index) => from + index * by);
}

function unreadable(of: Field, text: string): Fault {
  const hint = /[?#]|^\d*[lw]$/i.test(text) ? '; the signs L, W, # and ? have no meaning here' : '';
  return new Fault(`has ${show(text)} in the ${of.name} field: ${of.allowed}${hint}`);
}

/** Numbers stand bare in a sentence, other text in quotes; long text is cut. */
function show(text: string): string {
  const short = text.length > 24 ? `${text.slice(0, 23)}…` : text;
  return /^\d+$/.test(short) ? short : `"${short}"`;
}

function field(
  name: string,
  lowest: number,
  highest: number,
  allowed: string,
  names: string[] = [],
): Field {
  return { name, lowest, highest, allowed, names };
}
