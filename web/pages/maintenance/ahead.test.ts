import { expect, test } from 'vitest';
import { daysAhead } from './ahead.ts';

const ZONE = 'Europe/Berlin';
const now = Date.parse('2030-01-01T12:00:00Z');
const window = (id: number, change: object) => ({
  id,
  name: `Window ${id}`,
  starts_at: '2030-01-02T22:00:00Z',
  ends_at: '2030-01-03T00:00:00Z',
  rrule: null,
  timezone: ZONE,
  active_until: null,
  next_starts_at: '2030-01-02T22:00:00Z',
  next_ends_at: '2030-01-03T00:00:00Z',
  ...change,
});

test.each<[string, object, string[]]>([
  ['one over midnight of the reader is on both days', {}, ['2030-01-02', '2030-01-03']],
  [
    'one that ends at midnight is not on the next day',
    { ends_at: '2030-01-02T23:00:00Z' },
    ['2030-01-02'],
  ],
  [
    'an active one is on the days until it ends',
    { active_until: '2030-01-02T10:00:00Z', next_starts_at: null, next_ends_at: null },
    ['2030-01-01', '2030-01-02'],
  ],
  ['one that is over is on none', { next_starts_at: null, next_ends_at: null }, []],
  [
    'a weekly one comes each week',
    { rrule: 'FREQ=WEEKLY;BYDAY=WE', ends_at: '2030-01-02T22:30:00Z' },
    ['2030-01-02', '2030-01-09'],
  ],
  [
    'of a rule that only the API reads, the next one is known',
    { rrule: 'FREQ=YEARLY;BYMONTH=1;COUNT=3', next_ends_at: '2030-01-02T22:30:00Z' },
    ['2030-01-02'],
  ],
])('%s', (_, change, dates) => {
  const days = daysAhead([window(7, change)], { now, zone: ZONE, days: 10 });
  expect(days).toHaveLength(10);
  expect(days[0]!.date).toBe('2030-01-01');
  expect(days.filter(({ windows }) => windows.length > 0).map(({ date }) => date)).toEqual(dates);
});
