import { sql } from 'kysely';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { engineOf, forUpdate, jsonTable } from '../database/dialect.ts';
import type { AlertChannelTable, WebhookEndpointTable } from '../database/schema-alerts.ts';
import type { Schema } from '../database/schema.ts';
import type { DestinationKind } from './destinations.ts';

/** A destination that is ours to send to until its lease ends. Times are epoch milliseconds. */
export interface ClaimedDestination extends FoundDestination {
  /** Tells whether it is still ours. */
  claim: number;
}

/** A destination that is due. */
export interface FoundDestination {
  id: number;
  kind: DestinationKind;
  /** Whose it is: a team's id, a person's below zero, or zero for a mail. */
  owner: number;
  /** Its newest attempt failed. */
  isFailing: boolean;
}

export interface DueDestinations {
  now: number;
  /** By the clock that leases go by. */
  leaseNow: number;
  /** Those whose lease ran out are left, too. */
  onlyFree: boolean;
  limit: number;
  /** These are left where they are. */
  exceptIds: readonly number[];
  /** So are those of these owners. */
  exceptOwners: readonly number[];
  /** And those whose newest attempt failed. */
  exceptFailing: boolean;
  exceptKinds: readonly DestinationKind[];
}

/** Nothing is put off further, nor leased longer: a clock that was ahead did that, and has stepped back since. */
const DISTANT_MS = 3 * 3_600_000;

export function isDue(at: number, now: number): boolean {
  return at <= now || at > now + DISTANT_MS;
}

/** A person's own channels are theirs, all others their team's. */
const OWNER = sql<number>`coalesce(destination.team_id, (select -person_id from alert_channel where alert_channel.destination_id = destination.id), 0)`;

/** Whether there is one to send to that nobody is sending to. */
export async function isDestinationDue(
  db: Kysely<Schema>,
  due: Omit<DueDestinations, 'limit'>,
): Promise<boolean> {
  const row = await selectDue(db, due).select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

/**
 * Takes up destinations that are due, the longest due first.
 *
 * @param choose which of those found; the others stay. @param leaseMs by the kind of the destination.
 * @returns those taken up, and whether others were found.
 */
export async function claimDestinations(
  tx: Transaction<Schema>,
  due: DueDestinations,
  leaseMs: Readonly<Record<DestinationKind, number>>,
  choose: (found: FoundDestination[]) => Set<number>,
): Promise<{ claimed: ClaimedDestination[]; leftSome: boolean }> {
  const rows = await selectDue(tx, due)
    .select(['id', 'kind', 'claim', 'failures', OWNER.as('owner')])
    .limit(due.limit)
    .$call(forUpdate(engineOf(tx), 'skipLocked'))
    .execute();
  const found = rows.map(({ id, owner, kind, claim, failures }): ClaimedDestination => {
    const isFailing = failures > 0;
    return { id, owner, kind: kind as DestinationKind, claim: claim + 1, isFailing };
  });
  const chosen = choose(found);
  const claimed = found.filter((one) => chosen.has(one.id));
  if (claimed.length === 0) return { claimed, leftSome: false };
  await tx
    .updateTable('destination')
    .set((eb) => ({
      claim: sql`claim + 1`,
      leased_until: eb
        .case()
        .when('kind', '=', 'webhook')
        .then(due.leaseNow + leaseMs.webhook)
        .when('kind', '=', 'channel')
        .then(due.leaseNow + leaseMs.channel)
        .else(due.leaseNow + leaseMs.mail)
        .end(),
    }))
    .where(
      'id',
      'in',
      claimed.map((one) => one.id),
    )
    .execute();
  return { claimed, leftSome: claimed.length < found.length || found.length === due.limit };
}

/**
 * Moves the end of leases of ours. One that somebody else works with just then is left out rather than waited for: ask
 * again soon.
 *
 * @returns the ids of those that are ours still, and for as long.
 */
export async function renewLeases(
  tx: Transaction<Schema>,
  ours: readonly Pick<ClaimedDestination, 'id' | 'claim'>[],
  leasedUntil: number,
): Promise<number[]> {
  const engine = engineOf(tx);
  const claims = ours.map(({ id, claim }) => [id, claim]);
  const rows = await tx
    .selectFrom('destination')
    .select('destination.id')
    .innerJoin(
      jsonTable(engine, JSON.stringify(claims), { id: 'integer', claim: 'integer' }).as('ours'),
      (join) =>
        join.onRef('ours.id', '=', 'destination.id').onRef('ours.claim', '=', 'destination.claim'),
    )
    .where('destination.leased_until', 'is not', null)
    .$call(forUpdate(engine, 'skipLocked'))
    .execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return ids;
  await tx
    .updateTable('destination')
    .set({ leased_until: leasedUntil })
    .where('id', 'in', ids)
    .execute();
  return ids;
}

/** Ends all leases: where one process at a time has the database, those that it finds are of one that died. */
export async function endLeases(tx: Transaction<Schema>): Promise<void> {
  await tx
    .updateTable('destination')
    .set({ leased_until: null })
    .where('next_at', 'is not', null)
    .where('leased_until', 'is not', null)
    .execute();
}

function selectDue(db: Kysely<Schema>, due: Omit<DueDestinations, 'limit'>) {
  const { now, leaseNow, onlyFree, exceptIds, exceptOwners, exceptFailing, exceptKinds } = due;
  return db
    .selectFrom('destination')
    .where('next_at', 'is not', null)
    .where((eb) => eb.or([eb('next_at', '<=', now), eb('next_at', '>', now + DISTANT_MS)]))
    .where((eb) =>
      eb.or([
        eb('leased_until', 'is', null),
        ...(onlyFree
          ? []
          : [eb('leased_until', '<=', leaseNow), eb('leased_until', '>', leaseNow + DISTANT_MS)]),
      ]),
    )
    .$if(exceptIds.length > 0, (query) => query.where('id', 'not in', exceptIds))
    .$if(exceptFailing, (query) => query.where('failures', '=', 0))
    .$if(exceptKinds.length > 0, (query) => query.where('kind', 'not in', exceptKinds))
    .$if(exceptOwners.length > 0, (query) => query.where(OWNER, 'not in', exceptOwners))
    .orderBy('next_at')
    .orderBy('id');
}

/** How a destination fares, and whose it is. */
export interface DestinationState {
  id: number;
  failures: number;
  failingSince: number | null;
  lastError: string | null;
  lastDeliveredAt: number | null;
  /** Of a webhook endpoint that failed: no event is sent before then, and one at a time until it answers. */
  heldUntil: number | null;
}

/** What a worker needs of an endpoint or a channel; what is secret is sealed. */
export type LoadedDestination = DestinationState &
  (
    | { kind: 'webhook'; isActive: boolean; endpoint: Selectable<WebhookEndpointTable> }
    | {
        kind: 'channel';
        isActive: boolean;
        channel: Selectable<AlertChannelTable>;
        /** Of a person's own channel. */
        person: { email: string; emailVerified: boolean } | null;
        /** The channel's, else its person's, else UTC. */
        timezone: string;
      }
  );

/** Null where there is no such destination, or no endpoint and no channel to it any more. */
export async function loadDestination(
  db: Kysely<Schema>,
  id: number,
): Promise<LoadedDestination | null> {
  const row = await db
    .selectFrom('destination')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  const state = {
    id,
    failures: row.failures,
    failingSince: row.failing_since,
    lastError: row.last_error,
    lastDeliveredAt: row.last_delivered_at,
    heldUntil: row.held_until,
  };
  if (row.kind === 'webhook') {
    const endpoint = await db
      .selectFrom('webhook_endpoint')
      .selectAll()
      .where('destination_id', '=', id)
      .executeTakeFirst();
    if (endpoint === undefined) return null;
    return { ...state, kind: 'webhook', isActive: endpoint.is_active === 1, endpoint };
  }
  const found = await db
    .selectFrom('alert_channel')
    .leftJoin('person', 'person.id', 'alert_channel.person_id')
    .selectAll('alert_channel')
    .select(['person.email', 'person.email_verified', 'person.timezone as person_timezone'])
    .where('destination_id', '=', id)
    .executeTakeFirst();
  if (found === undefined) return null;
  const { email, email_verified, person_timezone, ...channel } = found;
  return {
    ...state,
    kind: 'channel',
    isActive: channel.enabled === 1,
    channel,
    person: email === null ? null : { email, emailVerified: email_verified === 1 },
    timezone: channel.timezone ?? person_timezone ?? 'UTC',
  };
}

/** A delivery in its queue. Times are epoch milliseconds. */
export interface QueuedDelivery {
  id: number;
  teamId: number | null;
  messageId: string;
  /** test, event, or the kind of a `Notice`. */
  kind: string;
  /** Monitor whose order it keeps; null for none. */
  monitorId: number | null;
  incidentId: number | null;
  alertId: number | null;
  /** When that alert began; null where it is gone. */
  alertOpenedAt: number | null;
  body: string;
  status: string;
  /** Those that were made. */
  attempts: number;
  nextAt: number;
  expiresAt: number;
  createdAt: number;
}

/** What is to be sent next: a test, else the oldest. */
export async function headOf(
  db: Kysely<Schema>,
  destinationId: number,
): Promise<QueuedDelivery | null> {
  // Of a long queue, only ids are sorted.
  const first = db
    .selectFrom('delivery as queued')
    .select('queued.id')
    .where('queued.destination_id', '=', destinationId)
    .where('queued.status', '=', 'pending')
    .orderBy(sql`case when queued.kind = 'test' then 0 else 1 end`)
    .orderBy('queued.id')
    .limit(1);
  const row = await selectQueued(db, destinationId)
    .where('delivery.id', '=', first)
    .executeTakeFirst();
  return row ?? null;
}

/** A page of the pending deliveries but tests, the oldest first. @param after the id of the last one read. */
export function readPending(
  db: Kysely<Schema>,
  destinationId: number,
  { after, limit }: { after: number; limit: number },
): Promise<QueuedDelivery[]> {
  return selectQueued(db, destinationId)
    .where('delivery.status', '=', 'pending')
    .where('delivery.kind', '!=', 'test')
    .where('delivery.id', '>', after)
    .orderBy('delivery.id')
    .limit(limit)
    .execute();
}

/** What was not told and never will be by itself, since something was told; the newest, the oldest of them first. */
export async function readLost(
  db: Kysely<Schema>,
  destinationId: number,
  { since, limit }: { since: number; limit: number },
): Promise<QueuedDelivery[]> {
  const rows = await selectQueued(db, destinationId)
    .where('delivery.status', 'in', ['expired', 'failed'])
    .where('delivery.kind', '!=', 'test')
    .where('delivery.alert_id', 'is not', null)
    .where('delivery.finished_at', '>', since)
    .orderBy('delivery.id', 'desc')
    .limit(limit)
    .execute();
  return rows.toReversed();
}

export function selectQueued(db: Kysely<Schema>, destinationId: number) {
  return db
    .selectFrom('delivery')
    .leftJoin('alert', 'alert.id', 'delivery.alert_id')
    .select([
      'delivery.id',
      'delivery.team_id as teamId',
      'delivery.message_id as messageId',
      'delivery.kind',
      'delivery.monitor_id as monitorId',
      'delivery.incident_id as incidentId',
      'delivery.alert_id as alertId',
      'alert.opened_at as alertOpenedAt',
      'delivery.body',
      'delivery.status',
      'delivery.attempts',
      'delivery.next_at as nextAt',
      'delivery.expires_at as expiresAt',
      'delivery.created_at as createdAt',
    ])
    .where('delivery.destination_id', '=', destinationId);
}

/**
 * Keeps the destination from everybody else until the transaction ends, if it is still ours. All that its queue and its
 * `next_at` are decided by is read after this: who enqueues waits for it, or is seen.
 */
export async function holdDestination(
  tx: Transaction<Schema>,
  { id, claim }: Pick<ClaimedDestination, 'id' | 'claim'>,
): Promise<boolean> {
  const row = await tx
    .selectFrom('destination')
    .select('id')
    .where('id', '=', id)
    .where('claim', '=', claim)
    .$call(forUpdate(engineOf(tx)))
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends the lease; the destination is due again when its queue's head is. In the transaction that holds it. */
export async function releaseDestination(
  tx: Transaction<Schema>,
  id: number,
  now: number,
): Promise<void> {
  const head = await headOf(tx, id);
  // Behind those that have waited longer.
  const nextAt = head === null ? null : isDue(head.nextAt, now) ? now : head.nextAt;
  await tx
    .updateTable('destination')
    .set({ next_at: nextAt, leased_until: null })
    .where('id', '=', id)
    .execute();
}
