import { expect, test } from 'vitest';
import { BAR_STROKE, barPaths, barWidth } from './bar.ts';

test.each([
  [1, BAR_STROKE],
  [2, 7.46],
  [48, 206.64],
])('a bar of %i slots is %d wide', (slots, width) => {
  expect(barWidth(slots)).toBeCloseTo(width, 2);
});

test('each displayStatus has one path, and its own height', () => {
  expect(barPaths('udwmp?')).toEqual([
    { name: 'u', path: 'M1.57 6V20' },
    { name: 'd', path: 'M5.9 0V20' },
    { name: 'w', path: 'M10.23 3V20' },
    { name: 't', path: 'M14.56 6V20' },
    { name: 'p', path: 'M18.89 18V20' },
    { name: 'n', path: 'M23.22 6V20' },
  ]);
});

test('slots of one displayStatus share a path, at their places', () => {
  expect(barPaths('udu')).toEqual([
    { name: 'u', path: 'M1.57 6V20M10.23 6V20' },
    { name: 'd', path: 'M5.9 0V20' },
  ]);
});

test.each(['', '---', 'x!'])('%j draws nothing', (slots) => {
  expect(barPaths(slots)).toEqual([]);
});

test('a day of one displayStatus is a short path', () => {
  const [only, ...others] = barPaths('u'.repeat(90));
  expect(others).toEqual([]);
  expect(only!.path.length).toBeLessThan(1_100);
});
