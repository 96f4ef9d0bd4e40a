import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Uptime } from '../../engine/history/uptime.ts';
import type { MonitorStatus } from '../../model/monitor.ts';
import type { Observation } from '../../model/observation.ts';
import {
  byUptime,
  countStandings,
  meanUptime,
  percentagesOf,
  type MeasuredMonitor,
} from './uptime-rules.ts';

/** Times of a monitor; the percentages follow as `engine/history/uptime.ts` computes them. */
function uptimeOf(up: number, down: number, unobserved = 0, excluded = 0): Uptime {
  const period = up + down + excluded + unobserved;
  return {
    upMs: up,
    degradedMs: 0,
    downMs: down,
    excludedMs: excluded,
    unobservedMs: unobserved,
    uptimePercent: up + down > 0 ? (100 * up) / (up + down) : null,
    observedPercent: period > 0 ? (100 * (period - unobserved)) / period : null,
  };
}

test.each<[string, Uptime[], ReturnType<typeof meanUptime>]>([
  ['no monitors', [], { uptimePercent: null, observedPercent: null, downMs: 0 }],
  [
    'nothing was observed',
    [uptimeOf(0, 0, 100)],
    { uptimePercent: null, observedPercent: 0, downMs: 0 },
  ],
  [
    'an empty period, of a monitor created now',
    [uptimeOf(0, 0)],
    { uptimePercent: null, observedPercent: null, downMs: 0 },
  ],
  [
    'each counts the same, however long it was observed',
    [uptimeOf(100, 0), uptimeOf(1, 1, 98)],
    { uptimePercent: 75, observedPercent: 51, downMs: 1 },
  ],
  [
    'one without observed time does not count, and lowers the observed share',
    [uptimeOf(99, 1), uptimeOf(0, 0, 100)],
    { uptimePercent: 99, observedPercent: 50, downMs: 1 },
  ],
  [
    'only time in maintenance',
    [uptimeOf(0, 0, 50, 50)],
    { uptimePercent: null, observedPercent: 50, downMs: 0 },
  ],
  [
    'never rounded up',
    [uptimeOf(2_999_999_999, 1), uptimeOf(100, 0)],
    { uptimePercent: 99.999, observedPercent: 100, downMs: 1 },
  ],
])('the mean of monitors: %s [47.14]', (_name, uptimes, mean) => {
  expect(meanUptime(uptimes)).toEqual(mean);
});

test('a millisecond of downtime of one among 20,000 monitors is never rounded to 100 [47.14]', () => {
  const month = 30 * 86_400_000;
  const perfect = Array.from({ length: 19_999 }, () => uptimeOf(month, 0));
  expect(meanUptime(perfect).uptimePercent).toBe(100);
  expect(meanUptime([...perfect, uptimeOf(month - 1, 1)]).uptimePercent).toBe(99.999);
  expect(meanUptime([uptimeOf(month - 1, 1), ...perfect]).uptimePercent).toBe(99.999);
});

test('the mean lies between the least and the greatest of its monitors', () => {
  const time = fc.integer({ min: 0, max: 30 * 86_400_000 });
  fc.assert(
    fc.property(fc.array(fc.tuple(time, time, time), { minLength: 1, maxLength: 20 }), (times) => {
      const uptimes = times.map(([up, down, unobserved]) => uptimeOf(up, down, unobserved));
      const alone = uptimes
        .map((one) => percentagesOf(one).uptime_percent)
        .filter((p) => p !== null);
      const { uptimePercent } = meanUptime(uptimes);
      if (alone.length === 0) return expect(uptimePercent).toBeNull();
      expect(uptimePercent).toBeGreaterThanOrEqual(Math.min(...alone));
      // The mean has what rounding took from each.
      expect(uptimePercent).toBeLessThanOrEqual(Math.max(...alone) + 0.001);
    }),
  );
});

const measured = (id: number, uptime: Uptime, incidents = 0): MeasuredMonitor => ({
  id,
  uptime,
  incidents,
});

test('monitors are ordered from the worst, those without observed time last [47.15]', () => {
  const ordered = [
    measured(9, uptimeOf(1, 1)),
    measured(8, uptimeOf(80, 20)),
    measured(7, uptimeOf(8, 2), 2),
    measured(1, uptimeOf(8, 2), 1),
    measured(2, uptimeOf(8, 2), 1),
    measured(3, uptimeOf(100, 0)),
    measured(4, uptimeOf(0, 0, 100), 3),
    measured(5, uptimeOf(0, 0, 100)),
  ];
  expect(ordered.toReversed().toSorted(byUptime)).toEqual(ordered);
});

test('each monitor is counted once, a paused one as paused alone, one that nobody sees as not observed [47.2]', () => {
  const now = 10 * 60_000;
  const standing = (status: MonitorStatus, more: Partial<Observation> = {}) => ({
    isPaused: false,
    observedUntil: now,
    checkInterval: 1,
    aliveAt: null,
    ...more,
    status,
  });
  const standings = [
    standing('online'),
    standing('offline'),
    standing('offline', { isPaused: true, observedUntil: 0 }),
    standing('degraded'),
    standing('pending', { observedUntil: null }),
    standing('pending', { isPaused: true, observedUntil: null }),
    standing('online', { observedUntil: 0 }),
    standing('offline', { observedUntil: 0 }),
  ];
  expect(countStandings(standings, now)).toEqual({
    online: 1,
    offline: 1,
    degraded: 1,
    pending: 1,
    paused: 2,
    not_observed: 2,
  });
});
