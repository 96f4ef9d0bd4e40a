import type { Database } from '../../src/store/database/contract.ts';
import {
  outcomeStore,
  type RecordedAttempt,
  queueChanges,
} from '../../src/store/alerting/delivery-outcomes.ts';
import { updateRow } from '../../src/store/database/rows.ts';
import { noise } from './latency.ts';
import { DAY_MS } from './northwind/problems.ts';
import { ENDPOINTS } from './settings.ts';

const MINUTE_MS = 60_000;
/** An endpoint that fails is tried again after this time at the earliest. */
const RETRY_MS = 2 * MINUTE_MS;
/** Attempts within the 24 hours of a delivery. */
const MAX_ATTEMPTS = 8;
const FAILURE = {
  statusCode: 503,
  error: 'The endpoint answered HTTP 503.',
  response: 'upstream connect error',
};

interface Waiting {
  id: number;
  destinationId: number;
  kind: string;
  host: string | null;
  /** Type of the channel; null for a webhook endpoint. */
  channel: string | null;
  expiresAt: number;
  createdAt: number;
}

/** Ends what waits to be sent as the delivery worker would, some endpoints failing for a time before `now`. */
export async function deliver(database: Database, at: number, now: number): Promise<void> {
  const waiting = await readWaiting(database);
  if (waiting.length === 0) return;
  const mails = waiting.filter(({ kind }) => kind === 'mail' || kind === 'subscriber_mail');
  const others = waiting.filter((one) => !mails.includes(one));
  await database.transaction(async (tx) => {
    const mailIds = mails.map(({ destinationId }) => destinationId);
    if (mailIds.length > 0) {
      await tx.deleteFrom('delivery').where('destination_id', 'in', mailIds).execute();
      await tx.deleteFrom('destination').where('id', 'in', mailIds).execute();
    }
    const arrived = others.filter(({ host }) => !isFailing(host, at, now));
    await queueChanges(tx).recordAttempts(arrived.map((one) => delivered(one, at)));
    for (const id of new Set(arrived.map(({ destinationId }) => destinationId)))
      await updateRow(tx, 'destination', id, { last_delivered_at: at, next_at: null });
  });
}

function isFailing(host: string | null, at: number, now: number): boolean {
  const days = ENDPOINTS.find((one) => one.host === host)?.failingForDays ?? null;
  return days !== null && at > now - days * DAY_MS;
}

function delivered({ id, kind, channel }: Waiting, at: number): RecordedAttempt {
  const durationMs = Math.round(70 + 180 * noise(id));
  const isMail = channel === 'email';
  const statusCode = isMail ? null : kind === 'webhook' ? 204 : 200;
  const attempt = {
    at,
    durationMs,
    statusCode,
    error: null,
    response: isMail || kind === 'webhook' ? null : 'ok',
  };
  return { deliveryId: id, number: 1, attempt, next: { status: 'delivered', at: at + durationMs } };
}

/** Records the failed attempts of endpoints that do not answer, and what followed from them by `now`. */
export async function failEndpoints(database: Database, now: number): Promise<void> {
  const waiting = await readWaiting(database);
  for (const { host, failingForDays, isGivenUp } of ENDPOINTS) {
    if (failingForDays === null) continue;
    const endpoint = await database.read
      .selectFrom('webhook_endpoint')
      .select(['id', 'destination_id'])
      .where('url_host', '=', host)
      .executeTakeFirstOrThrow();
    const own = waiting.filter((one) => one.host === host);
    const since = Math.min(...own.map(({ createdAt }) => createdAt), now);
    // It is switched off five days after its first failure.
    const endedAt = isGivenUp ? since + 5 * DAY_MS : null;
    const until = endedAt ?? now;
    await database.transaction(async (tx) => {
      for (const one of own) {
        if (one.createdAt > until) {
          await tx.deleteFrom('delivery').where('id', '=', one.id).execute();
          continue;
        }
        for (const attempt of failedAttempts(one, until))
          await queueChanges(tx).recordAttempts([attempt]);
        const isOver = one.expiresAt <= until || isGivenUp;
        if (!isOver) continue;
        const finished = Math.min(one.expiresAt, until);
        const status = one.expiresAt <= until ? 'expired' : 'failed';
        await updateRow(tx, 'delivery', one.id, { status, finished_at: finished });
      }
      const health = { failures: own.length, failingSince: since, lastError: FAILURE.error };
      await queueChanges(tx).setHealth(endpoint.destination_id, health);
      const nextAt = endedAt === null ? now + RETRY_MS : null;
      await updateRow(tx, 'destination', endpoint.destination_id, { next_at: nextAt });
      if (endedAt !== null)
        await outcomeStore(tx).deactivateEndpoint(
          endpoint.id,
          'It answered no delivery for 5 days, the last one with 503. Repair it, then switch it on again.',
          endedAt,
        );
    });
  }
}

/** Attempts one after another until `until`, each twice as late as the one before. */
function failedAttempts({ id, createdAt, expiresAt }: Waiting, until: number): RecordedAttempt[] {
  const attempts: RecordedAttempt[] = [];
  let waitMs = MINUTE_MS;
  for (let at = createdAt; at < Math.min(until, expiresAt) && attempts.length < MAX_ATTEMPTS;) {
    const nextAt = at + waitMs;
    attempts.push({
      deliveryId: id,
      number: attempts.length + 1,
      attempt: { at, durationMs: 210, ...FAILURE },
      next: { status: 'pending', nextAt: Math.max(nextAt, until + RETRY_MS) },
    });
    at = nextAt;
    waitMs = Math.min(waitMs * 3, 6 * 60 * MINUTE_MS);
  }
  return attempts;
}

function readWaiting(database: Database): Promise<Waiting[]> {
  return database.read
    .selectFrom('delivery')
    .innerJoin('destination', 'destination.id', 'delivery.destination_id')
    .leftJoin('alert_channel', 'alert_channel.destination_id', 'destination.id')
    .leftJoin('webhook_endpoint', 'webhook_endpoint.destination_id', 'destination.id')
    .select([
      'delivery.id',
      'delivery.destination_id as destinationId',
      'destination.kind',
      'webhook_endpoint.url_host as host',
      'alert_channel.type as channel',
      'delivery.expires_at as expiresAt',
      'delivery.created_at as createdAt',
    ])
    .where('delivery.status', '=', 'pending')
    .orderBy('delivery.id')
    .execute();
}
