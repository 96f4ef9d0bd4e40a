import { sql } from 'kysely';
import type { Db } from '../database/contract.ts';
import { updateRow, hasRow, findRow, updateRows } from '../database/rows.ts';
import { isDue } from './claims.ts';

/** Health of a destination. `heldUntil`: a webhook endpoint failed, and gets no event before then. */
export function loadState(db: Db, id: number) {
  return db
    .selectFrom('destination')
    .select(['id', 'failures', 'failing_since as failingSince', 'last_error as lastError'])
    .select(['last_delivered_at as lastDeliveredAt', 'held_until as heldUntil'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Null when the endpoint does not exist any more. Secrets are sealed. @param id of its destination. */
export async function loadEndpoint(db: Db, id: number) {
  const state = await loadState(db, id);
  const endpoint = await findRow(db, 'webhook_endpoint', { destination_id: id });
  if (state === undefined || endpoint === undefined) return null;
  return { ...state, kind: 'webhook' as const, isActive: endpoint.is_active === 1, endpoint };
}

/** Null when the channel does not exist any more. Secrets are sealed. @param id of its destination. */
export async function loadChannel(db: Db, id: number) {
  const state = await loadState(db, id);
  const found = await db
    .selectFrom('alert_channel')
    .leftJoin('person', 'person.id', 'alert_channel.person_id')
    .selectAll('alert_channel')
    .select(['person.email', 'person.email_verified', 'person.timezone as person_timezone'])
    .where('destination_id', '=', id)
    .executeTakeFirst();
  if (state === undefined || found === undefined) return null;
  const { email, email_verified, person_timezone, ...channel } = found;
  return {
    ...state,
    kind: 'channel' as const,
    isActive: channel.enabled === 1,
    channel,
    /** Owner of a personal channel. */
    person: email === null ? null : { email, emailVerified: email_verified === 1 },
    timezone: channel.timezone ?? person_timezone ?? 'UTC',
  };
}

export type LoadedEndpoint = NonNullable<Awaited<ReturnType<typeof loadEndpoint>>>;
export type LoadedChannel = NonNullable<Awaited<ReturnType<typeof loadChannel>>>;
export type LoadedDestination = LoadedEndpoint | LoadedChannel;

export function queueOf(db: Db, id: number) {
  const pending = { destination_id: id, status: 'pending' };
  return {
    /** Reads the pending delivery that is sent next: a test, else the oldest. */
    async head() {
      // Sorts ids alone, as a queue may be long.
      const first = db
        .selectFrom('delivery as queued')
        .select('queued.id')
        .where('queued.destination_id', '=', id)
        .where('queued.status', '=', 'pending')
        .orderBy(sql`case when queued.kind = 'test' then 0 else 1 end`)
        .orderBy('queued.id')
        .limit(1);
      const row = await selectQueued(db, id).where('delivery.id', '=', first).executeTakeFirst();
      return row ?? null;
    },
    /** Reads a page of pending deliveries except tests, the oldest first. @param after id of the last one read. */
    pending({ after, limit }: { after: number; limit: number }) {
      return selectQueued(db, id)
        .where('delivery.status', '=', 'pending')
        .where('delivery.kind', '!=', 'test')
        .where('delivery.id', '>', after)
        .orderBy('delivery.id')
        .limit(limit)
        .execute();
    },
    /** Reads the newest deliveries about alerts that expired or failed after `since`, in ascending order. */
    async lost({ since, limit }: { since: number; limit: number }) {
      const rows = await selectQueued(db, id)
        .where('delivery.status', 'in', ['expired', 'failed'])
        .where('delivery.kind', '!=', 'test')
        .where('delivery.alert_id', 'is not', null)
        .where('delivery.finished_at', '>', since)
        .orderBy('delivery.id', 'desc')
        .limit(limit)
        .execute();
      return rows.toReversed();
    },
    /**
     * Ends the lease, in the transaction that holds the destination, which is due again when the head of its queue is.
     *
     * @param notBefore epoch ms until which the destination waits.
     */
    async release(now: number, notBefore = 0): Promise<void> {
      const head = await queueOf(db, id).head();
      // Puts it behind destinations that have waited longer.
      const nextAt = head === null ? null : isDue(head.nextAt, now) ? now : head.nextAt;
      await updateRow(db, 'destination', id, {
        next_at: nextAt === null ? null : Math.max(nextAt, notBefore),
        leased_until: null,
      });
    },
    /** Reads pending tests of a webhook endpoint, the oldest first. */
    pendingTests(limit: number) {
      return selectQueued(db, id)
        .where('delivery.status', '=', 'pending')
        .where('delivery.kind', '=', 'test')
        .orderBy('delivery.id')
        .limit(limit)
        .execute();
    },
    /** Counts attempts made so far of all events that are pending now. */
    async attemptsOfPending(): Promise<number> {
      const { attempts } = await db
        .selectFrom('delivery')
        .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('attempts'), eb.val(0)).as('attempts'))
        .where('destination_id', '=', id)
        .where('status', '=', 'pending')
        .where('kind', '!=', 'test')
        .executeTakeFirstOrThrow();
      return Number(attempts);
    },
    /**
     * Ends the lease of a webhook endpoint, in the transaction that holds the destination. It is due again when a test waits, or
     * when its hold is over and the oldest event of some monitor is due.
     *
     * @param notBefore epoch ms until which events wait for the pace of their host.
     */
    async releaseEndpoint(times: { now: number; notBefore: number }): Promise<void> {
      await updateRow(db, 'destination', id, {
        next_at: await nextSendAt(db, id, times),
        leased_until: null,
      });
    },
    /** Postpones one delivery after a failed attempt. */
    async postpone(deliveryId: number, { attempts, nextAt }: { attempts: number; nextAt: number }) {
      await updateRow(db, 'delivery', deliveryId, { attempts, next_at: nextAt });
    },
    /** Deletes one delivery that was sent or given up. */
    async delete(deliveryId: number) {
      await db.deleteFrom('delivery').where('id', '=', deliveryId).execute();
    },
    async empty(): Promise<void> {
      await db.deleteFrom('delivery').where('destination_id', '=', id).execute();
    },
    async countRefused({ since, limit }: { since: number; limit: number }): Promise<number> {
      const rows = await db
        .selectFrom('delivery')
        .select('id')
        .where('destination_id', '=', id)
        .where('status', '=', 'failed')
        .where('kind', '!=', 'test')
        .where('finished_at', '>=', since)
        .limit(limit)
        .execute();
      return rows.length;
    },
    /**
     * Whether one of these deliveries has more attempts than when it was read, or the message was sent.
     *
     * @param messageId id of a message that is sent in place of deliveries; null for none.
     */
    async hasNewerAttempt(
      read: readonly Pick<QueuedDelivery, 'id' | 'attempts'>[],
      messageId: string | null,
    ): Promise<boolean> {
      return hasRow(
        db
          .selectFrom('delivery')
          .where('destination_id', '=', id)
          .where((eb) =>
            eb.or([
              ...read.map((one) =>
                eb.and([eb('id', '=', one.id), eb('attempts', '>', one.attempts)]),
              ),
              ...(messageId === null ? [] : [eb('message_id', '=', messageId)]),
            ]),
          ),
      );
    },
    /** Expires overdue deliveries. @returns how many. */
    async expireOverdue(now: number): Promise<number> {
      const overdue = { ...pending, expires_at: ['<=', now] } as const;
      return updateRows(db, 'delivery', overdue, { status: 'expired', finished_at: now });
    },
    /** Fails all pending deliveries, tests only with `withTests`. @returns how many. */
    async failPending({ now, withTests }: { now: number; withTests: boolean }): Promise<number> {
      const failed = { ...pending, ...(!withTests && ({ kind: ['!=', 'test'] } as const)) };
      return updateRows(db, 'delivery', failed, { status: 'failed', finished_at: now });
    },
    async makePendingDue(now: number): Promise<void> {
      await updateRows(db, 'delivery', { ...pending, next_at: ['>', now] }, { next_at: now });
    },
  };
}

/** A delivery in its queue, which keeps the order of its monitor. Its kind is test, event, or that of a `MessageContent`. */
export type QueuedDelivery = Awaited<
  ReturnType<ReturnType<typeof selectQueued>['execute']>
>[number];

function selectQueued(db: Db, destinationId: number) {
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

async function nextSendAt(
  db: Db,
  id: number,
  { now, notBefore }: { now: number; notBefore: number },
): Promise<number | null> {
  const [test] = await queueOf(db, id).pendingTests(1);
  // Puts it behind destinations that have waited longer.
  if (test !== undefined) return isDue(test.nextAt, now) ? now : test.nextAt;
  const earliest = await earliestEvent(db, id, now);
  if (earliest === null) return null;
  const row = await findRow(db, 'destination', { id }, ['held_until']);
  const heldUntil = row?.held_until ?? null;
  const isHeld = heldUntil !== null && !isDue(heldUntil, now);
  return Math.max(isHeld ? heldUntil : 0, notBefore, earliest);
}

async function earliestEvent(db: Db, id: number, now: number): Promise<number | null> {
  const [oldest] = await queueOf(db, id).pending({ after: 0, limit: 1 });
  if (oldest === undefined) return null;
  if (isDue(oldest.nextAt, now)) return now;
  const heads = db
    .selectFrom('delivery')
    .select(['next_at', 'monitor_id'])
    .select(sql<number>`row_number() over (partition by monitor_id order by id)`.as('place'))
    .where('destination_id', '=', id)
    .where('status', '=', 'pending')
    .where('kind', '!=', 'test');
  const { first, last } = await db
    .selectFrom(heads.as('head'))
    .select((eb) => [eb.fn.min('next_at').as('first'), eb.fn.max('next_at').as('last')])
    .where((eb) => eb.or([eb('place', '=', 1), eb('monitor_id', 'is', null)]))
    .executeTakeFirstOrThrow();
  return isDue(first, now) || isDue(last, now) ? now : first;
}
