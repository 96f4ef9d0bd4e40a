import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compared, losses, repeated } from '../../bench/figures.ts';
import { confirmed, partOf } from '../../bench/guard.ts';
import type { Figure, Report } from '../../bench/report.ts';

const runOf = (...figures: Figure[]): Report[] => [{ benchmark: 'quick', figures }];
const runsOf = (name: string, values: number[]) =>
  repeated(values.map((value) => runOf({ name, value, unit: 'ms' })));
const compare = (base: number[], head: number[], name = 'CPU per ping') =>
  compared(runsOf(name, base), runsOf(name, head));

describe('figures of several runs', () => {
  test('are collected by table and name, those of an indented row with the row above', () => {
    const runs = [1, 2].map((run) =>
      runOf(
        { name: 'lists', value: run, target: '≤ 1', reached: run <= 1 },
        { name: '  p99', value: run * 10, unit: 'ms' },
        { name: 'searches', value: run * 100 },
        { name: '  p99', value: run * 1000, unit: 'ms' },
      ),
    );
    const common = { table: 'quick', target: '', reached: null };
    expect(repeated(runs)).toEqual([
      { ...common, name: 'lists', unit: '', values: [1, 2], target: '≤ 1', reached: 1 },
      { ...common, name: 'lists: p99', unit: 'ms', values: [10, 20] },
      { ...common, name: 'searches', unit: '', values: [100, 200] },
      { ...common, name: 'searches: p99', unit: 'ms', values: [1000, 2000] },
    ]);
  });

  test('words are left out', () => {
    expect(repeated([runOf({ name: 'peer', value: 'not installed' })])).toEqual([]);
  });

  test('equal names of two tables are two figures', () => {
    const reports = ['fast', 'slow'].map((benchmark) => ({
      benchmark,
      figures: [{ name: 'arrived', value: 1 }],
    }));
    expect(repeated([reports]).map(({ table }) => table)).toEqual(['fast', 'slow']);
  });
});

describe('the comparison', () => {
  test('is of medians', () => {
    expect(compare([10, 12, 90], [5, 6, 7])).toEqual([
      expect.objectContaining({ base: 12, head: 6, ratio: 0.5, isApart: true }),
    ]);
  });

  test('leaves out what one revision does not have', () => {
    expect(compared(runsOf('a', [1]), runsOf('b', [1]))).toEqual([]);
  });

  test('of nothing with nothing is no change', () => {
    expect(compare([0, 0, 0], [0, 0, 0])[0]).toMatchObject({ ratio: 1, isApart: false });
  });
});

describe('a loss', () => {
  test.each([
    { base: [10, 10, 10], head: [10, 10, 10], isLoss: false, why: 'equal' },
    { base: [10, 10, 10], head: [13, 13, 13], isLoss: false, why: 'just 30 %' },
    { base: [10, 10, 10], head: [13.1, 13.1, 13.1], isLoss: true, why: 'more than 30 %' },
    { base: [10, 11, 12], head: [14, 20, 90], isLoss: true, why: 'all runs are above' },
    { base: [10, 11, 15], head: [14, 20, 90], isLoss: false, why: 'the runs overlap' },
    {
      base: [10, 10, 50],
      head: [20, 20, 20],
      isLoss: false,
      why: 'one run of the base was as slow',
    },
    { base: [20, 20, 20], head: [10, 10, 10], isLoss: false, why: 'a gain' },
    { base: [10, 10, 10], head: [10, 10, 500], isLoss: false, why: 'one run was slow' },
  ])('$why: $isLoss', ({ base, head, isLoss }) => {
    expect(losses(compare(base, head))).toHaveLength(isLoss ? 1 : 0);
  });

  test('is never found in runs of the same values, whatever their order', () => {
    const values = fc.array(fc.double({ min: 0.01, max: 1_000, noNaN: true }), {
      minLength: 3,
      maxLength: 9,
    });
    fc.assert(
      fc.property(values, (base) => {
        expect(losses(compare(base, base.toReversed()))).toEqual([]);
      }),
    );
  });

  test('counts when it is measured again', () => {
    const lost = compare([10, 10, 10], [20, 20, 20]);
    const other = compare([10, 10, 10], [20, 20, 20], 'CPU per list of monitors');
    const same = compare([10, 10, 10], [10, 10, 10]);
    expect(confirmed(lost, lost)).toHaveLength(1);
    expect(confirmed(lost, same)).toEqual([]);
    expect(confirmed(lost, other)).toEqual([]);
  });

  test('is measured again in its part alone', () => {
    const [ping] = compare([1], [2]);
    const [check] = compare([1], [2], 'CPU per check, stored');
    expect(partOf([ping!])).toEqual(['--only=requests']);
    expect(partOf([check!])).toEqual(['--only=checks']);
    expect(partOf([ping!, check!])).toEqual([]);
  });
});
