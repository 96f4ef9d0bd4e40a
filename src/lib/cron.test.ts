import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextFire } from './cron.ts';
import { isTimeZone } from './time-zone.ts';
import { parseCron } from './cron-expression.ts';
import type { Cron } from './cron-expression.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

function cronOf(expression: string): Cron {
  const read = parseCron(expression);
  if (!read.ok) throw new Error(`${expression} ${read.fault}`);
  return read.cron;
}

function fires(expression: string, timezone: string, after: string, count: number): string[] {
  const cron = cronOf(expression);
  const found: string[] = [];
  let at: number | null = Date.parse(after);
  while (found.length < count) {
    at = nextFire(cron, timezone, at);
    if (at === null) break;
    found.push(new Date(at).toISOString().replace(':00.000Z', 'Z'));
  }
  return found;
}

const days = (...numbers: number[]) => new Set(numbers);

describe('parseCron [11.13]', () => {
  test.each<[string, Partial<Cron>]>([
    ['5 4 * * *', { minutes: [5], hours: [4], isEitherDay: false, isWildcard: false }],
    ['  5\t4   * * *  ', { minutes: [5], hours: [4] }],
    ['05 004 * * *', { minutes: [5], hours: [4] }],
    ['*/20 4 * * *', { minutes: [0, 20, 40], isWildcard: true }],
    ['5 */9 * * *', { hours: [0, 9, 18], isWildcard: true }],
    ['0-59 4 * * *', { isWildcard: false }],
    ['10-30/5,3 * * * *', { minutes: [3, 10, 15, 20, 25, 30] }],
    ['5,1,3,1 * * * *', { minutes: [1, 3, 5] }],
    ['*/90 * * * *', { minutes: [0] }],
    ['0 0 * JAN,mAr-may,12 *', { months: days(1, 3, 4, 5, 12) }],
    ['0 0 * * 7', { daysOfWeek: days(0) }],
    ['0 0 * * 0-7', { daysOfWeek: days(0, 1, 2, 3, 4, 5, 6) }],
    ['0 0 * * 5-7', { daysOfWeek: days(5, 6, 0) }],
    ['0 0 * * fri-sun', { daysOfWeek: days(5, 6, 0) }],
    ['0 0 * * sun-tue', { daysOfWeek: days(0, 1, 2) }],
    ['0 0 * * Sun-Sun', { daysOfWeek: days(0) }],
    ['0 0 * * mon-5/2', { daysOfWeek: days(1, 3, 5) }],
    ['0 0 1 * 1', { isEitherDay: true }],
    ['0 0 */2 * 1', { isEitherDay: false }],
    ['0 0 1 * */2', { isEitherDay: false, daysOfWeek: days(0, 2, 4, 6) }],
    ['0 0 29 2 *', { daysOfMonth: days(29), months: days(2) }],
    ['0 0 30 2 1', { isEitherDay: true }],
    ['0 0 31 2,4,5 *', { months: days(2, 4, 5) }],
  ])('%s', (expression, expected) => {
    expect(cronOf(expression)).toMatchObject(expected);
  });

  const minutes = 'in the minute field: minutes are 0 to 59';
  const weekdays =
    'in the day-of-week field: days of the week are 0 to 7 (0 and 7 are Sunday) or sun to sat';
  const signs = '; the signs L, W, # and ? have no meaning here';
  test.each([
    ['', 'has no fields, but must have five: minute, hour, day of month, month, day of week'],
    ['*', 'has 1 field, but must have five: minute, hour, day of month, month, day of week'],
    ['* * * *', 'has 4 fields, but must have five: minute, hour, day of month, month, day of week'],
    [
      '0 * * * * *',
      'has 6 fields, but must have five: minute, hour, day of month, month, day of week',
    ],
    ['@daily', 'must be five fields such as "0 3 * * *", not a word such as "@daily"'],
    ['61 * * * *', `has 61 ${minutes}`],
    ['-1 * * * *', `has "-1" ${minutes}`],
    ['1.5 * * * *', `has "1.5" ${minutes}`],
    ['x * * * *', `has "x" ${minutes}`],
    ['1,,2 * * * *', `has "1,,2" ${minutes}`],
    ['*-5 * * * *', `has "*-5" ${minutes}`],
    ['1-2-3 * * * *', `has "1-2-3" ${minutes}`],
    ['** * * * *', `has "**" ${minutes}`],
    ['*/ * * * *', `has "*/" ${minutes}`],
    ['٣ * * * *', `has "٣" ${minutes}`],
    ['99999999999999999999999999 * * * *', `has "99999999999999999999999…" ${minutes}`],
    ['0 24 * * *', 'has 24 in the hour field: hours are 0 to 23'],
    ['0 0 0 * *', 'has 0 in the day-of-month field: days of the month are 1 to 31'],
    ['0 0 L * *', `has "L" in the day-of-month field: days of the month are 1 to 31${signs}`],
    ['0 0 15W * *', `has "15W" in the day-of-month field: days of the month are 1 to 31${signs}`],
    ['0 0 ? * *', `has "?" in the day-of-month field: days of the month are 1 to 31${signs}`],
    ['0 0 * 13 *', 'has 13 in the month field: months are 1 to 12 or jan to dec'],
    ['0 0 * january *', 'has "january" in the month field: months are 1 to 12 or jan to dec'],
    ['0 0 * mon *', 'has "mon" in the month field: months are 1 to 12 or jan to dec'],
    ['0 0 * * 8', `has 8 ${weekdays}`],
    ['0 0 * * mon-', `has "mon-" ${weekdays}`],
    ['0 0 * * 5#2', `has "5#2" ${weekdays}${signs}`],
    [
      '5-1 * * * *',
      'has "5-1" in the minute field: a range must go from the lower value to the higher one',
    ],
    [
      '0 0 * * sat-mon',
      'has "sat-mon" in the day-of-week field: a range must go from the lower value to the higher one',
    ],
    [
      '0 5/10 * * *',
      'has "5/10" in the hour field: a step needs a range or a star, such as 5-23/10 or */10',
    ],
    [
      '*/0 * * * *',
      'has "*/0" in the minute field: a step is a whole number of at least 1, such as */2',
    ],
    [
      '*/x * * * *',
      'has "*/x" in the minute field: a step is a whole number of at least 1, such as */2',
    ],
    ['0 0 30 2 *', 'never fires: February has no day 30'],
    [
      '0 0 31 feb,4,6,9,11 *',
      'never fires: February, April, June, September and November have no day 31',
    ],
    ['0 0 30,31 2 */2', 'never fires: February has no day 30'],
    [`${'0,'.repeat(130)}0 * * * *`, 'must have at most 255 characters'],
  ])('%s is refused [11.14, 11.15]', (expression, fault) => {
    expect(parseCron(expression)).toEqual({ ok: false, fault });
  });

  test('any text is either read or refused', () => {
    const signsOfCron = fc.string({
      unit: fc.constantFrom(...'0159*/-,# LWjansu@'),
      maxLength: 30,
    });
    fc.assert(
      fc.property(fc.oneof(fc.string(), signsOfCron), (text) => {
        const read = parseCron(text);
        if (read.ok) expect(nextFire(read.cron, 'UTC', 0)).not.toBeNull();
        else expect(read.fault).toMatch(/^(has|must|never) /);
      }),
    );
  });
});

test.each([
  ['UTC', true],
  ['Europe/Berlin', true],
  ['europe/BERLIN', true],
  ['Asia/Calcutta', true],
  ['Asia/Kolkata', true],
  ['America/Argentina/Buenos_Aires', true],
  ['EST5EDT', true],
  ['Etc/GMT+5', true],
  ['', false],
  ['+02:00', false],
  ['-0500', false],
  ['Mars/Olympus', false],
  ['Europe', false],
  ['Europe/Berlin ', false],
])('%j names a time zone: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});

/** `03-29 01:00` is of 2026; times are in UTC. */
const instant = (text: string) =>
  new Date(`${/^\d{4}/.test(text) ? text : `2026-${text}`}Z`).toISOString();

describe('nextFire [11.7, 11.13, 11.16, 11.17, 11.18, 11.19]', () => {
  // What it shows, the expression, a time, and those at which it fires after that.
  const FIRES: Record<string, [string, string, string, string][]> = {
    UTC: [
      ['strictly after', '0 12 * * *', '05-01 12:00', '05-02 12:00'],
      ['within a minute', '* * * * *', '05-01 12:00:00.001', '05-01 12:01'],
      ['just before', '0 12 * * *', '05-01 11:59:59.999', '05-01 12:00'],
      ['either day', '0 0 13 * 5', '02-05 00:00', '02-06 00:00, 02-13 00:00, 02-20 00:00'],
      [
        'both days where one has a star',
        '0 0 13 * */5',
        '02-05 00:00',
        '02-13 00:00, 03-13 00:00, 09-13 00:00',
      ],
      ['29 February', '0 0 29 2 *', '2096-02-29 00:00', '2104-02-29 00:00'],
      ['29 February on a Sunday', '0 0 29 2 */7', '2088-02-29 00:00', '2128-02-29 00:00'],
    ],
    'Asia/Kathmandu': [['in its zone', '30 9 * * 1-5', '11-20 03:45', '11-23 03:45']],
    'Asia/Calcutta': [['a zone by its old name', '30 9 * * *', '11-20 00:00', '11-20 04:00']],
    'Europe/Berlin': [
      ['fixed time in the skipped hour', '30 2 * * *', '03-28 12:00', '03-29 01:00, 03-30 00:30'],
      ['several of them', '0,15,30 2 * * *', '03-28 12:00', '03-29 01:00, 03-30 00:00'],
      ['and one just after it', '0 2,3 * * *', '03-28 12:00', '03-29 01:00, 03-30 00:00'],
      ['after the jump has passed', '30 2 * * *', '03-29 01:00', '03-30 00:30'],
      ['wildcard in the skipped hour', '*/30 2 * * *', '03-28 12:00', '03-30 00:00'],
      ['fixed time in the repeated hour', '30 2 * * *', '10-24 12:00', '10-25 00:30, 10-26 01:30'],
      ['seen from within it', '30 2 * * *', '10-25 01:10', '10-26 01:30'],
      [
        'several hours, one repeated',
        '0 1-3 * * *',
        '10-24 12:00',
        '10-24 23:00, 10-25 00:00, 10-25 02:00',
      ],
      [
        'wildcard in the repeated hour',
        '*/30 2 * * *',
        '10-24 12:00',
        '10-25 00:00, 10-25 00:30, 10-25 01:00, 10-25 01:30, 10-26 01:00',
      ],
    ],
    'Australia/Lord_Howe': [
      ['half an hour skipped', '15 2 * * *', '10-02 20:00', '10-03 15:30, 10-04 15:15'],
    ],
    'America/Santiago': [
      ['midnight skipped', '0 0 * * *', '09-05 12:00', '09-06 04:00, 09-07 03:00'],
      [
        'midnight of the first, skipped',
        '5 0 6 9 *',
        '01-01 00:00',
        '09-06 04:00, 2027-09-06 03:05',
      ],
    ],
    'Africa/Casablanca': [
      ['back for a month', '30 2 * * *', '02-14 12:00', '02-15 01:30, 02-16 02:30'],
    ],
    'Pacific/Apia': [
      [
        'a whole day skipped is not made up for',
        '0 9 * * *',
        '2011-12-29 12:00',
        '2011-12-29 19:00, 2011-12-30 19:00',
      ],
      ['nor is one job of that day', '0 9 30 12 *', '2011-12-01 00:00', '2012-12-29 19:00'],
    ],
    'Antarctica/Casey': [
      [
        'three hours back count as repeated',
        '30 0 * * *',
        '2010-03-03 00:00',
        '2010-03-03 13:30, 2010-03-04 13:30, 2010-03-05 16:30',
      ],
    ],
  };
  describe.each(Object.entries(FIRES))('in %s', (zone, cases) => {
    test.each(cases)('%s', (_name, expression, after, expected) => {
      const times = expected.split(', ').map((time) => instant(time).replace(':00.000Z', 'Z'));
      expect(fires(expression, zone, instant(after), times.length)).toEqual(times);
    });
  });

  test('ends where dates do', () => {
    expect(nextFire(cronOf('* * * * *'), 'UTC', 8.64e15 - 1)).toBeNull();
    expect(nextFire(cronOf('0 0 29 2 *'), 'UTC', 8.64e15 - 5 * DAY)).toBeNull();
  });
});

describe('nextFire agrees with a scan of every minute', () => {
  const cases: [zone: string, from: string, to: string, changes: number][] = [
    ['Europe/Berlin', '2016-01-01', '2026-01-01', 20],
    ['America/New_York', '2016-01-01', '2026-01-01', 20],
    ['Australia/Lord_Howe', '2016-01-01', '2026-01-01', 20],
    ['America/Santiago', '2016-01-01', '2026-01-01', 20],
    ['Africa/Casablanca', '2016-01-01', '2026-01-01', 25],
    ['Asia/Kathmandu', '1980-01-01', '1990-01-01', 1],
    ['Pacific/Apia', '2010-01-01', '2020-01-01', 20],
    ['Antarctica/Casey', '2009-01-01', '2012-06-01', 4],
  ];
  /** These fire so often that a few hours say as much as days of the others. */
  const frequent = ['* * * * *', '*/7 * * * *', '30 * * * *'].map(cronOf);
  const rare = [
    '15 */2 * * *',
    '*/20 0-3 * * *',
    '0-59/10 0-4 * * *',
    '30 2 * * *',
    '0 0 * * *',
    '59 23 * * *',
    '0,15,45 1-3 * * sun',
    '10 2 1-7 * 0',
    '5 1 */2 * *',
  ].map(cronOf);

  test.each(cases)('around the changes of %s [11.20]', (zone, from, to, count) => {
    const changes = changesOf(zone, Date.parse(from), Date.parse(to));
    expect(changes).toHaveLength(count);
    for (const change of changes) {
      const expectScanned = (crons: Cron[], start: number, end: number) => {
        const walls = wallsOf(zone, start - DAY / 4, end);
        for (const cron of crons) {
          const expected = scan(cron, walls).filter((at) => at > start);
          expect(chain(cron, zone, start, end)).toEqual(expected);
        }
      };
      expectScanned(frequent, change - DAY / 8, change + DAY / 4);
      expectScanned(rare, change - DAY / 2, change + DAY);
    }
  });

  test('at any other time', () => {
    const minutes = fc.constantFrom('*', '*/25', '7', '0,59', '3-33/10');
    const hours = fc.constantFrom('*', '*/5', '0', '2', '9-17', '1,23');
    const monthDays = fc.constantFrom('*', '*/3', '1', '28-31', '15');
    const months = fc.constantFrom('*', '*/2', '2', 'mar-oct');
    const weekdays = fc.constantFrom('*', 'mon-fri', '7', '*/3');
    const expression = fc
      .tuple(minutes, hours, monthDays, months, weekdays)
      .map((fields) => fields.join(' '));
    const zones = fc.constantFrom(...cases.map(([zone]) => zone));
    const start = fc.integer({ min: 0, max: 10 * 365 * 24 * 60 });
    fc.assert(
      fc.property(expression, zones, start, (text, zone, minute) => {
        const from = Date.parse('2016-01-01') + minute * MINUTE;
        const to = from + 10 * DAY;
        const walls = wallsOf(zone, from - DAY / 4, to);
        const expected = scan(cronOf(text), walls).filter((at) => at > from);
        expect(chain(cronOf(text), zone, from, to)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test('and nothing lies between a time far away and the one before it', () => {
    const from = Date.parse('2026-03-01');
    const cron = cronOf('30 2 29 3 *');
    const first = nextFire(cron, 'Europe/Berlin', from);
    expect(first).toBe(Date.parse('2026-03-29T01:00Z'));
    for (let before = from; before < first!; before += 7 * 3_600_000) {
      expect(nextFire(cron, 'Europe/Berlin', before)).toBe(first);
    }
  });
});

/** All that `nextFire` gives in `(from, to)`. */
function chain(cron: Cron, zone: string, from: number, to: number): number[] {
  const found: number[] = [];
  let at = nextFire(cron, zone, from);
  while (at !== null && at < to) {
    found.push(at);
    at = nextFire(cron, zone, at);
  }
  return found;
}

/** The main loop of Debian's cron, awake at every minute. */
function scan(cron: Cron, walls: Map<number, number>): number[] {
  const found: number[] = [];
  let virtual = walls.values().next().value! - 1;
  for (const [at, wall] of walls) {
    const late = wall - virtual;
    const isClockSet = late > 180 || late <= -180;
    let isDue = false;
    if (late === 1 || isClockSet) {
      virtual = wall;
      isDue = fits(cron, wall);
    } else if (late > 0) {
      isDue = cron.isWildcard && fits(cron, wall);
      while (virtual < wall) {
        virtual += 1;
        isDue ||= !cron.isWildcard && fits(cron, virtual);
      }
    } else {
      isDue = cron.isWildcard && fits(cron, wall);
    }
    if (isDue) found.push(at);
  }
  return found;
}

function fits(cron: Cron, wall: number): boolean {
  const date = new Date(wall * MINUTE);
  const isDate = cron.daysOfMonth.has(date.getUTCDate());
  const isWeekday = cron.daysOfWeek.has(date.getUTCDay());
  return (
    cron.minutes.includes(date.getUTCMinutes()) &&
    cron.hours.includes(date.getUTCHours()) &&
    cron.months.has(date.getUTCMonth() + 1) &&
    (cron.isEitherDay ? isDate || isWeekday : isDate && isWeekday)
  );
}

/** The wall time at each minute, in minutes as if it were UTC. Clocks change at quarters of an hour. */
function wallsOf(zone: string, from: number, to: number): Map<number, number> {
  const walls = new Map<number, number>();
  const start = Math.floor(from / (15 * MINUTE)) * 15;
  for (let quarter = start; quarter * MINUTE < to; quarter += 15) {
    const wall = wallOf(zone, quarter * MINUTE);
    for (let minute = 0; minute < 15; minute++) {
      const at = (quarter + minute) * MINUTE;
      if (at < to) walls.set(at, wall + minute);
    }
  }
  return walls;
}

function changesOf(zone: string, from: number, to: number): number[] {
  const changes: number[] = [];
  const offset = (at: number) => wallOf(zone, at) - at / MINUTE;
  for (let at = from; at < to; at += DAY) {
    if (offset(at) === offset(at + DAY)) continue;
    let change = at;
    while (offset(change) === offset(at)) change += 15 * MINUTE;
    changes.push(change);
  }
  return changes;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Read from the figures of a date, where the code under test reads the name of the zone. */
function wallOf(zone: string, at: number): number {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    formats.set(zone, format);
  }
  return Date.parse(`${format.format(at).replace(' ', 'T')}Z`) / MINUTE;
}
