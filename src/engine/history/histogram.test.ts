import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteReader, ByteWriter } from '../../lib/varint.ts';
import {
  emptyHistogram,
  LONGEST_MS,
  mean,
  merge,
  percentile,
  readHistogram,
  record,
  SHORTEST_MS,
  writeHistogram,
} from './summary.ts';

const milliseconds = fc
  .double({ min: Math.log(SHORTEST_MS), max: Math.log(LONGEST_MS), noNaN: true })
  .map((exponent) => Math.min(LONGEST_MS, Math.max(SHORTEST_MS, Math.exp(exponent))));
const times = fc.array(milliseconds, { minLength: 1, maxLength: 60 });

function histogramOf(values: number[]) {
  const histogram = emptyHistogram();
  for (const value of values) record(histogram, value);
  return histogram;
}

function throughBytes(histogram: ReturnType<typeof emptyHistogram>) {
  const bytes = new ByteWriter();
  writeHistogram(bytes, histogram);
  const copy = emptyHistogram();
  readHistogram(new ByteReader(bytes.finish()), copy);
  return copy;
}

describe('a histogram', () => {
  test('answers any percentile within 2.5 % of the time of that rank [24.24]', () => {
    fc.assert(
      fc.property(times, fc.double({ min: 0, max: 100, noNaN: true }), (values, percent) => {
        const rank = Math.max(1, Math.ceil((percent / 100) * values.length));
        const exact = values.toSorted((a, b) => a - b)[rank - 1]!;
        const answer = percentile(histogramOf(values), percent)!;
        expect(Math.abs(answer - exact) / exact).toBeLessThanOrEqual(0.025);
      }),
      { numRuns: 500 },
    );
  });

  test('keeps the mean to half of 0.1 ms', () => {
    fc.assert(
      fc.property(times, (values) => {
        const exact = values.reduce((a, b) => a + b) / values.length;
        expect(Math.abs(mean(histogramOf(values))! - exact)).toBeLessThanOrEqual(0.0501);
      }),
    );
  });

  test('merged in any order is the histogram of all', () => {
    fc.assert(
      fc.property(times, times, times, (first, second, third) => {
        const [a, b, c] = [first, second, third].map(histogramOf) as [never, never, never];
        const all = histogramOf([...first, ...second, ...third]);
        expect(merge(merge(a, b), c)).toEqual(all);
        expect(merge(a, merge(b, c))).toEqual(all);
        expect(merge(merge(c, a), b)).toEqual(all);
      }),
    );
  });

  test('comes back from its bytes', () => {
    const many = fc.array(fc.tuple(milliseconds, fc.nat(1000)), { maxLength: 20 });
    fc.assert(
      fc.property(many, (counted) => {
        const histogram = histogramOf(
          counted.flatMap(([value, count]) => Array(count).fill(value)),
        );
        expect(throughBytes(histogram)).toEqual(histogram);
      }),
    );
  });

  test.each([
    [0, SHORTEST_MS],
    [-5, SHORTEST_MS],
    [1e9, LONGEST_MS],
  ])('counts %d ms as the nearest time there is', (value, nearest) => {
    const answer = percentile(histogramOf([value]), 50)!;
    expect(Math.abs(answer - nearest) / nearest).toBeLessThanOrEqual(0.025);
  });

  test('of nothing has no mean and no percentile', () => {
    expect(mean(emptyHistogram())).toBeNull();
    expect(percentile(emptyHistogram(), 95)).toBeNull();
    expect(throughBytes(emptyHistogram())).toEqual(emptyHistogram());
  });

  test('damaged bytes are a RangeError and nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        try {
          readHistogram(new ByteReader(bytes), emptyHistogram());
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
