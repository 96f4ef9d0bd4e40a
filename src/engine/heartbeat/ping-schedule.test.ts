import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planFor } from '../../../test/support/jobs.ts';
import { expectedAfter, expectedAfterPing } from './ping-schedule.ts';
import type { PingSchedule } from '../../monitor-types/definition.ts';

const NOON = Date.parse('2026-05-01T12:00:00.250Z');
const cron = (expression: string, timezone = 'UTC'): PingSchedule =>
  planFor({ cron: expression, timezone }).schedule;
const iso = (at: number) => new Date(at).toISOString();

test('an interval counts from the ping', () => {
  expect(expectedAfter({ intervalSeconds: 300 }, NOON)).toBe(NOON + 300_000);
  expect(expectedAfterPing({ intervalSeconds: 300 }, 86_400_000, NOON + 1, NOON)).toBe(
    NOON + 300_000,
  );
});

test('a cron expression counts from the wall clock of its zone', () => {
  const expected = expectedAfter(cron('0 15 * * *', 'Europe/Berlin'), NOON);
  expect(iso(expected)).toBe('2026-05-01T13:00:00.000Z');
});

test('a clock at the end of all dates is refused', () => {
  expect(() => expectedAfter(cron('* * * * *'), 8.64e15)).toThrow(RangeError);
});

/** `02T15:00:00`: the day of May and the time. */
const after = (
  expression: string,
  graceSeconds: number,
  expected: string,
  at: string,
  timezone?: string,
) => {
  const [waitedFor, ping] = [expected, at].map((time) => Date.parse(`2026-05-01T${time}Z`));
  const next = expectedAfterPing(
    cron(expression, timezone),
    graceSeconds * 1_000,
    waitedFor!,
    ping!,
  );
  return iso(next).slice(8, 19);
};

describe('a cron ping', () => {
  test.each([
    // Every day at 15:00, a grace of 10 minutes.
    ['on time', '0 15 * * *', 600, '15:00:00', '15:00:00', '02T15:00:00'],
    ['in its grace', '0 15 * * *', 600, '15:00:00', '15:10:00', '02T15:00:00'],
    ['after its grace', '0 15 * * *', 600, '15:00:00', '20:00:00', '02T15:00:00'],
    ['early by its grace', '0 15 * * *', 600, '15:00:00', '14:50:00', '02T15:00:00'],
    ['earlier than that', '0 15 * * *', 600, '15:00:00', '14:49:59', '01T15:00:00'],
    ['early by a minute, without grace', '0 15 * * *', 0, '15:00:00', '14:59:00', '02T15:00:00'],
    ['earlier than that', '0 15 * * *', 0, '15:00:00', '14:58:59', '01T15:00:00'],
    // Every hour, a grace of an hour: never "early" for the hour after.
    ['late, not early', '0 * * * *', 3_600, '14:00:00', '14:59:59', '01T15:00:00'],
    ['just after', '0 * * * *', 3_600, '15:00:00', '14:00:05', '01T15:00:00'],
    ['nearer to the coming fire', '0 * * * *', 3_600, '15:00:00', '14:30:00', '01T16:00:00'],
    ['nearer to the fire before', '0 * * * *', 3_600, '15:00:00', '14:29:59', '01T15:00:00'],
    // Every minute.
    ['each minute', '* * * * *', 60, '14:00:00', '14:00:59', '01T14:01:00'],
    ['twice', '* * * * *', 60, '14:01:00', '14:00:29', '01T14:01:00'],
    ['a second before', '* * * * *', 60, '14:01:00', '14:00:59', '01T14:02:00'],
  ])('%s: %s, %i', (_name, expression, grace, expected, at, next) => {
    expect(after(expression, grace, expected, at)).toBe(next);
  });

  test('never puts the next one off by more than a fire', () => {
    const expressions = fc.constantFrom('* * * * *', '*/7 * * * *', '0 9-17 * * 1-5', '0 0 1 * *');
    fc.assert(
      fc.property(
        expressions,
        fc.nat({ max: 86_400 }),
        fc.integer({ min: -90_000_000, max: 90_000_000 }),
        (expression, grace, away) => {
          const schedule = cron(expression);
          const next = expectedAfter(schedule, NOON);
          const following = expectedAfter(schedule, next);
          const expected = expectedAfterPing(schedule, grace * 1_000, NOON + away, NOON);
          expect([next, following]).toContain(expected);
        },
      ),
    );
  });
});
