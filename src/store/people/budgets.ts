import { sql } from 'kysely';
import type { Budget, Spending } from '../../model/budgets.ts';
import type { Row, Tx } from '../database/contract.ts';

/** A budget is used up. Nothing of it was spent. */
export class BudgetExceeded extends Error {
  override readonly name = 'BudgetExceeded';
  readonly budget: Budget;
  /** Milliseconds until the window ends. */
  readonly retryAfterMs: number;

  constructor(budget: Budget, retryAfterMs: number) {
    super(`The budget ${budget.name} of the ${budget.of} is used up.`);
    this.budget = budget;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Spends from all of these budgets, or throws BudgetExceeded and spends nothing. Call it last in a transaction: rows stay
 * locked until it ends.
 *
 * @param spendings in the order of their keys, so that transactions don't deadlock.
 */
export async function spendBudgets(tx: Tx, spendings: readonly Spending[], now: number) {
  // Most refusals end here, without a lock.
  refuseUsedUp(spendings, await readWindows(tx, spendings), now);
  const spent: Spending[] = [];
  for (const spending of spendings) {
    if (await spend(tx, spending, now)) {
      spent.push(spending);
      continue;
    }
    // The transaction may go on without what the budget was for.
    for (const done of spent) await giveBack(tx, done);
    refuseUsedUp([spending], await readWindows(tx, [spending]), now);
    throw new Error(`The budget ${spending.key} was changed by nobody.`);
  }
}

type Window = Row<'budget'>;

async function readWindows(tx: Tx, spendings: readonly Spending[]) {
  const keys = spendings.map(({ key }) => key);
  if (keys.length === 0) return new Map();
  const rows = await tx.selectFrom('budget').selectAll().where('key', 'in', keys).execute();
  return new Map(rows.map((row) => [row.key, row]));
}

/** Throws for a budget that has less left than is to be spent. */
function refuseUsedUp(
  spendings: readonly Spending[],
  windows: ReadonlyMap<string, Window>,
  now: number,
): void {
  for (const { budget, key, count } of spendings) {
    const window = windows.get(key);
    const isRunning =
      window !== undefined && window.ends_at > now && window.ends_at <= now + 2 * budget.windowMs;
    if ((isRunning ? window.used : 0) + count <= budget.limit) continue;
    throw new BudgetExceeded(budget, (isRunning ? window.ends_at : now + budget.windowMs) - now);
  }
}

/** @returns false when it is used up. */
async function spend(tx: Tx, { budget: { limit, windowMs }, key, count }: Spending, now: number) {
  // The second part ends windows that began before a clock was set back.
  const isOver = sql<boolean>`(budget.ends_at <= ${now} or budget.ends_at > ${now + 2 * windowMs})`;
  const row = await tx
    .insertInto('budget')
    .values({ key, used: count, ends_at: now + windowMs })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          used: sql<number>`case when ${isOver} then excluded.used else budget.used + excluded.used end`,
          ends_at: sql<number>`case when ${isOver} then excluded.ends_at else budget.ends_at end`,
        })
        .where(sql<boolean>`${isOver} or budget.used + excluded.used <= ${limit}`),
    )
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

async function giveBack(tx: Tx, { key, count }: Spending): Promise<void> {
  await tx
    .updateTable('budget')
    .set((set) => ({ used: set('used', '-', count) }))
    .where('key', '=', key)
    .execute();
}
