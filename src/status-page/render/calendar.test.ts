import { describe, expect, test } from 'vitest';
import { dateOf, lastDates } from './calendar.ts';

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

  test.each([
    ['Europe/Berlin', '2026-10-26T12:00:00Z', ['2026-10-26', '2026-10-25', '2026-10-24']],
    ['America/New_York', '2026-03-09T12:00:00Z', ['2026-03-09', '2026-03-08', '2026-03-07']],
    ['Australia/Lord_Howe', '2026-10-05T00:00:00Z', ['2026-10-05', '2026-10-04', '2026-10-03']],
    ['Pacific/Apia', '2011-12-31T00:00:00Z', ['2011-12-31', '2011-12-29', '2011-12-28']],
  ])(
    'the last days of %s at %s have none twice and none that never was [42.32]',
    (zone, at, days) => {
      expect(lastDates(Date.parse(at), zone, 3).map(text)).toEqual(days);
    },
  );
});
