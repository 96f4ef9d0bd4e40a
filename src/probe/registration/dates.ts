/**
 * An instant in epoch milliseconds; `ambiguous` if either number may be the day; `unreadable` for an unknown date
 * format; `none` if it is not a date.
 */
type DateReading = number | 'ambiguous' | 'unreadable' | 'none';

interface Parts {
  year: number;
  month: number;
  day: number;
  /** Text after the date. */
  rest: string;
}

const DAY_MS = 86_400_000;
/** Start of the domain name system: earlier dates mean "no date". */
const EARLIEST = Date.UTC(1985, 0, 1);

/** Maximum length of a date; the rest of a line is ignored. */
const MAX_LENGTH = 80;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+(?=\d)/;
const YEAR_FIRST = /^(\d{4})[-/.]\s?(\d{1,2}|[a-z]{3})[-/.]\s?(\d{1,2})(?!\d)(.*)$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?!\d)(.*)$/;
const COMPACT_TIME = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(?!\d)/;
const NAMED_MONTH = /^(\d{1,2})(?:st|nd|rd|th)?[-\s./]+([a-z]{3,9})[-\s./,]+(\d{4})(?!\d)(.*)$/;
const MONTH_BEFORE_DAY = /^([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)(.*)$/;
/** Format of C's `ctime`, with or without a zone: `fri apr 18 23:59:59 gmt 2014`. */
const C_TIME =
  /^[a-z]{3},?\s+([a-z]{3})\s+(\d{1,2})\s+(\d{1,2}:\d{2}:\d{2}(?:\s+[a-z]{3,4})?)\s+(\d{4})$/;
const DOTTED = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)(.*)$/;
const SLASHED = /^(\d{1,2})([-/])(\d{1,2})\2(\d{4})(?!\d)(.*)$/;

const TIME =
  /^[t\s]*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(?:\(?(?:utc|gmt)\)?)?\s*(z|[+-]\d{1,2}(?::?\d{2})?)?/;

/**
 * Parses a date as written by registries, in UTC if there is no zone. A date without a time means the end of that day,
 * so that a domain is never called expired too early.
 */
export function readDate(text: string, isDayFirst = false): DateReading {
  const tidy = text
    .slice(0, MAX_LENGTH)
    .trim()
    .toLowerCase()
    .replace(/^["']|["'.]+$/g, '')
    .replace(WEEKDAY, '');
  const withTime = COMPACT_TIME.exec(tidy);
  if (withTime !== null) {
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = withTime
      .slice(1)
      .map(Number);
    return instant({
      year,
      month,
      day,
      rest: `${hour}:${String(minute).padStart(2, '0')}:${second}`,
    });
  }
  const parts = yearFirst(tidy) ?? namedMonth(tidy) ?? dayFirst(tidy, isDayFirst);
  if (parts === 'ambiguous') return 'ambiguous';
  if (parts !== null) return instant(parts);
  return /\d.*\d.*\d.*\d/.test(tidy) ? 'unreadable' : 'none';
}

function yearFirst(text: string): Parts | null {
  const [, year, month, day, rest] = YEAR_FIRST.exec(text) ?? COMPACT.exec(text) ?? [];
  return partsOf(year, month, day, rest);
}

function namedMonth(text: string): Parts | null {
  const cTime = C_TIME.exec(text);
  if (cTime !== null) return partsOf(cTime[4], cTime[1], cTime[2], cTime[3]);
  const before = MONTH_BEFORE_DAY.exec(text);
  if (before !== null) return partsOf(before[3], before[1], before[2], before[4]);
  const [, day, month, year, rest] = NAMED_MONTH.exec(text) ?? [];
  return partsOf(year, month, day, rest);
}

/** With dots the day always comes first; with other separators the caller must know. */
function dayFirst(text: string, isDayFirst: boolean): Parts | 'ambiguous' | null {
  const [, dottedDay, dottedMonth, dottedYear, dottedRest] = DOTTED.exec(text) ?? [];
  if (dottedDay !== undefined) return partsOf(dottedYear, dottedMonth, dottedDay, dottedRest);
  const [, first, , second, year, rest] = SLASHED.exec(text) ?? [];
  if (first === undefined) return null;
  if (isDayFirst || Number(first) > 12 || first === second) {
    return partsOf(year, second, first, rest);
  }
  return Number(second) > 12 ? partsOf(year, first, second, rest) : 'ambiguous';
}

function partsOf(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  rest: string | undefined,
): Parts | null {
  if (year === undefined || month === undefined) return null;
  const number = /^\d/.test(month) ? Number(month) : MONTHS.indexOf(month.slice(0, 3)) + 1;
  return number === 0
    ? null
    : { year: Number(year), month: number, day: Number(day), rest: rest ?? '' };
}

function instant({ year, month, day, rest }: Parts): DateReading {
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return 'unreadable';
  if (date.getTime() < EARLIEST) return 'none';
  const [matched, hour, minute, second, zone] = TIME.exec(rest) ?? [];
  if (matched === undefined) return date.getTime() + DAY_MS - 1_000;
  const seconds = Number(hour) * 3_600 + Number(minute) * 60 + Number(second ?? 0);
  return date.getTime() + seconds * 1_000 - zoneMs(zone);
}

function zoneMs(zone: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(zone ?? '') ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0)) * 60_000;
}
