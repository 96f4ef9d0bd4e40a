import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { absence, absenceBefore, elapsed, setback, type Moment } from './gaps.ts';

const at = (wall: number, monotonic = wall): Moment => ({ wall, monotonic });
const gap = (from: number, to: number) => ({ from, to });

describe('since the last mark', () => {
  test.each([
    ['in time', at(100_000), at(110_000), null, null],
    ['late', at(100_000), at(110_001), null, gap(100_000, 110_001)],
    ['in doubt', at(100_000), at(105_000), 103_000, gap(100_000, 105_000)],
    ['in doubt since before the mark', at(100_000), at(105_000), 99_000, gap(99_000, 105_000)],
    ['suspended', at(100_000), at(700_000, 104_000), null, gap(100_000, 700_000)],
    ['the clock set back', at(100_000), at(40_000, 105_000), null, null],
    ['the clock set back, late', at(100_000), at(40_000, 120_000.5), null, gap(19_999, 40_000)],
    [
      'the clock set back, in doubt',
      at(100_000),
      at(40_000, 105_000),
      102_000,
      gap(35_000, 40_000),
    ],
  ])('%s', (_, lastMark, now, doubtSince, expected) => {
    expect(absence(lastMark, now, doubtSince)).toEqual(expected);
  });

  test('whatever the clocks do, a gap ends now and is as long as either clock saw', () => {
    const time = fc.integer({ min: -1e13, max: 1e13 });
    const waited = fc.double({ min: 0, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(time, time, waited, fc.option(time), (before, after, passed, doubtSince) => {
        const [lastMark, now] = [at(before, 0), at(after, passed)];
        const found = absence(lastMark, now, doubtSince);
        if (found === null) {
          expect(doubtSince).toBeNull();
          expect(elapsed(lastMark, now)).toBeLessThanOrEqual(10_000);
          return;
        }
        expect(found.to).toBe(after);
        expect(Number.isInteger(found.from)).toBe(true);
        // To the resolution of such numbers.
        const seen = Math.max(after - before, passed) - 0.01;
        expect(found.to - found.from).toBeGreaterThanOrEqual(seen);
      }),
    );
  });
});

describe('before a process', () => {
  const start = {
    newestMark: 4_000,
    readyAt: at(5_000, 100),
    now: at(5_000, 100),
    highest: 5_000,
    refusedSince: null,
  };
  test.each([
    ['a first start', { newestMark: null }, [gap(0, 5_000)]],
    ['a restart', {}, [gap(4_000, 5_000)]],
    ['a restart within a millisecond', { newestMark: 5_000 }, [gap(5_000, 5_000)]],
    ['another process whose clock is a little ahead', { newestMark: 6_000 }, [gap(5_000, 5_000)]],
    [
      'pings were refused while another process went on',
      { newestMark: 4_900, refusedSince: 3_000 },
      [gap(3_000, 5_000)],
    ],
    ['its first mark is late', { now: at(6_500, 1_600), highest: 6_500 }, [gap(4_000, 5_000)]],
    [
      'its first mark is late, and a ping was refused',
      { now: at(6_500, 1_600), highest: 6_500, refusedSince: 6_000 },
      [gap(4_000, 6_500)],
    ],
    ['the clock was set back while nobody listened', { newestMark: 9_000 }, [gap(9_000, 5_000)]],
    [
      'the clock was set back after its start, to before the newest mark',
      { newestMark: 9_000, readyAt: at(12_000, 100), now: at(5_000, 3_100), highest: 15_000 },
      [gap(15_000, 5_000)],
    ],
    [
      'the clock was set back after its start, not so far',
      { readyAt: at(12_000, 100), now: at(9_000, 3_100), highest: 15_000 },
      [gap(4_000, 6_000), gap(15_000, 9_000)],
    ],
  ])('%s', (_, circumstances, expected) => {
    expect(absenceBefore({ ...start, ...circumstances })).toEqual(expected);
  });
});

test('a gap in which the clock was set back is followed by one that begins at the latest time the clock showed', () => {
  expect(setback(gap(35_000, 40_000), 100_000.5, at(40_000))).toEqual([gap(100_001, 40_000)]);
  expect(setback(gap(35_000, 40_000), 40_000, at(40_000))).toEqual([]);
  expect(setback(null, 100_000, at(40_000))).toEqual([]);
});
