import { describe, expect, test } from 'vitest';
import { accentOn, contrast } from './accent.ts';
import { BRAND } from './brand.ts';

/** A grid of all hues, from black to white. */
const COLORS = ['00', '55', 'aa', 'ff'].flatMap((red, _, levels) =>
  levels.flatMap((green) => levels.map((blue) => `#${red}${green}${blue}`)),
);

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('on %s paper', (scheme, index) => {
  test('words of any color are readable on all surfaces and on an area of that color [41.25]', () => {
    for (const color of COLORS) {
      const { text, fill, onFill } = accentOn(color, scheme);
      for (const surface of [BRAND.bg, BRAND.surface, BRAND['surface-2']])
        expect(contrast(text, surface[index]), color).toBeGreaterThanOrEqual(4.5);
      expect(fill).toBe(color);
      expect(contrast(onFill, fill), color).toBeGreaterThanOrEqual(4.5);
    }
  });
});

test.each([
  ['#1f60d4', 'light', '#1f60d4'],
  ['#ffd400', 'light', '#856e00'],
  ['#1f60d4', 'dark', '#5586de'],
  ['#ffd400', 'dark', '#ffd400'],
] as const)('%s on %s paper becomes %s', (color, scheme, text) => {
  expect(accentOn(color, scheme).text).toBe(text);
});

test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#ffffff', '#ffffff', 1],
])('%s and %s have a contrast of %d', (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 2);
});
