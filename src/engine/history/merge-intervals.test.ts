import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeIntervals } from './status-intervals.ts';

const PERIOD = { from: 0, to: 100 };

test.each<[string, [number, number][], number, [number, number, number][]]>([
  ['nothing', [], 1, []],
  [
    'as many as there may be, as they are',
    [
      [0, 1],
      [1, 2],
    ],
    2,
    [
      [0, 1, 1],
      [1, 2, 1],
    ],
  ],
  [
    'neighbors less than a part of the period apart',
    [
      [0, 1],
      [20, 30],
      [80, 81],
    ],
    2,
    [
      [0, 30, 2],
      [80, 81, 1],
    ],
  ],
  [
    'those apart by just that part stay alone',
    [
      [0, 5],
      [30, 31],
      [40, 45],
      [50, 51],
      [60, 99],
    ],
    4,
    [
      [0, 5, 1],
      [30, 99, 4],
    ],
  ],
])('%s', (_name, intervals, most, expected) => {
  const merged = mergeIntervals(
    intervals.map(([from, to]) => ({ from, to })),
    PERIOD,
    most,
  );
  expect(merged.map(({ from, to, count }) => [from, to, count])).toEqual(expected);
});

test('what else an interval has stays', () => {
  const outage = { from: 3, to: 4, status: 'offline' };
  expect(mergeIntervals([outage], PERIOD, 1)).toEqual([{ ...outage, count: 1 }]);
});

test('there are never more than asked for, and each interval is covered', () => {
  const points = fc.uniqueArray(fc.integer({ min: 0, max: 5_000 }), { minLength: 2 });
  fc.assert(
    fc.property(points, fc.integer({ min: 1, max: 40 }), (unsorted, most) => {
      const sorted = unsorted.toSorted((one, other) => one - other);
      const intervals = sorted
        .slice(0, sorted.length - (sorted.length % 2))
        .flatMap((from, index, all) => (index % 2 === 0 ? { from, to: all[index + 1]! } : []));
      const merged = mergeIntervals(intervals, { from: 0, to: 5_000 }, most);
      expect(merged.length).toBeLessThanOrEqual(most);
      for (const one of intervals)
        expect(merged.filter(({ from, to }) => from <= one.from && to >= one.to)).toHaveLength(1);
      expect(merged.reduce((sum, { count }) => sum + count, 0)).toBe(intervals.length);
    }),
  );
});
