import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SPAN_STATUSES } from '../../model/incident.ts';
import { pausesOf, statusIntervals } from './status-intervals.ts';
import { uptime, type Interval, type Span } from './uptime.ts';

const at = fc.integer({ min: 0, max: 120 });
const interval = fc.tuple(at, at).map(([from, to]): Interval => ({ from, to }));
const spans = fc
  .tuple(fc.uniqueArray(at, { maxLength: 12 }), fc.infiniteStream(fc.nat(3)))
  .map(([instants, statuses]): Span[] =>
    instants
      .toSorted((a, b) => a - b)
      .map((fromAt, index, sorted) => ({
        status: SPAN_STATUSES[statuses.next().value!]!,
        fromAt,
        toAt: sorted[index + 1] ?? null,
      })),
  );
const question = fc.record({
  spans,
  observedUntil: fc.option(at),
  from: at,
  to: at,
  now: at,
  excluded: fc.array(interval, { maxLength: 4 }),
});

const lengthOf = (intervals: readonly Interval[]) =>
  intervals.reduce((sum, { from, to }) => sum + to - from, 0);

test('intervals of a period are as long as its uptime says', () => {
  fc.assert(
    fc.property(question, (asked) => {
      const found = statusIntervals(asked);
      const figures = uptime(asked);
      const offline = found.outages.filter(({ status }) => status === 'offline');
      const degraded = found.outages.filter(({ status }) => status === 'degraded');
      expect(lengthOf(offline)).toBe(figures.downMs + figures.excludedMs);
      expect(lengthOf(degraded)).toBe(figures.degradedMs);
      const future = Math.max(0, asked.to - Math.max(asked.from, asked.now));
      expect(lengthOf(found.unobserved) + future).toBe(figures.unobservedMs);
      for (const { from, to } of [...found.outages, ...found.excluded, ...found.unobserved]) {
        expect(from).toBeGreaterThanOrEqual(asked.from);
        expect(to).toBeLessThanOrEqual(asked.to);
        expect(from).toBeLessThan(to);
      }
    }),
  );
});

const paused = (time: number) => ({ at: time, isPaused: true });
const resumed = (time: number) => ({ at: time, isPaused: false });

describe('pauses', () => {
  test.each([
    ['never', [], false, []],
    ['all the time', [], true, [[10, 20]]],
    ['until it was resumed', [resumed(12)], false, [[10, 12]]],
    [
      'twice',
      [paused(11), resumed(12), paused(15)],
      true,
      [
        [11, 12],
        [15, 20],
      ],
    ],
    ['after the period', [paused(21)], true, []],
    ['before the period ended', [paused(19), resumed(30)], false, [[19, 20]]],
  ] as const)('%s', (_name, changes, isPaused, expected) => {
    const found = pausesOf(changes, isPaused, { from: 10, to: 20 });
    expect(found.map(({ from, to }) => [from, to])).toEqual(expected);
  });
});
