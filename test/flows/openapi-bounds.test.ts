import { describe, expect, test } from 'vitest';
import { contract } from '../support/openapi.ts';
import { sharedApi } from '../support/api.ts';
import { valuesOf } from '../support/bounds.ts';

type Schema = Record<string, unknown>;
type Body = Record<string, unknown>;

const api = sharedApi();
const { document } = contract();

/** Bodies in which a field means something, so that nothing else is wrong with them. */
const MONITOR = { url: 'https://example.com', check_interval: 1 };
const HEARTBEAT = { monitor_type: 'heartbeat', friendly_name: 'Job', heartbeat_interval: 60 };
const CRON = { monitor_type: 'cron', friendly_name: 'Job', heartbeat_cron_expression: '* * * * *' };
const CREDENTIALS = { ...MONITOR, auth_type: 'digest', auth_username: 'a', auth_password: 'b' };

const MONITOR_CONTEXTS: Record<string, Body> = {
  port: { ...MONITOR, monitor_type: 'port' },
  heartbeat_interval: HEARTBEAT,
  heartbeat_cron_expression: CRON,
  heartbeat_timezone: CRON,
  heartbeat_grace: HEARTBEAT,
  heartbeat_wait_for_first_ping: HEARTBEAT,
  heartbeat_max_runtime: HEARTBEAT,
  request_body: { ...MONITOR, http_method: 'POST' },
  auth_type: CREDENTIALS,
  auth_username: CREDENTIALS,
  auth_password: CREDENTIALS,
};
const INCIDENT = { monitor_id: 1, started_at: '2030-01-01T00:00:00Z', status: 'resolved' };

const CONTEXTS: Record<string, (field: string) => Body> = {
  '/monitors': (field) => MONITOR_CONTEXTS[field] ?? MONITOR,
  '/incidents': () => INCIDENT,
};
/** What they have to be together, or must exist, no schema says. */
const MORE_THAN_SCHEMA = ['monitor_type', 'check_types', 'depends_on', 'group_id', 'monitor_id'];
/** Null and blank are refused where they stand in a context. */
const NEEDED = [
  'url',
  'check_interval',
  'port',
  'heartbeat_interval',
  'heartbeat_cron_expression',
  'auth_username',
  'auth_password',
];

interface Edge {
  field: string;
  value: unknown;
  isSound: boolean;
}

describe.each(Object.keys(CONTEXTS))('the bounds that the document gives for POST %s', (path) => {
  const body = bodyOf(path);
  const fields = Object.entries(body['properties'] as Record<string, Schema>);
  const edges = fields.flatMap(([field, schema]) => edgesOf(field, schema));

  test.for(edges.map((edge): [string, string, Edge] => [edge.field, shown(edge.value), edge]))(
    '%s: %s',
    async ([field, , { value, isSound }]) => {
      const { call, alice, create } = await api();
      if (path === '/incidents') await create();
      const answer = await call(alice, 'POST', `/api/v1${path}`, {
        ...CONTEXTS[path]!(field),
        [field]: value,
      });
      if (isSound) expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
      else {
        const named = Object.keys((answer.body['errors'] ?? {}) as object);
        expect(answer.status).toBe(422);
        expect(named.map((name) => name.split('.')[0])).toContain(field);
      }
    },
  );

  test('has edges at all', () => {
    expect(edges.filter(({ isSound }) => isSound).length).toBeGreaterThan(5);
    expect(edges.filter(({ isSound }) => !isSound).length).toBeGreaterThan(5);
  });
});

function bodyOf(path: string): Schema {
  const operation = (document.paths![path] as Record<string, Schema>)['post']!;
  const { content } = operation['requestBody'] as { content: Record<string, { schema: Schema }> };
  return shapeOf(content['application/json']!.schema);
}

function shapeOf(schema: Schema): Schema {
  if (typeof schema['$ref'] !== 'string') return schema;
  const name = schema['$ref'].split('/').at(-1)!;
  return (document.components!.schemas as Record<string, Schema>)[name]!;
}

/** Values at the bounds of a field, and just beyond them. */
function edgesOf(field: string, schema: Schema): Edge[] {
  if (MORE_THAN_SCHEMA.includes(field)) return [];
  const types = [schema['type'] ?? ''].flat() as string[];
  const { sound, wrong } = valuesOf(schema, types);
  const unset = types.includes('null') && !NEEDED.includes(field) ? [null, ''] : [];
  return [
    ...[...sound, ...unset].map((value) => ({ field, value, isSound: true })),
    ...wrong.map((value) => ({ field, value, isSound: false })),
  ];
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 20)}… (${text.length})` : text;
}
