import { expect, it } from 'vitest';
import { openApi, type Json, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { createBudgetWatch } from '../../engine/error-budget-watch.ts';
import { silentLog } from '../../lib/log.ts';
import { changeSpans } from '../../store/engine/spans.ts';
import { findSlo } from '../../store/resources/slos.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A monitor of ten days ago that was offline for an hour half a day ago. */
async function monitorWithOutage(api: TestApi) {
  const { id } = await api.create();
  const now = api.clock.now();
  await updateRows(api.database, 'monitor', { created_at: now - 10 * DAY }, { id });
  await updateRows(
    api.database,
    'monitor_state',
    { observed_until: now + DAY },
    { monitor_id: id },
  );
  const changes = [
    { status: 'online' as const, at: now - 10 * DAY },
    { status: 'offline' as const, at: now - 12 * HOUR },
    { status: 'online' as const, at: now - 11 * HOUR },
  ];
  await api.database.transaction((tx) =>
    changeSpans(
      tx,
      changes.map((change) => ({ ...change, monitorId: id, teamId: api.alice.teamId })),
    ),
  );
  return { id, path: `/api/v1/monitors/${id}`, slo: `/api/v1/monitors/${id}/slo` };
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
    expect(await findSlo(api.database.read, id)).toBeUndefined();
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
  expect((await api.call(api.vera, 'PUT', slo, { target_percent: 99 })).status).toBe(403);
  expect((await api.call(api.mallory, 'PUT', slo, { target_percent: 99 })).status).toBe(404);
});
