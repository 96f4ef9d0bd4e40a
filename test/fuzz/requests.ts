import fc, { type Arbitrary } from 'fast-check';
import type { OpenApiDocument } from '../../scripts/openapi.ts';
import { ODD_BODIES, ODD_HEADERS, ODD_SEGMENTS } from './oddities.ts';
import { ALERT_TOKEN } from './alert-links.ts';
import { PIXEL } from '../../src/resources/status-pages/images.ts';
import { COLLECTIONS, OPERATIONS } from '../../src/resources/nouns.ts';
import { wallLinks } from '../../src/resources/walls.ts';
import { BASE_URL } from '../support/api.ts';
import { SETUP_TOKEN } from './setup-link.ts';
import { linkToken } from './people.ts';
import { parametersOf } from '../support/openapi.ts';
import {
  anExisting,
  nastyText,
  nastyValue,
  valueFor,
  type Existing,
  type JsonSchema,
  type Resolve,
} from './values.ts';

/** Callers: the people of the tests, one with a read-only token, and one without a token. */
export const CALLERS = ['alice', 'ed', 'vera', 'mallory', 'reader', 'nobody', 'garbage'] as const;
export type CallerName = (typeof CALLERS)[number];

/** A request template: ids are filled in when it is sent. */
export interface FuzzRequest {
  who: CallerName;
  method: string;
  /** Segments below `/api`; placeholders stand for existing ids. */
  path: (string | Existing)[];
  query: [name: string, value: string][];
  /** Undefined for no body; text is sent as is, other values as JSON. */
  body: { text: string } | { json: unknown } | undefined;
  headers: Record<string, string>;
}

/** The part of a documented operation that requests are generated from. */
interface Target {
  /** Name of the operation. */
  name: string;
  path: string;
  method: string;
  parameters: { name: string; schema: JsonSchema }[];
  body: JsonSchema | undefined;
  /** Whether it needs no authentication. */
  isOpen: boolean;
}

/**
 * Generates requests from the document, most of them nearly valid, some invalid.
 *
 * @param only names of the operations; all by default.
 */
export function anyRequest(
  document: OpenApiDocument,
  only?: readonly string[],
): Arbitrary<FuzzRequest> {
  const resolve: Resolve = (reference) =>
    reference
      .split('/')
      .slice(1)
      .reduce<unknown>((node, key) => (node as JsonSchema)[key], document) as JsonSchema;
  const targets = targetsOf(document).filter(({ name }) => only?.includes(name) ?? true);
  return fc.oneof(
    ...targets.map((target) => ({
      arbitrary: requestTo(target, resolve),
      // Operations that create objects are more frequent, since the others need objects.
      weight: weightOf(target),
    })),
    { arbitrary: requestToNothing(), weight: 2 },
  );
}

/** Operations whose answer takes long and creates nothing that others need; sets read all that a team has. */
export const SLOW = new Set([
  'testMonitor',
  'tryAlertChannel',
  'importConfiguration',
  'planConfiguration',
  'exportConfiguration',
]);

function weightOf({ name, method, path }: Target): number {
  if (SLOW.has(name)) return 1;
  return method === 'post' && !path.includes('{') ? 5 : 2;
}

function targetsOf(document: OpenApiDocument): Target[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, JsonSchema>).map(([method, operation]) => {
      const content = (operation['requestBody'] as JsonSchema | undefined)?.['content'];
      const json = (content as Record<string, { schema: JsonSchema }> | undefined)?.[
        'application/json'
      ];
      return {
        name: String(operation['operationId']),
        path,
        method,
        parameters: parametersOf(document, operation)
          .filter((parameter) => parameter.in === 'query')
          .map(({ name, schema }) => ({ name, schema: schema as JsonSchema })),
        body: json?.schema,
        isOpen: (operation['security'] as object[] | undefined)?.length === 0,
      };
    }),
  );
}

function requestTo(target: Target, resolve: Resolve): Arbitrary<FuzzRequest> {
  return fc.record({
    who: target.isOpen
      ? fc.constantFrom<CallerName>('nobody', 'nobody', 'garbage', 'ed')
      : caller(),
    method: fc.oneof(
      { arbitrary: fc.constant(target.method.toUpperCase()), weight: 30 },
      { arbitrary: anyMethod(), weight: 1 },
    ),
    path: pathTo(target.path),
    query: queryOf(target.parameters, resolve),
    body: bodyOf(target, resolve),
    headers: oddHeaders(),
  });
}

function requestToNothing(): Arbitrary<FuzzRequest> {
  return fc.record({
    who: caller(),
    method: anyMethod(),
    path: fc.array(fc.oneof(fc.constantFrom('v1', 'v2', 'monitors', 'V1', ''), oddSegment())),
    query: fc.constant([]),
    body: fc.constant(undefined),
    headers: oddHeaders(),
  });
}

function caller(): Arbitrary<CallerName> {
  return fc.oneof(
    { arbitrary: fc.constant('alice' as const), weight: 12 },
    { arbitrary: fc.constant('mallory' as const), weight: 5 },
    { arbitrary: fc.constantFrom(...CALLERS), weight: 4 },
  );
}

function anyMethod(): Arbitrary<string> {
  return fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE');
}

/** Words of path parameters. */
const WORDS_OF: Record<string, readonly string[]> = {
  '{channel}': ['email', 'ntfy', 'gotify', 'sms'],
  '{image}': ['logo', 'logo_dark', 'favicon', 'social_image'],
};

/** `/monitors/{id}/pause` with an existing id, or nearly so. */
function pathTo(path: string): Arbitrary<(string | Existing)[]> {
  const [, first = ''] = /([^/]*)\/\{/.exec(path) ?? [];
  const segments = path
    .split('/')
    .slice(1)
    .map((segment) =>
      segment in WORDS_OF
        ? fc.oneof(
            { arbitrary: fc.constantFrom(...WORDS_OF[segment]!), weight: 12 },
            { arbitrary: oddSegment(), weight: 2 },
          )
        : segment.startsWith('{')
          ? fc.oneof(
              { arbitrary: anExisting(nounOf(segment, first, path)), weight: 12 },
              { arbitrary: oddSegment(), weight: 2 },
            )
          : fc.constant<string | Existing>(segment),
    );
  const version = fc.oneof(
    { arbitrary: fc.constant(['v1']), weight: 5 },
    fc.constant<string[]>([]),
  );
  const end = fc.oneof({ arbitrary: fc.constant<string[]>([]), weight: 20 }, fc.constant(['']));
  return fc
    .tuple(version, fc.tuple(...segments), end)
    .map(([before, inside, after]) => [...before, ...paired(inside, path), ...after]);
}

/** Updates, subscribers and addresses of other services stand at the place of their subject, so both are picked alike. */
function paired(segments: readonly (string | Existing)[], path: string): (string | Existing)[] {
  const first = segments.find((segment) => typeof segment === 'object');
  if (first === undefined || !/\{(update|subscriber|alias)\}/.test(path)) return [...segments];
  return segments.map((segment) =>
    typeof segment === 'object' ? { ...segment, pick: first.pick } : segment,
  );
}

/** The kind of object of a path parameter; a delivery only exists below its endpoint. */
function nounOf(segment: string, first: string, path: string): string {
  if (segment === '{delivery}') return 'deliveries';
  if (segment === '{correction}') return 'corrections';
  const [, below] = /\/(updates|subscribers|ping-aliases)\/\{/.exec(path) ?? [];
  if (below !== undefined)
    return segment === '{id}' ? `${first} with ${below}` : `${below} of ${first}`;
  if (/\/(corrections|slo)\b/.test(path)) return 'monitors with corrections';
  const isOfDeliveries = first === 'webhook-endpoints' && path.includes('/deliveries');
  return isOfDeliveries ? 'endpoints with deliveries' : first;
}

function oddSegment(): Arbitrary<string> {
  return fc.oneof(fc.constantFrom(...ODD_SEGMENTS), nastyText().map(encoded));
}

/** Valid parameters that their schema does not describe completely. */
const KNOWN_PARAMETERS: Record<string, () => Arbitrary<string>> = {
  expression: () => mostly(['0 2 * * 1', '*/5 8-18 13 */2 fri-sun'], ['0 0 30 2 *', '@daily']),
  url: () => mostly(['https://example.com'], ['http://169.254.169.254/', 'example.com']),
  'regions[]': () => mostly(['ash', 'sin,nbg'], ['ash,ash', 'moon']),
  name: () => mostly(['Team ours', 'Team theirs'], ['team ours']),
  monitor_id: () => mostly(['1', '2', '3'], ['9999', 'x']),
  token: () =>
    fc.oneof(
      fc.constantFrom(SETUP_TOKEN, ALERT_TOKEN, 'x'),
      fc.nat(100).map(linkToken),
      fc.integer({ min: 1, max: 20 }).map(wallToken),
    ),
  timezone: () => mostly(['UTC', 'Pacific/Apia', 'europe/berlin'], ['Mars/Phobos']),
};

/** The token of the link to a wall. */
function wallToken(id: number): string {
  const { urlOf } = wallLinks({ keys: ['a key for tests'], baseUrl: () => BASE_URL });
  return new URL(urlOf(id)).searchParams.get('token')!;
}

/** One invalid parameter makes the whole request invalid. */
function mostly(sound: string[], others: string[]): Arbitrary<string> {
  return fc.oneof(
    { arbitrary: fc.constantFrom(...sound), weight: 4 },
    { arbitrary: fc.constantFrom(...others), weight: 1 },
  );
}

function queryOf(
  parameters: Target['parameters'],
  resolve: Resolve,
): Arbitrary<FuzzRequest['query']> {
  const known = parameters.map(({ name, schema }) =>
    fc
      .oneof(
        {
          arbitrary: KNOWN_PARAMETERS[name]?.() ?? valueFor(schema, resolve).map(String),
          weight: 12,
        },
        { arbitrary: anExisting('monitors').map(({ pick }) => String(pick)), weight: 1 },
        { arbitrary: nastyText(), weight: 1 },
      )
      .map((value): [string, string] => [name, value]),
  );
  const unknown = fc.tuple(nastyText(), nastyText());
  const one =
    known.length === 0 ? unknown : fc.oneof({ arbitrary: fc.oneof(...known), weight: 12 }, unknown);
  return known.length === 0
    ? fc.oneof(
        { arbitrary: fc.constant<FuzzRequest['query']>([]), weight: 8 },
        fc.array(one, { maxLength: 2 }),
      )
    : fc.array(one, { maxLength: 3 });
}

function monitorBody(): Arbitrary<object> {
  return fc.constantFrom<object[]>(
    { url: 'https://example.com', check_interval: 1 },
    { monitor_type: 'http', url: 'http://example.com:8080/a?b', check_interval: 0.5 },
    { monitor_type: 'ping', url: 'example.com', check_interval: 60 },
    { monitor_type: 'port', url: 'db.example.com', port: 5432, check_interval: 5 },
    { monitor_type: 'heartbeat', friendly_name: 'Backup', heartbeat_interval: 3600 },
    { monitor_type: 'cron', friendly_name: 'Report', heartbeat_cron_expression: '0 3 * * *' },
  );
}

/** What a set wants; its schema in the reference says no more than that it is an object. */
function documentBody(): Arbitrary<object> {
  // A released group has the name of its key, by which it is taken over again.
  return fc.tuple(fc.constantFrom('fuzzed', 'other'), fc.nat(3)).map(([name, number]) => ({
    document: { name, groups: [{ key: `${name}-${number}`, name: `${name} ${number}` }] },
  }));
}

/** Operations whose bodies must not lose what makes them valid. */
const WHOLE = new Set([
  'post /configuration/plan',
  'post /configuration/apply',
  'post /configuration/import',
  'post /configuration/imported-days',
  'post /monitors/{id}/ping-aliases',
]);

/** Valid minimal bodies to which fields are added: schemas do not describe how fields depend on each other. */
const ENOUGH: Record<string, () => Arbitrary<object>> = {
  ...Object.fromEntries(
    COLLECTIONS.map(({ declared }) => [
      `post ${declared.path}`,
      () => fc.constant(declared.example),
    ]),
  ),
  'post /monitors': monitorBody,
  'post /monitors/test': monitorBody,
  'post /monitors/validate': monitorBody,
  // Monitors may be deleted by then: a report without a list has all of them. The installation sends no mail.
  'post /reports': () =>
    fc.constant({
      ...(OPERATIONS['createReport']!.example!.body as object),
      monitors: null,
      frequency: 'none',
    }),
  'post /status-pages/preview': () => fc.constant({ name: 'Acme' }),
  'post /alert-channels/test': channelBody,
  'post /monitors/actions': () =>
    fc.record({
      action: fc.constantFrom('pause', 'resume'),
      ids: fc.tuple(anExisting('monitors')),
    }),
  'post /incidents': () =>
    fc.record({
      monitor_id: anExisting('monitors'),
      started_at: fc.constantFrom('2029-12-31T23:00:00Z', '2030-01-01T00:00:00.000Z'),
      status: fc.constantFrom('open', 'resolved'),
    }),
  'post /monitors/{id}/corrections': () =>
    fc.record({
      from: fc.constant('2029-12-31T22:00:00Z'),
      to: fc.constantFrom('2029-12-31T22:30:00Z', '2029-12-31T23:59:59.999Z'),
      as: fc.constantFrom('maintenance', 'false_alarm', 'excluded', 'up', 'down'),
      reason: fc.constant('Our own test.'),
      evidence: fc.constant('https://example.com/log'),
    }),
  'post /announcements': announcementBody,
  'post /announcements/preview': announcementBody,
  'post /incidents/{id}/notes': () => fc.record({ text: fc.constant('Moving the disk.') }),
  'post /incidents/{id}/updates': updateBody,
  'post /incidents/{id}/updates/preview': updateBody,
  'post /announcements/{id}/updates': updateBody,
  'post /announcements/{id}/updates/preview': updateBody,
  'put /announcements/{id}/post-mortem': () => fc.record({ text: fc.constant('It was late.') }),
  'post /status-pages': () =>
    fc.constantFrom<object[]>(
      { name: 'Acme' },
      { name: 'Acme', custom_domain: 'status.acme.example' },
    ),
  'post /status-pages/{id}/subscribers': () =>
    fc.record({
      kind: fc.constant('slack'),
      address: fc.nat(10_000).map((path) => `https://hooks.slack.com/services/${path}`),
    }),
  'post /status-pages/{id}/subscribers/import': () =>
    fc.record({
      csv: fc.nat(1_000).map((name) => `address\n${name}@example.com\n`),
      consent: fc.constant('They asked for it.'),
    }),
  'put /status-pages/{id}/logo': () => fc.record({ content: fc.constant(PIXEL) }),
  'put /status-pages/{id}/images/{image}': () => fc.record({ content: fc.constant(PIXEL) }),
  'put /monitors/{id}/slo': () => fc.record({ target_percent: fc.constantFrom(99, 99.95) }),
  'post /alert-channels': channelBody,
  'post /notification-channels': channelBody,
  'put /notification-channels/{channel}': () => fc.record({ settings: channelSettings() }),
  'post /alert-routes': () =>
    fc.record({ name: fc.constant('Route'), users: fc.tuple(anExisting('users')) }),
  'post /webhook-endpoints': () =>
    fc.constantFrom<object[]>(
      { name: 'Chat', url: 'https://hooks.example.com/in' },
      { name: 'Pager', url: 'https://192.0.2.7/in', auth_type: 'bearer', auth_token: 'x' },
    ),
  'post /configuration/plan': documentBody,
  'post /configuration/apply': documentBody,
  'post /configuration/import': () =>
    fc.constant(OPERATIONS['importConfiguration']!.example!.body!),
  'post /configuration/imported-days': () =>
    fc.constant(OPERATIONS['importConfigurationDays']!.example!.body!),
  'post /monitors/{id}/ping-aliases': () =>
    fc.record({ path: fc.uuid().map((uuid) => `/ping/${uuid}`) }),
  'post /alert-links/acknowledge': () => fc.record({ token: fc.constant(ALERT_TOKEN) }),
  'post /invitations/accept': () =>
    fc.record({
      token: fc.nat(100).map(linkToken),
      name: fc.constant('Guest'),
      password: fc.constant('correct horse battery'),
    }),
};

function announcementBody(): Arbitrary<object> {
  return fc.record({
    title: fc.constant('Payments are slow'),
    state: fc.constantFrom('investigating', 'resolved'),
    text: fc.constant('We are looking into it.'),
    status_pages: fc.tuple(anExisting('status-pages')),
  });
}

function updateBody(): Arbitrary<object> {
  return fc.record({
    state: fc.constantFrom('investigating', 'identified', 'monitoring', 'resolved'),
    text: fc.constant('We found the **cause**.'),
    status_pages: fc.tuple(anExisting('status-pages')),
  });
}

function channelBody(): Arbitrary<object> {
  return fc.record({
    type: fc.constantFrom('ntfy', 'gotify', 'slack'),
    settings: channelSettings(),
  });
}

/** Fields for several types; those of other types are ignored. */
function channelSettings(): Arbitrary<object> {
  return fc.constantFrom(
    { topic: 'tocsin', token: 'AKsjdf83hfVbx2P', server_url: 'https://push.example.com' },
    { webhook_url: 'https://hooks.example.com/in' },
  );
}

function bodyOf({ method, path, body }: Target, resolve: Resolve): Arbitrary<FuzzRequest['body']> {
  const odd = oddBody();
  if (method === 'get') return fc.constant(undefined);
  if (body === undefined)
    return fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 8 },
      { arbitrary: odd, weight: 1 },
    );
  const some = valueFor(body, resolve) as Arbitrary<object>;
  const enough = ENOUGH[`${method} ${path}`]?.() ?? fc.constant({});
  const sound = fc
    .tuple(enough, fc.oneof({ arbitrary: some, weight: 5 }, fc.constant({})))
    .map(([one, more]) =>
      WHOLE.has(`${method} ${path}`) ? { ...more, ...one } : { ...one, ...more },
    );
  const extra = fc.dictionary(
    fc.oneof(nastyText(), fc.constantFrom('id', 'status', 'team_id', 'created_at')),
    nastyValue(),
    { maxKeys: 2 },
  );
  return fc.oneof(
    { arbitrary: sound.map((json) => ({ json })), weight: 20 },
    {
      arbitrary: fc.tuple(sound, extra).map(([one, more]) => ({ json: { ...more, ...one } })),
      weight: 3,
    },
    { arbitrary: odd, weight: 2 },
  );
}

/** Bodies that no operation accepts. */
function oddBody(): Arbitrary<FuzzRequest['body']> {
  return fc.oneof(
    nastyValue().map((json) => ({ json })),
    fc.constantFrom(...ODD_BODIES).map((text) => ({ text })),
  );
}

function oddHeaders(): Arbitrary<Record<string, string>> {
  return fc.oneof(
    { arbitrary: fc.constant({}), weight: 20 },
    { arbitrary: fc.constantFrom(...ODD_HEADERS), weight: 1 },
  );
}

/** Percent-encoded, also where a lone surrogate has no encoding. */
export function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
