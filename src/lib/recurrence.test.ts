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

/** `01-31 05:30` is of 2030; times are in UTC. */
const times = (list: string) =>
  list
    .split(', ')
    .map((text) => `${/^\d{4}/.test(text) ? text : `2030-${text}`}Z`.replace(' ', 'T'));

describe('common rules', () => {
  // The rule, its next times, a zone where it is not UTC, and the start where it is no match itself.
  test.for<[string, string, string?, string?]>([
    ['FREQ=WEEKLY;BYDAY=TU,TH', '01-01 22:00, 01-03 22:00, 01-08 22:00, 01-10 22:00'],
    // A start that doesn't match the rule is not an occurrence.
    ['FREQ=WEEKLY;BYDAY=MO;COUNT=1', '01-07 22:00', 'UTC', '01-01 22:00'],
    [
      'RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=3',
      '01-25 05:30, 02-22 05:30, 03-29 05:30',
      'UTC',
      '01-01 05:30',
    ],
    ['FREQ=MONTHLY;COUNT=3', '01-31 00:00, 03-31 00:00, 05-31 00:00'],
    ['freq=daily;interval=2;until=20300105', '01-01 22:00, 01-03 22:00, 01-05 22:00'],
    // UNTIL is inclusive.
    ['FREQ=DAILY;UNTIL=20300102T220000Z', '01-01 22:00, 01-02 22:00'],
    ['FREQ=DAILY;UNTIL=20300102T215959Z', '01-01 22:00'],
    // Dates are those of the zone, where it is already the 3rd.
    ['FREQ=DAILY;UNTIL=20300103', '01-01 20:00, 01-02 20:00', 'Asia/Tokyo'],
    [
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
      '2032-02-29 00:00, 2036-02-29 00:00, 2040-02-29 00:00, 2044-02-29 00:00',
      'UTC',
      '01-01 00:00',
    ],
    ['FREQ=DAILY;BYHOUR=1,13;BYMINUTE=30', '01-01 01:30, 01-01 13:30, 01-02 01:30, 01-02 13:30'],
  ])('%s: %s', ([text, wanted, zone = 'UTC', from = wanted]) => {
    expect(starts(text, times(from)[0]!, zone)).toEqual(times(wanted));
  });
});

describe('at clock changes', () => {
  const CHANGES: Record<string, [string, string, string, string?][]> = {
    'Europe/Berlin': [
      [
        'keeps the time on the wall',
        'FREQ=DAILY',
        '03-30 09:00, 03-31 08:00, 04-01 08:00, 04-02 08:00',
      ],
      [
        'a skipped time begins right after the jump, and the next day is as ever',
        'FREQ=DAILY',
        '03-30 01:30, 03-31 01:00, 04-01 00:30, 04-02 00:30',
      ],
      [
        'a time that comes twice begins once, the first time',
        'FREQ=DAILY',
        '10-26 00:30, 10-27 00:30, 10-28 01:30, 10-29 01:30',
      ],
      [
        'the first one may lie in the second of the two',
        'FREQ=DAILY',
        '10-27 01:30, 10-28 01:30, 10-29 01:30, 10-30 01:30',
      ],
      [
        'a time at the very beginning of the skipped hour',
        'FREQ=DAILY;BYHOUR=2;BYMINUTE=0',
        '03-30 01:00, 03-31 01:00, 04-01 00:00, 04-02 00:00',
      ],
      [
        'two skipped times are one',
        'FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0',
        '03-31 01:00, 04-01 00:00, 04-01 01:00, 04-02 00:00',
        '03-31 00:00',
      ],
    ],
    'America/New_York': [
      [
        'in spring in New York',
        'FREQ=WEEKLY;BYDAY=SU',
        '03-03 07:30, 03-10 07:00, 03-17 06:30, 03-24 06:30',
      ],
      [
        'in autumn in New York',
        'FREQ=WEEKLY;BYDAY=SU',
        '10-27 05:30, 11-03 05:30, 11-10 06:30, 11-17 06:30',
      ],
    ],
    'Australia/Lord_Howe': [
      // 02:15 on the wall; on the 6th the clocks go from 02:00 to 02:30, which is 15:30 in UTC.
      [
        'by half an hour on Lord Howe Island',
        'FREQ=DAILY',
        '10-04 15:45, 10-05 15:30, 10-06 15:15, 10-07 15:15',
      ],
    ],
    'Pacific/Apia': [
      // 10:00 on the wall on the 29th; there was no 30th: the 31st began at 10:00 in UTC.
      [
        'a day that Samoa left out begins with the next one',
        'FREQ=DAILY',
        '2011-12-29 20:00, 2011-12-30 10:00, 2011-12-30 20:00, 2011-12-31 20:00',
      ],
    ],
  };

  describe.each(Object.entries(CHANGES))('%s', (zone, cases) => {
    test.for(cases)('%s: %s [27.5, 27.6]', ([, text, wanted, from = wanted]) => {
      expect(starts(text, times(from)[0]!, zone)).toEqual(times(wanted));
    });
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
