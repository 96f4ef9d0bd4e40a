import { describe, expect, test } from 'vitest';
import { afterClick, idsBetween, nextMonitor, rowsOf, toggled, type Line } from './rows.ts';

const rows = rowsOf({
  monitors: [1, 2, 3, 4].map((id) => ({
    id,
    name: `m${id}`,
    since: 0,
    type: 'http' as const,
    status: 'online' as const,
    bar: '',
  })),
});
const head = (id: number): Line => ({
  kind: 'group',
  key: `g${id}`,
  id,
  name: 'Group',
  rows: [],
  isOpen: true,
});
const line = (index: number): Line => ({ kind: 'monitor', key: String(index), row: rows[index]! });
/** A head, the monitors 1 and 2, a head, 3 and 4. */
const LINES = [head(1), line(0), line(1), head(2), line(2), line(3)];

test('a value is put in and taken out', () => {
  expect([...toggled(new Set([1]), 2)]).toEqual([1, 2]);
  expect([...toggled(new Set([1, 2]), 2)]).toEqual([1]);
});

test.each([
  [1, 3, [1, 2, 3]],
  [3, 1, [1, 2, 3]],
  [2, 2, [2]],
  [9, 3, [3]],
  [1, 9, [9]],
])('from %i to %i are %j', (from, to, ids) => {
  expect(idsBetween(LINES, from, to)).toEqual(ids);
});

describe('a click', () => {
  test.each([
    [[], { id: 2, before: null, isRange: false }, [2]],
    [[2], { id: 2, before: 2, isRange: false }, []],
    [[1], { id: 4, before: 1, isRange: true }, [1, 2, 3, 4]],
    [[1, 2, 3, 4], { id: 3, before: 2, isRange: true }, [1, 4]],
    [[], { id: 3, before: null, isRange: true }, [3]],
    [[1], { id: 3, before: 9, isRange: true }, [1, 3]],
  ])('on %j with %o leaves %j', (before, click, after) => {
    expect([...afterClick(new Set(before), LINES, click)].toSorted()).toEqual(after);
  });
});

test.each([
  [-1, 1, 1],
  [1, 1, 2],
  [2, 1, 4],
  [5, 1, null],
  [4, -1, 2],
  [1, -1, null],
] as const)('from line %i by %i the next monitor is on line %s', (from, step, index) => {
  expect(nextMonitor(LINES, from, step)).toBe(index);
});
