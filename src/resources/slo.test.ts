import { expect, it } from 'vitest';
import { openApi, sentences, type Json, type TestApi } from '../../test/support/api.ts';
import { callOf } from '../../test/support/call.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { callerOf } from '../../test/support/people.ts';
import { updateRows } from '../../test/support/rows.ts';
import { createBudgetWatch } from '../engine/error-budget-watch.ts';
import { silentLog } from '../lib/log.ts';
import { changeSpans } from '../store/engine/spans.ts';
import { slo as slos } from './slo.ts';

const SLOS = '/api/v1/slos';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A monitor of ten days ago that was offline for an hour, by default half a day ago. */
async function monitorWithOutage(
  api: TestApi,
  { of = api.alice, hoursAgo = 12, name = 'Shop' } = {},
) {
  const { id } = await api.create({ friendly_name: name }, of);
  const now = api.clock.now();
  await updateRows(api.database, 'monitor', { created_at: now - 10 * DAY }, { id });
  const observed = { observed_until: now + DAY };
  await updateRows(api.database, 'monitor_state', observed, { monitor_id: id });
  const changes = [
    { status: 'online' as const, at: now - 10 * DAY },
    { status: 'offline' as const, at: now - hoursAgo * HOUR },
    { status: 'online' as const, at: now - (hoursAgo - 1) * HOUR },
  ];
  await api.database.transaction((tx) =>
    changeSpans(
      tx,
      changes.map((change) => ({ ...change, monitorId: id, teamId: of.teamId })),
    ),
  );
  return { id, path: `/api/v1/monitors/${id}`, slo: `/api/v1/monitors/${id}/slo` };
}

/** A monitor with an SLO, offline for an hour as many days ago as given. */
async function withSlo(api: TestApi, name: string, days: number, body: object, of = api.alice) {
  const { id, slo } = await monitorWithOutage(api, {
    name,
    of,
    hoursAgo: 24 * days,
  });
  const put = await api.call(of, 'PUT', slo, body);
  expect(put.status, put.text).toBe(200);
  return id;
}

eachDatabase((_name, open) => {
  it('is set, changed in part, read and deleted [46.11, 46.12]', async () => {
    const api = await openApi(await open());
    const { id, path, slo } = await monitorWithOutage(api);
    expect((await api.call(api.vera, 'GET', slo)).status).toBe(404);
    const { status, body } = await api.call(api.ed, 'PUT', slo, { target_percent: 99 });
    expect([status, body]).toEqual([
      200,
      {
        id,
        monitor_id: id,
        target_percent: 99,
        window_days: 30,
        burn_rate_alerts: false,
        burning: null,
        error_budget: {
          from: '2029-12-02T00:00:00.000Z',
          to: '2030-01-01T00:00:00.000Z',
          budget_seconds: 25_920,
          spent_seconds: 3_600,
          left_seconds: 22_320,
          left_percent: 86.111,
          burn_rate_1h: 0,
          burn_rate_6h: 0,
        },
        created_at: '2030-01-01T00:00:00.000Z',
        updated_at: '2030-01-01T00:00:00.000Z',
      },
    ]);
    const correction = {
      from: new Date(api.clock.now() - 12 * HOUR).toISOString(),
      to: new Date(api.clock.now() - 11.5 * HOUR).toISOString(),
      as: 'maintenance',
      reason: 'It was announced.',
    };
    await api.call(api.ed, 'POST', `${path}/corrections`, correction);
    await api.clock.advance(1_000);
    const changed = await api.call(api.ed, 'PUT', slo, { window_days: 1 });
    expect(changed.body).toMatchObject({
      target_percent: 99,
      window_days: 1,
      // Half an hour of the day is excluded.
      error_budget: { budget_seconds: 864, spent_seconds: 1_800, left_percent: -108.334 },
      updated_at: '2030-01-01T00:00:01.000Z',
    });
    const read = await api.call(api.vera, 'GET', slo);
    expect([read.body, read.headers['etag']]).toEqual([changed.body, changed.headers['etag']]);
    const { data } = (await api.call(api.alice, 'GET', '/api/v1/audit-log?target_type=slo')).body;
    expect(data).toMatchObject([
      { action: 'slo.updated', target: { type: 'slo', id } },
      { action: 'slo.created', target: { type: 'slo', id } },
    ]);
    expect((await api.call(api.ed, 'DELETE', slo)).status).toBe(204);
    expect((await api.call(api.ed, 'DELETE', slo)).status).toBe(404);
  });

  it('is changed by If-Match with its own tag, which its figures do not change [46.11]', async () => {
    const api = await openApi(await open());
    const { path, slo } = await monitorWithOutage(api);
    const made = await api.call(api.ed, 'PUT', slo, { target_percent: 99 });
    const tag = made.headers['etag'] as string;
    await api.clock.advance(HOUR);
    const put = (target: number, match: string) =>
      api.call(api.ed, 'PUT', slo, { target_percent: target }, { 'if-match': match });
    const monitor = await api.call(api.ed, 'GET', path);
    expect((await put(98, monitor.headers['etag'] as string)).status).toBe(412);
    expect((await put(98, tag)).status).toBe(200);
    expect((await put(97, tag)).status).toBe(412);
    const stale = await api.call(api.ed, 'DELETE', slo, undefined, { 'if-match': tag });
    expect(stale.status).toBe(412);
  });

  it('ends the incident about its budget when alerts are switched off or it is deleted [46.16]', async () => {
    const api = await openApi(await open());
    const { id, slo } = await monitorWithOutage(api);
    const watch = createBudgetWatch({ ...api, log: silentLog });
    for (const end of [
      () => api.call(api.ed, 'PUT', slo, { burn_rate_alerts: false }),
      () => api.call(api.ed, 'DELETE', slo),
    ]) {
      await api.call(api.ed, 'PUT', slo, { target_percent: 99.9, burn_rate_alerts: true });
      const at = api.clock.now();
      await api.database.transaction((tx) =>
        changeSpans(tx, [{ monitorId: id, teamId: api.alice.teamId, status: 'offline', at }]),
      );
      await api.clock.advance(3 * 60_000);
      await watch.run();
      expect((await api.call(api.vera, 'GET', slo)).body).toMatchObject({ burning: 'fast' });
      const list = async (status: string) =>
        (await api.call(api.vera, 'GET', `/api/v1/incidents?type=error_budget&status=${status}`))
          .body;
      expect(await list('open')).toMatchObject({ total: 1 });
      await end();
      expect(await list('open')).toMatchObject({ total: 0 });
      const { data } = await list('resolved');
      const { activities } = (
        await api.call(api.vera, 'GET', `/api/v1/incidents/${(data as Json[])[0]!.id}`)
      ).body;
      expect((activities as Json[]).at(-1)).toMatchObject({
        type: 'resolved',
        description: 'The check for the error budget was switched off.',
      });
    }
    expect((await api.call(api.ed, 'GET', slo)).status).toBe(404);
  });
});

it('tells all that is wrong with an SLO [46.11]', async () => {
  const api = await openApi(await openInMemory());
  const { slo } = await monitorWithOutage(api);
  const target = 'target_percent must be a number from 50 to 99.999.';
  const days = 'window_days must be a whole number from 1 to 90.';
  const cases: [object, object][] = [
    [{}, { target_percent: [expect.stringMatching(/^target_percent is required/)] }],
    [{ target_percent: 100 }, { target_percent: [target] }],
    [{ target_percent: 49.9 }, { target_percent: [target] }],
    [{ target_percent: '99' }, { target_percent: [target] }],
    [{ target_percent: 99, window_days: 0 }, { window_days: [days] }],
    [{ target_percent: 99, window_days: 91 }, { window_days: [days] }],
    [
      { target_percent: 99, burn_rate_alerts: 1 },
      { burn_rate_alerts: ['burn_rate_alerts must be true or false.'] },
    ],
  ];
  for (const [body, errors] of cases) {
    const { status, body: answer } = await api.call(api.ed, 'PUT', slo, body);
    expect([status, answer['errors']]).toEqual([422, errors]);
  }
});

const get = (api: TestApi, query = '', who = api.vera) => api.call(who, 'GET', SLOS + query);

eachDatabase((_name, open) => {
  it('lists each SLO as its monitor answers it, in pages [56.1]', async () => {
    const api = await openApi(await open());
    const cases: [string, number, object][] = [
      ['Short', 0.5, { target_percent: 99, window_days: 1 }],
      ['Long', 5, { target_percent: 99.9, window_days: 30 }],
      ['Before its window', 5, { target_percent: 99.9, window_days: 2 }],
    ];
    const ids: number[] = [];
    for (const [name, days, slo] of cases) ids.push(await withSlo(api, name, days, slo));
    // Begins before the window of two days.
    const correction = {
      from: new Date(api.clock.now() - 3 * DAY).toISOString(),
      to: new Date(api.clock.now() - 1.5 * DAY).toISOString(),
      as: 'down',
      reason: 'Customers said so.',
      evidence: 'Their mail.',
    };
    const path = `/api/v1/monitors/${ids[2]}/corrections`;
    expect((await api.call(api.ed, 'POST', path, correction)).status).toBe(201);
    const singles: Json[] = [];
    for (const [index, id] of ids.entries()) {
      const { body } = await api.call(api.vera, 'GET', `/api/v1/monitors/${id}/slo`);
      singles.push({ ...body, name: cases[index]![0] });
    }
    const spent = singles.map((slo) => (slo['error_budget'] as Json)['spent_seconds']);
    expect(spent).toEqual([3_600, 3_600, 43_200]);
    const { status, body } = await get(api);
    expect([status, body['total'], body['data']]).toEqual([200, 3, singles]);
    const second = (await get(api, '?per_page=2&page=2')).body;
    expect([second['total'], second['data']]).toEqual([3, singles.slice(2)]);
  });

  it('shows nothing of other teams and of deleted monitors [56.2]', async () => {
    const api = await openApi(await open());
    const id = await withSlo(api, 'Shop', 1, { target_percent: 99 });
    const theirs = await withSlo(api, 'Theirs', 1, { target_percent: 99 }, api.mallory);
    const listed = async (who: typeof api.alice) =>
      ((await get(api, '', who)).body['data'] as Json[]).map((slo) => slo['monitor_id']);
    expect([await listed(api.vera), await listed(api.mallory)]).toEqual([[id], [theirs]]);
    await api.call(api.alice, 'DELETE', `/api/v1/monitors/${id}`);
    expect((await get(api)).body).toMatchObject({ total: 0, data: [] });
  });

  it('is narrowed to a monitor of the team [56.3]', async () => {
    const api = await openApi(await open());
    await withSlo(api, 'Shop', 1, { target_percent: 99 });
    const id = await withSlo(api, 'Blog', 1, { target_percent: 98 });
    const { id: without } = await api.create();
    const { id: theirs } = await api.create({}, api.mallory);
    const one = (await get(api, `?monitor_id=${id}`)).body;
    expect(one).toMatchObject({ total: 1, data: [{ monitor_id: id, target_percent: 98 }] });
    expect((await get(api, `?monitor_id=${without}`)).body).toMatchObject({ total: 0, data: [] });
    for (const [wrong, predicate] of [
      [theirs, 'must be the id of a monitor of your team'],
      [4711, 'must be the id of a monitor of your team'],
      ['x', 'must be a whole number of at least 1'],
    ] as const) {
      const { status, body } = await get(api, `?monitor_id=${wrong}`);
      expect([status, body['errors']]).toEqual([422, sentences({ monitor_id: predicate })]);
    }
  });

  it('takes as many statements for one SLO as for several [56.4]', async () => {
    const database = await open();
    const api = await openApi(database);
    let statements = 0;
    const read = database.read.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        statements += 1;
        return result;
      },
    });
    const { listSlos } = slos.create({ database: { ...database, read }, clock: api.clock });
    const taken = async () => {
      statements = 0;
      await listSlos(callOf(callerOf(api.alice)));
      return statements;
    };
    await withSlo(api, 'One', 1, { target_percent: 99, window_days: 1 });
    const ofOne = await taken();
    for (const days of [2, 7, 30])
      await withSlo(api, `Of ${days}`, 1, { target_percent: 99, window_days: days });
    expect(ofOne).toBeGreaterThan(0);
    expect(await taken()).toBe(ofOne);
  });
});
