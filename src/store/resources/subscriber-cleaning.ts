import type { Database } from '../database/contract.ts';
import { idList } from '../database/dialect.ts';
import { BATCH_ROWS, inBatch } from '../database/rows.ts';

/** Deletes a batch of subscribers whose confirmation link has ended. @returns whether there may be more. */
export async function deleteUnconfirmed(database: Database, now: number): Promise<boolean> {
  const ended = database.read
    .selectFrom('subscriber')
    .select('id')
    .where('confirmed_at', 'is', null)
    .where('confirm_until', '<=', now)
    .limit(BATCH_ROWS);
  const { numDeletedRows } = await database.transaction((tx) =>
    tx
      .deleteFrom('subscriber')
      .where(inBatch('id', ended))
      .where('confirmed_at', 'is', null)
      .executeTakeFirstOrThrow(),
  );
  return numDeletedRows >= BATCH_ROWS;
}

/** Deletes a batch of queues whose subscriber was deleted with its page. @returns whether there may be more. */
export async function deleteAbandonedQueues(database: Database): Promise<boolean> {
  const rows = await database.scan
    .selectFrom('destination')
    .select('id')
    .where('kind', '=', 'subscriber')
    .where((its) =>
      its.not(
        its.exists(
          its
            .selectFrom('subscriber')
            .select('subscriber.id')
            .whereRef('subscriber.destination_id', '=', 'destination.id'),
        ),
      ),
    )
    .limit(BATCH_ROWS)
    .execute();
  if (rows.length === 0) return false;
  await database.transaction(async (tx) => {
    const ids = idList(
      tx,
      rows.map(({ id }) => id),
    );
    await tx.deleteFrom('destination').where('id', 'in', ids).execute();
    await tx.deleteFrom('delivery').where('destination_id', 'in', ids).execute();
  });
  return rows.length >= BATCH_ROWS;
}
