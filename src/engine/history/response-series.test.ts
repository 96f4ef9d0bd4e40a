import { describe, expect, test } from 'vitest';
import { NO_TIMINGS } from '../../model/check.ts';
import type { CountedRound } from './availability.ts';
import { MAX_POINTS, responsePoints, stepOf } from './response-series.ts';
import { addResult, encodeSummary, type SummarisedResult, type Summary } from './summary.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2030, 0, 1);

const check = (
  region: string,
  responseTimeMs: number | null,
  vote: 'up' | 'down' = 'up',
): SummarisedResult => ({
  region,
  vote,
  responseTimeMs,
  timings: { ...NO_TIMINGS, dnsMs: responseTimeMs },
});

const round = (seconds: number, ...results: SummarisedResult[]): CountedRound => ({
  startedAt: START + seconds * 1_000,
  results,
});

function packed(at: number, ...results: SummarisedResult[]) {
  const summary: Summary = new Map();
  for (const result of results) addResult(summary, result);
  return { at, data: encodeSummary(summary) };
}

const NOTHING = { rounds: [], hours: [], days: [] };

describe('the length of a step', () => {
  test.each([
    [HOUR, 'results', 10],
    [DAY, 'results', 300],
    [DAY, 'hours', 3_600],
    [7 * DAY, 'hours', 3_600],
    [30 * DAY, 'hours', 2 * 3_600],
    [90 * DAY, 'hours', 6 * 3_600],
    [90 * DAY, 'days', 86_400],
    [400 * DAY, 'days', 86_400],
    [401 * DAY, 'days', 2 * 86_400],
  ] as const)('of %d ms with %s is %d s', (period, resolution, seconds) => {
    expect(stepOf({ from: START - period, to: START }, resolution)).toBe(seconds * 1_000);
  });

  test('gives at most 400 points, also where a period begins within a step', () => {
    const period = { from: START + 1, to: START + MAX_POINTS * 10_000 + 1 };
    expect(stepOf(period, 'results')).toBe(15_000);
  });
});

describe('points of single results', () => {
  test('have exact percentiles of what was up, by region and of all', () => {
    const rounds = [
      round(0, check('ash', 100), check('nbg', 40)),
      round(5, check('ash', 120), check('nbg', null, 'down')),
      round(9, check('ash', 900), check('nbg', 60)),
      round(10, check('ash', 130), check('nbg', 7_000, 'down')),
    ];
    const [first, second, ...others] = responsePoints({ ...NOTHING, rounds }, 10_000, []);
    expect(others).toEqual([]);
    expect(first).toEqual({
      at: START,
      all: { p50: 100, p95: 900, p99: 900 },
      regions: new Map([
        ['ash', { p50: 120, p95: 900, p99: 900 }],
        ['nbg', { p50: 40, p95: 60, p99: 60 }],
      ]),
      phases: { dns: 244, tcp: null, tls: null, ttfb: null },
    });
    expect(second?.at).toBe(START + 10_000);
    expect(second?.regions.get('nbg')).toEqual({ p50: null, p95: null, p99: null });
  });

  test('are interrupted where a step or more was not observed, and nowhere else', () => {
    const rounds = [0, 30, 60, 300].map((second) => round(second, check('ash', 80)));
    const at = (...gaps: [number, number][]) =>
      responsePoints(
        { ...NOTHING, rounds },
        10_000,
        gaps.map(([from, to]) => ({ from: START + from * 1_000, to: START + to * 1_000 })),
      ).map((point) => [(point.at - START) / 1_000, point.all.p50]);
    expect(at()).toEqual([
      [0, 80],
      [30, 80],
      [60, 80],
      [300, 80],
    ]);
    // Nine seconds are less than a step.
    expect(at([15, 24], [95, 300])).toEqual([
      [0, 80],
      [30, 80],
      [60, 80],
      [70, null],
      [300, 80],
    ]);
  });
});

test('longer steps join roll-ups of days and hours with what is not rolled up yet', () => {
  const days = [packed(START, check('ash', 100), check('ash', 100))];
  const hours = [packed(START + DAY, check('ash', 200)), packed(START + DAY + HOUR)];
  const rounds = [round(86_400 + 2 * 3_600, check('ash', 200), check('nbg', null, 'down'))];
  const points = responsePoints({ days, hours, rounds }, DAY, []);
  expect(points.map(({ at }) => at)).toEqual([START, START + DAY]);
  expect(points[0]!.all.p50! / 100).toBeCloseTo(1, 1);
  expect(points[1]!.all.p50! / 200).toBeCloseTo(1, 1);
  expect(points[1]!.regions.get('nbg')).toEqual({ p50: null, p95: null, p99: null });
  expect(points[1]!.phases.dns).toBe(200);
});
