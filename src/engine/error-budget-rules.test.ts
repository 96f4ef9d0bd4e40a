import { describe, expect, test } from 'vitest';
import type { Span } from './history/uptime.ts';
import { burnCause, burnRate, nextBurn, thresholdOf, type Burn } from './error-budget-watch.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Now, with ten days of history before it. */
const NOW = 10 * DAY;
const SLO = { targetPercent: 99.9, windowDays: 30 };

/** Online except in these outages, each with its beginning and end in minutes before now. */
function timesWith(
  outages: [from: number, to: number][],
  more: { excluded?: [number, number][] } = {},
) {
  const ago = (minutes: number) => NOW - minutes * MINUTE;
  const spans: Span[] = [];
  let at = 0;
  for (const [from, to] of outages) {
    spans.push({ status: 'online', fromAt: at, toAt: ago(from) });
    spans.push({ status: 'offline', fromAt: ago(from), toAt: ago(to) });
    at = ago(to);
  }
  spans.push({ status: 'online', fromAt: at, toAt: null });
  const excluded = (more.excluded ?? []).map(([from, to]) => ({ from: ago(from), to: ago(to) }));
  return { spans, observedUntil: NOW + MINUTE, excluded };
}

/** Ten seconds of downtime each quarter of an hour, for so many minutes. */
const blips = (minutes: number, lastAgo = 0): [number, number][] =>
  Array.from({ length: Math.floor(minutes / 15) }, (_, index): [number, number] => [
    minutes - (index + 1) * 15 + lastAgo + 0.2,
    minutes - (index + 1) * 15 + lastAgo + 0.2 - 1 / 6,
  ]);

describe('thresholds', () => {
  test.each([
    ['fast', 30, 14.4],
    ['slow', 30, 6],
    ['fast', 90, 43.2],
    ['slow', 90, 18],
    ['fast', 7, 3.36],
    ['slow', 7, 1.4],
    // Windows of fewer days count as 7.
    ['fast', 1, 3.36],
    ['slow', 1, 1.4],
  ] as const)('%s in %i days: %d [46.14]', (burn, windowDays, threshold) => {
    expect(thresholdOf(burn, { windowDays })).toBeCloseTo(threshold, 9);
  });
});

test('a burn rate is downtime as a multiple of what the target allows', () => {
  expect(burnRate(timesWith([[6, 0]]), SLO, HOUR, NOW)).toBeCloseTo(100, 9);
  expect(burnRate(timesWith([[6, 0]]), { targetPercent: 90 }, HOUR, NOW)).toBeCloseTo(1, 9);
  expect(burnRate(timesWith([]), SLO, HOUR, NOW)).toBe(0);
});

describe('nextBurn', () => {
  test.each<[string, Burn | null, Parameters<typeof timesWith>, Burn | null]>([
    ['no downtime', null, [[]], null],
    ['40 s in the last minute', null, [[[1, 1 / 3]]], null],
    ['one minute just now', null, [[[1, 0]]], 'fast'],
    ['an outage that began 30 minutes ago', null, [[[30, 0]]], 'fast'],
    ['an outage that ended 6 minutes ago', null, [[[40, 6]]], null],
    ['an outage that ended 4 minutes ago', null, [[[40, 4]]], 'fast'],
    ['ten seconds every quarter of an hour', null, [blips(360)], 'slow'],
    ['the same for one hour only', null, [blips(60)], null],
    ['the same, but not in the last five minutes', null, [blips(345, 10)], null],
    ['an outage in maintenance', null, [[[30, 0]], { excluded: [[60, -60]] }], null],
    [
      'an outage before maintenance that began now',
      null,
      [[[30, 1]], { excluded: [[1, -60]] }],
      null,
    ],
    ['fast, and still down', 'fast', [[[30, 0]]], 'fast'],
    ['fast, and down until 10 minutes ago', 'fast', [[[40, 10]]], 'fast'],
    ['fast, and down until 15 minutes ago', 'fast', [[[40, 15]]], null],
    ['fast, and 5 s in the last 15 minutes', 'fast', [[[1, 1 - 5 / 60]]], null],
    ['fast, and 20 s in the last 15 minutes', 'fast', [[[2, 2 - 1 / 3]]], 'fast'],
    ['fast that becomes slow', 'fast', [[...blips(345, 15), [1, 1 - 5 / 60]]], 'slow'],
    ['slow, and calm for 89 minutes', 'slow', [[[100, 88]]], 'slow'],
    ['slow, and calm for 90 minutes', 'slow', [[[100, 90]]], null],
    ['slow that becomes fast', 'slow', [[[5, 0]]], 'fast'],
    [
      'fast in maintenance ends when it is calm',
      'fast',
      [[[60, 0]], { excluded: [[60, -1]] }],
      null,
    ],
  ])('%s, after %s [46.14, 46.15]', (_, before, [outages, more], burn) => {
    expect(nextBurn(timesWith(outages, more), SLO, before, NOW)).toBe(burn);
  });

  test('time that nobody observed is no downtime [46.15]', () => {
    const unseen = { spans: [], observedUntil: null, excluded: [] };
    expect(nextBurn(unseen, SLO, null, NOW)).toBeNull();
    const { spans } = timesWith([[60, 0]]);
    expect(nextBurn({ ...unseen, spans, observedUntil: NOW - HOUR }, SLO, null, NOW)).toBeNull();
  });

  test('a target that downtime of a whole hour would not exceed so fast begins no fast alert', () => {
    expect(nextBurn(timesWith([[360, 0]]), { targetPercent: 90, windowDays: 30 }, null, NOW)).toBe(
      'slow',
    );
  });
});

test('the cause tells the rate and what is spent [46.13]', () => {
  expect(burnCause(timesWith([[3, 0]]), SLO, 'fast', NOW)).toBe(
    'The error budget of 30 days (target 99.9 %) burned 50.0 times as fast as it lasts: the last hour spent 6.9 % of it',
  );
  expect(burnCause(timesWith([[3, 0]]), { ...SLO, windowDays: 1 }, 'slow', NOW)).toBe(
    'The error budget of 1 day (target 99.9 %) burned 8.3 times as fast as it lasts: the last 6 hours spent 208.3 % of it',
  );
});
