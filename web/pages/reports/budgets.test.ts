import { expect, test } from 'vitest';
import { byBudgetLeft, lookOf, shareOf } from './budgets.ts';

const budget = (left_seconds: number, left_percent: number | null) => ({
  left_seconds,
  left_percent,
});

const named = (name: string, left_percent: number | null) => ({
  name,
  error_budget: budget(left_percent ?? 0, left_percent),
});

test.each([
  [budget(900, 80), 80, 'up'],
  [budget(300, 25), 25, 'up'],
  [budget(200, 24.9), 24.9, 'warn'],
  [budget(0, 0), 0, 'warn'],
  [budget(-60, -5), 0, 'down'],
])('%o has %d %% left and is %s', (one, share, look) => {
  expect([shareOf(one), lookOf(one)]).toEqual([share, look]);
});

test('the most overspent budget comes first, one without a share last', () => {
  const slos = [named('b', 40), named('unknown', null), named('spent', -20), named('a', 40)];
  expect(byBudgetLeft(slos).map(({ name }) => name)).toEqual(['spent', 'a', 'b', 'unknown']);
});
