import { sql } from 'kysely';
import type { ExpressionBuilder, Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** What was written by so much later than now is from a clock that has been set back since, milliseconds. */
const TOLERANCE_MS = 1_000;

/**
 * Makes what waits in queues due by a clock that was set back to `now` (epoch ms): an instant that was written before
 * lies ahead by the size of the step. Where looking early does no harm, as with events and alerts, everything is due at
 * once, and no time that decides what is told lies in the future; elsewhere only what was written in the future is moved.
 * What follows the calendar, such as maintenance windows, stays. ADR 21 has the table of all queues.
 */
export async function redateQueues(tx: Transaction<Schema>, now: number): Promise<void> {
  await redateEvents(tx, now);
  await redateAlerts(tx, now);
  await redateDeliveries(tx, now);
  await tx
    .updateTable('mail')
    .set({ next_at: now })
    .where('next_at', '>', now)
    .where('created_at', '>', now + TOLERANCE_MS)
    .execute();
  await tx
    .updateTable('inspection')
    .set({ next_at: sql<number>`${now} + (next_at - inspected_at)` })
    .where('next_at', '>', now)
    .where('inspected_at', '>', now + TOLERANCE_MS)
    .execute();
}

/** What is held is looked at again, and held again. */
async function redateEvents(tx: Transaction<Schema>, now: number): Promise<void> {
  await tx.updateTable('event').set({ fan_out_at: now }).where('fan_out_at', '>', now).execute();
}

/** A reminder or an escalation counts from now where it counted from a time that is still to come. */
async function redateAlerts(tx: Transaction<Schema>, now: number): Promise<void> {
  await tx
    .updateTable('alert_recipient')
    .set({
      told_at: sql<number>`case when told_at > ${now} then ${now} else told_at end`,
      last_told_at: now,
    })
    .where('last_told_at', '>', now)
    .where('alert_id', 'in', tx.selectFrom('alert').select('id').where('over_at', 'is', null))
    .execute();
  await tx
    .updateTable('alert')
    .set({
      gather_until: sql<
        number | null
      >`case when opened_at > ${now} then ${now} + (gather_until - opened_at) else gather_until end`,
      opened_at: sql<number>`case when opened_at > ${now} then ${now} else opened_at end`,
      told_at: sql<number | null>`case when told_at > ${now} then ${now} else told_at end`,
      next_at: now,
    })
    .where('next_at', '>', now)
    .where('over_at', 'is', null)
    .execute();
}

/** A delivery or an endpoint that waits after a failed attempt keeps its back-off, unless that attempt was in the future. */
async function redateDeliveries(tx: Transaction<Schema>, now: number): Promise<void> {
  const wasTriedInFuture = (eb: ExpressionBuilder<Schema, 'delivery'>) =>
    eb.exists(
      eb
        .selectFrom('delivery_attempt')
        .select('delivery_attempt.number')
        .whereRef('delivery_attempt.delivery_id', '=', 'delivery.id')
        .where('delivery_attempt.at', '>', now + TOLERANCE_MS),
    );
  await tx
    .updateTable('destination')
    .set({ held_until: now })
    .where('held_until', '>', now)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('delivery')
        .select('delivery.destination_id')
        .where('delivery.status', '=', 'pending')
        .where(wasTriedInFuture),
    )
    .execute();
  await tx
    .updateTable('delivery')
    .set({ next_at: now })
    .where('status', '=', 'pending')
    .where('next_at', '>', now)
    .where((eb) => eb.or([eb('created_at', '>', now + TOLERANCE_MS), wasTriedInFuture(eb)]))
    .execute();
  await tx
    .updateTable('destination')
    .set({ next_at: now })
    .where('next_at', '>', now)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('delivery')
        .select('delivery.destination_id')
        .where('delivery.status', '=', 'pending')
        .where('delivery.next_at', '<=', now),
    )
    .execute();
}
