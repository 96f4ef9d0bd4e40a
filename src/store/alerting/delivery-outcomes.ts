import type { Kysely, Transaction } from 'kysely';
import type { QueuedDelivery } from './deliveries.ts';
import { engineOf, forUpdate, rowTable } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';
import { updateRow, hasRow, prepareInsert } from '../database/rows.ts';

/** One attempt of a delivery, as its log shows it. Times are epoch milliseconds. */
export interface NewAttempt {
  at: number;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  response: string | null;
}

/** The outcome of one attempt, for one delivery of a batch. Times are epoch milliseconds. */
export interface RecordedAttempt {
  deliveryId: number;
  /** Number of the attempt, from 1. */
  number: number;
  attempt: NewAttempt;
  next: { status: 'delivered' | 'failed'; at: number } | { status: 'pending'; nextAt: number };
}

const insertAttempts = prepareInsert('delivery_attempt', {
  delivery_id: 'integer',
  number: 'integer',
  at: 'integer',
  duration_ms: 'integer',
  status_code: 'integer',
  error: 'text',
  response: 'text',
});

const OUTCOME = {
  id: 'integer',
  number: 'integer',
  status: 'text',
  finished_at: 'integer',
  next_at: 'integer',
} as const;

/** Records attempts of different deliveries in two statements. A delivery that was ended meanwhile stays ended. */
export async function recordAttempts(
  tx: Transaction<Schema>,
  attempts: readonly RecordedAttempt[],
): Promise<void> {
  if (attempts.length === 0) return;
  const made = attempts.map(({ deliveryId, number, attempt }) => {
    const { at, durationMs, statusCode, error, response } = attempt;
    return [deliveryId, number, at, durationMs, statusCode, error, response];
  });
  await insertAttempts(tx, made);
  const outcomes = attempts.map(({ deliveryId, number, next }) =>
    next.status === 'pending'
      ? [deliveryId, number, null, null, next.nextAt]
      : [deliveryId, number, next.status, next.at, null],
  );
  await tx
    .updateTable('delivery')
    .from(rowTable(tx, outcomes, OUTCOME).as('outcome'))
    .set((eb) => ({
      attempts: eb.ref('outcome.number'),
      status: eb.fn.coalesce('outcome.status', 'delivery.status'),
      finished_at: eb.fn.coalesce('outcome.finished_at', 'delivery.finished_at'),
      next_at: eb.fn.coalesce('outcome.next_at', 'delivery.next_at'),
    }))
    .whereRef('delivery.id', '=', 'outcome.id')
    .execute();
}

/** Counts deliveries that failed for good since then, up to the limit. */
export async function countRefused(
  db: Kysely<Schema>,
  destinationId: number,
  { since, limit }: { since: number; limit: number },
): Promise<number> {
  const rows = await db
    .selectFrom('delivery')
    .select('id')
    .where('destination_id', '=', destinationId)
    .where('status', '=', 'failed')
    .where('kind', '!=', 'test')
    .where('finished_at', '>=', since)
    .limit(limit)
    .execute();
  return rows.length;
}

/**
 * Whether one of these deliveries has more attempts than when it was read, or the message was sent.
 *
 * @param messageId id of a message that is sent in place of deliveries; null for none.
 */
export async function hasNewerAttempt(
  db: Kysely<Schema>,
  destinationId: number,
  read: readonly Pick<QueuedDelivery, 'id' | 'attempts'>[],
  messageId: string | null,
): Promise<boolean> {
  return hasRow(
    db
      .selectFrom('delivery')
      .where('destination_id', '=', destinationId)
      .where((eb) =>
        eb.or([
          ...read.map(({ id, attempts }) =>
            eb.and([eb('id', '=', id), eb('attempts', '>', attempts)]),
          ),
          ...(messageId === null ? [] : [eb('message_id', '=', messageId)]),
        ]),
      ),
  );
}

/** Records a message that was sent in place of deliveries and was never in the queue itself. */
export async function recordSent(
  tx: Transaction<Schema>,
  destinationId: number,
  sent: Pick<QueuedDelivery, 'teamId' | 'messageId' | 'kind' | 'body'>,
  attempt: NewAttempt,
  now: number,
): Promise<void> {
  const { id } = await tx
    .insertInto('delivery')
    .values({
      destination_id: destinationId,
      team_id: sent.teamId,
      message_id: sent.messageId,
      kind: sent.kind,
      body: sent.body,
      status: 'pending',
      attempts: 0,
      next_at: now,
      expires_at: now,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const next = { status: 'delivered', at: now } as const;
  await recordAttempts(tx, [{ deliveryId: id, number: 1, attempt, next }]);
}

/** Ends deliveries whose contents another message delivered. */
export async function supersede(
  tx: Transaction<Schema>,
  ids: readonly number[],
  now: number,
): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('delivery')
    .set({ status: 'superseded', finished_at: now })
    .where('id', 'in', ids)
    .where('status', '!=', 'delivered')
    .execute();
}

/** Expires overdue deliveries. @returns how many. */
export async function expireOverdue(
  tx: Transaction<Schema>,
  destinationId: number,
  now: number,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('delivery')
    .set({ status: 'expired', finished_at: now })
    .where('destination_id', '=', destinationId)
    .where('status', '=', 'pending')
    .where('expires_at', '<=', now)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Fails all pending deliveries, tests only with `withTests`. @returns how many. */
export async function failPending(
  tx: Transaction<Schema>,
  destinationId: number,
  { now, withTests }: { now: number; withTests: boolean },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('delivery')
    .set({ status: 'failed', finished_at: now })
    .where('destination_id', '=', destinationId)
    .where('status', '=', 'pending')
    .$if(!withTests, (query) => query.where('kind', '!=', 'test'))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Withholds a team's deliveries from the personal channels of a former member: pending ones fail, and missed ones are not
 * caught up with later. An attempt in progress may still arrive.
 */
export async function withholdFromFormerMember(
  tx: Transaction<Schema>,
  { teamId, personId }: { teamId: number; personId: number },
  now: number,
): Promise<void> {
  const own = tx
    .selectFrom('alert_channel')
    .select('destination_id')
    .where('person_id', '=', personId);
  // Locks the destinations first, as a sender does.
  const held = await tx
    .selectFrom('destination')
    .select('id')
    .where('id', 'in', own)
    .orderBy('id')
    .$call(forUpdate(engineOf(tx)))
    .execute();
  if (held.length === 0) return;
  const ids = held.map(({ id }) => id);
  const teamDeliveries = tx
    .updateTable('delivery')
    .where('destination_id', 'in', ids)
    .where('team_id', '=', teamId)
    .where('kind', '!=', 'test');
  await teamDeliveries
    .set({ status: 'failed', finished_at: now })
    .where('status', '=', 'pending')
    .execute();
  // A channel that works again catches up only with deliveries of an alert.
  await teamDeliveries
    .set({ alert_id: null })
    .where('status', 'in', ['failed', 'expired'])
    .where('alert_id', 'is not', null)
    .execute();
}

/** Makes pending deliveries due at once. */
export async function makePendingDue(
  tx: Transaction<Schema>,
  destinationId: number,
  now: number,
): Promise<void> {
  await tx
    .updateTable('delivery')
    .set({ next_at: now })
    .where('destination_id', '=', destinationId)
    .where('status', '=', 'pending')
    .where('next_at', '>', now)
    .execute();
}

/** Sets the health of a destination. */
export async function setHealth(
  tx: Transaction<Schema>,
  destinationId: number,
  health: {
    failures: number;
    failingSince: number | null;
    lastError: string | null;
    /** Unchanged when undefined. */
    lastDeliveredAt?: number;
    /** End of the time in which a webhook endpoint is held; unchanged when undefined. */
    heldUntil?: number | null;
  },
): Promise<void> {
  const { failures, failingSince, lastError, lastDeliveredAt, heldUntil } = health;
  await updateRow(tx, 'destination', destinationId, {
    failures,
    failing_since: failingSince,
    last_error: lastError,
    ...(lastDeliveredAt !== undefined && { last_delivered_at: lastDeliveredAt }),
    ...(heldUntil !== undefined && { held_until: heldUntil }),
  });
}

/** Records that something arrived at the destination. */
export async function setLastDelivered(
  tx: Transaction<Schema>,
  destinationId: number,
  now: number,
): Promise<void> {
  await updateRow(tx, 'destination', destinationId, { last_delivered_at: now });
}

/** Switches the endpoint off, with the reason. */
export async function deactivateEndpoint(
  tx: Transaction<Schema>,
  id: number,
  reason: string,
  now: number,
): Promise<void> {
  await updateRow(tx, 'webhook_endpoint', id, {
    is_active: 0,
    deactivated_reason: reason,
    updated_at: now,
  });
}

export async function disableChannel(
  tx: Transaction<Schema>,
  id: number,
  now: number,
): Promise<void> {
  await updateRow(tx, 'alert_channel', id, { enabled: 0, updated_at: now });
}

/**
 * Makes a queue due at once, as its destination was repaired. Updates the destination first: a sender locks rows in that
 * order, too.
 */
export async function makeQueueDue(
  tx: Transaction<Schema>,
  destinationId: number,
  now: number,
): Promise<void> {
  await tx
    .updateTable('destination')
    .set((eb) => ({
      next_at: eb.case().when('next_at', '>', now).then(now).else(eb.ref('next_at')).end(),
      held_until: eb.case().when('held_until', '>', now).then(now).else(eb.ref('held_until')).end(),
    }))
    .where('id', '=', destinationId)
    .execute();
  await makePendingDue(tx, destinationId, now);
}
