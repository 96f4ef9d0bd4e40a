import { describe, expect, test } from 'vitest';
import { openApi, sharedApi, type Json, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { ALL_TYPES, LEAST } from '../../../test/support/monitor-bodies.ts';
import { createPlans } from '../../identity/plans.ts';

const BULK = '/api/v1/monitors/bulk';

interface Result {
  index: number;
  status: number;
  monitor?: Json;
  message?: string;
  errors?: Record<string, string[]>;
}

async function bulk(api: TestApi, monitors: unknown, more: object = {}) {
  const answer = await api.call(api.alice, 'POST', BULK, { monitors, ...more });
  expect(answer.status, answer.text).toBe(200);
  const { created, results } = answer.body as unknown as { created: number; results: Result[] };
  return { created, results, headers: answer.headers };
}

const http = (fields: object = {}) => ({ ...LEAST.http, ...fields });

/** All but what is new in each monitor. */
function comparable({ id: _id, url, ping_url, next_check_at: _due, ...rest }: Json) {
  return { ...rest, url: ping_url === null ? url : null };
}

async function stateOf({ database }: TestApi, id: number) {
  const {
    monitor_id: _id,
    revision,
    ...state
  } = await database.read
    .selectFrom('monitor_state')
    .selectAll()
    .where('monitor_id', '=', id)
    .executeTakeFirstOrThrow();
  const { version, shard } = await database.read
    .selectFrom('monitor')
    .select(['version', 'shard'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect([revision, shard]).toEqual([version, id % 256]);
  expect(version).toBeGreaterThan(0);
  return state;
}

eachDatabase((_name, open) => {
  test('500 monitors of all types are as if each were created alone [6.25]', async () => {
    const api = await openApi(await open());
    const group = await api.call(api.alice, 'POST', '/api/v1/groups', { name: 'Shops' });
    const parent = await api.create({ friendly_name: 'Router' });
    const bodies = ALL_TYPES.map((type): Record<string, unknown> => ({
      ...LEAST[type],
      tags: ['a', 'b'],
    })).concat(
      http({
        check_types: ['ssl', 'dns'],
        group_id: group.body.id,
        depends_on: [parent.id],
        auth_type: 'basic',
        auth_username: 'u',
        auth_password: 'p',
        tags: ['a'],
      }),
    );
    const alone: Json[] = [];
    for (const body of bodies)
      alone.push((await api.call(api.alice, 'POST', '/api/v1/monitors', body)).body);
    const sent = Array.from({ length: 500 }, (_, index) => bodies[index % bodies.length]!);
    api.nudges.length = 0;
    const { created, results } = await bulk(api, sent);
    expect([created, results.length]).toEqual([500, 500]);
    for (const [index, { status, monitor, ...rest }] of results.entries()) {
      expect([status, rest]).toEqual([201, { index }]);
      expect(comparable(monitor!)).toEqual(comparable(alone[index % bodies.length]!));
    }
    const ids = results.map(({ monitor }) => monitor!.id);
    expect(new Set(ids).size).toBe(500);
    for (const index of [0, 1, 2, 3, 4, 5, 499]) {
      const single = alone[index % bodies.length]!.id;
      expect(await stateOf(api, ids[index]!)).toEqual(await stateOf(api, single));
      expect(await inspectionsOf(api, ids[index]!)).toEqual(await inspectionsOf(api, single));
      const { body } = await api.call(api.alice, 'GET', `/api/v1/monitors/${ids[index]}`);
      expect(body).toMatchObject(results[index]!.monitor!);
    }
    expect(new Set(api.nudges)).toEqual(new Set(ids.map((id) => id % 256)));
    const audited = await api.call(
      api.alice,
      'GET',
      `/api/v1/audit-log?action=monitor.created&target_id=${ids[499]}&target_type=monitor`,
    );
    expect((audited.body['data'] as Json[])[0]).toMatchObject({
      action: 'monitor.created',
      target: { id: ids[499] },
    });
    const list = await api.call(api.alice, 'GET', '/api/v1/monitors?tag=a&tag=b');
    expect(list.body['total']).toBeGreaterThan(400);
  });

  test('the limits of a plan hold within a request and between requests [6.28, 38.10]', async () => {
    const plans = createPlans(
      JSON.stringify({
        default: 'P',
        plans: { P: { max_monitors: 10, max_monitors_per_host: 2 } },
      }),
    );
    const api = await openApi(await open(), { plans });
    const some = (from: number) =>
      Array.from({ length: 8 }, (_, index) => http({ url: `https://h${from + index}.example` }));
    const both = await Promise.all([bulk(api, some(0)), bulk(api, some(100))]);
    expect(both.map(({ created }) => created).toSorted()).toEqual([2, 8]);
    const refused = both.flatMap(({ results }) => results).filter(({ status }) => status !== 201);
    for (const one of refused) {
      const message = 'The plan "P" allows at most 10 monitors: delete one, or change the plan.';
      expect(one).toEqual({
        index: expect.any(Number),
        status: 403,
        message,
        errors: { plan: [message] },
      });
    }
    for (const { results } of both)
      for (const { monitor } of results)
        if (monitor) await api.call(api.alice, 'DELETE', `/api/v1/monitors/${monitor.id}`);
    const same = await bulk(api, [
      ...[1, 2, 3].map((path) => http({ url: `https://SAME.example./${path}` })),
      http({ url: 'https://other.example' }),
    ]);
    expect(same.results.map(({ status }) => status)).toEqual([201, 201, 403, 201]);
    expect(same.results[2]!.message).toMatch(/at most 2 monitors of one host/);
  });
});

async function inspectionsOf({ database }: TestApi, id: number) {
  return database.read
    .selectFrom('monitor_inspection')
    .innerJoin('inspection', (join) =>
      join
        .onRef('inspection.kind', '=', 'monitor_inspection.kind')
        .onRef('inspection.target', '=', 'monitor_inspection.target'),
    )
    .select(['inspection.kind', 'inspection.target', 'next_at'])
    .where('monitor_id', '=', id)
    .orderBy('inspection.kind')
    .execute();
}

describe('each monitor is accepted or refused independently [6.26, 6.27]', () => {
  const BODIES = [
    http({ friendly_name: 'good' }),
    http({ check_interval: 'often', url: 'nope' }),
    'text',
    null,
    { monitor_type: 'fax' },
    http({ group_id: 999_999 }),
    http({ depends_on: [999_999] }),
    http({ friendly_name: 'good too' }),
  ];
  const STATUSES = [201, 422, 422, 422, 422, 422, 422, 201];

  test('and refused with its errors, while the others are created', async () => {
    const api = await openApi(await openInMemory());
    const { created, results } = await bulk(api, BODIES);
    expect([created, results.map(({ status }) => status)]).toEqual([2, STATUSES]);
    expect(results.map(({ errors = {} }) => Object.keys(errors).toSorted())).toEqual([
      [],
      ['check_interval', 'url'],
      ['body'],
      ['body'],
      ['check_interval', 'monitor_type', 'url'],
      ['group_id'],
      ['depends_on.0'],
      [],
    ]);
    const alone = await api.call(api.alice, 'POST', '/api/v1/monitors', BODIES[1]);
    expect(results[1]).toEqual({ index: 1, status: 422, ...alone.body });
    const { body } = await api.call(api.alice, 'GET', '/api/v1/monitors');
    expect(body['total']).toBe(2);
  });

  test('with all_or_nothing, one that is refused refuses all', async () => {
    const api = await openApi(await openInMemory());
    const { created, results } = await bulk(api, BODIES, { all_or_nothing: true });
    expect([created, results.map(({ status }) => status)]).toEqual([
      0,
      STATUSES.map((status) => (status === 201 ? 424 : status)),
    ]);
    const tables = ['monitor', 'monitor_state', 'audit_entry', 'monitor_tag'] as const;
    for (const table of tables)
      expect(await api.database.read.selectFrom(table).selectAll().execute()).toEqual([]);
    const good = await bulk(api, [BODIES[0], BODIES[7]], { all_or_nothing: true });
    expect(good.created).toBe(2);
  });

  test('and what it sent in vain is named [1.17]', async () => {
    const api = await openApi(await openInMemory());
    const sent = [http({ name: 'x' }), http(), http({ port: 80, name: 'y' })];
    const { headers } = await bulk(api, sent, { allOrNothing: true });
    expect(headers['x-ignored-fields']).toBe(
      'allOrNothing, monitors.0.name, monitors.2.port, monitors.2.name',
    );
  });
});

describe('a list that is none [6.25]', () => {
  const api = sharedApi();
  const error = 'monitors must be a list of 1 to 500 monitors.';

  test.for<[body: object, errors: Record<string, string[]>]>([
    [{}, { monitors: [error] }],
    [{ monitors: null }, { monitors: [error] }],
    [{ monitors: [] }, { monitors: [error] }],
    [{ monitors: {} }, { monitors: [error] }],
    [{ monitors: Array.from({ length: 501 }, () => http()) }, { monitors: [error] }],
    [
      { monitors: [http()], all_or_nothing: 'yes' },
      { all_or_nothing: ['all_or_nothing must be true or false.'] },
    ],
  ])('%#', async ([body, errors]) => {
    const { call, alice, database } = await api();
    const answer = await call(alice, 'POST', BULK, body);
    expect([answer.status, answer.body['errors']]).toEqual([422, errors]);
    expect(await database.read.selectFrom('monitor').selectAll().execute()).toEqual([]);
  });
});

/** Monitors with a pattern each. */
const withPatterns = (pattern: (index: number) => string) =>
  Array.from({ length: 250 }, (_, index) =>
    http({
      monitor_type: 'http',
      json_assertion_settings: {
        assertions: [{ path: 'a', operator: 'regex', value: pattern(index) }],
      },
    }),
  );

test('patterns that are many and complex are refused before they are compiled, and one for all monitors is not [8.10]', async () => {
  const api = await openApi(await openInMemory());
  const create = (pattern: (index: number) => string) =>
    api.call(api.alice, 'POST', '/api/v1/monitors/bulk', { monitors: withPatterns(pattern) });
  const refused = await create((index) => `(?i)a{900}${index}`);
  expect([refused.status, refused.body['message']]).toEqual([
    422,
    'monitors have too many different regular expressions: create them in several requests.',
  ]);
  const { text, body } = await create(() => '(?i)a{900}');
  expect(body, text.slice(0, 500)).toMatchObject({ created: 250 });
});
