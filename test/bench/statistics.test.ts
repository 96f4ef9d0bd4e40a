import { describe, expect, test } from 'vitest';
import { histogramPercentile, median, percentile, spread } from '../../bench/statistics.ts';

describe('median and spread', () => {
  test.each([
    { values: [5], middle: 5, width: 0 },
    { values: [3, 1, 2], middle: 2, width: 1 },
    { values: [4, 1, 3, 2], middle: 2.5, width: 1.2 },
    { values: [10, 9, 100], middle: 10, width: 9.1 },
    { values: [0, 0, 0], middle: 0, width: 0 },
  ])('of $values', ({ values, middle, width }) => {
    expect(median(values)).toBe(middle);
    expect(spread(values)).toBeCloseTo(width);
  });

  test('there is no median of nothing', () => expect(median([])).toBeNaN());
});

test('a percentile is the value below which that share lies', () => {
  const values = Array.from({ length: 100 }, (_, n) => 100 - n);
  expect(percentile(values, 0.5)).toBe(51);
  expect(percentile(values, 0.99)).toBe(100);
  expect(percentile([7], 0.99)).toBe(7);
  expect(percentile([], 0.5)).toBeNaN();
});

test('a percentile of a histogram counts only what came since', () => {
  const before = new Map([
    [0.1, 90],
    [1, 100],
    [Infinity, 100],
  ]);
  const after = new Map([
    [0.1, 90],
    [1, 199],
    [Infinity, 200],
  ]);
  expect(histogramPercentile(before, after, 0.5)).toBe(1);
  expect(histogramPercentile(before, after, 0.999)).toBe(Infinity);
  expect(histogramPercentile(new Map(), new Map(), 0.5)).toBeNaN();
});
