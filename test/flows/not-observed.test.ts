import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../src/lib/log.ts';
import { OBSERVED_INDEFINITELY } from '../../src/model/heartbeat.ts';
import { monitorMetrics } from '../../src/main/monitor-metrics.ts';
import { createDocuments } from '../../src/status-page/documents.ts';
import type { DocumentRequest } from '../../src/status-page/facts/paths.ts';
import { createPages, type Pages } from '../../src/status-page/pages.ts';
import { writeMark } from '../../src/store/engine/process-marks.ts';
import { openApi, type Json, type TestApi } from '../support/api.ts';
import { openEngineHarness, type EngineHarness } from '../support/engine-harness.ts';
import { updateRows } from '../support/rows.ts';
import { insertPage, insertServices } from '../support/status-pages.ts';
import { callTool } from '../support/tools.ts';

const SECOND = 1_000;
const INTERVAL_MS = 30 * SECOND;

let harness: EngineHarness;
let api: TestApi;
let pages: Pages;
let shop: number;
let job: number;

beforeEach(async () => {
  harness = await openEngineHarness();
  const { database, clock } = harness;
  api = await openApi(database, {}, { clock });
  const team_id = api.alice.teamId;
  shop = await harness.createMonitor({ team_id, friendly_name: 'Shop', check_interval: 0.5 });
  const push = { monitor_type: 'heartbeat', heartbeat_interval: 3_600, url: undefined };
  job = (await api.create({ ...push, friendly_name: 'Job', check_interval: undefined })).id;
  const ran = { status: 'online', observed_until: OBSERVED_INDEFINITELY };
  await updateRows(database, 'monitor_state', ran, { monitor_id: job });
  const page = await insertPage(database, { team_id, slug: 'acme' });
  await insertServices(database, page, [{ id: shop }, { id: job }]);
  const installation = { canSubscribe: false, baseUrl: () => '' };
  const documents = createDocuments({ database, clock, installation });
  pages = createPages({ database, clock, log: silentLog, documents });
  pages.start();
  await mark();
  await harness.clock.runUntil(async () => (await harness.status(shop)) === 'online', INTERVAL_MS);
});

afterEach(async () => {
  const stopped = pages.stop();
  await harness.clock.settle();
  await stopped;
  await harness.close();
});

/** Says that a process takes pings. */
const mark = () => harness.database.transaction((tx) => writeMark(tx, harness.clock.now()));

const get = async (path: string) => (await api.call(api.alice, 'GET', `/api/v1${path}`)).body;

async function document(request: DocumentRequest): Promise<string> {
  const asked = pages.document('acme', request);
  await harness.clock.settle();
  return (await asked)!.body.toString();
}

async function metrics(): Promise<string> {
  let text = '';
  const filter = { teamId: null, tag: null };
  for await (const piece of monitorMetrics(harness.database, filter, harness.clock.now()))
    text += piece;
  return text;
}

/** What each face says of one monitor. */
async function faces(id: number) {
  const now = harness.clock.now();
  const isPast = ({ observed_until: until }: Json) => Date.parse(until as string) < now;
  const byId = ({ id: one }: Json) => one === id;
  const list = (await get('/monitors'))['data'] as Json[];
  const overview = (await get('/monitors/overview'))['monitors'] as Json[];
  const { structuredContent: tool } = await callTool(api, api.alice, 'get_monitor', {
    monitor_id: id,
  });
  const labels = (await metrics())
    .split('\n')
    .filter((line) => line.includes(`monitor_id="${id}"`));
  const summary = JSON.parse(await document({ name: 'summary' })) as { components: Json[] };
  const badge = { name: 'badge', kind: 'status', monitorId: id } as const;
  return {
    list: isPast(list.find(byId)!),
    single: isPast(await get(`/monitors/${id}`)),
    overview: 'observed_until' in overview.find(byId)!,
    tool: 'not_observed_since' in tool,
    badge: (await document(badge)).includes('Not observed'),
    summary: !summary.components.find((one) => Number(one.id) === id)!['observed'],
    metric: labels.some((line) => /^tocsin_monitor_observed.* 0$/.test(line)),
    isUpMissing: !labels.some((line) => line.startsWith('tocsin_monitor_up')),
  };
}

const ALL = {
  list: true,
  single: true,
  overview: true,
  tool: true,
  badge: true,
  summary: true,
  metric: true,
  isUpMissing: true,
};
const NONE = Object.fromEntries(Object.keys(ALL).map((name) => [name, false]));

const countsIn = ({ online, not_observed }: Record<string, unknown>) => ({ online, not_observed });

async function counts() {
  const { structuredContent: tool } = await callTool(api, api.alice, 'get_attention');
  const { structuredContent: uptime } = await callTool(api, api.alice, 'get_uptime_summary');
  return [
    countsIn((await get('/attention'))['summary'] as Json),
    countsIn((await get('/uptime-summary'))['by_status'] as Json),
    countsIn(tool['by_status'] as Record<string, unknown>),
    countsIn(uptime['by_status'] as Record<string, unknown>),
  ];
}

const inAll = (count: object) => [count, count, count, count];

test('when checks stop, every face says so within two intervals [6.30, 6.31, 47.2]', async () => {
  const { clock } = harness;
  await harness.scheduler.stop();
  const lastCheck = Math.max(...harness.checks.map(({ at }) => at));
  // Whatever is cached now must not stay.
  await clock.advance(lastCheck + 2 * INTERVAL_MS - SECOND - clock.now());
  await mark();
  expect(await faces(shop)).toEqual({ ...NONE, list: true, single: true });
  expect(await document({ name: 'embed', variant: 'card' })).toContain('All services are up');
  expect(await counts()).toEqual(inAll({ online: 2, not_observed: 0 }));
  await clock.advance(2 * SECOND);
  await mark();
  expect(await faces(shop)).toEqual(ALL);
  expect(await document({ name: 'page' })).toContain('Shop is not being observed.');
  expect(await document({ name: 'embed', variant: 'card' })).toContain(
    'Shop is not being observed.',
  );
  expect(await counts()).toEqual(inAll({ online: 1, not_observed: 1 }));
  expect(await faces(job)).toEqual(NONE);
  await harness.restart();
  await clock.advance(INTERVAL_MS);
  await mark();
  expect(await faces(shop)).toEqual(NONE);
});

test('when no process takes pings, every face says so of jobs [6.30, 6.31, 47.2]', async () => {
  await harness.clock.advance(INTERVAL_MS);
  await mark();
  expect(await faces(job)).toEqual(NONE);
  await harness.clock.advance(71 * SECOND);
  expect(await faces(job)).toEqual(ALL);
  expect(await faces(shop)).toEqual(NONE);
  // A status page is read again once a minute.
  await harness.clock.advance(60 * SECOND);
  await mark();
  await harness.clock.advance(SECOND);
  expect(await faces(job)).toEqual(NONE);
});
