import { describe, expect, test } from 'vitest';
import { openApi, sharedApi, type TestApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { runRetentionSlice } from '../engine/history/retention.ts';
import { purgeMonitor } from '../store/engine/expiry.ts';
import { readPageFacts } from '../status-page/read-facts.ts';

const DAY_MS = 86_400_000;
const UP = { up_seconds: 86_400, down_seconds: 0 };
const DOWN = { up_seconds: 86_100, down_seconds: 300 };

/** A monitor that was created at noon of 3 January 2030. */
async function createMonitor(api: TestApi): Promise<number> {
  await api.clock.advance(2.5 * DAY_MS);
  return (await api.create()).id;
}

const put = (api: TestApi, id: number, body: object) =>
  api.call(api.alice, 'POST', `/api/v1/monitors/${id}/imported-days`, body);

async function daysOf(api: TestApi, id: number, query = 'days=4') {
  const { body } = await api.call(api.alice, 'GET', `/api/v1/monitors/${id}/days?${query}`);
  return body['data'] as Record<string, unknown>[];
}

eachDatabase((_name, open) => {
  test('imported days are shown and marked, in the place of unknown ones [46.20]', async () => {
    const api = await openApi(await open());
    const id = await createMonitor(api);
    const days = [
      { date: '2030-01-01', ...DOWN },
      { date: '2030-01-02', ...UP },
    ];
    const answer = await put(api, id, { source: 'Uptime Kuma', days });
    expect([answer.status, answer.body]).toEqual([
      200,
      { monitor_id: id, source: 'Uptime Kuma', days: 2, first: '2030-01-01', last: '2030-01-02' },
    ]);
    expect(await daysOf(api, id)).toMatchObject([
      { date: '2029-12-31', status: 'unobserved', uptime_percent: null, imported: false },
      {
        date: '2030-01-01',
        status: 'offline',
        from: '2030-01-01T00:00:00.000Z',
        to: '2030-01-02T00:00:00.000Z',
        uptime_percent: 99.653,
        observed_percent: null,
        ...DOWN,
        incidents: 0,
        imported: true,
      },
      { date: '2030-01-02', status: 'online', uptime_percent: 100, imported: true },
      { date: '2030-01-03', status: 'unobserved', imported: false },
    ]);
    await put(api, id, { source: 'Uptime Kuma', days: [] });
    expect((await daysOf(api, id)).some(({ imported }) => imported)).toBe(false);
  });

  test('a status page shows them, and is made anew for them [46.20]', async () => {
    const database = await open();
    const api = await openApi(database);
    const id = await createMonitor(api);
    const page = await api.call(api.alice, 'POST', '/api/v1/status-pages', {
      name: 'Ours',
      monitors: [{ id }],
    });
    const changes = async () => {
      const rows = await database.read.selectFrom('status_page_change').selectAll().execute();
      return rows.filter((row) => row.page_id === page.body.id).length;
    };
    const before = await changes();
    await put(api, id, { source: 'Uptime Kuma', days: [{ date: '2030-01-01', ...DOWN }] });
    expect(await changes()).toBeGreaterThan(before);
    const facts = await readPageFacts(database, page.body.id, api.clock.now());
    const [service] = facts!.groups[0]!.services;
    expect(service).toMatchObject({
      importedFrom: 'Uptime Kuma',
      uptimePercent: null,
      observedPercent: null,
    });
    expect(service!.days.filter((day) => day.isImported)).toMatchObject([
      { from: Date.UTC(2030, 0, 1), upMs: 86_100_000, downMs: 300_000, beforeMs: 0 },
    ]);
  });

  test('they are in no figure, and go by age and with their monitor [46.21]', async () => {
    const database = await open();
    const api = await openApi(database);
    const [old, young] = [await createMonitor(api), await createMonitor(api)];
    await put(api, old, { source: 'x', days: [{ date: '2030-01-01', ...DOWN }] });
    await put(api, young, { source: 'x', days: [{ date: '2030-01-02', ...DOWN }] });
    const path = `/api/v1/monitors/${old}/uptime?from=2029-12-25T00:00:00Z&to=2030-01-03T00:00:00Z`;
    const { body } = await api.call(api.alice, 'GET', path);
    expect(body).toMatchObject({ uptime_percent: null, up_seconds: 0, down_seconds: 0 });
    const { clock } = api;
    const kept = { rawRetentionDays: 3, rollupRetentionDays: 400, auditRetentionDays: 400 };
    const left = async () => {
      while ((await runRetentionSlice({ database, clock, ...kept })) === 'more');
      const rows = await database.read.selectFrom('imported_days').select('monitor_id').execute();
      return rows.map((row) => row.monitor_id);
    };
    expect(await left()).toEqual([old, young]);
    await clock.advance(Date.UTC(2030, 0, 2) + 400 * DAY_MS - clock.now());
    expect(await left()).toEqual([young]);
    await purgeMonitor(database, young);
    expect(await left()).toEqual([]);
  });
});

describe('what is no import', () => {
  const refusing = sharedApi();
  const day = { date: '2029-12-31', ...UP };
  const days = Array.from({ length: 401 }, () => day);
  test.each<[field: string, body: object]>([
    ['source', { days: [] }],
    ['source', { source: '', days: [] }],
    ['days', { source: 'x' }],
    ['days', { source: 'x', days: {} }],
    ['days', { source: 'x', days }],
    ['days.0', { source: 'x', days: [1] }],
    ['days.0.date', { source: 'x', days: [{ ...day, date: '2030-01-01' }] }],
    ['days.0.date', { source: 'x', days: [{ ...day, date: '2029-13-01' }] }],
    ['days.0.date', { source: 'x', days: [{ ...day, date: '1969-12-31' }] }],
    ['days.1.date', { source: 'x', days: [day, day] }],
    ['days.0.up_seconds', { source: 'x', days: [{ ...day, up_seconds: 90_001 }] }],
    ['days.0.up_seconds', { source: 'x', days: [{ ...day, up_seconds: 1.5 }] }],
    ['days.0.down_seconds', { source: 'x', days: [{ ...day, down_seconds: -1 }] }],
    ['days.0.down_seconds', { source: 'x', days: [{ ...day, down_seconds: 3_601 }] }],
  ])('is 422 on %s [46.20]', async (field, body) => {
    const api = await refusing();
    const { id } = await api.create();
    const answer = await put(api, id, body);
    expect([answer.status, Object.keys(answer.body['errors'] as object)]).toEqual([422, [field]]);
  });
});
