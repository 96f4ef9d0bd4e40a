import { callOf } from '../../../test/support/call.ts';
import { expect, it } from 'vitest';
import { openApi, sentences, type Json, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { callerOf } from '../../../test/support/people.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { changeSpans } from '../../store/engine/spans.ts';
import { createSloService } from './service.ts';

const SLOS = '/api/v1/slos';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A monitor of ten days ago with an SLO, offline for an hour as many days ago as given. */
async function withSlo(api: TestApi, name: string, days: number, slo: object, of = api.alice) {
  const { id } = await api.create({ friendly_name: name }, of);
  const now = api.clock.now();
  await updateRows(api.database, 'monitor', { created_at: now - 10 * DAY }, { id });
  const observed = { observed_until: now + DAY };
  await updateRows(api.database, 'monitor_state', observed, { monitor_id: id });
  const changes = [
    { status: 'online' as const, at: now - 10 * DAY },
    { status: 'offline' as const, at: now - days * DAY },
    { status: 'online' as const, at: now - days * DAY + HOUR },
  ];
  await api.database.transaction((tx) =>
    changeSpans(
      tx,
      changes.map((change) => ({ ...change, monitorId: id, teamId: of.teamId })),
    ),
  );
  const put = await api.call(of, 'PUT', `/api/v1/monitors/${id}/slo`, slo);
  expect(put.status, put.text).toBe(200);
  return id;
}

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
    const { listSlos } = createSloService({ database: { ...database, read }, clock: api.clock });
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
