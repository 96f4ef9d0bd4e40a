import { makeQueueDue } from '../../store/alerting/delivery-outcomes.ts';
import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import { newSigningSecret } from '../../identity/token.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { Database } from '../../store/database/contract.ts';
import { cancelPending } from '../../store/alerting/delivery-log.ts';
import { enqueueDeliveries } from '../../store/alerting/destinations.ts';
import type { Schema } from '../../store/database/schema.ts';
import {
  deleteWebhookEndpoint,
  findWebhookEndpoint,
  clearFailures,
  insertWebhookEndpoint,
  listWebhookEndpoints,
  updateWebhookEndpoint,
  type WebhookEndpointRow,
} from '../../store/resources/webhook-endpoints.ts';
import { auditTarget } from '../../model/audit.ts';
import { audit } from '../audit-log/entry.ts';
import { canonicalHostOf } from '../../lib/url-host.ts';
import { destinationFault } from '../../model/outgoing.ts';
import { invalidField } from '../common/errors.ts';
import { finderOf } from '../common/find.ts';
import { Findings, readBody } from '../common/input.ts';
import { wholeNumber } from '../../lib/schemas.ts';
import { teamWriter } from '../common/team-writes.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import type { WebhookSettings } from './fields.ts';
import { planWebhook, type WebhookRules } from './input.ts';
import {
  auditedWebhook,
  viewWebhookEndpoint,
  secretsOf,
  webhookColumns,
  webhookSettings,
} from './view.ts';
import type { Call } from '../common/operation.ts';

const HOUR_MS = 3_600_000;
/** Default time for which a former secret signs, too. */
const OVERLAP_HOURS = 24;
const MAX_OVERLAP_HOURS = 168;

export const rotationInput = z.object({
  overlap_hours: wholeNumber(0, MAX_OVERLAP_HOURS, 'a whole number of hours')
    .nullish()
    .meta({
      description: `Hours for which the former secret signs, too; ${OVERLAP_HOURS} unless given.`,
    }),
});

export interface WebhookEndpointDeps extends WebhookRules {
  database: Database;
  clock: Pick<Clock, 'now'>;
  secretBox: SecretBox;
  /** OPEN_SIGNUP: fewer endpoints may be at one host then. */
  openSignup: boolean;
}

/**
 * Webhook endpoints, to which events are sent (contract, section 29). Ids of other teams are not found; a bad body is an
 * InvalidInput. Addresses, tokens and secrets are never shown.
 */
export function createWebhookEndpointService(deps: WebhookEndpointDeps) {
  const { database, clock, secretBox: box } = deps;
  const write = teamWriter(database, 'admin');
  const view = (row: WebhookEndpointRow) => viewWebhookEndpoint(row, clock.now());

  /** @param moved the endpoint that gets this url; null for a new one. */
  async function leaveRoom(
    tx: Transaction<Schema>,
    caller: Caller,
    url: WebhookSettings['url'],
    moved: WebhookEndpointRow | null = null,
  ): Promise<void> {
    const rows = await listWebhookEndpoints(tx, caller.team.id);
    const hosts = rows
      .filter(({ id }) => id !== moved?.id)
      .map(({ url_host }) => canonicalHostOf(url_host));
    const host = typeof url === 'string' ? canonicalHostOf(url) : null;
    const fault = destinationFault('webhook_endpoint', { ...deps, hosts, host });
    if (fault !== null) throw invalidField('webhook_endpoints', fault);
  }

  return {
    async listWebhookEndpoints({ caller }: Call) {
      const rows = await listWebhookEndpoints(database.read, caller.team.id);
      return { total: rows.length, data: rows.map(view) };
    },

    async getWebhookEndpoint({ caller, id }: Call) {
      return view(await findEndpoint(database.read, caller, id));
    },

    createWebhookEndpoint: ({ caller, body }: Call) =>
      write(caller, 'create', async (tx) => {
        const { settings, changed } = planWebhook(null, body, deps);
        await leaveRoom(tx, caller, settings.url);
        const now = clock.now();
        const columns = webhookColumns(settings, changed, secretsOf(caller.team.id, box));
        const id = await insertWebhookEndpoint(tx, caller.team.id, columns, now);
        const target = auditTarget('webhook_endpoint', { id, name: settings.name });
        const after = auditedWebhook(settings);
        await audit(tx, caller, { verb: 'created', target, after }, now);
        return view(await findEndpoint(tx, caller, id));
      }),

    /** Only the keys that are present change. */
    updateWebhookEndpoint: ({ caller, id, body }: Call) =>
      write(caller, 'update', async (tx) => {
        const row = await findEndpoint(tx, caller, id);
        const stored = webhookSettings(row, box);
        const { settings, changed } = planWebhook(stored, body, deps);
        if (changed.length === 0) return view(row);
        if (changed.includes('url')) await leaveRoom(tx, caller, settings.url, row);
        const now = clock.now();
        // The queue is locked before the endpoint, as senders lock them.
        await adjustQueue(tx, row, { changed, isActive: settings.is_active }, now);
        const columns = {
          ...webhookColumns(settings, changed, secretsOf(caller.team.id, box)),
          ...(changed.includes('is_active') && { deactivated_reason: null }),
          ...(changed.includes('signing_secret') &&
            formerSecret(row, box, {
              overlapMs: settings.signing_secret === null ? 0 : OVERLAP_HOURS * HOUR_MS,
              now,
            })),
        };
        await updateWebhookEndpoint(tx, id, columns, now);
        const change = {
          verb: 'updated',
          target: auditTarget('webhook_endpoint', { id, name: settings.name }),
          before: auditedWebhook(stored),
          after: auditedWebhook(settings),
        };
        await audit(tx, caller, change, now);
        return view(await findEndpoint(tx, caller, id));
      }),

    /** Deletes its deliveries, too. */
    deleteWebhookEndpoint: ({ caller, id }: Call) =>
      write(caller, 'delete', async (tx) => {
        const row = await findEndpoint(tx, caller, id);
        await deleteWebhookEndpoint(tx, row);
        const before = auditedWebhook(webhookSettings(row, box));
        const target = auditTarget('webhook_endpoint', row);
        await audit(tx, caller, { verb: 'deleted', target, before }, clock.now());
      }),

    /** Sends an event of no monitor, also where the endpoint is off. */
    testWebhookEndpoint: ({ caller, id }: Call) =>
      write(caller, 'update', async (tx) => {
        const row = await findEndpoint(tx, caller, id);
        const now = clock.now();
        await enqueueDeliveries(tx, [testDelivery(row, now)], now);
        const target = auditTarget('webhook_endpoint', row);
        await audit(tx, caller, { verb: 'tested', target }, now);
        return {
          message: `A test event is on its way to ${row.url_host}. What becomes of it is shown among the endpoint's deliveries.`,
        };
      }),

    /** A fresh secret, shown this once; the former one signs beside it for a while. */
    rotateWebhookSecret: ({ caller, id, body }: Call) =>
      write(caller, 'update', async (tx) => {
        const row = await findEndpoint(tx, caller, id);
        const findings = new Findings();
        const { overlap_hours } = readBody(rotationInput, body, findings) as z.output<
          typeof rotationInput
        >;
        findings.throwIfAny();
        const now = clock.now();
        const secret = newSigningSecret();
        const overlapMs = (overlap_hours ?? OVERLAP_HOURS) * HOUR_MS;
        const former = formerSecret(row, box, { overlapMs, now });
        const sealed = secretsOf(row.team_id, box).seal(secret, 'signing_secret');
        await updateWebhookEndpoint(tx, id, { signing_secret: sealed, ...former }, now);
        const validUntil = isoOrNull(former.previous_secret_until);
        const change = {
          verb: 'secret_rotated',
          target: auditTarget('webhook_endpoint', row),
          before: { signing_secret: row.signing_secret },
          after: { signing_secret: secret, previous_valid_until: validUntil },
        };
        await audit(tx, caller, change, now);
        return { signing_secret: secret, previous_valid_until: validUntil };
      }),
  };
}

export const findEndpoint = finderOf('webhook endpoint', findWebhookEndpoint);

/** The columns of the secret that signs beside its successor, null where there was none or it can't be read. */
function formerSecret(
  row: WebhookEndpointRow,
  box: SecretBox,
  { overlapMs, now }: { overlapMs: number; now: number },
) {
  const former = webhookSettings(row, box).signing_secret;
  if (overlapMs === 0 || typeof former !== 'string')
    return { previous_signing_secret: null, previous_secret_until: null };
  return {
    previous_signing_secret: secretsOf(row.team_id, box).seal(former, 'previous_signing_secret'),
    previous_secret_until: now + overlapMs,
  };
}

/** Applies a change of an endpoint to its queue. */
async function adjustQueue(
  tx: Transaction<Schema>,
  { destination_id: destinationId }: WebhookEndpointRow,
  { changed, isActive }: { changed: readonly (keyof WebhookSettings)[]; isActive: boolean },
  now: number,
): Promise<void> {
  if (changed.includes('is_active')) {
    if (isActive) await clearFailures(tx, destinationId);
    // Else late events would arrive when it is switched on again.
    else await cancelPending(tx, destinationId, now);
  }
  if (WHERE_TO.some((name) => changed.includes(name))) await makeQueueDue(tx, destinationId, now);
}

const WHERE_TO = ['url', 'auth_type', 'auth_header_name', 'auth_token'] as const;

/** The keys of an event, and no others (contract 28.11). */
function testDelivery(row: WebhookEndpointRow, now: number) {
  const body = {
    event: TEST_EVENT,
    timestamp: isoTime(now),
    monitor: { id: 0, name: 'Test', url: 'https://example.com' },
    status: {
      current: 'online',
      previous: 'online',
      root_cause: null,
      region: null,
      is_regional_issue: false,
    },
    incident: null,
  };
  return {
    destinationId: row.destination_id,
    teamId: row.team_id,
    messageId: `msg_${randomUUID()}`,
    kind: 'test',
    eventType: TEST_EVENT,
    incidentId: null,
    alertId: null,
    body: JSON.stringify(body),
  };
}

const TEST_EVENT = 'webhook.test';
