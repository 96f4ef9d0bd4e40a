import { expect, test } from 'vitest';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '../../src/store/database/contract.ts';
import { listSpans } from '../../src/store/engine/spans.ts';
import { openApi, type TestApi } from '../support/api.ts';
import { freshDirectory } from '../support/directories.ts';
import { openInMemory } from '../support/memory-database.ts';
import { giveToken } from '../support/people.ts';
import { fillDemo, type Demo } from './fill.ts';
import { addManyMonitors } from './many.ts';
import { MONITORS } from './northwind/monitors.ts';
import { DAY_MS, GAPS, HISTORY_MS, problemsOf } from './northwind/problems.ts';

const NOW = Date.UTC(2030, 5, 12, 14, 16, 25);
const PRESENT = new Date(NOW).toISOString();
const PASSWORD = 'northwind tea at dawn';
const KEYS = ['a key for tests'];

/** The API over the filled database, at the time at which it was filled, for a member of the team. */
async function openFilled(database: Database) {
  const demo = await fillDemo(database, { now: NOW, seed: 1, password: PASSWORD, keys: KEYS });
  const { teamId, people } = demo;
  const [alice, mallory, ed, vera] = await Promise.all(
    people.map(async ({ id: personId }) => ({
      personId,
      teamId,
      token: await giveToken(database, { personId, teamId }, { now: NOW }),
    })),
  );
  const standing = { alice: alice!, mallory: mallory!, ed: ed!, vera: vera! };
  const api = await openApi(database, {}, { people: standing });
  api.clock.stepWall(NOW - api.clock.now());
  const get = async (path: string, who = api.alice) => {
    const answer = await api.call(who, 'GET', `/api/v1${path}`);
    expect(answer.status, `${path}: ${answer.text.slice(0, 500)}`).toBe(200);
    return answer.body as unknown as Record<string, any>;
  };
  return { demo, api, get };
}

test('the history agrees with itself, and every page of the API answers', async () => {
  const database = await openInMemory();
  const { demo, api, get } = await openFilled(database);
  await expectStatusesOfIncidents(database, demo);
  await expectEndedWork(database);
  await expectAnswers(api, demo);

  const overview = await get('/attention');
  expect(overview['summary']).toEqual({
    monitors: 60,
    not_observed: 0,
    online: 53,
    offline: 2,
    degraded: 1,
    pending: 1,
    paused: 3,
    in_maintenance: 1,
  });
  await expectSameUptime(demo, get);
  await expectStatusPage(api, demo);
  const applications = await get('/connected-applications');
  expect(applications['data']).toHaveLength(1);
  const invitations = await get('/users/invitations');
  const ends = invitations['data'].map((one: { expires_at: string }) => one.expires_at < PRESENT);
  expect(ends.toSorted()).toEqual([false, true]);
});

/** Offline and degraded time is that of incidents, outside of gaps. */
async function expectStatusesOfIncidents(database: Database, demo: Demo): Promise<void> {
  const ids = MONITORS.map(({ friendly_name: name }) => demo.monitor(name));
  const spans = await listSpans(database.read, ids, NOW - HISTORY_MS, NOW);
  const recorded = spans
    .filter(({ status }) => status === 'offline' || status === 'degraded')
    .map(({ monitorId, status, fromAt, toAt }) => [monitorId, status, fromAt, toAt]);
  const incidents = await database.read.selectFrom('incident').selectAll().execute();
  const expected = incidents.map((one) => [
    one.monitor_id,
    one.severity === 'critical' ? 'offline' : 'degraded',
    one.started_at,
    one.ended_at,
  ]);
  expect(recorded.toSorted()).toEqual(expected.toSorted());
  expect(incidents).toHaveLength(problemsOf(1, NOW).length);
  for (const { fromAgo, toAgo } of GAPS) {
    const at = NOW - (fromAgo + toAgo) / 2;
    const covering = spans.filter(({ fromAt, toAt }) => fromAt <= at && at < (toAt ?? NOW));
    const checked = covering.filter(({ status }) => status === 'unobserved');
    expect(checked.length).toBeGreaterThan(45);
  }
}

/** No event, alert or message waits but those of an endpoint that fails. */
async function expectEndedWork(database: Database): Promise<void> {
  const { read } = database;
  const events = await read
    .selectFrom('event')
    .select('id')
    .where('fan_out_at', '<=', NOW)
    .execute();
  expect(events).toEqual([]);
  const waiting = await read
    .selectFrom('delivery')
    .innerJoin('webhook_endpoint', 'webhook_endpoint.destination_id', 'delivery.destination_id')
    .select('webhook_endpoint.name')
    .where('delivery.status', '=', 'pending')
    .execute();
  expect(new Set(waiting.map(({ name }) => name))).toEqual(new Set(['Data lake']));
  const due = await read
    .selectFrom('destination')
    .select('id')
    .where('next_at', '<=', NOW)
    .execute();
  expect(due).toEqual([]);
}

/** Queries of paths that need one. */
const QUERIES: Record<string, (ids: Record<string, Record<string, string | number>>) => string> = {
  '/alert-routes/preview': (ids) => `?monitor_id=${ids['/monitors']!['id']}`,
};

/** Operations that answer something else than a view of stored data. */
const NO_PAGES = new Set([
  '/alert-links',
  '/invitations/preview',
  '/cron-preview',
  '/check-url',
  '/setup/state',
  '/wall',
]);

/** Every GET of the API that a list or the team leads to answers 200. */
async function expectAnswers(api: TestApi, demo: Demo): Promise<void> {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, { get?: unknown }>;
  };
  const ids = await firstIds(api.database, demo);
  const called: string[] = [];
  const failed: string[] = [];
  for (const path of Object.keys(paths).filter((one) => paths[one]!.get !== undefined)) {
    const own = path.replace('/api/v1', '');
    if (NO_PAGES.has(own)) continue;
    const id =
      ids[own] ?? ids[Object.keys(ids).find((prefix) => own.startsWith(`${prefix}/{`)) ?? ''];
    const url = own.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      String(id?.[name] ?? id?.['id'] ?? 'none'),
    );
    if (url.includes('none')) continue;
    const query = QUERIES[own]?.(ids) ?? '';
    const { status, text } = await api.call(api.alice, 'GET', `/api/v1${url}${query}`);
    called.push(own);
    if (status !== 200) failed.push(`${url}: ${status} ${text.slice(0, 200)}`);
  }
  expect(failed).toEqual([]);
  expect(called.length).toBeGreaterThan(60);
}

/** Ids for the parameters of paths, by the path's beginning. */
async function firstIds(
  { read }: Database,
  demo: Demo,
): Promise<Record<string, Record<string, string | number>>> {
  const first = async (
    table:
      | 'alert_channel'
      | 'alert_route'
      | 'webhook_endpoint'
      | 'maintenance_window'
      | 'report'
      | 'report_run'
      | 'update_template'
      | 'monitor_group'
      | 'correction'
      | 'subscriber',
  ) =>
    (await read.selectFrom(table).select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()).id;
  const update = await read
    .selectFrom('announcement_update')
    .innerJoin(
      'announcement_incident',
      'announcement_incident.announcement_id',
      'announcement_update.announcement_id',
    )
    .select(['announcement_update.id', 'announcement_update.announcement_id', 'incident_id'])
    .orderBy('announcement_update.id')
    .limit(1)
    .executeTakeFirstOrThrow();
  const correction = await read
    .selectFrom('correction')
    .select(['id', 'monitor_id'])
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  const endpoint = await first('webhook_endpoint');
  const delivery = await read
    .selectFrom('delivery')
    .innerJoin('webhook_endpoint', 'webhook_endpoint.destination_id', 'delivery.destination_id')
    .select('delivery.id')
    .where('webhook_endpoint.id', '=', endpoint)
    .limit(1)
    .executeTakeFirstOrThrow();
  return {
    '/monitors/{id}/slo': { id: demo.monitor('Checkout API') },
    '/monitors/{id}/corrections/{correction}': {
      id: correction.monitor_id,
      correction: correction.id,
    },
    '/monitors': { id: demo.monitor('Checkout API') },
    '/incidents': { id: update.incident_id, update: update.id },
    '/announcements': { id: update.announcement_id, update: update.id },
    '/update-templates': { id: await first('update_template') },
    '/groups': { id: await first('monitor_group') },
    '/alert-channels': { id: await first('alert_channel') },
    '/alert-routes': { id: await first('alert_route') },
    '/webhook-endpoints': { id: endpoint, delivery: delivery.id },
    '/maintenance-windows': { id: await first('maintenance_window') },
    '/reports': { id: await first('report') },
    '/status-pages': { id: demo.pages[0]!, subscriber: await first('subscriber') },
    '/teams': { id: demo.teamId },
  };
}

/** The figures of a monitor are the same on its page and in a report. */
async function expectSameUptime(
  demo: Demo,
  get: (path: string) => Promise<Record<string, any>>,
): Promise<void> {
  const to = Math.floor(NOW / DAY_MS) * DAY_MS;
  const period = `from=${new Date(to - 30 * DAY_MS).toISOString()}&to=${new Date(to).toISOString()}`;
  for (const name of [
    'Checkout API',
    'Storefront',
    'File uploads',
    'Data warehouse',
    'Nightly backup',
  ]) {
    const id = demo.monitor(name);
    const page = await get(`/monitors/${id}/uptime?${period}`);
    const report = await get(`/reports/uptime?monitors[]=${id}&${period}`);
    const [monitor] = report['monitors'];
    expect(monitor.uptime_percent, name).toBe(page['uptime_percent']);
    expect(monitor.down_seconds, name).toBe(page['down_seconds']);
  }
}

/** The public page shows what is open, and its subscribers were notified. */
async function expectStatusPage(api: TestApi, demo: Demo): Promise<void> {
  const announcements = await api.call(
    api.alice,
    'GET',
    `/api/v1/announcements?state=open&status_page=${demo.pages[0]}`,
  );
  const titles = (announcements.body['data'] as { title: string | null; state: string }[]).map(
    ({ title, state }) => `${title}: ${state}`,
  );
  expect(titles).toContain('Payments fail at checkout: identified');
}

const drawn = (seed: number) =>
  problemsOf(seed, NOW).map(({ monitor, beganAgo }) => `${monitor} ${beganAgo}`);

test('the same seed gives the same problems, and another one others', () => {
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(2)).not.toEqual(drawn(1));
});

test('thousands of monitors are added to a team', async () => {
  const database = await openInMemory();
  const api = await openApi(database);
  const now = api.clock.now();
  const ids = await addManyMonitors(database, { teamId: api.alice.teamId, count: 2_000, now });
  expect(new Set(ids).size).toBe(2_000);
  const list = await api.call(api.alice, 'GET', '/api/v1/monitors?per_page=100&page=20');
  expect(list.body).toMatchObject({ total: 2_000, from: 1_901, to: 2_000 });
  const attention = await api.call(api.alice, 'GET', '/api/v1/attention');
  const { online, offline, degraded, pending, paused } = attention.body['summary'] as Counts;
  expect(Math.min(offline, degraded, pending, paused)).toBeGreaterThan(3);
  expect(online).toBeGreaterThan(1_800);
});

type Counts = Record<'online' | 'offline' | 'degraded' | 'pending' | 'paused', number>;

test('a folder that holds data is refused', async () => {
  const { place, remove } = await freshDirectory();
  writeFileSync(join(place, 'notes.txt'), 'Do not lose this.');
  const program = fileURLToPath(new URL('main.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [program, '--data', place]);
  expect(status).toBe(1);
  expect(String(stderr)).toContain('holds data already');
  expect(readdirSync(place)).toEqual(['notes.txt']);
  await remove();
});
