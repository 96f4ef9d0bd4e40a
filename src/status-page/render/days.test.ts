import { describe, expect, test } from 'vitest';
import { daysOf } from '../../../test/support/page-facts.ts';
import type { DayFacts } from '../facts/model.ts';
import { classOf, runsOf } from './days.ts';

const HOUR = 3600_000;

/** A day of 24 hours that was up for the rest. */
function day(changes: Partial<DayFacts>, hours = 24): DayFacts {
  const facts = {
    from: 0,
    to: hours * HOUR,
    degradedMs: 0,
    downMs: 0,
    excludedMs: 0,
    unobservedMs: 0,
    beforeMs: 0,
    futureMs: 0,
    maintenanceMs: 0,
    ...changes,
  };
  const { degradedMs, downMs, excludedMs, unobservedMs, beforeMs, futureMs } = facts;
  const rest = hours * HOUR - degradedMs - downMs - excludedMs - unobservedMs - beforeMs - futureMs;
  return { upMs: rest, ...facts };
}

describe('class of a day', () => {
  test.each([
    ['nothing happened', day({}), 'up'],
    ['a second of downtime', day({ downMs: 1_000, degradedMs: HOUR }), 'down'],
    ['downtime, and nothing else is known', day({ downMs: HOUR, unobservedMs: 23 * HOUR }), 'down'],
    ['degraded for a while', day({ degradedMs: HOUR, maintenanceMs: HOUR }), 'degraded'],
    ['maintenance while up', day({ maintenanceMs: HOUR }), 'maintenance'],
    ['downtime in maintenance', day({ excludedMs: HOUR, maintenanceMs: HOUR }), 'maintenance'],
    ['excluded by a correction', day({ excludedMs: HOUR }), 'maintenance'],
    ['before the monitor was created', day({ beforeMs: 24 * HOUR }), 'unobserved'],
    ['created an hour before midnight, observed since', day({ beforeMs: 23 * HOUR }), 'up'],
    [
      'created an hour before midnight, observed for 20 minutes',
      day({ beforeMs: 23 * HOUR, unobservedMs: HOUR / 1.5 }),
      'unobserved',
    ],
    [
      'today, created an hour ago, observed since',
      day({ beforeMs: 9 * HOUR, futureMs: 14 * HOUR }),
      'up',
    ],
    ['observed for less than half', day({ unobservedMs: 12 * HOUR + 1 }), 'unobserved'],
    ['observed for half', day({ unobservedMs: 12 * HOUR }), 'up'],
    ['today, 6 hours in, all observed', day({ futureMs: 18 * HOUR }), 'up'],
    [
      'today, 6 hours in, 4 of them not observed',
      day({ futureMs: 18 * HOUR, unobservedMs: 4 * HOUR }),
      'unobserved',
    ],
    ['the first instant of today', day({ futureMs: 24 * HOUR }), 'unobserved'],
    ['23 hours, observed for 11.4', day({ unobservedMs: 11.6 * HOUR }, 23), 'unobserved'],
    ['25 hours, observed for 13', day({ unobservedMs: 12 * HOUR }, 25), 'up'],
  ] as const)('%s [42.32]', (_name, facts, expected) => {
    expect(classOf(facts)).toBe(expected);
  });
});

test('runs are days of one class, with their downtime in total [42.33]', () => {
  const days = daysOf({ count: 5, happened: { 3: { downMs: 5 }, 2: { downMs: 7 } } });
  expect(
    runsOf(days).map(({ dayClass, first, count, downMs }) => [dayClass, first, count, downMs]),
  ).toEqual([
    ['up', 0, 1, 0],
    ['down', 1, 2, 12],
    ['up', 3, 2, 0],
  ]);
});
