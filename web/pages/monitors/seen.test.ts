import { expect, test } from 'vitest';
import { lineAt, rendered, startsOf } from './seen.ts';

test.each([
  [-500, 0],
  [0, 0],
  [40, 0],
  [41, 1],
  [100, 1],
  [101, 2],
  [160, 2],
  [9_999, 2],
])('at %i pixels is line %i', (top, line) => {
  expect(lineAt(startsOf([41, 60, 60]), top)).toBe(line);
});

test.each([
  ['nothing moved', [20, 30], [20, 30], [13, 37]],
  ['down by five', [25, 35], [20, 30], [18, 37]],
  ['up by five', [15, 25], [20, 30], [13, 32]],
  ['far away', [500, 510], [20, 30], [500, 510]],
  ['at the beginning', [0, 10], [0, 10], [0, 17]],
  ['at the end', [989, 999], [989, 999], [982, 999]],
  ['the list became shorter', [1_189, 1_199], [1_189, 1_199], [989, 999]],
] as const)('lines to render: %s', (_, seen, before, expected) => {
  expect(rendered(lines(seen), lines(before), 1_000)).toEqual(lines(expected));
});

function lines([first, last]: readonly [number, number]) {
  return { first, last };
}
