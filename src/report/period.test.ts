import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { daysOf, nextMailAt, periodBefore, periodOf } from './period.ts';

const at = (text: string) => Date.parse(text);
const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());

const NOW = at('2026-11-23T08:30:00Z');
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'Asia/Kathmandu'];

describe('periods are whole days of the zone, today not among them', () => {
  test.each([
    ['last_7_days', 'UTC', '2026-11-16T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
    ['last_7_days', 'Pacific/Apia', '2026-11-15T11:00:00.000Z', '2026-11-22T11:00:00.000Z'],
    // Clocks went back on 25 October: the first day begins in summer time.
    ['last_30_days', 'Europe/Berlin', '2026-10-23T22:00:00.000Z', '2026-11-22T23:00:00.000Z'],
    ['last_90_days', 'UTC', '2026-08-25T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
    ['last_month', 'Europe/Berlin', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
    ['last_month', 'UTC', '2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
  ] as const)('%s in %s [45.4]', (period, zone, from, to) => {
    const found = periodOf(period, zone, NOW);
    expect([iso(found.from), iso(found.to)]).toEqual([from, to]);
  });

  it('takes the year before in January', () => {
    const found = periodOf('last_month', 'UTC', at('2027-01-01T00:00:00Z'));
    expect([iso(found.from), iso(found.to)]).toEqual([
      '2026-12-01T00:00:00.000Z',
      '2027-01-01T00:00:00.000Z',
    ]);
  });
});

describe('a period is compared with the one before', () => {
  test.each([
    [
      '7 days',
      'UTC',
      '2026-11-16T00:00:00.000Z',
      '2026-11-23T00:00:00.000Z',
      '2026-11-09T00:00:00.000Z',
    ],
    // Clocks went back on 25 October: a day more in summer time.
    [
      '7 days',
      'Europe/Berlin',
      '2026-10-25T23:00:00.000Z',
      '2026-11-01T23:00:00.000Z',
      '2026-10-18T22:00:00.000Z',
    ],
    [
      'a month',
      'Europe/Berlin',
      '2026-09-30T22:00:00.000Z',
      '2026-10-31T23:00:00.000Z',
      '2026-08-31T22:00:00.000Z',
    ],
    [
      'March',
      'UTC',
      '2026-03-01T00:00:00.000Z',
      '2026-04-01T00:00:00.000Z',
      '2026-02-01T00:00:00.000Z',
    ],
    [
      '30 days that begin with a month',
      'UTC',
      '2026-03-01T00:00:00.000Z',
      '2026-03-31T00:00:00.000Z',
      '2026-01-30T00:00:00.000Z',
    ],
    [
      'an hour',
      'UTC',
      '2026-03-01T07:00:00.000Z',
      '2026-03-01T08:00:00.000Z',
      '2026-03-01T06:00:00.000Z',
    ],
    [
      'the hour that clocks repeat',
      'Europe/Berlin',
      '2026-10-25T00:30:00.000Z',
      '2026-10-25T01:15:00.000Z',
      '2026-10-24T23:45:00.000Z',
    ],
    [
      'half an hour after the hour that clocks skip',
      'Europe/Berlin',
      '2026-03-29T01:10:00.000Z',
      '2026-03-29T01:40:00.000Z',
      '2026-03-29T00:40:00.000Z',
    ],
  ])('%s in %s', (_name, zone, from, to, expected) => {
    const before = periodBefore(zone, { from: at(from), to: at(to) });
    expect([iso(before.from), iso(before.to)]).toEqual([expected, from]);
  });
});

describe('mails are due at 07:00 of the zone', () => {
  test.each([
    ['weekly', 'UTC', '2026-11-23T06:59:59Z', '2026-11-23T07:00:00.000Z'],
    ['weekly', 'UTC', '2026-11-23T07:00:00Z', '2026-11-30T07:00:00.000Z'],
    ['weekly', 'Europe/Berlin', '2026-10-24T00:00:00Z', '2026-10-26T06:00:00.000Z'],
    ['weekly', 'Europe/Berlin', '2026-10-18T00:00:00Z', '2026-10-19T05:00:00.000Z'],
    ['monthly', 'America/New_York', '2026-11-23T00:00:00Z', '2026-12-01T12:00:00.000Z'],
    ['monthly', 'UTC', '2026-12-01T07:00:00Z', '2027-01-01T07:00:00.000Z'],
  ] as const)('%s in %s after %s [45.21]', (frequency, zone, after, expected) => {
    expect(iso(nextMailAt(frequency, zone, at(after)))).toBe(expected);
  });

  it('is never due without a frequency', () => {
    expect(nextMailAt('none', 'UTC', NOW)).toBe(null);
  });
});

const hours = (from: string, to: string) =>
  daysOf('Europe/Berlin', { from: at(from), to: at(to) }).map(
    (day) => (day.to - day.from) / 3_600_000,
  );

describe('days', () => {
  it('have 23 and 25 hours when clocks change [45.4]', () => {
    expect(hours('2026-03-27T23:00:00Z', '2026-03-29T22:00:00Z')).toEqual([24, 23]);
    expect(hours('2026-10-23T22:00:00Z', '2026-10-25T23:00:00Z')).toEqual([24, 25]);
  });

  it('leave out a day that the zone skipped', () => {
    // Samoa crossed the date line and had no 30 December 2011.
    const period = { from: at('2011-12-29T10:00:00Z'), to: at('2011-12-31T10:00:00Z') };
    expect(daysOf('Pacific/Apia', period)).toHaveLength(2);
  });

  it('cover a period without gaps or overlaps', () => {
    const time = fc.integer({ min: at('2000-01-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z') });
    const length = fc.integer({ min: 1, max: 100 * 86_400_000 });
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), time, length, (zone, from, size) => {
        const days = daysOf(zone, { from, to: from + size });
        expect(days[0]!.from).toBe(from);
        expect(days.at(-1)!.to).toBe(from + size);
        for (const [index, day] of days.entries()) {
          expect(day.to).toBeGreaterThan(day.from);
          if (index > 0) expect(day.from).toBe(days[index - 1]!.to);
        }
      }),
    );
  });
});
