import { queueOf, type QueuedDelivery } from './deliveries.ts';
import { rowTable } from '../database/dialect.ts';
import type { Tx } from '../database/contract.ts';
import { updateRow, prepareInsert, lockRows, insertRow } from '../database/rows.ts';

/** What attempts change beside the deliveries themselves. */
export function outcomeStore(tx: Tx) {
  return {
    /** Ends deliveries whose contents another message delivered. */
    async supersede(ids: readonly number[], now: number) {
      if (ids.length === 0) return;
      await tx
        .updateTable('delivery')
        .set({ status: 'superseded', finished_at: now })
        .where('id', 'in', ids)
        .where('status', '!=', 'delivered')
        .execute();
    },
    /** Switches the endpoint off, with the reason. */
    async deactivateEndpoint(id: number, reason: string, now: number) {
      await updateRow(tx, 'webhook_endpoint', id, {
        is_active: 0,
        deactivated_reason: reason,
        updated_at: now,
      });
    },
    async disableChannel(id: number, now: number) {
      await updateRow(tx, 'alert_channel', id, { enabled: 0, updated_at: now });
    },
    /** Records a message that was sent in place of deliveries and was never in the queue itself. */
    async recordSent(
      destinationId: number,
      sent: Pick<QueuedDelivery, 'teamId' | 'messageId' | 'kind' | 'body'>,
      attempt: NewAttempt,
      now: number,
    ) {
      const id = await insertRow(tx, 'delivery', {
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
      });
      const next = { status: 'delivered', at: now } as const;
      await queueChanges(tx).recordAttempts([{ deliveryId: id, number: 1, attempt, next }]);
    },
    /** Records that something arrived at the destination. */
    async setLastDelivered(destinationId: number, now: number) {
      await updateRow(tx, 'destination', destinationId, { last_delivered_at: now });
    },
  };
}

/** Changes of queues, and what became of their deliveries. */
export function queueChanges(tx: Tx) {
  return {
    /**
     * Withholds a team's deliveries from the personal channels of a former member: pending ones fail, and missed ones are not
     * caught up with later. An attempt in progress may still arrive.
     */
    async withholdFromFormerMember(
      { teamId, personId }: { teamId: number; personId: number },
      now: number,
    ) {
      const own = tx
        .selectFrom('alert_channel')
        .select('destination_id')
        .where('person_id', '=', personId);
      // Locks the destinations first, as a sender does.
      const held = await lockRows(tx, 'destination', { id: ['in', own] }, ['id'], ['id']);
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
    },

    /**
     * Makes a queue due at once, as its destination was repaired. Updates the destination first: a sender locks rows in that
     * order, too.
     */
    async makeDue(destinationId: number, now: number) {
      await tx
        .updateTable('destination')
        .set((eb) => ({
          next_at: eb.case().when('next_at', '>', now).then(now).else(eb.ref('next_at')).end(),
          held_until: eb
            .case()
            .when('held_until', '>', now)
            .then(now)
            .else(eb.ref('held_until'))
            .end(),
        }))
        .where('id', '=', destinationId)
        .execute();
      await queueOf(tx, destinationId).makePendingDue(now);
    },

    /**
     * Applies a change of a webhook endpoint or channel to its queue, before its row is written: senders lock them in that order.
     *
     * @param isOn null when that did not change.
     * @param isMoved whether messages go elsewhere now.
     */
    async adjust(
      destinationId: number,
      { isOn, isMoved }: { isOn: boolean | null; isMoved: boolean },
      now: number,
    ) {
      const healthy = { failures: 0, failingSince: null, lastError: null, heldUntil: null };
      if (isOn === true) await this.setHealth(destinationId, healthy);
      // Late messages would arrive when it is switched on again.
      if (isOn === false) await queueOf(tx, destinationId).failPending({ now, withTests: false });
      if (isMoved) await this.makeDue(destinationId, now);
    },

    /** Records attempts of different deliveries in two statements. A delivery that was ended meanwhile stays ended. */
    async recordAttempts(attempts: readonly RecordedAttempt[]) {
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
    },

    async setHealth(
      destinationId: number,
      health: {
        failures: number;
        failingSince: number | null;
        lastError: string | null;
        /** Unchanged when null or undefined. */
        lastDeliveredAt?: number | null;
        /** End of the time in which a webhook endpoint is held; unchanged when undefined. */
        heldUntil?: number | null;
      },
    ) {
      const { failures, failingSince, lastError, lastDeliveredAt, heldUntil } = health;
      await updateRow(tx, 'destination', destinationId, {
        failures,
        failing_since: failingSince,
        last_error: lastError,
        ...(lastDeliveredAt != null && { last_delivered_at: lastDeliveredAt }),
        ...(heldUntil !== undefined && { held_until: heldUntil }),
      });
    },
  };
}

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
