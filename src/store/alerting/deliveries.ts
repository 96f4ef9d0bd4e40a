import { sql } from 'kysely';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { engineOf, forUpdate, jsonTable } from '../database/dialect.ts';
import type { AlertChannelTable, WebhookEndpointTable } from '../database/schema-alerts.ts';
import type { Schema } from '../database/schema.ts';
import { DESTINATION_KINDS } from './destinations.ts';
import type { DestinationKind } from './destinations.ts';
import { updateRow, hasRow } from '../database/rows.ts';

/** A destination that only the claiming process sends to, until its lease ends. */
export interface ClaimedDestination extends FoundDestination {
  /** Number of the claim; a higher one in the database means that another process has claimed the destination. */
  claim: number;
}

/** A destination that is due. */
export interface FoundDestination {
  id: number;
  kind: DestinationKind;
  /**
   * Id of the team, negative id of the person, or 0 for a mail. The subscribers of a team's pages are an owner of their
   * own, so that they take no slots from its alerts.
   */
  owner: number;
  /** Whether its newest attempt failed. */
  isFailing: boolean;
}

export interface DueDestinations {
  now: number;
  /** Time of the clock that leases go by. */
  leaseNow: number;
  /** Excludes destinations whose lease ran out. */
  onlyFree: boolean;
  limit: number;
  /** Destinations that are not claimed. */
  exceptIds: readonly number[];
  /** Owners whose destinations are not claimed. */
  exceptOwners: readonly number[];
  /** Excludes destinations whose newest attempt failed. */
  exceptFailing: boolean;
  exceptKinds: readonly DestinationKind[];
}

/** Times that lie further ahead were written before the clock was set back, milliseconds. */
const DISTANT_MS = 3 * 3_600_000;

export function isDue(at: number, now: number): boolean {
  return at <= now || at > now + DISTANT_MS;
}

/** Beyond the ids of people. */
const SUBSCRIBERS_OF = 2 ** 50;

/** Owner of a destination: the person of a personal channel, else the team. */
const OWNER = sql<number>`case when destination.kind = 'subscriber' then ${sql.lit(-SUBSCRIBERS_OF)} - coalesce(destination.team_id, 0)
  else coalesce(destination.team_id, (select -person_id from alert_channel where alert_channel.destination_id = destination.id), 0) end`;

/** Whether a destination is due that no process is sending to. */
export async function isDestinationDue(
  db: Kysely<Schema>,
  due: Omit<DueDestinations, 'limit'>,
): Promise<boolean> {
  const row = await selectDue(db, due).select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

/**
 * Claims destinations that are due, the longest due first.
 *
 * @param choose returns the ids to claim of those found. @param leaseMs duration of the lease, by kind.
 * @returns the claimed destinations, and whether others are due.
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
        .when('kind', '=', 'subscriber')
        .then(due.leaseNow + leaseMs.subscriber)
        .when('kind', '=', 'subscriber_mail')
        .then(due.leaseNow + leaseMs.subscriber_mail)
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
 * Extends leases. A destination that another session has locked is skipped: the caller repeats the call soon.
 *
 * @returns the ids whose leases were extended.
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

/** Ends all leases, at the start of the only process on a database: the ones it finds belong to a process that died. */
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
  return (
    db
      .selectFrom('destination')
      .where('next_at', 'is not', null)
      // Kinds of a newer release are left to its processes.
      .where('kind', 'in', DESTINATION_KINDS)
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
      .orderBy('id')
  );
}

/** Health of a destination. */
export interface DestinationState {
  id: number;
  failures: number;
  failingSince: number | null;
  lastError: string | null;
  lastDeliveredAt: number | null;
  /** Set for a webhook endpoint that failed: no event is sent before then, and one at a time until it answers. */
  heldUntil: number | null;
}

/** A webhook endpoint with its health. Secrets are sealed. */
export interface LoadedEndpoint extends DestinationState {
  kind: 'webhook';
  isActive: boolean;
  endpoint: Selectable<WebhookEndpointTable>;
}

/** A channel with its health. Secrets are sealed. */
export interface LoadedChannel extends DestinationState {
  kind: 'channel';
  isActive: boolean;
  channel: Selectable<AlertChannelTable>;
  /** Owner of a personal channel. */
  person: { email: string; emailVerified: boolean } | null;
  /** Time zone of the channel, else of its owner, else UTC. */
  timezone: string;
}

export type LoadedDestination = LoadedEndpoint | LoadedChannel;

async function loadState(db: Kysely<Schema>, id: number): Promise<DestinationState | null> {
  const row = await db
    .selectFrom('destination')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id,
    failures: row.failures,
    failingSince: row.failing_since,
    lastError: row.last_error,
    lastDeliveredAt: row.last_delivered_at,
    heldUntil: row.held_until,
  };
}

/** Returns null when the endpoint does not exist any more. @param id of its destination. */
export async function loadEndpoint(db: Kysely<Schema>, id: number): Promise<LoadedEndpoint | null> {
  const state = await loadState(db, id);
  if (state === null) return null;
  const endpoint = await db
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('destination_id', '=', id)
    .executeTakeFirst();
  if (endpoint === undefined) return null;
  return { ...state, kind: 'webhook', isActive: endpoint.is_active === 1, endpoint };
}

/** Returns null when the channel does not exist any more. @param id of its destination. */
export async function loadChannel(db: Kysely<Schema>, id: number): Promise<LoadedChannel | null> {
  const state = await loadState(db, id);
  if (state === null) return null;
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
  /** When that alert began; null when it no longer exists. */
  alertOpenedAt: number | null;
  body: string;
  status: string;
  /** Attempts made so far. */
  attempts: number;
  nextAt: number;
  expiresAt: number;
  createdAt: number;
}

/** Reads the pending delivery that is sent next: a test, else the oldest. */
export async function headOf(
  db: Kysely<Schema>,
  destinationId: number,
): Promise<QueuedDelivery | null> {
  // Sorts ids alone, as a queue may be long.
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

/** Reads a page of pending deliveries except tests, the oldest first. @param after id of the last one read. */
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

/** Reads the newest deliveries about alerts that expired or failed after `since`, in ascending order. */
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
 * Locks the destination until the transaction ends, if the claim is still valid. Read the queue after this call: a
 * transaction that enqueues waits for the lock, or its rows are visible.
 *
 * @returns false when another process has claimed the destination.
 */
export async function lockDestination(
  tx: Transaction<Schema>,
  { id, claim }: Pick<ClaimedDestination, 'id' | 'claim'>,
): Promise<boolean> {
  return hasRow(
    tx
      .selectFrom('destination')
      .where('id', '=', id)
      .where('claim', '=', claim)
      .$call(forUpdate(engineOf(tx))),
  );
}

/**
 * Ends the lease, in the transaction that holds the destination, which is due again when the head of its queue is.
 *
 * @param notBefore epoch ms until which the destination waits.
 */
export async function releaseDestination(
  tx: Transaction<Schema>,
  id: number,
  now: number,
  notBefore = 0,
): Promise<void> {
  const head = await headOf(tx, id);
  // Puts it behind destinations that have waited longer.
  const nextAt = head === null ? null : isDue(head.nextAt, now) ? now : head.nextAt;
  await updateRow(tx, 'destination', id, {
    next_at: nextAt === null ? null : Math.max(nextAt, notBefore),
    leased_until: null,
  });
}
