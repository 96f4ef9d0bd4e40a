import { describe, expect, test } from 'vitest';
import {
  openApi,
  sharedApi,
  sentences,
  type Json,
  type TestApi,
} from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { LEAST } from '../../../test/support/monitor-bodies.ts';
import { firstIds, importMonitors } from '../../../test/support/monitor-rows.ts';
import { giveToken } from '../../../test/support/people.ts';
import { storeAlert } from '../../../test/support/sent-alerts.ts';
import { updateRows } from '../../../test/support/rows.ts';

const ACTIONS = '/api/v1/monitors/actions';

interface Result {
  status: number;
  matched: number;
  changed: number;
  ids: number[];
}

async function act(
  api: TestApi,
  body: object,
  who: TestApi['alice'] | string = api.alice,
): Promise<Result> {
  const { status, body: answer } = await api.call(who, 'POST', ACTIONS, body);
  return { status, ...(answer as object) } as Result;
}

const BODIES = [
  { ...LEAST.http, check_types: ['ssl', 'dns'], tags: ['prod'] },
  { ...LEAST.port, tags: ['prod', 'eu'] },
  { ...LEAST.heartbeat, url: null, check_interval: null },
];

/** All that an action may change of a monitor, without ids, versions and ping URLs. */
async function everythingOf({ database }: TestApi, id: number) {
  const {
    id: _id,
    shard,
    version,
    revision,
    ping_token: _token,
    ping_token_hash: _hash,
    ...row
  } = await database.read
    .selectFrom('monitor')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const {
    monitor_id: _monitor,
    revision: known,
    ...state
  } = await database.read
    .selectFrom('monitor_state')
    .selectAll()
    .where('monitor_id', '=', id)
    .executeTakeFirstOrThrow();
  const owner = await database.read
    .selectFrom('shard')
    .select('version')
    .where('shard', '=', shard)
    .executeTakeFirstOrThrow();
  const of = (table: 'monitor_inspection' | 'monitor_tag') =>
    database.read.selectFrom(table).selectAll().where('monitor_id', '=', id).execute();
  const entries = await database.read
    .selectFrom('audit_entry')
    .select(['action', 'before', 'after', 'person_id', 'created_at'])
    .where('target_id', '=', id)
    .where('target_type', '=', 'monitor')
    .orderBy('id')
    .execute();
  const alerts = await database.read
    .selectFrom('alert_incident')
    .innerJoin('alert', 'alert.id', 'alert_incident.alert_id')
    .select(['alert.next_at', 'alert_incident.removed_at'])
    .where('alert_incident.monitor_id', '=', id)
    .execute();
  return {
    row,
    state,
    isCurrent: [version <= owner.version, known === revision],
    inspections: without(await of('monitor_inspection')),
    tags: without(await of('monitor_tag')),
    entries,
    alerts,
  };
}

/** Rows without the id of their monitor, in any order. */
const without = (rows: object[]) =>
  rows.map((one) => JSON.stringify({ ...one, monitor_id: 0 })).toSorted();

/** Monitors as an outage leaves them: with a recheck to come, an open incident and its alert. */
async function someMonitors(api: TestApi): Promise<number[]> {
  const ids: number[] = [];
  for (const body of BODIES) {
    const { id } = await api.create(body);
    ids.push(id);
    const { body: incident } = await api.call(api.alice, 'POST', '/api/v1/incidents', {
      monitor_id: id,
      started_at: new Date(api.clock.now()).toISOString(),
      status: 'open',
    });
    const now = api.clock.now();
    await storeAlert(api.database, { teamId: api.alice.teamId, incidents: [incident.id], now });
    const outage = { run_at: now + 10_000, observed_until: now + 60_000, last_checked_at: now };
    await updateRows(api.database, 'monitor_state', outage, { monitor_id: id });
  }
  return ids;
}

eachDatabase((_name, open) => {
  test('does to each monitor what the action on one does [9.32, 9.33]', async () => {
    const api = await openApi(await open());
    const group = (await api.call(api.alice, 'POST', '/api/v1/groups', { name: 'Shops' })).body.id;
    const one = await someMonitors(api);
    const many = await someMonitors(api);
    const put = (id: number, body: object) =>
      api.call(api.alice, 'PUT', `/api/v1/monitors/${id}`, body);
    const post = (id: number, action: string) =>
      api.call(api.alice, 'POST', `/api/v1/monitors/${id}/${action}`);
    const tagsOf = async (id: number) =>
      (await api.call(api.alice, 'GET', `/api/v1/monitors/${id}`)).body['tags'] as string[];
    const steps: [object, (id: number) => Promise<{ status: number }>][] = [
      [{ action: 'pause' }, (id) => post(id, 'pause')],
      [{ action: 'resume' }, (id) => post(id, 'resume')],
      [{ action: 'move', group_id: group }, (id) => put(id, { group_id: group })],
      [
        { action: 'add_tags', tags: ['eu', 'new', 'new'] },
        async (id) => put(id, { tags: [...new Set([...(await tagsOf(id)), 'eu', 'new'])] }),
      ],
      [
        { action: 'remove_tags', tags: ['prod', 'nope'] },
        async (id) => put(id, { tags: (await tagsOf(id)).filter((tag) => tag !== 'prod') }),
      ],
      [{ action: 'move', group_id: null }, (id) => put(id, { group_id: null })],
      [{ action: 'delete' }, (id) => api.call(api.alice, 'DELETE', `/api/v1/monitors/${id}`)],
    ];
    for (const [body, alone] of steps) {
      await api.clock.advance(1_000);
      for (const id of one) expect([200, 204]).toContain((await alone(id)).status);
      api.nudges.length = 0;
      const result = await act(api, { ...body, ids: many });
      expect(result).toMatchObject({ status: 200, matched: many.length });
      expect(new Set(api.nudges)).toEqual(new Set(result.ids.map((id) => id % 256)));
      for (const [index, id] of many.entries()) {
        const [expected, real] = [
          await everythingOf(api, one[index]!),
          await everythingOf(api, id),
        ];
        expect([body, real]).toEqual([body, expected]);
        expect(real.isCurrent).toEqual([true, true]);
      }
    }
    expect(await act(api, { action: 'pause', filter: { all: true } })).toMatchObject({
      matched: 0,
    });
  });

  test('can be repeated, and a dry run answers the same and changes nothing [9.34, 9.35]', async () => {
    const api = await openApi(await open());
    const ids: number[] = [];
    for (const body of [...BODIES, ...BODIES]) ids.push((await api.create(body)).id);
    await act(api, { action: 'pause', ids: ids.slice(0, 2) });
    for (const body of [
      { action: 'pause', filter: { all: true } },
      { action: 'resume', filter: { tag: 'prod' } },
      { action: 'add_tags', tags: ['eu'], filter: { tag: ['prod'] } },
      { action: 'remove_tags', tags: ['eu'], filter: { type: 'port' } },
      { action: 'delete', filter: { q: 'prod', type: 'http' } },
    ]) {
      const before = await Promise.all(ids.map((id) => everythingOf(api, id)));
      const dry = await act(api, { ...body, dry_run: true });
      expect(await Promise.all(ids.map((id) => everythingOf(api, id)))).toEqual(before);
      const real = await act(api, { ...body, dry_run: false });
      expect(real).toEqual(dry);
      expect(real.changed).toBe(real.ids.length);
      expect(real.changed).toBeGreaterThan(0);
      const isDelete = body.action === 'delete';
      const again = { matched: isDelete ? 0 : real.matched, changed: 0, ids: [] };
      expect(await act(api, body)).toEqual({ status: 200, ...again });
    }
  });

  test('chooses by the filters of the list [9.32]', async () => {
    const api = await openApi(await open());
    const group = (await api.call(api.alice, 'POST', '/api/v1/groups', { name: 'Shops' })).body.id;
    const sub = (
      await api.call(api.alice, 'POST', '/api/v1/groups', { name: 'EU', parent_id: group })
    ).body.id;
    await api.create({
      tags: ['a', 'b'],
      group_id: sub,
      monitored_regions: ['ash'],
      check_interval: 5,
    });
    await api.create({ tags: ['a'], friendly_name: 'Needle' });
    await api.create({ ...LEAST.port });
    await api.create({ tags: ['a'] }, api.mallory);
    const matchedBy = async (filter: object) => {
      const query = Object.entries(filter).flatMap(([name, value]) =>
        [value].flat().map((one) => `${name}=${encodeURIComponent(String(one))}`),
      );
      const { body } = await api.call(api.alice, 'GET', `/api/v1/monitors?${query.join('&')}`);
      const { matched, ids, status } = await act(api, {
        action: 'pause',
        filter,
        dry_run: true,
      });
      const listed = (body['data'] as Json[]).map(({ id }) => id);
      expect([status, matched, ids]).toEqual([
        200,
        body['total'],
        listed.toSorted((x, y) => x - y),
      ]);
      return matched;
    };
    for (const [filter, count] of [
      [{ tag: 'a' }, 2],
      [{ tag: ['a', 'b'] }, 1],
      [{ group_id: group }, 1],
      [{ region: 'pdx' }, 2],
      [{ q: 'needle' }, 1],
      [{ search: 'EXAMPLE' }, 3],
      [{ type: 'port' }, 1],
      [{ status: 'pending', interval: 5 }, 1],
      [{ status: 'online' }, 0],
      [{ tag: 'nope' }, 0],
    ] as const)
      expect([filter, await matchedBy(filter)]).toEqual([filter, count]);
    expect(await act(api, { action: 'pause', filter: { all: true }, dry_run: true })).toMatchObject(
      { matched: 3 },
    );
  });

  test('an error of one monitor changes none [9.36]', async () => {
    const api = await openApi(await open());
    const { id } = await api.create();
    const full = await api.create({ tags: Array.from({ length: 20 }, (_, at) => `t${at}`) });
    const theirs = await api.create({}, api.mallory);
    const before = await everythingOf(api, id);
    for (const [body, errors] of [
      [{ action: 'delete', ids: [id, 999_999] }, none(1, 999_999)],
      [{ action: 'pause', ids: [theirs.id, id] }, none(0, theirs.id)],
      [
        { action: 'add_tags', tags: ['x'], ids: [id, full.id] },
        {
          tags: `would give more than 20 tags to the monitors with the ids ${full.id}: nothing was changed`,
        },
      ],
    ] as [object, Record<string, string>][])
      expect(await act(api, body)).toMatchObject({ status: 422, errors: sentences(errors) });
    expect(await everythingOf(api, id)).toEqual(before);
    expect(
      (await api.call(api.mallory, 'GET', `/api/v1/monitors/${theirs.id}`)).body['is_paused'],
    ).toBe(false);
    // It has these tags already.
    expect(await act(api, { action: 'add_tags', tags: ['t1'], ids: [id, full.id] })).toMatchObject({
      changed: 1,
    });
  });
});

const none = (index: number, unknown: number) => ({
  [`ids.${index}`]: `must be a monitor of your team: ${unknown} is none, and nothing was changed`,
});

describe('a request that could mean more than its sender does [9.37]', () => {
  const api = sharedApi();
  const NAMES = 'search, q, status, type, interval, tag, group_id, region, all';
  const EMPTY = 'must have at least one filter: send {"all": true} for every monitor of your team';
  const EITHER = 'must be sent, or filter: exactly one of the two';

  test.for<[body: object, errors: Record<string, string>]>([
    [{ action: 'pause', filter: {} }, { filter: EMPTY }],
    [
      { action: 'pause', filter: { tags: 'prod' } },
      { 'filter.tags': `is not a filter: use ${NAMES}` },
    ],
    [
      { action: 'pause', filter: { tag: '' } },
      { 'filter.tag': 'must be text of 1 to 50 characters' },
    ],
    [{ action: 'pause', filter: { tag: [] } }, { 'filter.tag': 'must be a list of 1 to 20 tags' }],
    [
      { action: 'pause', filter: { tag: null } },
      { 'filter.tag': 'must be a tag or a list of 1 to 20 tags' },
    ],
    [
      { action: 'pause', filter: { search: '' } },
      { 'filter.search': 'must be text of 1 to 255 characters' },
    ],
    [
      { action: 'pause', filter: { group_id: 999_999 } },
      { 'filter.group_id': 'must be a group of your team' },
    ],
    [
      { action: 'pause', filter: { region: 'mars' } },
      { 'filter.region': 'must be one of ash, pdx, nbg, sin' },
    ],
    [{ action: 'pause', filter: { all: false } }, { 'filter.all': 'must be true, or be left out' }],
    [
      { action: 'pause', filter: { all: true, tag: 'a' } },
      { 'filter.all': 'must be sent alone: leave it out, or leave the other filters out' },
    ],
    [
      { action: 'pause', filter: 'all' },
      { filter: 'must be an object of filters, such as {"tag": "prod"}' },
    ],
    [
      { action: 'pause', filter: null },
      { filter: 'must be an object of filters, such as {"tag": "prod"}' },
    ],
    [{ action: 'pause' }, { ids: EITHER }],
    [{ action: 'pause', ids: [1], filter: { tag: 'a' } }, { ids: EITHER }],
    [{ action: 'pause', ids: [] }, { ids: 'must be a list of 1 to 500 ids, each at most once' }],
    [
      { action: 'pause', ids: [1, 1] },
      { ids: 'must be a list of 1 to 500 ids, each at most once' },
    ],
    [
      { action: 'pause', ids: firstIds(501) },
      { ids: 'must be a list of 1 to 500 ids, each at most once' },
    ],
    [{ action: 'pause', ids: ['1'] }, { 'ids.0': 'must be the id of a monitor' }],
    [
      { ids: [1] },
      { action: 'is required: give one of pause, resume, delete, add_tags, remove_tags, move' },
    ],
    [
      { action: 'stop', ids: [1] },
      { action: 'must be one of pause, resume, delete, add_tags, remove_tags, move' },
    ],
    [
      { action: 'delete', filter: { all: true }, dry_run: 'yes' },
      { dry_run: 'must be true or false' },
    ],
    [
      { action: 'delete', filter: { all: true }, dry_run: null },
      { dry_run: 'must be true or false' },
    ],
    [
      { action: 'pause', filter: { all: true }, tags: ['prod'] },
      { tags: 'is for add_tags and remove_tags: to choose monitors by tag, send filter.tag' },
    ],
    [
      { action: 'pause', filter: { all: true }, group_id: 1 },
      { group_id: 'is for move: to choose monitors by group, send filter.group_id' },
    ],
    [{ action: 'add_tags', filter: { all: true } }, { tags: 'is required for add_tags' }],
    [
      { action: 'add_tags', filter: { all: true }, tags: [] },
      { tags: 'must be a list of 1 to 20 tags' },
    ],
    [
      { action: 'move', filter: { all: true } },
      { group_id: 'is required for move: the id of a group, or null for none' },
    ],
    [
      { action: 'move', filter: { all: true }, group_id: '' },
      { group_id: 'must be the id of a group of your team, or null for none' },
    ],
    [
      { action: 'move', filter: { all: true }, group_id: 999_999 },
      { group_id: 'must be a group of your team' },
    ],
  ])('%j', async ([body, errors]) => {
    const { call, alice, database } = await api();
    const answer = await call(alice, 'POST', ACTIONS, body);
    expect([answer.status, answer.body['errors']]).toEqual([422, sentences(errors)]);
    expect(answer.headers['x-ignored-fields']).toBeUndefined();
    expect(await database.read.selectFrom('audit_entry').selectAll().execute()).toEqual([]);
  });
});

test('deleting needs both permissions, and is refused before the body is judged [9.38]', async () => {
  const api = await openApi(await openInMemory());
  const { id } = await api.create();
  const updater = await giveToken(api.database, api.alice, {
    permissions: ['update'],
    now: api.clock.now(),
  });
  const refused = await act(api, { action: 'delete', ids: 'x' }, updater);
  expect(refused).toMatchObject({ status: 403, error: expect.stringContaining('"delete"') });
  expect(await act(api, { action: 'pause', ids: [id] }, updater)).toMatchObject({
    status: 200,
    changed: 1,
  });
  const both = await giveToken(api.database, api.alice, {
    permissions: ['update', 'delete'],
    now: api.clock.now(),
  });
  expect(await act(api, { action: 'delete', ids: [id] }, both)).toMatchObject({
    status: 200,
    changed: 1,
  });
});

test('more than 500 monitors are changed, and more than 10,000 refused [9.39]', async () => {
  const api = await openApi(await openInMemory());
  const fields = { team_id: api.alice.teamId, tags: '["many"]' };
  await importMonitors(api.database, firstIds(1_200), 0, { ...fields, friendly_name: 'some' });
  const some = { filter: { q: 'some' }, action: 'pause' };
  expect(await act(api, some)).toMatchObject({
    matched: 1_200,
    changed: 1_200,
    ids: firstIds(1_200),
  });
  expect(await act(api, some)).toMatchObject({ matched: 1_200, changed: 0 });
  await importMonitors(
    api.database,
    Array.from({ length: 8_801 }, (_, at) => 2_000 + at),
    0,
    fields,
  );
  expect(await act(api, { action: 'resume', filter: { tag: 'many' } })).toMatchObject({
    status: 422,
    errors: sentences({ filter: 'matches more than 10000 monitors: choose fewer at a time' }),
  });
  expect(await act(api, { action: 'resume', filter: { q: 'some' }, dry_run: true })).toMatchObject({
    changed: 1_200,
  });
});
