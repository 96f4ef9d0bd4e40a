import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import { isDue, readPending, selectQueued } from './deliveries.ts';
import type { QueuedDelivery } from './deliveries.ts';
import type { Schema } from '../database/schema.ts';
import { updateRow } from '../database/rows.ts';

/** Reads pending tests of a webhook endpoint, the oldest first. */
export function readPendingTests(
  db: Kysely<Schema>,
  destinationId: number,
  limit: number,
): Promise<QueuedDelivery[]> {
  return selectQueued(db, destinationId)
    .where('delivery.status', '=', 'pending')
    .where('delivery.kind', '=', 'test')
    .orderBy('delivery.id')
    .limit(limit)
    .execute();
}

/** Counts attempts made so far of all events that are pending now. */
export async function attemptsOfPending(
  db: Kysely<Schema>,
  destinationId: number,
): Promise<number> {
  const { attempts } = await db
    .selectFrom('delivery')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('attempts'), eb.val(0)).as('attempts'))
    .where('destination_id', '=', destinationId)
    .where('status', '=', 'pending')
    .where('kind', '!=', 'test')
    .executeTakeFirstOrThrow();
  return Number(attempts);
}

/**
 * Ends the lease of a webhook endpoint, in the transaction that holds the destination. It is due again when a test waits, or
 * when its hold is over and the oldest event of some monitor is due.
 *
 * @param notBefore epoch ms until which events wait for the pace of their host.
 */
export async function releaseEndpoint(
  tx: Transaction<Schema>,
  id: number,
  times: { now: number; notBefore: number },
): Promise<void> {
  await updateRow(tx, 'destination', id, {
    next_at: await nextSendAt(tx, id, times),
    leased_until: null,
  });
}

async function nextSendAt(
  tx: Transaction<Schema>,
  id: number,
  { now, notBefore }: { now: number; notBefore: number },
): Promise<number | null> {
  const [test] = await readPendingTests(tx, id, 1);
  // Puts it behind destinations that have waited longer.
  if (test !== undefined) return isDue(test.nextAt, now) ? now : test.nextAt;
  const earliest = await earliestEvent(tx, id, now);
  if (earliest === null) return null;
  const row = await tx
    .selectFrom('destination')
    .select('held_until')
    .where('id', '=', id)
    .executeTakeFirst();
  const heldUntil = row?.held_until ?? null;
  const isHeld = heldUntil !== null && !isDue(heldUntil, now);
  return Math.max(isHeld ? heldUntil : 0, notBefore, earliest);
}

async function earliestEvent(
  tx: Transaction<Schema>,
  id: number,
  now: number,
): Promise<number | null> {
  const [oldest] = await readPending(tx, id, { after: 0, limit: 1 });
  if (oldest === undefined) return null;
  if (isDue(oldest.nextAt, now)) return now;
  const heads = tx
    .selectFrom('delivery')
    .select(['next_at', 'monitor_id'])
    .select(sql<number>`row_number() over (partition by monitor_id order by id)`.as('place'))
    .where('destination_id', '=', id)
    .where('status', '=', 'pending')
    .where('kind', '!=', 'test');
  const { first, last } = await tx
    .selectFrom(heads.as('head'))
    .select((eb) => [eb.fn.min('next_at').as('first'), eb.fn.max('next_at').as('last')])
    .where((eb) => eb.or([eb('place', '=', 1), eb('monitor_id', 'is', null)]))
    .executeTakeFirstOrThrow();
  return isDue(first, now) || isDue(last, now) ? now : first;
}
