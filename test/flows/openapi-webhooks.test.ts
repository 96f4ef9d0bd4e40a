import type { Subject } from '../../src/store/engine/incident-changes.ts';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WEBHOOK_PARAMETERS, WEBHOOK_RESPONSES } from '../../scripts/openapi-webhooks.ts';
import { WEBHOOK_EVENTS } from '../../src/resources/webhooks/events-reference.ts';
import {
  eventName,
  eventPayload,
  infoPayload,
  type NotifiedChange,
} from '../../src/engine/record/event.ts';
import type { IncidentOpening, IncidentResolution } from '../../src/model/incident.ts';
import { CONDITIONS, type Condition } from '../../src/model/condition.ts';
import { isPushType, MONITOR_TYPES, type MonitorType } from '../../src/monitor-types/registry.ts';
import { outcomeOf } from '../../src/alerting/channels/index.ts';
import { sendWebhook, type WebhookTarget } from '../../src/alerting/delivery/webhook.ts';
import { sharedApi } from '../support/api.ts';
import { secretBox } from '../support/deliveries.ts';
import { contract, expectDocumentedWebhook } from '../support/openapi.ts';
import { startProvider, type Provider } from '../support/provider.ts';

const shared = sharedApi();
const { document, eventFaults, webhookFaults } = contract();
const NOW = Date.UTC(2030, 0, 1);
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** A change of a monitor, its name as an event, and how much that matters. */
interface Told {
  name: string;
  severity: string;
  type: MonitorType;
  change: NotifiedChange;
}

/** All that a monitor of that type can tell of. */
function changesOf(type: MonitorType): Told[] {
  const conditions = (Object.keys(CONDITIONS) as Condition[]).filter(
    (condition) => isPushType(type) === (condition === 'heartbeat'),
  );
  return conditions.flatMap((condition) => {
    const { type: incident, severity } = CONDITIONS[condition];
    const base = { monitorId: 7, teamId: 1, type: incident, condition, at: NOW };
    const ill = severity === 'critical' ? 'offline' : 'degraded';
    const opening: IncidentOpening = {
      ...base,
      kind: 'open',
      severity,
      status: { previous: 'pending', current: ill },
      rootCause: 'HTTP 503',
      failureCode: 'http_status',
      regions: null,
      evidence: [],
      from: null,
    };
    const ending: IncidentResolution = {
      ...base,
      kind: 'resolve',
      status: { previous: ill, current: 'online' },
      reason: 'recovered',
      into: null,
    };
    const changes: NotifiedChange[] = [opening, ending];
    if (condition === 'keyword') changes.push({ ...opening, failureCode: 'keyword_found' });
    return changes.map((change) => {
      const weight = change.kind === 'open' ? severity : 'info';
      return { name: eventName(type, change), severity: weight, type, change };
    });
  });
}

const TOLD = MONITOR_TYPES.flatMap(changesOf);
const NOT_OF_INCIDENTS = ['monitor.dns_changed', 'webhook.test'];

function subject(type: MonitorType, name: string | null): Subject {
  return { id: 7, type, name, url: 'https://shop.example.com' };
}

test('what is documented is what monitors can tell of, with its severity, and no more', () => {
  const severities = new Map(TOLD.map(({ name, severity }) => [name, severity]));
  const documented = Object.entries(WEBHOOK_EVENTS).filter(
    ([name]) => !NOT_OF_INCIDENTS.includes(name),
  );
  expect(Object.fromEntries(documented.map(([name, { severity }]) => [name, severity]))).toEqual(
    Object.fromEntries(severities),
  );
  expect(Object.keys(document.webhooks ?? {})).toEqual(Object.keys(WEBHOOK_EVENTS));
  expect(Object.keys(WEBHOOK_EVENTS)).toEqual(expect.arrayContaining(NOT_OF_INCIDENTS));
});

test('bodies as the engine makes them are as documented [28.11]', () => {
  for (const { name, type, change } of TOLD) {
    for (const [title, rootCause, region] of [
      ['Shop', 'HTTP 503', 'fra, sin'],
      [null, null, null],
    ] as const) {
      const incident = { id: 12, started_at: NOW, root_cause: rootCause, region };
      const payload = eventPayload(name, change, subject(type, title), incident, NOW);
      expect(eventFaults(JSON.stringify(payload)), name).toEqual([]);
    }
  }
  const notice = infoPayload('monitor.dns_changed', 'More', subject('port', null), 'offline', NOW);
  expect(eventFaults(JSON.stringify(notice))).toEqual([]);
});

test.for(Object.entries(WEBHOOK_EVENTS))('the example of %s is one', ([name, { example }]) => {
  expect(example.event).toBe(name);
  expect(eventFaults(JSON.stringify(example))).toEqual([]);
  const told = TOLD.find((one) => one.name === name);
  if (told === undefined) return;
  // Its keys are those of a body that the engine makes, in the same order.
  const { status, incident, timestamp, monitor } = example;
  const isRegional = status.is_regional_issue && ({ type: 'regional' } as const);
  const made = eventPayload(
    name,
    { ...told.change, status, ...isRegional },
    { id: monitor.id, type: told.type, name: monitor.name, url: monitor.url ?? 'a secret' },
    {
      id: incident!.id,
      started_at: Date.parse(incident!.started_at),
      root_cause: status.root_cause,
      region: status.region,
    },
    Date.parse(timestamp),
  );
  expect(JSON.stringify(made)).toBe(JSON.stringify(example));
});

describe('a body that is not as documented', () => {
  const right = WEBHOOK_EVENTS['monitor.down']!.example;
  test.for<[string, unknown, string]>([
    ['has a further key', { ...right, team: 1 }, 'additional properties'],
    ['has one further in', { ...right, monitor: { ...right.monitor, port: 1 } }, 'additional'],
    ['lacks a key', { ...right, status: undefined }, "required property 'status'"],
    ['has no incident', { ...right, incident: null }, '/incident must be object'],
    [
      'has a status of its own',
      { ...right, status: { ...right.status, current: 'up' } },
      'allowed',
    ],
    ['has a time without a zone', { ...right, timestamp: '2030-01-01T00:00:00' }, 'date-time'],
    ['is of no known event', { ...right, event: 'monitor.exploded' }, 'monitor.exploded is not'],
    ['is no object', 'down', 'The event undefined is not documented.'],
  ])('%s', ([, body, fault]) => {
    expect(eventFaults(JSON.stringify(body)).join()).toContain(fault);
  });
});

describe('requests', () => {
  let receiver: Provider;
  beforeAll(async () => void (receiver = await startProvider()));
  afterAll(() => receiver.close());

  const { seal } = secretBox.of('webhook_endpoint', 1);

  async function sent(name: string, more: Partial<WebhookTarget> = {}) {
    const target: WebhookTarget = {
      row: { kind: 'webhook_endpoint', owner: 1, urlColumn: 'url' },
      url: seal('https://hooks.example.com/in', 'url'),
      authType: 'none',
      authHeaderName: null,
      authToken: null,
      signingSecret: null,
      previousSigningSecret: null,
      previousSecretUntil: null,
      ...more,
    };
    const body = JSON.stringify(WEBHOOK_EVENTS[name]!.example);
    const messageId = 'msg_5f0c3f66-6d3c-4a3e-9d07-8a4b0d1a7f11';
    const tools = { http: receiver.http, secretBox, userAgent: 'Tocsin/0.1.0', now: () => NOW };
    const { signal } = new AbortController();
    await sendWebhook(target, { messageId, body }, tools, signal);
    return receiver.requests.at(-1)!;
  }

  const replaced = {
    previousSigningSecret: seal(SECRET, 'previous_signing_secret'),
    previousSecretUntil: NOW + 1,
  };
  test.for<[string, Partial<WebhookTarget>, number]>([
    ['without a secret', {}, 0],
    ['with one', { signingSecret: seal(SECRET, 'signing_secret') }, 2],
    [
      'with two',
      { signingSecret: seal('a secret that is text', 'signing_secret'), ...replaced },
      3,
    ],
    ['with authentication', { authType: 'bearer', authToken: seal(SECRET, 'auth_token') }, 0],
  ])('%s have the headers that are documented', async ([, target, signatures]) => {
    const { headers, body } = await sent('monitor.up', target);
    expect(() => expectDocumentedWebhook({ headers, body })).not.toThrow();
    expect(Object.keys(headers).filter((name) => name.includes('signature'))).toHaveLength(
      signatures,
    );
  });

  test.for<[string, Record<string, string | undefined>, string]>([
    ['without an id', { 'webhook-id': undefined }, 'The header webhook-id is missing.'],
    [
      'with a time in milliseconds',
      { 'webhook-timestamp': String(NOW) },
      'webhook-timestamp is 18',
    ],
    ['with half a signature', { 'webhook-signature': 'v1,AAAA' }, 'webhook-signature is v1,AAAA.'],
    ['with a plain signature in base64', { 'x-webhook-signature': 'sha256=A=' }, 'is sha256=A=.'],
    ['with a header that nobody knows', { 'webhook-attempt': '1' }, 'webhook-attempt is not'],
    ['of another type', { 'content-type': 'text/plain' }, 'said not to be JSON'],
  ])('%s are not', async ([, change, fault]) => {
    const { headers, body } = await sent('webhook.test', {
      signingSecret: seal(SECRET, 'signing_secret'),
    });
    const changed = { ...headers, ...change };
    expect(webhookFaults({ headers: changed, body }).join()).toContain(fault);
    expect(() => expectDocumentedWebhook({ headers: changed, body })).toThrow(fault);
  });
});

test('the test that somebody asks for is as documented', async () => {
  const api = await shared();
  const endpoint = { name: 'Chat ops', url: 'https://hooks.example.com/in' };
  const call = (method: string, path: string, sent?: object) =>
    api.call(api.alice, method, `/api/v1/webhook-endpoints${path}`, sent);
  const { id } = (await call('POST', '', endpoint)).body;
  expect((await call('POST', `/${id}/test`)).status).toBe(202);
  const [delivery] = (await call('GET', `/${id}/deliveries`)).body['data'] as { id: number }[];
  const { body } = (await call('GET', `/${id}/deliveries/${delivery!.id}`)).body;
  expect(eventFaults(String(body))).toEqual([]);
  const { timestamp, ...example } = WEBHOOK_EVENTS['webhook.test']!.example;
  expect(JSON.parse(String(body))).toEqual({
    ...example,
    timestamp: expect.not.stringMatching(timestamp),
  });
});

test('the signatures of the examples are right: who verifies them can try it on them', () => {
  const body = JSON.stringify(WEBHOOK_EVENTS['monitor.down']!.example);
  const headers = Object.fromEntries(
    Object.values(WEBHOOK_PARAMETERS).map(({ name, example }) => [name.toLowerCase(), example]),
  );
  expect(
    webhookFaults({ headers: { ...headers, 'content-type': 'application/json' }, body }),
  ).toEqual([]);
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
  const id = headers['webhook-id'] as string;
  expect(new Webhook(SECRET).sign(id, at, body)).toBe(headers['webhook-signature']);
  expect(WEBHOOK_PARAMETERS['WebhookSignature']!.description).toContain(SECRET);
});

test('each answer has the outcome that is documented for its status', () => {
  const outcomes: Record<string, string> = {
    WebhookTaken: 'delivered',
    WebhookTryLater: 'failed',
    WebhookGone: 'gone',
    WebhookRefused: 'refused',
  };
  expect(Object.keys(WEBHOOK_RESPONSES)).toEqual(Object.keys(outcomes));
  const { post } = document.webhooks!['monitor.down'] as unknown as {
    post: { responses: Record<string, { $ref: string }> };
  };
  for (let status = 200; status < 600; status += 1) {
    const { responses } = post;
    const found = responses[status] ?? responses[`${Math.floor(status / 100)}XX`];
    const { $ref } = found ?? responses['default']!;
    const answer = { ok: true, status, headers: {}, body: Buffer.alloc(0) } as const;
    expect(outcomes[$ref.split('/').at(-1)!], `HTTP ${status}`).toBe(
      outcomeOf('The endpoint', answer, NOW).outcome,
    );
  }
});

test('docs/webhooks.md shows the example, and names every event with its severity', () => {
  const text = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
  const [, shown = ''] = /```json\n(.*?)```/s.exec(text) ?? [];
  expect(JSON.parse(shown)).toEqual(WEBHOOK_EVENTS['monitor.down']!.example);
  const rows = [...text.matchAll(/^\| (`(?:monitor|webhook)\..*?) \| .* \| (\w+) \|$/gm)];
  const told = rows.flatMap(([, names = '', severity]) =>
    [...names.matchAll(/`([a-z]+)?\.([a-z_]+)`/g)].map(([, family = 'monitor', word]) => [
      `${family}.${word}`,
      severity,
    ]),
  );
  const documented = Object.entries(WEBHOOK_EVENTS).map(([name, { severity }]) => [name, severity]);
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(documented));
});
