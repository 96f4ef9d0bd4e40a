import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterEach, expect, test } from 'vitest';
import { buildDocument, documentText } from '../../scripts/openapi.ts';
import { EXAMPLE_ALERT_TOKEN } from '../../src/resources/alert-links/alert-links.ts';
import { EXAMPLE_LINK_TOKEN } from '../../src/resources/invitations/accept.ts';
import { COLLECTIONS, OPERATIONS, ROUTES } from '../../src/resources/nouns.ts';

import { OWNER_SETTING, SETUP_SETTING } from '../../src/identity/setup-token.ts';
import { hashToken } from '../../src/identity/token.ts';
import type { OpenDatabase } from '../../src/store/database/database.ts';
import { claimSetting } from '../../src/store/database/settings.ts';
import { changeSpans } from '../../src/store/engine/spans.ts';
import { invitationStore } from '../../src/store/people/invitations.ts';
import { teamStore } from '../../src/store/people/teams.ts';
import { NO_MAIL, openApi, type TestApi } from '../support/api.ts';
import { connectApplication } from '../support/applications.ts';
import { storeHealth } from '../support/process-reports.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { giveSession, type StandingPeople } from '../support/people.ts';
import { contract } from '../support/openapi.ts';
import { storeAlerting, storeMessage } from '../support/alerts.ts';
import { storeExpiry } from '../support/overviews.ts';
import { storeReportRun } from '../support/report-runs.ts';
import { storePings } from '../support/pings.ts';
import { storeRounds } from '../support/history.ts';
import { roundOf } from '../support/rounds.ts';
import { updateRows } from '../support/rows.ts';
import { storeAlert, storeChannel, storeEvidence, storeNotified } from '../support/sent-alerts.ts';
import { storeTargetHistory } from '../support/target-facts.ts';
import { storeDelivery } from '../support/webhooks.ts';
import { openInMemory, openWithReader } from '../support/memory-database.ts';

const DAY_MS = 86_400_000;

type Schema = Record<string, unknown>;

interface DocumentedOperation {
  operationId: string;
  description: string;
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const document = buildDocument();
const schemas = document.components!.schemas as Record<string, Schema>;
const opened: OpenDatabase[] = [];

afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
});

test('the document is valid OpenAPI', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never);
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

test('openapi.json is what the source says', () => {
  const file = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
  expect(file === documentText(), 'run "npm run generate"').toBe(true);
});

test('every component is described, and none is there twice under two names', () => {
  const bare = Object.entries(schemas).filter(([, schema]) => !schema['description']);
  expect(bare.map(([name]) => name)).toEqual([]);
  expect(Object.keys(schemas).filter((name) => /(Input|Output)\d*$/.test(name))).toEqual([]);
});

test.for(Object.entries(OPERATIONS))('%s has an example', ([name, operation]) => {
  const { method, status } = ROUTES.find((route) => route.name === name)!;
  const hasAnswer = operation.answer !== undefined || operation.events !== undefined;
  expect(hasAnswer).toBe(status !== 204);
  if (operation.answer !== undefined) expect(operation.example?.answer).toBeDefined();
  if (operation.body !== undefined) expect(operation.example?.body).toBeDefined();
  expect(method).not.toBe('');
});

test.for(Object.entries(OPERATIONS))(
  '%s answers as its example, and names what it ignores [1.17]',
  async ([name, operation]) => {
    const { method, path, needs, status } = ROUTES.find((route) => route.name === name)!;
    const api = await worldOfExamples(name);
    const { id = 1, path: others = {}, query = '', body, answer } = operation.example ?? {};
    const filled = path
      .replace(':id', String(id))
      .replaceAll(/:(\w+)/g, (_all, one: string) => String(others[one] ?? 1));
    const url = `/api/v1${filled}${query === '' ? '' : `?${query}`}`;
    const text = answer === undefined ? '' : JSON.stringify(answer);
    const headers = await headersOfAnswers(api);
    expect(contract().faultsOf({ method, path: url }, { status, headers, text })).toEqual([]);

    const who = needs === 'nobody' ? null : api.alice;
    const more = `${query === '' ? '?' : '&'}unknown_parameter=1`;
    const sent = body === undefined ? undefined : { ...body, unknown_field: 1 };
    const answered = await api.call(who, method, url + more, sent);
    expect([answered.status, answered.text]).toEqual([status, expect.any(String)]);
    // All that the reference documents is read, and nothing else.
    const ignored = ['unknown_parameter', ...(body === undefined ? [] : ['unknown_field'])];
    expect(answered.headers['x-ignored-fields']).toBe(ignored.join(', '));
    if (answer !== undefined) {
      const schema = schemaOfAnswer(name, status);
      expect(differentKeys(schema, answer, answered.body, 'answer')).toEqual([]);
    }
  },
);

/** Its mail would be the first delivery, of which other examples speak. */
async function storeSubscriber(api: TestApi, operation: string): Promise<void> {
  if (!operation.includes('Subscriber')) return;
  const { body } = OPERATIONS['createSubscriber']!.example!;
  await api.call(api.alice, 'POST', '/api/v1/status-pages/1/subscribers', body);
}

const JOB = {
  monitor_type: 'heartbeat',
  friendly_name: 'Backup',
  heartbeat_interval: 300,
  url: undefined,
  check_interval: undefined,
};

/** The things that the examples speak of, as they are stored once for many operations. */
interface Stored {
  image: Uint8Array;
  people: StandingPeople;
  /** That of EXAMPLE_ALERT_TOKEN. */
  link: { alertId: number; destinationId: number };
  now: number;
}

const stored = new Map<string, Promise<Stored>>();

/** Operations whose examples need what others do not: by name, or by a part of it. */
const VARIANTS = [
  'Subscriber',
  'Versions',
  'createResetLink',
  'deletePostMortem',
  'rotatePingUrl',
  'PingAlias',
  'ConfigurationSet',
];

/** An API on the things that the examples speak of, each with the id 1; a job has the id 2. */
async function worldOfExamples(operation: string): Promise<TestApi> {
  const variant = VARIANTS.find((one) => operation.includes(one)) ?? '';
  if (!stored.has(variant)) stored.set(variant, storeExamples(operation));
  const { image, people, link, now } = await stored.get(variant)!;
  const database = await openInMemory({ image });
  opened.push(database);
  return apiFor(operation, { database, link }, { people, clock: createFakeClock({ now }) });
}

const apiFor = (
  operation: string,
  { database, link }: { database: OpenDatabase; link: Stored['link'] },
  edge: Parameters<typeof openApi>[2] = {},
): Promise<TestApi> =>
  openApi(
    database,
    {
      ...(operation === 'createResetLink' && { mailQueue: NO_MAIL }),
      ...(operation === 'getSignInOptions' && {
        signInOffer: () => ({
          providers: [{ id: 'github', name: 'GitHub' }],
          openSignup: false,
          canReset: true,
        }),
      }),
      // Where mail is sent, such links go to their person alone.
      alertLinks: { read: (token) => (token === EXAMPLE_ALERT_TOKEN ? link : null) },
    },
    edge,
  );

async function storeExamples(operation: string): Promise<Stored> {
  const { database, connection } = await openWithReader({});
  opened.push(database);
  const link = { alertId: 1, destinationId: 0 };
  const api = await apiFor(operation, { database, link });
  for (const name of ['createMonitor', 'createIncident', 'createWebhookEndpoint']) {
    const { method, path } = ROUTES.find((route) => route.name === name)!;
    const { body } = OPERATIONS[name]!.example!;
    expect((await api.call(api.alice, method, `/api/v1${path}`, body)).status).toBe(201);
  }
  for (const name of [
    'createMaintenanceWindow',
    'startMaintenance',
    'createStatusPage',
    'createReport',
  ]) {
    const { method, path } = ROUTES.find((route) => route.name === name)!;
    const { body: example } = OPERATIONS[name]!.example!;
    // Without mail no report is mailed.
    const unmailed = { frequency: 'none', recipients: [] };
    const isUnmailed = name === 'createReport' && operation === 'createResetLink';
    const body = { ...example, ...(isUnmailed && unmailed) };
    const place = `/api/v1${path.replace(':id', '1')}`;
    expect((await api.call(api.alice, method, place, body)).status).toBe(201);
  }
  await storeSubscriber(api, operation);
  await storeAnnouncements(api, operation);
  await updateRows(database, 'monitor', { created_at: api.clock.now() - DAY_MS }, { id: 1 });
  const { body: correction } = OPERATIONS['createMonitorCorrection']!.example!;
  await api.call(api.alice, 'POST', '/api/v1/monitors/1/corrections', correction);
  await api.call(api.alice, 'PUT', '/api/v1/monitors/1/slo', { target_percent: 99.9 });
  await api.call(api.alice, 'POST', '/api/v1/monitors/1/check');
  await storePeople(api);
  await storePings(database, 1, [{ at: api.clock.now() }]);
  const sent = { endpointId: 1, at: api.clock.now(), status: 'delivered', incidentId: 1 } as const;
  await storeDelivery(database, { ...sent, attempts: [204] });
  await storeAlerting(api);
  await storeMessage(database, 1, api.clock.now());
  const { teamId } = api.alice;
  const now = api.clock.now();
  await storeEvidence(database, 1);
  link.alertId = await storeAlert(database, { teamId, incidents: [1], now });
  link.destinationId = await storeChannel(database, { teamId }, { now });
  await storeNotified(database, { ...link, incidents: [1] }, now);
  await storeOutage(api);
  await storeTargetHistory(database, { id: 1, teamId, host: 'example.com' }, api.clock.now());
  await storeExpiry(api, 'ssl', 'example.com:443', now + 10 * DAY_MS);
  await giveSession(database, api.alice, { now: api.clock.now() });
  await connectApplication(database, api.alice, { now });
  await storeReportRun(database, { reportId: 1, teamId, now });
  await storeHealth(database, now);
  await leaveSetupLink(database, api.alice.personId);
  await api.call(api.alice, 'POST', '/api/v1/groups', { name: 'Seldom used' });
  for (const { declared } of COLLECTIONS) {
    const path = `/api/v1${declared.path}`;
    const { body } = await api.call(api.alice, 'GET', path);
    if (body['total'] === 0) await api.call(api.alice, 'POST', path, declared.example);
  }
  if (operation === 'rotatePingUrl' || operation.includes('PingAlias')) await api.create(JOB);
  if (operation.includes('PingAlias')) {
    const { body } = OPERATIONS['createPingAlias']!.example!;
    await api.call(api.alice, 'POST', '/api/v1/monitors/2/ping-aliases', body);
  }
  if (operation.includes('ConfigurationSet')) {
    const { body } = OPERATIONS['applyConfiguration']!.example!;
    await api.call(api.alice, 'POST', '/api/v1/configuration/apply', body);
  }
  await api.clock.advance(1_000);
  const { alice, mallory, ed, vera } = api;
  const people = { alice, mallory, ed, vera };
  return { image: connection.raw.serialize(), people, link, now: api.clock.now() };
}

/** Monitor 1 was up once, and has been offline since. */
async function storeOutage({ database, clock, alice }: TestApi): Promise<void> {
  const at = clock.now() - 60_000;
  const round = roundOf('u', { monitorId: 1, startedAt: at });
  await storeRounds(database, [{ round, kind: 'voted', class: 'up' }]);
  await database.transaction((tx) =>
    changeSpans(tx, [{ monitorId: 1, teamId: alice.teamId, status: 'offline', at }]),
  );
  await updateRows(database, 'monitor_state', { observed_until: clock.now() }, { monitor_id: 1 });
}

/** Announcement 1 by a person and 2 of the incident, each with two updates; the first ones have their ids. */
async function storeAnnouncements(api: TestApi, operation: string): Promise<void> {
  const send = async (method: string, path: string, body: object) =>
    expect((await api.call(api.alice, method, `/api/v1${path}`, body)).status).toBeLessThan(300);
  await send('POST', '/announcements', OPERATIONS['createAnnouncement']!.example!.body!);
  const update = OPERATIONS['createAnnouncementUpdate']!.example!.body!;
  for (const path of ['/incidents/1/updates', '/announcements/1/updates', '/incidents/1/updates'])
    await send('POST', path, update);
  if (operation.endsWith('Versions')) {
    await send('PUT', '/announcements/1/updates/1', { text: 'Edited.' });
    await send('PUT', '/incidents/1/updates/2', { text: 'Edited.' });
  }
  if (operation === 'deletePostMortem')
    await send('PUT', '/announcements/1/post-mortem', { text: 'Explained.' });
}

/** As a first start leaves it whose owner is Alice. */
function leaveSetupLink(database: OpenDatabase, personId: number): Promise<void> {
  const { token } = OPERATIONS['completeSetup']!.example!.body as { token: string };
  return database.transaction(async (tx) => {
    await claimSetting(tx, OWNER_SETTING, String(personId));
    await claimSetting(tx, SETUP_SETTING, hashToken(token));
  });
}

/** Somebody was invited by the link of the examples, and Alice is in Mallory's team, too. */
async function storePeople({ database, clock, alice, mallory }: TestApi): Promise<void> {
  const now = clock.now();
  const invitation = { teamId: alice.teamId, email: 'zoe@example.com', role: 'editor' };
  const link = { hash: hashToken(EXAMPLE_LINK_TOKEN), expiresAt: now + 7 * 24 * 3_600_000 };
  await database.transaction(async (tx) => {
    await invitationStore(tx).insert({ ...invitation, ...link, invitedBy: alice.personId }, now);
    await teamStore(tx).insertMember(mallory.teamId, alice.personId, 'viewer', now);
  });
}

/** Those that every answer has, and the tag of resources. */
async function headersOfAnswers(api: TestApi): Promise<Record<string, unknown>> {
  const { headers } = await api.call(api.alice, 'GET', '/api/v1');
  return { ...headers, etag: '"settings.state"' };
}

function schemaOfAnswer(name: string, status: number): Schema {
  const operations = Object.values(document.paths ?? {}).flatMap((item) =>
    Object.values(item as Record<string, DocumentedOperation>),
  );
  const operation = operations.find(({ operationId }) => operationId === name)!;
  return operation.responses[status]!.content!['application/json']!.schema;
}

/** Where an example lacks keys of the real answer or has others; maps may have any keys. */
function differentKeys(schema: Schema, example: unknown, real: unknown, at: string): string[] {
  const shape = shapeOf(schema, real);
  if (Array.isArray(example) && Array.isArray(real)) {
    if (example.length > 0 && real.length === 0) return [`${at} is empty`];
    if (example.length === 0 || shape['items'] === undefined) return [];
    return differentKeys(shape['items'] as Schema, example[0], real[0], `${at}[0]`);
  }
  if (!isRecord(example) || !isRecord(real) || !isRecord(shape['properties'])) return [];
  const properties = shape['properties'] as Record<string, Schema>;
  const names = new Set([...Object.keys(example), ...Object.keys(real)]);
  return [...names].flatMap((name) => {
    const place = `${at}.${name}`;
    if (!Object.hasOwn(example, name)) return [`${place} is missing in the example`];
    if (!Object.hasOwn(real, name)) return [`${place} is only in the example`];
    return differentKeys(properties[name] ?? {}, example[name], real[name], place);
  });
}

/** The schema behind references, and of several the one for such a value. */
function shapeOf(schema: Schema, value: unknown): Schema {
  if (typeof schema['$ref'] === 'string') {
    const name = schema['$ref'].split('/').at(-1)!;
    return shapeOf(schemas[name]!, value);
  }
  const options = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  if (options === undefined) return schema;
  const shapes = options.map((option) => shapeOf(option, value));
  const wanted = Array.isArray(value) ? 'items' : 'properties';
  return shapes.find((shape) => shape[wanted] !== undefined) ?? {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
