import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  loadRecurrences,
  parseRecurrence,
  type RecurrenceRule,
  type RecurrenceStart,
  type Recurrences,
} from './recurrence.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let recurrences: Recurrences;
beforeAll(async () => void (recurrences = await loadRecurrences()));

function ruleOf(text: string): RecurrenceRule {
  const parsed = parseRecurrence(text);
  if ('fault' in parsed) throw new Error(`${text} ${parsed.fault}`);
  return parsed.rule;
}

/** First starts of a rule. */
function starts(text: string, from: string, timezone: string, count = 4): string[] {
  const start = { startsAt: Date.parse(from), timezone };
  const found: number[] = [];
  for (const at of recurrences.startsAfter(ruleOf(text), start, start.startsAt - 1)) {
    found.push(at);
    if (found.length === count) break;
  }
  // Fetching them one at a time gives the same.
  const [, ...later] = found;
  expect(later).toEqual(found.slice(0, later.length).map((at) => startAfter(text, start, at)));
  return found.map((at) => new Date(at).toISOString().replace(':00.000Z', 'Z'));
}

function startAfter(text: string, start: RecurrenceStart, after: number): number | null {
  for (const at of recurrences.startsAfter(ruleOf(text), start, after)) return at;
  return null;
}

describe('common rules', () => {
  test.for<[string, string, string, string[]]>([
    [
      'FREQ=WEEKLY;BYDAY=TU,TH',
      '2030-01-01T22:00Z',
      'UTC',
      ['2030-01-01T22:00Z', '2030-01-03T22:00Z', '2030-01-08T22:00Z', '2030-01-10T22:00Z'],
    ],
    // A start that doesn't match the rule is not an occurrence.
    ['FREQ=WEEKLY;BYDAY=MO;COUNT=1', '2030-01-01T22:00Z', 'UTC', ['2030-01-07T22:00Z']],
    [
      'RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=3',
      '2030-01-01T05:30Z',
      'UTC',
      ['2030-01-25T05:30Z', '2030-02-22T05:30Z', '2030-03-29T05:30Z'],
    ],
    [
      'FREQ=MONTHLY;COUNT=3',
      '2030-01-31T00:00Z',
      'UTC',
      ['2030-01-31T00:00Z', '2030-03-31T00:00Z', '2030-05-31T00:00Z'],
    ],
    [
      'freq=daily;interval=2;until=20300105',
      '2030-01-01T22:00Z',
      'UTC',
      ['2030-01-01T22:00Z', '2030-01-03T22:00Z', '2030-01-05T22:00Z'],
    ],
    // UNTIL is inclusive.
    [
      'FREQ=DAILY;UNTIL=20300102T220000Z',
      '2030-01-01T22:00Z',
      'UTC',
      ['2030-01-01T22:00Z', '2030-01-02T22:00Z'],
    ],
    ['FREQ=DAILY;UNTIL=20300102T215959Z', '2030-01-01T22:00Z', 'UTC', ['2030-01-01T22:00Z']],
    // Dates are those of the zone, where it is already the 3rd.
    [
      'FREQ=DAILY;UNTIL=20300103',
      '2030-01-01T20:00Z',
      'Asia/Tokyo',
      ['2030-01-01T20:00Z', '2030-01-02T20:00Z'],
    ],
    [
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
      '2030-01-01T00:00Z',
      'UTC',
      ['2032-02-29T00:00Z', '2036-02-29T00:00Z', '2040-02-29T00:00Z', '2044-02-29T00:00Z'],
    ],
    [
      'FREQ=DAILY;BYHOUR=1,13;BYMINUTE=30',
      '2030-01-01T01:30Z',
      'UTC',
      ['2030-01-01T01:30Z', '2030-01-01T13:30Z', '2030-01-02T01:30Z', '2030-01-02T13:30Z'],
    ],
  ])('%s from %s in %s', ([text, from, zone, wanted]) => {
    expect(starts(text, from, zone)).toEqual(wanted);
  });
});

describe('at clock changes', () => {
  test.for<[string, string, string, string, string[]]>([
    [
      'keeps the time on the wall',
      'FREQ=DAILY',
      '2030-03-30T09:00Z',
      'Europe/Berlin',
      ['2030-03-30T09:00Z', '2030-03-31T08:00Z', '2030-04-01T08:00Z', '2030-04-02T08:00Z'],
    ],
    [
      'a skipped time begins right after the jump, and the next day is as ever',
      'FREQ=DAILY',
      '2030-03-30T01:30Z',
      'Europe/Berlin',
      ['2030-03-30T01:30Z', '2030-03-31T01:00Z', '2030-04-01T00:30Z', '2030-04-02T00:30Z'],
    ],
    [
      'a time that comes twice begins once, the first time',
      'FREQ=DAILY',
      '2030-10-26T00:30Z',
      'Europe/Berlin',
      ['2030-10-26T00:30Z', '2030-10-27T00:30Z', '2030-10-28T01:30Z', '2030-10-29T01:30Z'],
    ],
    [
      'the first one may lie in the second of the two',
      'FREQ=DAILY',
      '2030-10-27T01:30Z',
      'Europe/Berlin',
      ['2030-10-27T01:30Z', '2030-10-28T01:30Z', '2030-10-29T01:30Z', '2030-10-30T01:30Z'],
    ],
    [
      'in spring in New York',
      'FREQ=WEEKLY;BYDAY=SU',
      '2030-03-03T07:30Z',
      'America/New_York',
      ['2030-03-03T07:30Z', '2030-03-10T07:00Z', '2030-03-17T06:30Z', '2030-03-24T06:30Z'],
    ],
    [
      'in autumn in New York',
      'FREQ=WEEKLY;BYDAY=SU',
      '2030-10-27T05:30Z',
      'America/New_York',
      ['2030-10-27T05:30Z', '2030-11-03T05:30Z', '2030-11-10T06:30Z', '2030-11-17T06:30Z'],
    ],
    [
      'by half an hour on Lord Howe Island',
      'FREQ=DAILY',
      '2030-10-04T15:45Z',
      'Australia/Lord_Howe',
      // 02:15 on the wall; on the 6th the clocks go from 02:00 to 02:30, which is 15:30 in UTC.
      ['2030-10-04T15:45Z', '2030-10-05T15:30Z', '2030-10-06T15:15Z', '2030-10-07T15:15Z'],
    ],
    [
      'a day that Samoa left out begins with the next one',
      'FREQ=DAILY',
      '2011-12-29T20:00Z',
      'Pacific/Apia',
      // 10:00 on the wall on the 29th; there was no 30th: the 31st began at 10:00 in UTC.
      ['2011-12-29T20:00Z', '2011-12-30T10:00Z', '2011-12-30T20:00Z', '2011-12-31T20:00Z'],
    ],
    [
      'a time at the very beginning of the skipped hour',
      'FREQ=DAILY;BYHOUR=2;BYMINUTE=0',
      '2030-03-30T01:00Z',
      'Europe/Berlin',
      ['2030-03-30T01:00Z', '2030-03-31T01:00Z', '2030-04-01T00:00Z', '2030-04-02T00:00Z'],
    ],
    [
      'two skipped times are one',
      'FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0',
      '2030-03-31T00:00Z',
      'Europe/Berlin',
      ['2030-03-31T01:00Z', '2030-04-01T00:00Z', '2030-04-01T01:00Z', '2030-04-02T00:00Z'],
    ],
  ])('%s: %s [27.5, 27.6]', ([, text, from, zone, wanted]) => {
    expect(starts(text, from, zone)).toEqual(wanted);
  });
});

test.for([
  ['', 'must be a recurrence rule'],
  ['FREQ', 'must be a recurrence rule'],
  ['DTSTART:20300101T000000Z\nRRULE:FREQ=DAILY', 'must be a recurrence rule'],
  ['FREQ=HOURLY', 'must have a FREQ of DAILY'],
  ['FREQ=MINUTELY', 'must have a FREQ of DAILY'],
  ['FREQ=SECONDLY;COUNT=3', 'must have a FREQ of DAILY'],
  ['INTERVAL=2', 'must have a FREQ'],
  ['FREQ=DAILY;FREQ=WEEKLY', 'must have FREQ once'],
  ['FREQ=DAILY;COUNT=0', 'as COUNT'],
  ['FREQ=DAILY;COUNT=10001', 'as COUNT'],
  ['FREQ=DAILY;INTERVAL=-1', 'as INTERVAL'],
  ['FREQ=DAILY;COUNT=2;UNTIL=20300101', 'both COUNT and UNTIL'],
  ['FREQ=DAILY;UNTIL=20300230', 'must have an UNTIL'],
  ['FREQ=DAILY;UNTIL=2030-01-01', 'must have an UNTIL'],
  ['FREQ=WEEKLY;BYDAY=XX', 'in BYDAY'],
  ['FREQ=WEEKLY;BYDAY=1MO', 'numbers in BYDAY'],
  ['FREQ=MONTHLY;BYDAY=54MO', 'in BYDAY'],
  ['FREQ=WEEKLY;BYMONTHDAY=1', 'BYMONTHDAY'],
  ['FREQ=MONTHLY;BYMONTHDAY=32', 'in BYMONTHDAY'],
  ['FREQ=MONTHLY;BYMONTHDAY=0', 'in BYMONTHDAY'],
  ['FREQ=MONTHLY;BYWEEKNO=3', 'BYWEEKNO'],
  ['FREQ=YEARLY;BYWEEKNO=1;BYYEARDAY=366', 'BYWEEKNO together'],
  ['FREQ=DAILY;BYYEARDAY=3', 'BYYEARDAY'],
  ['FREQ=MONTHLY;BYSETPOS=1', 'BYSETPOS without'],
  ['FREQ=DAILY;BYHOUR=2;BYSETPOS=1', 'BYSETPOS unless'],
  ['FREQ=MONTHLY;BYDAY=MO;BYHOUR=2,3;BYSETPOS=1', 'BYSETPOS beside'],
  ['FREQ=DAILY;BYHOUR=24', 'in BYHOUR'],
  ['FREQ=DAILY;BYMINUTE=0,30', 'BYMINUTE'],
  ['FREQ=DAILY;WKST=1', 'WKST'],
  ['RSCALE=CHINESE;FREQ=YEARLY', 'must not have RSCALE'],
  ['FREQ=DAILY;__PROTO__=1', 'must be a recurrence rule'],
  [`FREQ=DAILY;BYMONTH=${'1,'.repeat(300)}1`, 'at most 500 characters'],
] as const)('%s is refused', ([text, fault]) => {
  expect(parseRecurrence(text)).toEqual({ fault: expect.stringContaining(fault) });
});

describe('rules that rarely or never fire end quickly', () => {
  test.for([
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', null],
    ['FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=4', null],
    ['FREQ=DAILY;BYMONTH=4;BYMONTHDAY=31;COUNT=3', null],
    ['FREQ=MONTHLY;BYMONTH=2;BYSETPOS=7;BYDAY=MO', null],
    ['FREQ=YEARLY;BYDAY=MO;BYSETPOS=-366', null],
    ['FREQ=YEARLY;INTERVAL=1000;BYMONTH=2;BYMONTHDAY=29', null],
    ['FREQ=DAILY;UNTIL=20200101', null],
    ['FREQ=DAILY;INTERVAL=7;BYMONTH=2;BYMONTHDAY=29', '2036-02-29T00:00:00.000Z'],
  ] as const)('%s', ([text, wanted]) => {
    const start = { startsAt: Date.UTC(2030, 0, 4), timezone: 'UTC' };
    const at = startAfter(text, start, start.startsAt);
    expect(at === null ? null : new Date(at).toISOString()).toBe(wanted);
  });

  test('any rule', () => {
    const values: Record<string, fc.Arbitrary<string>> = {
      INTERVAL: fc.nat(1000).map(String),
      COUNT: fc.nat(10_000).map(String),
      BYDAY: fc.subarray(['MO', '-1FR', '5SU', '53MO', 'WE'], { minLength: 1 }).map(String),
      BYMONTH: fc.subarray([1, 2, 4, 12], { minLength: 1 }).map(String),
      BYMONTHDAY: fc.subarray([1, 13, 30, 31, -31], { minLength: 1 }).map(String),
      BYYEARDAY: fc.subarray([1, 60, 366, -366], { minLength: 1 }).map(String),
      BYWEEKNO: fc.subarray([1, 53, -53], { minLength: 1 }).map(String),
      BYSETPOS: fc.subarray([1, 7, 366, -366], { minLength: 1 }).map(String),
      BYHOUR: fc.subarray([0, 2, 3, 23], { minLength: 1 }).map(String),
    };
    const part = (name: string) =>
      fc.option(
        values[name]!.map((value) => `;${name}=${value}`),
        { freq: 3, nil: '' },
      );
    const frequency = fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY');
    const rules = fc
      .tuple(frequency, ...Object.keys(values).map(part))
      .map(([freq, ...parts]) => `FREQ=${freq}${parts.join('')}`)
      .filter((text) => 'rule' in parseRecurrence(text));
    const start = { startsAt: Date.UTC(2030, 2, 30, 1, 30), timezone: 'Europe/Berlin' };
    fc.assert(
      fc.property(rules, fc.nat(3_000), (text, days) => {
        const after = start.startsAt + days * DAY;
        const at = startAfter(text, start, after);
        expect(at === null || at > after).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe('agrees with testing each day', () => {
  const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
  const weekday = (at: number) => DAYS[new Date(at).getUTCDay()]!;
  const startsAt = Date.UTC(2030, 0, 2, 8);
  const cases = fc.record({
    frequency: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY'),
    interval: fc.integer({ min: 1, max: 5 }),
    days: fc.option(fc.subarray(DAYS, { minLength: 1 })),
    months: fc.option(fc.subarray([1, 2, 3, 6, 7], { minLength: 1 })),
    count: fc.option(fc.integer({ min: 1, max: 20 })),
  });

  test('daily, weekly and monthly rules in UTC', () => {
    fc.assert(
      fc.property(cases, ({ frequency, interval, days, months, count }) => {
        const parts = [
          `FREQ=${frequency}`,
          `INTERVAL=${interval}`,
          days && `BYDAY=${days.join(',')}`,
          months && `BYMONTH=${months.join(',')}`,
          count && `COUNT=${count}`,
        ];
        const text = parts.filter((part) => part !== null).join(';');
        const start = { startsAt, timezone: 'UTC' };
        const found: number[] = [];
        for (const at of recurrences.startsAfter(ruleOf(text), start, startsAt - 1)) {
          if (at > startsAt + 200 * DAY) break;
          found.push(at);
        }
        const wanted = Array.from({ length: 201 }, (_, day) => startsAt + day * DAY).filter(
          (day) => {
            const date = new Date(day);
            const month = date.getUTCMonth() + 1;
            if (months !== null && !months.includes(month)) return false;
            const periods = {
              DAILY: (day - startsAt) / DAY,
              // Weeks begin on Monday, and 31 December 2029 was one.
              WEEKLY: Math.floor((day - Date.UTC(2029, 11, 31)) / (7 * DAY)),
              MONTHLY: month - 1,
            };
            if (periods[frequency] % interval !== 0) return false;
            if (days !== null) return days.includes(weekday(day));
            if (frequency === 'WEEKLY') return weekday(day) === weekday(startsAt);
            return frequency === 'DAILY' || date.getUTCDate() === 2;
          },
        );
        expect(found).toEqual(wanted.slice(0, count ?? undefined));
      }),
      { numRuns: 60 },
    );
  });
});

test('a daily rule still fires after twelve years', () => {
  const start = { startsAt: Date.UTC(2018, 0, 1, 2), timezone: 'Europe/Berlin' };
  const after = Date.UTC(2030, 0, 1);
  for (const text of ['FREQ=DAILY', 'FREQ=DAILY;BYDAY=TU,WE', 'FREQ=DAILY;BYMONTH=1'])
    expect(startAfter(text, start, after)).toBe(after + 2 * HOUR);
});
