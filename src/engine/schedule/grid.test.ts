import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { latestSlot, nextSlot, phase, slotsBetween, spread } from './grid.ts';

const id = fc.integer({ min: 1, max: 2 ** 45 });
const interval = fc.integer({ min: 30_000, max: 3_600_000 });
const instant = fc.integer({ min: 0, max: 4_000_000_000_000 });

const everyFirst = (first: number, step: number, count: number) =>
  Array.from({ length: count }, (_, index) => first + index * step);

/** How far the fullest or emptiest of 100 parts of [0, 1) is from the 100 positions that each should hold. */
function deviation(positions: number[]): number {
  const counts = Array.from({ length: 100 }, () => 0);
  for (const position of positions) counts[Math.floor(position * 100)]!++;
  return Math.max(...counts.map((count) => Math.abs(count - 100)));
}

describe('the grid', () => {
  test('the next slot is the first later instant of the phase', () => {
    fc.assert(
      fc.property(id, interval, instant, (monitor, intervalMs, after) => {
        const slot = nextSlot(monitor, intervalMs, after);
        expect(slot).toBeGreaterThan(after);
        expect(slot - after).toBeLessThanOrEqual(intervalMs);
        expect(slot % intervalMs).toBe(phase(monitor, intervalMs));
        expect(Number.isSafeInteger(slot)).toBe(true);
      }),
    );
  });

  test('slots are exactly one interval apart, from any starting point', () => {
    fc.assert(
      fc.property(id, interval, instant, fc.nat(3_600_000), (monitor, intervalMs, after, more) => {
        const slot = nextSlot(monitor, intervalMs, after);
        expect(nextSlot(monitor, intervalMs, slot)).toBe(slot + intervalMs);
        expect(nextSlot(monitor, intervalMs, slot - 1)).toBe(slot);
        expect(latestSlot(monitor, intervalMs, slot)).toBe(slot);
        // A restart at any moment finds the same grid.
        const later = nextSlot(monitor, intervalMs, after + more);
        expect((later - slot) % intervalMs).toBe(0);
      }),
    );
  });

  test('counts the slots of a range as stepping through them does', () => {
    fc.assert(
      fc.property(
        id,
        interval,
        instant,
        fc.nat(20_000_000),
        (monitor, intervalMs, after, length) => {
          let stepped = 0;
          let at = nextSlot(monitor, intervalMs, after);
          for (; at <= after + length; at += intervalMs) stepped++;
          expect(slotsBetween(monitor, intervalMs, after, after + length)).toBe(stepped);
          expect(slotsBetween(monitor, intervalMs, after + length, after)).toBe(0);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('the phase of known ids never changes, since running installations depend on it', () => {
    expect([1, 2, 3, 1_000, 123_456_789].map((monitor) => phase(monitor, 60_000))).toEqual([
      37_082, 14_164, 51_246, 2_039, 43_777,
    ]);
  });

  test.each([
    ['ids in a row', everyFirst(1, 1, 10_000)],
    ['ids in a row far from 1', everyFirst(7_000_000_001, 1, 10_000)],
    ['the ids of one shard', everyFirst(3, 256, 10_000)],
    ['every second id', everyFirst(2, 2, 10_000)],
    ['every tenth id', everyFirst(10, 10, 10_000)],
    ['every thousandth id', everyFirst(1_000, 1_000, 10_000)],
  ])('%s are flat over the interval, and over a catch-up [14.2]', (_, ids) => {
    expect(deviation(ids.map((monitor) => phase(monitor, 30_000) / 30_000))).toBeLessThanOrEqual(8);
    expect(deviation(ids.map((monitor) => spread(monitor)))).toBeLessThanOrEqual(8);
  });

  test('monitors with close slots are spread over a catch-up', () => {
    const close = everyFirst(1, 1, 100_000).filter((monitor) => phase(monitor, 3_600_000) < 36_000);
    const counts = Array.from({ length: 10 }, () => 0);
    for (const monitor of close) counts[Math.floor(spread(monitor) * 10)]!++;
    expect(close.length).toBeGreaterThan(900);
    expect(Math.max(...counts)).toBeLessThanOrEqual((close.length / 10) * 1.3);
  });
});
