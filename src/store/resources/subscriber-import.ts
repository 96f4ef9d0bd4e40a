import type { Kysely, Transaction } from 'kysely';
import { BATCH_ROWS } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';

/** Hashes of the e-mail addresses of a page. */
export async function hashesOfPage(db: Kysely<Schema>, pageId: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('subscriber')
    .select('address_hash')
    .where('page_id', '=', pageId)
    .where('kind', '=', 'email')
    .execute();
  return new Set(rows.map((row) => row.address_hash));
}

/** Adds confirmed subscribers by e-mail, except for those that were added meanwhile. */
export async function insertMailSubscribers(
  tx: Transaction<Schema>,
  pageId: number,
  subscribers: readonly { sealed: string; hash: string; monitors: readonly number[] }[],
  { createdBy, now }: { createdBy: number | null; now: number },
): Promise<void> {
  for (let from = 0; from < subscribers.length; from += BATCH_ROWS) {
    const rows = subscribers.slice(from, from + BATCH_ROWS).map((one) => ({
      page_id: pageId,
      kind: 'email',
      address: one.sealed,
      address_hash: one.hash,
      monitors: JSON.stringify(one.monitors),
      confirmed_at: now,
      created_by: createdBy,
      created_at: now,
      updated_at: now,
    }));
    await tx
      .insertInto('subscriber')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['page_id', 'kind', 'address_hash']).doNothing())
      .execute();
  }
}
