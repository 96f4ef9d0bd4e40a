import { describe, expect, test } from 'vitest';
import { dateOf, lastDays, monthBounds, monthOf } from './days.ts';

const HOUR = 3_600_000;

describe('the last days', () => {
  test.each<[name: string, zone: string, now: string, hours: number[]]>([
    ['UTC', 'UTC', '2030-03-31T12:00Z', [24, 24, 24]],
    ['clocks set forward', 'Europe/Berlin', '2030-04-01T12:00Z', [24, 23, 24]],
    ['clocks set back', 'Europe/Berlin', '2030-10-28T12:00Z', [24, 25, 24]],
    ['half an hour', 'Australia/Lord_Howe', '2030-10-07T12:00Z', [24, 23.5, 24]],
    ['clocks set forward at midnight', 'America/Sao_Paulo', '2018-11-05T12:00Z', [24, 23, 24]],
    ['clocks set back at midnight', 'America/Sao_Paulo', '2018-02-18T12:00Z', [24, 25, 24]],
    ['a day that a zone skipped', 'Pacific/Apia', '2011-12-31T12:00Z', [24, 24, 24]],
  ])('%s [42.2]', (_, zone, now, hours) => {
    const days = lastDays(zone, Date.parse(now), 3);
    expect(days.map(({ from, to }) => (to - from) / HOUR)).toEqual(hours);
    expect(days.slice(1).map(({ from }) => from)).toEqual(days.slice(0, -1).map(({ to }) => to));
    expect(days.at(-1)!.from).toBeLessThanOrEqual(Date.parse(now));
    expect(days.at(-1)!.to).toBeGreaterThan(Date.parse(now));
  });

  test.each([
    ['Pacific/Kiritimati', '2030-01-01T09:59Z', '2029-12-31T10:00Z'],
    ['Pacific/Kiritimati', '2030-01-01T10:00Z', '2030-01-01T10:00Z'],
    ['America/New_York', '2030-01-01T04:59Z', '2029-12-31T05:00Z'],
  ])('of %s at %s begin at %s', (zone, now, from) => {
    expect(lastDays(zone, Date.parse(now), 1)[0]!.from).toBe(Date.parse(from));
  });
});

test('a month is that of the zone', () => {
  expect(monthOf('UTC', Date.parse('2030-01-31T23:30Z'))).toBe('2030-01');
  expect(monthOf('Europe/Berlin', Date.parse('2030-01-31T23:30Z'))).toBe('2030-02');
  expect(monthBounds('Europe/Berlin', '2030-03')).toEqual({
    from: Date.parse('2030-02-28T23:00Z'),
    to: Date.parse('2030-03-31T22:00Z'),
  });
  expect(monthBounds('UTC', '2030-12')!.to).toBe(Date.parse('2031-01-01T00:00Z'));
});

test.each([
  '',
  '2030',
  '2030-00',
  '2030-13',
  '2030-1',
  '1969-12',
  '9999-01',
  '2030-01-01',
  ' 2030-01',
])('%j is no month', (text) => expect(monthBounds('UTC', text)).toBeNull());

const text = (date: number) => new Date(date).toISOString().slice(0, 10);

describe('calendar days of a zone', () => {
  test.each([
    ['2026-11-22T14:16:00Z', 'UTC', '2026-11-22'],
    ['2026-11-22T23:30:00Z', 'Europe/Berlin', '2026-11-23'],
    ['2026-11-22T04:59:00Z', 'America/New_York', '2026-11-21'],
    ['2026-03-29T00:30:00Z', 'Europe/Berlin', '2026-03-29'],
    ['2026-04-04T15:10:00Z', 'Australia/Lord_Howe', '2026-04-05'],
  ])('%s in %s is of %s', (at, zone, expected) => {
    expect(text(dateOf(Date.parse(at), zone))).toBe(expected);
  });
});
