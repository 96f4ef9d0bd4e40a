import { describe, expect, test } from 'vitest';
import { gapsUntil, lastGapWithin } from './gaps.ts';

const gap = (from: number, to: number) => ({ from, to });

test.each([
  ['none', [], null],
  ['before', [gap(0, 10)], null],
  ['up to its begin', [gap(0, 100)], null],
  ['over its begin', [gap(0, 101)], gap(0, 101)],
  ['within', [gap(110, 120)], gap(110, 120)],
  ['over its end', [gap(190, 300)], gap(190, 300)],
  ['from its end on', [gap(200, 300)], gap(200, 300)],
  ['after', [gap(201, 300)], null],
  ['over all of it', [gap(0, 300)], gap(0, 300)],
  ['several: the one that ends last', [gap(0, 180), gap(110, 190), gap(120, 130)], gap(110, 190)],
  ['of no length', [gap(150, 150)], gap(150, 150)],
])('%s', (_, gaps, expected) => {
  expect(lastGapWithin(gaps, { armedAt: 40, from: 100, to: 200 })).toEqual(expected);
});

describe('the clock was set back', () => {
  const WAIT = { armedAt: 5_000, from: 8_000, to: 9_000 };
  test.each([
    ['before that ping was waited for', gap(50_000, 3_999), false],
    ['just then, by clocks that differ', gap(50_000, 4_000), true],
    ['while it was waited for', gap(50_000, 6_000), true],
    ['to the very end', gap(50_000, 9_000), true],
    ['after it', gap(50_000, 9_001), false],
  ])('%s', (_, setback, isTouched) => {
    expect(lastGapWithin([setback], WAIT)).toEqual(isTouched ? setback : null);
  });
});

test.each([
  ['that is over', [gap(0, 10_000)], [gap(0, 10_000)]],
  ['that just ended, by clocks that differ', [gap(0, 51_000)], [gap(0, 51_000)]],
  [
    'after the time that is shown once more',
    [gap(45_000, 60_000), gap(60_000, 40_000)],
    [gap(60_000, 40_000)],
  ],
  [
    'that goes on in it',
    [gap(0, 60_000), gap(60_000, 40_000)],
    [gap(0, 40_000), gap(60_000, 40_000)],
  ],
  [
    'before two setbacks',
    [gap(0, 90_000), gap(90_000, 70_000), gap(80_000, 40_000)],
    [gap(0, 40_000), gap(80_000, 40_000)],
  ],
  [
    'before two setbacks of which the second lies in no gap',
    [gap(0, 90_000), gap(90_000, 70_000)],
    [gap(0, 50_000)],
  ],
  ['whose setback lies in no gap', [gap(45_000, 60_000)], [gap(45_000, 50_000)]],
  ['that begins in the future', [gap(55_000, 60_000)], []],
])('a gap %s, at 50 s', (_, gaps, expected) => {
  expect(gapsUntil(50_000, gaps)).toEqual(expected);
});
