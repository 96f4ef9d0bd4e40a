import type { Database } from '../database/contract.ts';

const AT_ONCE = 500;

/**
 * Deletes a slice of the deliveries that were enqueued before that time (epoch ms), with their attempts. What waits is sent
 * within a day or never; one that still waits then has lost its destination.
 *
 * @returns whether there may be more.
 */
export async function deleteDeliveriesBefore(database: Database, before: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    const rows = await tx
      .selectFrom('delivery')
      .select('id')
      .where('created_at', '<', before)
      .orderBy('created_at')
      .limit(AT_ONCE)
      .execute();
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return false;
    await tx.deleteFrom('delivery_attempt').where('delivery_id', 'in', ids).execute();
    await tx.deleteFrom('delivery').where('id', 'in', ids).execute();
    return ids.length === AT_ONCE;
  });
}
