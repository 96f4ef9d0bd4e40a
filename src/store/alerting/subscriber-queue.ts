import type { Kysely, Transaction } from 'kysely';
import { updateRow } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';

/** How sending to a subscriber goes. Times are epoch milliseconds. */
export interface QueueHealth {
  /** Failed attempts in a row, and when the first was. */
  failures: number;
  failingSince: number | null;
}

export async function readHealth(db: Kysely<Schema>, destinationId: number): Promise<QueueHealth> {
  const row = await db
    .selectFrom('destination')
    .select(['failures', 'failing_since as failingSince'])
    .where('id', '=', destinationId)
    .executeTakeFirst();
  return row ?? { failures: 0, failingSince: null };
}

/** Writes that a message was delivered. */
export async function noteDelivery(
  tx: Transaction<Schema>,
  destinationId: number,
  now: number,
): Promise<void> {
  const healthy = { failures: 0, failing_since: null, last_error: null, last_delivered_at: now };
  await updateRow(tx, 'destination', destinationId, healthy);
}

/** Writes that a message was not delivered. @param reason a sentence. */
export async function noteFailure(
  tx: Transaction<Schema>,
  destinationId: number,
  { failures, failingSince }: QueueHealth,
  reason: string | null,
): Promise<void> {
  const health = { failures, failing_since: failingSince, last_error: reason };
  await updateRow(tx, 'destination', destinationId, health);
}

/** Postpones one message after a failed attempt. */
export async function postponeMessage(
  tx: Transaction<Schema>,
  deliveryId: number,
  { attempts, nextAt }: { attempts: number; nextAt: number },
): Promise<void> {
  await updateRow(tx, 'delivery', deliveryId, { attempts, next_at: nextAt });
}

/** Deletes one message that was sent or given up. */
export async function deleteMessage(tx: Transaction<Schema>, deliveryId: number): Promise<void> {
  await tx.deleteFrom('delivery').where('id', '=', deliveryId).execute();
}

/** Deletes all messages of a queue. */
export async function emptyQueue(tx: Transaction<Schema>, destinationId: number): Promise<void> {
  await tx.deleteFrom('delivery').where('destination_id', '=', destinationId).execute();
}
