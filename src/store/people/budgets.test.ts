import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import type { Budget, Spending } from '../../model/budgets.ts';
import type { Database } from '../database/contract.ts';
import { expire } from '../engine/expiry.ts';
import { BudgetExceeded, spendBudgets } from './budgets.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2030, 0, 1);
const BUDGET: Budget = { name: 'mail', of: 'recipient', limit: 3, windowMs: HOUR };

const spending = (key: string, limit = 3, count = 1): Spending => ({
  budget: { ...BUDGET, limit },
  key,
  count,
});

/** What is left to do: null when it was spent, else milliseconds until the window ends. */
async function spend(database: Database, now: number, ...spendings: Spending[]) {
  try {
    await database.transaction((tx) => spendBudgets(tx, spendings, now));
    return null;
  } catch (error) {
    if (error instanceof BudgetExceeded) return error.retryAfterMs;
    throw error;
  }
}

const used = async (database: Database) =>
  Object.fromEntries(
    (await database.read.selectFrom('budget').selectAll().execute()).map((row) => [
      row.key,
      row.used,
    ]),
  );

eachDatabase((_name, open) => {
  test('a window begins with its first use, and the next one is whole', async () => {
    const database = await open();
    const answers = [];
    for (const minute of [0, 10, 20, 30, 59, 60, 61])
      answers.push(await spend(database, NOW + minute * 60_000, spending('a')));
    expect(answers).toEqual([null, null, null, HOUR / 2, 60_000, null, null]);
  });

  test('one budget that is used up spends none of the others, also in a transaction that goes on', async () => {
    const database = await open();
    await spend(database, NOW, spending('b', 1));
    const all = [spending('a'), spending('b', 1), spending('c')];
    expect(await spend(database, NOW, ...all)).toBe(HOUR);
    await database.transaction(async (tx) => {
      await expect(spendBudgets(tx, all, NOW)).rejects.toThrow(BudgetExceeded);
    });
    expect(await used(database)).toMatchObject({ b: 1 });
    expect((await used(database))['a'] ?? 0).toBe(0);
  });

  test('several uses at once count, and more than the limit are refused in a fresh window', async () => {
    const database = await open();
    expect(await spend(database, NOW, spending('a', 3, 2))).toBeNull();
    expect(await spend(database, NOW, spending('a', 3, 2))).toBe(HOUR);
    expect(await spend(database, NOW, spending('a', 3, 1))).toBeNull();
    expect(await spend(database, NOW, spending('b', 3, 4))).toBe(HOUR);
  });

  test('a window of a clock that was set back does not last for years', async () => {
    const database = await open();
    await spend(database, NOW + 10 * HOUR, spending('a', 1));
    expect(await spend(database, NOW, spending('a', 1))).toBeNull();
  });

  test('rows of ended windows are deleted, others stay', async () => {
    const database = await open();
    await spend(database, NOW, spending('a'));
    await spend(database, NOW + HOUR / 2, spending('b'));
    expect(await expire.budgets(database, NOW + HOUR)).toBe(false);
    expect(Object.keys(await used(database))).toEqual(['b']);
  });

  test('uses at the same time never pass the limit', async () => {
    const database = await open();
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => spend(database, NOW, spending('a'), spending('b', 40))),
    );
    expect(answers.filter((answer) => answer === null)).toHaveLength(3);
    expect(await used(database)).toEqual({ a: 3, b: 3 });
  });
});
