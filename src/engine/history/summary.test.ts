import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  emptyHistogram,
  mean,
  percentile,
  addResult,
  allResponseTimes,
  decodeResponseTimesInto,
  decodeSummaryInto,
  encodeSummary,
  mergeSummary,
  type SummarisedResult,
  type Summary,
} from './summary.ts';

const time = fc.option(fc.integer({ min: 1, max: 900_000 }).map((tenths) => tenths / 10));
const result: fc.Arbitrary<SummarisedResult> = fc.record({
  region: fc.constantFrom('ash', 'nbg', 'sin'),
  vote: fc.constantFrom('up', 'down', 'unknown'),
  responseTimeMs: time,
  timings: fc.record({ dnsMs: time, tcpMs: time, tlsMs: time, ttfbMs: time, totalMs: time }),
});
const results = fc.array(result, { maxLength: 30 });

function summaryOf(given: SummarisedResult[]): Summary {
  const summary: Summary = new Map();
  for (const one of given) addResult(summary, one);
  return summary;
}

const up = (region: string, responseTimeMs: number): SummarisedResult => ({
  region,
  vote: 'up',
  responseTimeMs,
  timings: { dnsMs: 1, tcpMs: 2, tlsMs: null, ttfbMs: 3.5, totalMs: responseTimeMs },
});

test('a summary counts votes, and times of checks that were up', () => {
  const summary = summaryOf([
    up('ash', 10),
    up('ash', 20),
    { ...up('ash', 9_000), vote: 'down' },
    { ...up('sin', 9_000), vote: 'unknown' },
  ]);
  const ash = summary.get('ash')!;
  expect(ash).toMatchObject({ up: 2, down: 1, unknown: 0 });
  expect(mean(ash.responseTimes)).toBe(15);
  expect(ash.phases).toMatchObject({
    dns: { count: 2, sumTenths: 20 },
    tls: { count: 0, sumTenths: 0 },
    ttfb: { count: 2, sumTenths: 70 },
  });
  expect(summary.get('sin')).toMatchObject({ up: 0, down: 0, unknown: 1 });
  expect(percentile(allResponseTimes(summary), 100)).toBeCloseTo(20, 0);
});

test('merged through bytes, in any order and grouping, it is the summary of all', () => {
  fc.assert(
    fc.property(results, results, results, (a, b, c) => {
      const all = summaryOf([...a, ...b, ...c]);
      const merged: Summary = new Map();
      for (const part of [c, a, b]) {
        expect(decodeSummaryInto(merged, encodeSummary(summaryOf(part)))).toBe(true);
      }
      expect(merged).toEqual(all);
      const right = summaryOf(b);
      mergeSummary(right, summaryOf(c));
      const grouped = summaryOf(a);
      mergeSummary(grouped, right);
      expect(encodeSummary(grouped)).toEqual(encodeSummary(all));
    }),
  );
});

test('the response times alone are those of the summary', () => {
  fc.assert(
    fc.property(results, results, (a, b) => {
      const times = emptyHistogram();
      for (const part of [a, b]) {
        expect(decodeResponseTimesInto(times, encodeSummary(summaryOf(part)))).toBe(true);
      }
      expect(times).toEqual(allResponseTimes(summaryOf([...a, ...b])));
    }),
  );
});

test('damaged bytes and those of a newer version add nothing', () => {
  const bytes = encodeSummary(summaryOf([up('ash', 10), up('sin', 20)]));
  const summary = summaryOf([up('ash', 10)]);
  const before = encodeSummary(summary);
  const times = allResponseTimes(summary);
  expect(decodeSummaryInto(summary, bytes.subarray(0, -2))).toBe(false);
  expect(decodeResponseTimesInto(times, bytes.subarray(0, -2))).toBe(false);
  bytes[0] = 9;
  expect(decodeSummaryInto(summary, bytes)).toBe(false);
  expect(decodeResponseTimesInto(times, bytes)).toBe(false);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 30 }), (any) => {
      const isWhole = decodeSummaryInto(new Map(), any);
      expect(decodeResponseTimesInto(emptyHistogram(), any)).toBe(isWhole);
    }),
  );
  expect(encodeSummary(summary)).toEqual(before);
  expect(times).toEqual(allResponseTimes(summary));
});
