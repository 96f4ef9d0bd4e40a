import { expect, test } from 'vitest';
import { parseCron } from './cron.ts';
import { expectedAfter } from './expected.ts';

const NOON = Date.parse('2026-05-01T12:00:00.250Z');

test('an interval counts from the ping', () => {
  expect(expectedAfter({ intervalSeconds: 300 }, NOON)).toBe(NOON + 300_000);
});

test('a cron expression counts from the wall clock of its zone', () => {
  const read = parseCron('0 15 * * *');
  if (!read.ok) throw new Error(read.fault);
  const expected = expectedAfter({ cron: read.cron, timezone: 'Europe/Berlin' }, NOON);
  expect(new Date(expected).toISOString()).toBe('2026-05-01T13:00:00.000Z');
});

test('a clock at the end of all dates is refused', () => {
  const read = parseCron('* * * * *');
  if (!read.ok) throw new Error(read.fault);
  expect(() => expectedAfter({ cron: read.cron, timezone: 'UTC' }, 8.64e15)).toThrow(RangeError);
});
