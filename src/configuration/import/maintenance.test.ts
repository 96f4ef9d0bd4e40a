import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadRecurrences, parseRecurrence } from '../../lib/recurrence.ts';
import { recurrenceOfCron, windowTimes, type ForeignSchedule } from './maintenance.ts';

const NOW = Date.UTC(2030, 0, 1, 12);
const DAILY = { minute: 0, hours: [2] };

test.each<
  [what: string, schedule: Partial<ForeignSchedule>, start: string, rule: string | undefined]
>([
  ['once', { once: '2030-03-31 02:30' }, '2030-03-31T02:30:00.000Z', undefined],
  [
    'in a zone',
    { once: '2030-07-01T12:00', timezone: 'Europe/Berlin' },
    '2030-07-01T10:00:00.000Z',
    undefined,
  ],
  ['daily', { recurs: DAILY }, '2030-01-01T02:00:00.000Z', 'FREQ=DAILY'],
  [
    'from later on',
    { recurs: { ...DAILY, from: '2030-05-01' } },
    '2030-05-01T02:00:00.000Z',
    'FREQ=DAILY',
  ],
  [
    'every three days',
    { recurs: { ...DAILY, everyDays: 3, from: '2029-12-30' } },
    '2030-01-02T02:00:00.000Z',
    'FREQ=DAILY;INTERVAL=3',
  ],
  [
    'on two days',
    { recurs: { ...DAILY, weekdays: [0, 4] } },
    '2030-01-03T02:00:00.000Z',
    'FREQ=WEEKLY;BYDAY=SU,TH',
  ],
  [
    '29 February',
    { recurs: { ...DAILY, months: [2], monthDays: [29] } },
    '2032-02-29T02:00:00.000Z',
    'FREQ=MONTHLY;BYMONTHDAY=29;BYMONTH=2',
  ],
  [
    'last days',
    { recurs: { ...DAILY, monthDays: [-2] } },
    '2030-01-30T02:00:00.000Z',
    'FREQ=MONTHLY;BYMONTHDAY=-2',
  ],
  [
    'two hours',
    { recurs: { minute: 5, hours: [20, 8] } },
    '2030-01-01T08:05:00.000Z',
    'FREQ=DAILY;BYHOUR=20,8',
  ],
])('%s', (_what, schedule, start, rule) => {
  const times = windowTimes({ timezone: 'UTC', durationSeconds: 3_600, ...schedule }, NOW);
  expect(times).toMatchObject({ starts_at: start });
  expect(times).toHaveProperty('ends_at', new Date(Date.parse(start) + 3_600_000).toISOString());
  expect((times as { rrule?: string }).rrule).toBe(rule);
});

test.each<[schedule: Partial<ForeignSchedule>, reason: string]>([
  [{ once: '2029-12-31 02:30' }, 'It is over.'],
  [{ once: 'soon' }, 'It has no time at which it begins.'],
  [{ once: '2030-02-01', durationSeconds: 0 }, 'It has no duration.'],
  [{ once: '2030-02-01', durationSeconds: Number.NaN }, 'It has no duration.'],
  [{ once: '2030-02-01', durationSeconds: 32 * 86_400 }, 'It takes longer than 31 days.'],
  [{ once: '2029-09-01', durationSeconds: 31 * 86_400 }, 'It is over.'],
  [{ once: '2045-01-01' }, 'It begins in more than ten years.'],
  [{ once: '2030-02-01', timezone: 'Mars/Base' }, 'Its time zone Mars/Base is not known.'],
  [{ recurs: { ...DAILY, until: '2029-12-31' } }, 'It is over.'],
  [{ recurs: { ...DAILY, monthDays: [31], months: [2] } }, 'It recurs on no day.'],
  [{ recurs: { minute: 61, hours: [2] } }, 'It has no time of day.'],
  [{ recurs: { ...DAILY, weekdays: [9] } }, 'It recurs on no day.'],
  [{ recurs: { ...DAILY, weekdays: [1, 9] } }, 'It recurs in a way that Tocsin does not know.'],
  [{ recurs: { ...DAILY, everyDays: 5_000 } }, 'It recurs in a way that Tocsin does not know.'],
])('%j is none', (schedule, reason) => {
  expect(windowTimes({ timezone: 'UTC', durationSeconds: 3_600, ...schedule }, NOW)).toBe(reason);
});

test.each([
  ['30 3 * * 1-5', { minute: 30, hours: [3], weekdays: [1, 2, 3, 4, 5] }],
  ['0 4 1,15 2 *', { minute: 0, hours: [4], monthDays: [1, 15], months: [2] }],
  ['*/5 * * * *', null],
  ['0 4 1 * 1', null],
  ['@daily', null],
])('%s', (expression, recurrence) => {
  expect(recurrenceOfCron(expression)).toEqual(recurrence);
});

const some = (least: number, most: number) =>
  fc.option(fc.uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: 4 }), {
    nil: undefined,
  });

test('the first occurrence is one of its rule', async () => {
  const recurrences = await loadRecurrences();
  const rules = fc.record({
    weekdays: some(0, 6),
    monthDays: some(1, 28),
    months: some(1, 12),
    hour: fc.nat(23),
  });
  fc.assert(
    fc.property(
      rules,
      fc.constantFrom('UTC', 'Asia/Tokyo'),
      ({ hour, weekdays, monthDays, months }, timezone) => {
        fc.pre(weekdays === undefined || monthDays === undefined);
        const recurs = {
          minute: 30,
          hours: [hour],
          ...(weekdays && { weekdays }),
          ...(monthDays && { monthDays }),
          ...(months && { months }),
        };
        const times = windowTimes({ timezone, durationSeconds: 60, recurs }, NOW);
        if (typeof times === 'string') throw new Error(times);
        const parsed = parseRecurrence(times.rrule!);
        if ('fault' in parsed) throw new Error(parsed.fault);
        const startsAt = Date.parse(times.starts_at);
        const before = { startsAt: startsAt - 86_400_000, timezone };
        const [next] = recurrences.startsAfter(parsed.rule, before, startsAt - 1);
        expect(next).toBe(startsAt);
      },
    ),
    { numRuns: 50 },
  );
});
