import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { newSigningSecret } from '../../lib/signing-secret.ts';
import { wholeNumber } from '../../lib/schemas.ts';
import { openIfPossible } from '../../lib/columns.ts';
import type { RowSecrets, SecretBox } from '../../lib/secret-box.ts';
import { canonicalHostOf, hostOf } from '../../lib/url-host.ts';
import { DESTINATION_LIMITS, destinationFault } from '../../model/outgoing.ts';
import { queueChanges } from '../../store/alerting/delivery-outcomes.ts';
import {
  selectWithState,
  type WithState,
  destinationStore,
} from '../../store/alerting/destinations.ts';
import { updateRow } from '../../store/database/rows.ts';
import { recordChange } from '../common/change.ts';
import { collection, type CollectionDeps, type Scope } from '../common/collection.ts';
import { settingsOf } from '../common/fields.ts';
import { readBody } from '../common/input.ts';
import { noun, type Call } from '../common/operation.ts';
import { time } from '../common/reference-schemas.ts';
import { teamWriter } from '../common/team-writes.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import {
  resolveAuth,
  WEBHOOK_FIELDS,
  webhookUrlFault,
  type WebhookRules,
  type WebhookSettings,
} from './fields.ts';

const HOUR_MS = 3_600_000;
/** Default time for which a former secret signs, too. */
const OVERLAP_HOURS = 24;
const MAX_OVERLAP_HOURS = 168;

/** Changes of these try what waits at once. */
const WHERE_TO = ['url', 'auth_type', 'auth_header_name', 'auth_token'] as const;

interface WebhookDeps extends CollectionDeps, WebhookRules {
  secretBox: SecretBox;
  /** OPEN_SIGNUP: fewer endpoints may be at one host then. */
  openSignup: boolean;
}

const secretsOf = ({ secretBox }: WebhookDeps, teamId: number) =>
  secretBox.of('webhook_endpoint', teamId);

/** Webhook endpoints, to which events are sent (contract, section 29). */
export const webhookEndpoints = collection({
  noun: 'webhook endpoint',
  tag: 'Webhooks',
  path: '/webhook-endpoints',
  verbs: ['secret_rotated', 'tested', 'redelivered'],
  table: 'webhook_endpoint',
  meaning: 'An address that is sent events.',
  fields: WEBHOOK_FIELDS,
  order: [],
  writer: 'admin',
  says: {
    list: 'All endpoints of the team, the oldest first.',
    create: `Events of the chosen severities are sent to its address from then on: what such a request looks like stands under Events. A team has at most ${DESTINATION_LIMITS.webhook_endpoint.perTeam}. \`url\`, \`auth_token\` and \`signing_secret\` are kept encrypted and never shown again.`,
    update: [
      'Update a webhook endpoint',
      'Only the fields that are sent change; eight bullets keep a stored secret as well. Switching it off gives up what waits to be sent; switching it on forgets its failures.',
    ],
    delete: 'Its deliveries go with it, those that wait too.',
  },
  example: {
    name: 'Chat ops',
    url: 'https://hooks.example.com/tocsin/7Hq2',
    auth_type: 'bearer',
    auth_token: 'n3WdTn9x',
    signing_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    severities: ['critical', 'warning'],
  },
  change: { name: 'Pager', severities: ['critical'] },
  more: {
    byItself: ['last_delivered_at', 'failing_since', 'last_error'],
    shape: {
      url_host: z.string().meta({
        description: 'The host of its address. The address itself is a secret and never shown.',
      }),
      deactivated_reason: z.string().nullable().meta({
        description: 'Why the service switched it off; null when it did not.',
      }),
      has_signing_secret: z.boolean(),
      previous_secret_until: time.nullable().meta({
        description: 'Until then the former secret signs, too; null when it does not.',
      }),
      last_delivered_at: time.nullable(),
      failing_since: time.nullable().meta({
        description: 'Since when every attempt failed; null when the last one did not.',
      }),
      last_error: z.string().nullable().meta({ description: 'What went wrong last, since then.' }),
    },
    example: {
      url_host: 'hooks.example.com',
      deactivated_reason: null,
      has_signing_secret: true,
      previous_secret_until: null,
      last_delivered_at: null,
      failing_since: null,
      last_error: null,
    },
    view: viewMore,
    exported: viewMore,
  },
  select: (db) => selectWithState(db, 'webhook_endpoint'),
  secrets: secretsOf,

  async given({ deps }: Scope<WebhookDeps>, { stored, input, findings }) {
    const fault = typeof input.url === 'string' ? webhookUrlFault(input.url, deps) : null;
    if (fault !== null) findings.add('url', fault);
    return { ...input, ...resolveAuth(stored, input, findings) };
  },

  async check({ tx, caller, deps }, { id, settings: { url }, stored, findings }) {
    findings.throwIfAny();
    if (stored?.url === url) return;
    const all = await tx
      .selectFrom('webhook_endpoint')
      .select(['id', 'url_host'])
      .where('team_id', '=', caller.team.id)
      .execute();
    const others = all.filter((one) => one.id !== id);
    const hosts = others.map(({ url_host }) => canonicalHostOf(url_host));
    const host = url === undefined ? null : canonicalHostOf(url);
    const fault = destinationFault('webhook_endpoint', { ...deps, hosts, host });
    if (fault !== null) findings.add('webhook_endpoints', fault);
  },

  async columns({ tx, caller, now, deps }, { before, after, row }) {
    const teamId = caller.team.id;
    const host = after.url === undefined ? {} : { url_host: hostOf(after.url) ?? '' };
    if (before === null || row === null) {
      const queue = await destinationStore(tx).insert({ kind: 'webhook', teamId, now });
      return { ...host, destination_id: queue };
    }
    const isSwitched = before.is_active !== after.is_active;
    const change = {
      isOn: isSwitched ? after.is_active : null,
      isMoved: WHERE_TO.some((name) => before[name] !== after[name]),
    };
    await queueChanges(tx).adjust(row.destination_id, change, now);
    const { signing_secret: former } = before;
    const until = after.signing_secret === null ? null : now + OVERLAP_HOURS * HOUR_MS;
    return {
      ...host,
      ...(isSwitched && { deactivated_reason: null }),
      ...(former !== after.signing_secret && formerSecret(former, until, secretsOf(deps, teamId))),
    };
  },

  leave: ({ tx }, row) => destinationStore(tx).delete(row.destination_id),

  /** The log shows the host of the url. It masks the url, which has another name there: that of a monitor is no secret. */
  audited: ({ url, ...settings }) => ({
    ...settings,
    url_host: url === undefined ? null : hostOf(url),
    webhook_url: url,
  }),
});

type EndpointRow = WithState<'webhook_endpoint'>;

function viewMore(rows: readonly EndpointRow[], { now }: { now: number }) {
  return rows.map((row) => {
    const { previous_secret_until: until } = row;
    return {
      url_host: row.url_host,
      deactivated_reason: row.deactivated_reason,
      has_signing_secret: row.signing_secret !== null,
      previous_secret_until: isoOrNull(until === null || until <= now ? null : until),
      last_delivered_at: isoOrNull(row.last_delivered_at),
      failing_since: isoOrNull(row.failing_since),
      last_error: row.failing_since === null ? null : row.last_error,
    };
  });
}

/** The columns of the secret that signs beside its successor until then, null where there was none or it can't be read. */
function formerSecret(former: string | null | undefined, until: number | null, box: RowSecrets) {
  if (until === null || typeof former !== 'string')
    return { previous_signing_secret: null, previous_secret_until: null };
  return {
    previous_signing_secret: box.seal(former, 'previous_signing_secret'),
    previous_secret_until: until,
  };
}

const rotationInput = z.object({
  overlap_hours: wholeNumber(0, MAX_OVERLAP_HOURS, 'a whole number of hours')
    .nullish()
    .meta({
      description: `Hours for which the former secret signs, too; ${OVERLAP_HOURS} unless given.`,
    }),
});

export const message = z.object({ message: z.string() });

export const webhookActions = noun('Webhooks', createWebhookActions, {
  testWebhookEndpoint: {
    at: 'POST /webhook-endpoints/:id/test',
    needs: 'update',
    role: 'admin',
    budget: 'webhook_test',
    status: 202,
    summary: 'Send a test event',
    description:
      'Sends an event `webhook.test` of a monitor with the id 0, before all that waits, once, and also to an endpoint that is switched off. What came of it stands among its deliveries.',
    answer: message,
    example: {
      answer: {
        message:
          "A test event is on its way to hooks.example.com. What becomes of it is shown among the endpoint's deliveries.",
      },
    },
  },
  rotateWebhookSecret: {
    at: 'POST /webhook-endpoints/:id/rotate-secret',
    needs: 'update',
    role: 'admin',
    summary: 'Replace the signing secret',
    description:
      'The answer alone holds the new secret. Until `previous_valid_until` the former one signs as well, so that receivers can change over in their own time.',
    body: rotationInput,
    answer: z
      .object({
        signing_secret: z.string(),
        previous_valid_until: time.nullable().meta({
          description: 'Null when the former secret ends at once, or there was none.',
        }),
      })
      .meta({ id: 'WebhookSecret', description: 'A new signing secret.' }),
    example: {
      body: { overlap_hours: 48 },
      answer: {
        signing_secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazSfhXHlMqE=',
        previous_valid_until: '2030-01-03T00:00:00.000Z',
      },
    },
  },
});

function createWebhookActions(deps: WebhookDeps) {
  const { database, clock } = deps;
  const write = teamWriter(database, 'admin');
  return {
    testWebhookEndpoint: ({ caller, id }: Call) =>
      write(caller, 'update', async (tx) => {
        const row = await webhookEndpoints.find(tx, caller, id);
        const now = clock.now();
        await destinationStore(tx).enqueue([testDelivery(row, now)], now);
        const target = webhookEndpoints.targetOf(row);
        await recordChange(tx, caller, { verb: 'tested', target }, now);
        return {
          message: `A test event is on its way to ${row.url_host}. What becomes of it is shown among the endpoint's deliveries.`,
        };
      }),

    rotateWebhookSecret: ({ caller, id, body }: Call) =>
      write(caller, 'update', async (tx) => {
        const row = await webhookEndpoints.find(tx, caller, id);
        const hours = readBody(rotationInput, body).overlap_hours ?? OVERLAP_HOURS;
        const now = clock.now();
        const secrets = secretsOf(deps, row.team_id);
        const { signing_secret: stored } = settingsOf<WebhookSettings>(
          WEBHOOK_FIELDS,
          row,
          openIfPossible(secrets),
        );
        const former = formerSecret(stored, hours === 0 ? null : now + hours * HOUR_MS, secrets);
        const secret = newSigningSecret();
        const columns = { signing_secret: secrets.seal(secret, 'signing_secret'), ...former };
        await updateRow(tx, 'webhook_endpoint', id, { ...columns, updated_at: now });
        const validUntil = isoOrNull(former.previous_secret_until);
        const change = {
          verb: 'secret_rotated',
          target: webhookEndpoints.targetOf(row),
          before: { signing_secret: row.signing_secret },
          after: { signing_secret: secret, previous_valid_until: validUntil },
        };
        await recordChange(tx, caller, change, now);
        return { signing_secret: secret, previous_valid_until: validUntil };
      }),
  };
}

const TEST_EVENT = 'webhook.test';

/** The keys of an event, and no others (contract 28.11). */
function testDelivery(row: EndpointRow, now: number) {
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
