import type { SelectQueryBuilder } from 'kysely';
import { rowTable } from '../database/dialect.ts';
import type { Db, Row, Schema, Tx } from '../database/contract.ts';
import { insertRow, BATCH_ROWS, insertRows } from '../database/rows.ts';

/**
 * A webhook endpoint, a channel, one mail to a person, a webhook or Slack channel that is subscribed to a status page, or
 * one mail to a subscriber.
 */
export const DESTINATION_KINDS = [
  'webhook',
  'channel',
  'mail',
  'subscriber',
  'subscriber_mail',
] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

/** Where messages go, and what waits for them. */
export function destinationStore(tx: Tx) {
  return {
    /** Creates the queue of a new webhook endpoint, channel or mail. @returns its id. */
    async insert(destination: {
      kind: DestinationKind;
      teamId: number | null;
      /** When its first delivery is due, epoch ms; the queue is empty unless given. */
      nextAt?: number;
      now: number;
    }) {
      const { kind, teamId, nextAt = null, now } = destination;
      return insertRow(tx, 'destination', {
        team_id: teamId,
        kind,
        next_at: nextAt,
        claim: 0,
        failures: 0,
        created_at: now,
      });
    },

    /** Creates destinations without a team, due now (epoch ms). @returns their ids. */
    async insertMany(kind: DestinationKind, count: number, now: number): Promise<number[]> {
      if (count === 0) return [];
      const row = { team_id: null, kind, next_at: now, claim: 0, failures: 0, created_at: now };
      const rows = await tx
        .insertInto('destination')
        .values(Array.from({ length: count }, () => row))
        .returning('id')
        .execute();
      return rows.map(({ id }) => id);
    },

    /**
     * Enqueues deliveries for any number of destinations, in the order given, and makes idle destinations due. A channel that
     * waits for a retry keeps waiting, and a webhook endpoint until its hold ends; a test makes either due at once and goes first.
     */
    async enqueue(deliveries: readonly NewDelivery[], now: number) {
      for (let from = 0; from < deliveries.length; from += BATCH_ROWS)
        await enqueueSlice(tx, deliveries.slice(from, from + BATCH_ROWS), now);
    },

    /** Inserts deliveries alone: the caller makes their destinations due. */
    async insertDeliveries(deliveries: readonly NewDelivery[], now: number) {
      const rows = deliveries.map((one) => ({
        destination_id: one.destinationId,
        team_id: one.teamId,
        message_id: one.messageId,
        kind: one.kind,
        event_type: one.eventType ?? null,
        monitor_id: one.monitorId ?? null,
        incident_id: one.incidentId ?? null,
        alert_id: one.alertId ?? null,
        body: one.body,
        status: 'pending',
        attempts: 0,
        next_at: now,
        expires_at:
          one.expiresAt ?? now + (one.kind === 'test' ? TEST_WITHIN_MS : DELIVER_WITHIN_MS),
        created_at: now,
      }));
      await insertRows(tx, 'delivery', rows);
    },

    /** Deletes a destination with all its deliveries; a process that is sending to it finds its claim gone. */
    async delete(id: number) {
      // The destination first, as a sender locks it first: in another order the two could deadlock.
      await tx.deleteFrom('destination').where('id', '=', id).execute();
      const deliveries = tx.selectFrom('delivery').select('id').where('destination_id', '=', id);
      await tx.deleteFrom('delivery_attempt').where('delivery_id', 'in', deliveries).execute();
      await tx.deleteFrom('delivery').where('destination_id', '=', id).execute();
      await tx.deleteFrom('grouping_window').where('destination_id', '=', id).execute();
    },
  };
}

type WithQueue = 'webhook_endpoint' | 'alert_channel';

/** A webhook endpoint or channel, and how sending to it goes. */
export type WithState<Table extends WithQueue> = Row<Table> &
  Pick<Row<'destination'>, 'last_delivered_at' | 'failing_since' | 'last_error'>;

/** Selects all webhook endpoints or channels with their state. */
export function selectWithState<Table extends WithQueue>(db: Db, table: Table) {
  const rows = db
    .selectFrom(table as 'webhook_endpoint')
    .innerJoin('destination', 'destination.id', `${table as 'webhook_endpoint'}.destination_id`)
    .selectAll(table as 'webhook_endpoint')
    .select([
      'destination.last_delivered_at',
      'destination.failing_since',
      'destination.last_error',
    ]);
  return rows as unknown as SelectQueryBuilder<Schema, Table, WithState<Table>>;
}

/** A message for one destination. Times are epoch milliseconds. */
export interface NewDelivery {
  destinationId: number;
  teamId: number | null;
  messageId: string;
  /** event or test, or the kind of a `MessageContent` or of a mail. */
  kind: string;
  eventType?: string | null;
  /** Monitor whose events a webhook endpoint receives in order; none for deliveries without an order. */
  monitorId?: number | null;
  incidentId?: number | null;
  alertId?: number | null;
  /** The body of a webhook as it is sent, the JSON of a message's content, or a sealed mail. */
  body: string;
  /** Retries end after a day unless given, those of a test after a minute. */
  expiresAt?: number;
}

/** Time after which retries of a delivery end (contract 29.26, 34.33). */
const DELIVER_WITHIN_MS = 24 * 3_600_000;
/** The same for a test, as a person waits for its outcome. */
const TEST_WITHIN_MS = 60_000;

async function enqueueSlice(tx: Tx, deliveries: readonly NewDelivery[], now: number) {
  await destinationStore(tx).insertDeliveries(deliveries, now);
  const tests = new Set(
    deliveries.filter((one) => one.kind === 'test').map((one) => one.destinationId),
  );
  const ids = [...new Set(deliveries.map((one) => one.destinationId))].toSorted((a, b) => a - b);
  const values = ids.map((id) => [id, tests.has(id) ? 1 : 0]);
  const woken = rowTable(tx, values, { id: 'integer', is_test: 'integer' });
  await tx
    .updateTable('destination')
    .from(woken.as('woken'))
    .set((eb) => ({
      next_at: eb
        .case()
        .when(eb.or([eb('destination.next_at', 'is', null), eb('woken.is_test', '=', 1)]))
        .then(now)
        .when(
          eb.or([eb('destination.kind', '!=', 'webhook'), eb('destination.next_at', '<=', now)]),
        )
        .then(eb.ref('destination.next_at'))
        .when(eb.fn.coalesce('destination.held_until', eb.val(now)), '<=', now)
        .then(now)
        .when('destination.held_until', '<', eb.ref('destination.next_at'))
        .then(eb.ref('destination.held_until'))
        .else(eb.ref('destination.next_at'))
        .end(),
    }))
    .whereRef('destination.id', '=', 'woken.id')
    .execute();
}
