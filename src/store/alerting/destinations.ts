import type { Transaction } from 'kysely';
import { engineOf, jsonTable } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';

/** How what is enqueued is sent: to a webhook endpoint, by a channel, or as the one mail of its destination. */
export type DestinationKind = 'webhook' | 'channel' | 'mail';

/** The queue of a new webhook endpoint, channel or mail. @returns its id. */
export async function insertDestination(
  tx: Transaction<Schema>,
  destination: {
    kind: DestinationKind;
    teamId: number | null;
    /** When something is to be sent there, epoch ms; nothing is yet unless given. */
    nextAt?: number;
    now: number;
  },
): Promise<number> {
  const { kind, teamId, nextAt = null, now } = destination;
  const { id } = await tx
    .insertInto('destination')
    .values({
      team_id: teamId,
      kind,
      next_at: nextAt,
      leased_until: null,
      claim: 0,
      failures: 0,
      failing_since: null,
      last_error: null,
      last_delivered_at: null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A message for one destination. Times are epoch milliseconds. */
export interface NewDelivery {
  destinationId: number;
  teamId: number | null;
  /** Stable over retries. */
  messageId: string;
  /** event or test, or the kind of a `Notice` or of a mail. */
  kind: string;
  eventType: string | null;
  /** Monitor whose events a webhook endpoint receives in order; none for what has no order. */
  monitorId?: number | null;
  incidentId: number | null;
  alertId: number | null;
  /** What a webhook sends as it is, the JSON of a `Notice`, or a sealed mail. */
  body: string;
  /** Retries end after a day unless given, those of a test after a minute. */
  expiresAt?: number;
}

/** Retries end so long after it was enqueued (contract 29.26, 34.33). */
export const DELIVER_WITHIN_MS = 24 * 3_600_000;
/** Somebody waits for the outcome of a test. */
const TEST_WITHIN_MS = 60_000;

/**
 * Enqueues deliveries in the order given, of any number of destinations, and wakes those that have nothing else to do.
 * A channel that is waiting to try again goes on waiting, and a webhook endpoint until its hold ends; unless a test is
 * among them: that goes first, and at once.
 */
export async function enqueueDeliveries(
  tx: Transaction<Schema>,
  deliveries: readonly NewDelivery[],
  now: number,
): Promise<void> {
  for (let from = 0; from < deliveries.length; from += AT_ONCE)
    await enqueueSlice(tx, deliveries.slice(from, from + AT_ONCE), now);
}

const AT_ONCE = 500;

async function enqueueSlice(
  tx: Transaction<Schema>,
  deliveries: readonly NewDelivery[],
  now: number,
): Promise<void> {
  await insertDeliveries(tx, deliveries, now);
  const tests = new Set(
    deliveries.filter((one) => one.kind === 'test').map((one) => one.destinationId),
  );
  const ids = [...new Set(deliveries.map((one) => one.destinationId))].toSorted((a, b) => a - b);
  const woken = jsonTable(
    engineOf(tx),
    JSON.stringify(ids.map((id) => [id, tests.has(id) ? 1 : 0])),
    {
      id: 'integer',
      is_test: 'integer',
    },
  );
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

/** Writes deliveries alone: their destinations have to be woken by the caller. */
export async function insertDeliveries(
  tx: Transaction<Schema>,
  deliveries: readonly NewDelivery[],
  now: number,
): Promise<void> {
  await tx
    .insertInto('delivery')
    .values(
      deliveries.map((one) => ({
        destination_id: one.destinationId,
        team_id: one.teamId,
        message_id: one.messageId,
        kind: one.kind,
        event_type: one.eventType,
        monitor_id: one.monitorId ?? null,
        incident_id: one.incidentId,
        alert_id: one.alertId,
        body: one.body,
        status: 'pending',
        attempts: 0,
        next_at: now,
        expires_at:
          one.expiresAt ?? now + (one.kind === 'test' ? TEST_WITHIN_MS : DELIVER_WITHIN_MS),
        finished_at: null,
        created_at: now,
      })),
    )
    .execute();
}

/** Forgets a destination with all that was ever sent to it; whoever is sending just then finds its claim gone. */
export async function deleteDestination(tx: Transaction<Schema>, id: number): Promise<void> {
  // First of all the row that whoever sends holds, too: in another order each could wait for the other.
  await tx.deleteFrom('destination').where('id', '=', id).execute();
  const deliveries = tx.selectFrom('delivery').select('id').where('destination_id', '=', id);
  await tx.deleteFrom('delivery_attempt').where('delivery_id', 'in', deliveries).execute();
  await tx.deleteFrom('delivery').where('destination_id', '=', id).execute();
  await tx.deleteFrom('grouping_window').where('destination_id', '=', id).execute();
}
