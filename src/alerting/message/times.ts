/** Formats times and durations for people. All times are epoch milliseconds. */

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
/** Largest valid date (ECMA-262, section 21.4.1.1). */
const LATEST = 8.64e15;

/** Times in causes and notices, with or without seconds. */
const UTC_TIME = /\b(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?) UTC\b/g;

interface Moment {
  day: string;
  year: string;
  time: string;
  second: string;
  zone: string;
}

/** @param timezone IANA name; unknown ones are UTC. @param now time of the message, whose day is omitted. */
export function timesOf(timezone: string, now: number) {
  const read = momentsIn(timezone);
  const today = read(now);

  const dayBefore = ({ day, year }: Moment) => {
    if (year !== today.year) return `${day} ${year}, `;
    return day === today.day ? '' : `${day}, `;
  };
  return {
    /** `08:02 CET`; with the day if it differs from that of the message: `20 Nov, 08:02 CET`. */
    short(at: number): string {
      const moment = read(at);
      return `${dayBefore(moment)}${moment.time} ${moment.zone}`;
    },
    /** `21 Nov 2026, 08:02:10 CET`. */
    exact(at: number): string {
      const moment = read(at);
      return `${dayAndYear(moment)}${exactTime(moment)} ${moment.zone}`;
    },
    /** `08:02 to 08:11 CET`, with the day if needed, and with seconds within one minute. */
    shortRange(from: number, to: number): string {
      const [begin, end] = [read(from), read(to)];
      const isOneMinute = dayAndYear(begin) === dayAndYear(end) && begin.time === end.time;
      return range(begin, end, dayBefore, isOneMinute ? exactTime : plainTime);
    },
    /** `21 Nov 2026, 08:02:10 to 08:11:40 CET`; with both days if they differ. */
    exactRange: (from: number, to: number) => range(read(from), read(to), dayAndYear, exactTime),
    /** Replaces each `2026-11-21 07:00:00 UTC` in a text by `08:00 CET`. */
    within: (text: string) =>
      text.replace(UTC_TIME, (asItWas, day: string, time: string) => {
        const at = Date.parse(`${day}T${time}Z`);
        if (Number.isNaN(at)) return asItWas;
        const moment = read(at);
        const timeOf = moment.second === '00' ? plainTime : exactTime;
        return `${dayBefore(moment)}${timeOf(moment)} ${moment.zone}`;
      }),
  };
}

export type Times = ReturnType<typeof timesOf>;

const dayAndYear = ({ day, year }: Moment) => `${day} ${year}, `;
const plainTime = ({ time }: Moment) => time;
const exactTime = ({ time, second }: Moment) => `${time}:${second}`;

function range(from: Moment, to: Moment, dayOf: (one: Moment) => string, timeOf = plainTime) {
  const isSameDay = from.day === to.day && from.year === to.year;
  // On days with a clock change both ends need a zone name.
  const zone = from.zone === to.zone ? '' : ` ${from.zone}`;
  const end = `${isSameDay ? '' : dayOf(to)}${timeOf(to)} ${to.zone}`;
  return `${dayOf(from)}${timeOf(from)}${zone} to ${end}`;
}

function momentsIn(timezone: string): (at: number) => Moment {
  const format = formatIn(timezone, 'en-GB');
  return (given) => {
    const at = Math.min(Math.max(given, -LATEST), LATEST);
    const parts = partsOf(format, at);
    return {
      day: `${Number(parts['day'])} ${MONTHS[Number(parts['month']) - 1]}`,
      year: parts['year']!,
      time: `${parts['hour']}:${parts['minute']}`,
      second: parts['second']!,
      zone: zoneName(timezone, parts['timeZoneName']!, at),
    };
  };
}

/** British English has names for European zones, American English for American ones; others are shown as offsets. */
function zoneName(timezone: string, british: string, at: number): string {
  if (!/^GMT[+-]/.test(british)) return british;
  const american = partsOf(formatIn(timezone, 'en-US'), at)['timeZoneName']!;
  return american.replace(/^GMT(?=[+-])/, 'UTC').replace('-', '−');
}

const formats = new Map<string, Intl.DateTimeFormat>();
/** About 600 zones in two languages; other spellings are the same zone. */
const MOST_FORMATS = 64;

/** Creating one takes as long as using it a hundred times. */
function formatIn(timezone: string, language: string): Intl.DateTimeFormat {
  const key = `${language} ${timezone}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = newFormat(timezone, language);
  if (formats.size >= MOST_FORMATS) formats.clear();
  formats.set(key, made);
  return made;
}

function newFormat(timeZone: string, language: string): Intl.DateTimeFormat {
  const options = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  } as const;
  try {
    return new Intl.DateTimeFormat(language, { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  }
}

function partsOf(format: Intl.DateTimeFormat, at: number): Record<string, string> {
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** `40 s`, `9 min`, `1 h 5 min`, `2 d 3 h`: two units at most, no seconds beside minutes, never less than a second. */
export function durationOf(milliseconds: number): string {
  const seconds = Math.max(1, Math.floor(milliseconds / 1_000));
  const first = UNITS.findIndex(([, length]) => seconds >= length);
  const [unit, length] = UNITS[first]!;
  const whole = `${Math.floor(seconds / length)} ${unit}`;
  const [smaller = 's', smallerLength = 1] = UNITS[first + 1] ?? [];
  const rest = Math.floor((seconds % length) / smallerLength);
  return rest === 0 || smaller === 's' ? whole : `${whole} ${rest} ${smaller}`;
}
