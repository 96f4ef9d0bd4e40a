import type { Transaction } from 'kysely';
import type { Schema } from '../database/schema.ts';

/**
 * Sends an update to the subscribers of pages: one mailing for each page, due now (epoch ms). Runs in the transaction of
 * the update. A page that has a mailing of this update gets no second one.
 */
export async function insertMailings(
  tx: Transaction<Schema>,
  updateId: number,
  pageIds: readonly number[],
  now: number,
): Promise<void> {
  if (pageIds.length === 0) return;
  const rows = pageIds.map((pageId) => ({
    page_id: pageId,
    update_id: updateId,
    position: 0,
    next_at: now,
    created_at: now,
  }));
  await tx
    .insertInto('mailing')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['page_id', 'update_id']).doNothing())
    .execute();
}
