import { gunzipSync } from 'node:zlib';
import { Counter, Registry } from 'prom-client';
import { afterEach, expect, test } from 'vitest';
import { LIMITS } from '../../test/support/api.ts';
import { createClientKeys, createUncountedRateLimits } from '../identity/rate-limits.ts';
import { systemClock } from '../lib/clock.ts';
import { silentLog } from '../lib/log.ts';
import { DatabaseUnavailable } from '../store/database/errors.ts';
import { buildApi } from './app.ts';
import type { ApiDeps } from './deps.ts';

const TOKEN = 'a-token-of-prometheus-0123456789-abcdef';

const apps: { close(): unknown }[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

function scraped(metricsToken: string | null, pieces: () => AsyncGenerator<string, void, void>) {
  const metrics = new Registry();
  new Counter({ name: 'rounds_total', help: 'Rounds', registers: [metrics] }).inc(3);
  const filters: Parameters<Required<ApiDeps>['monitorMetrics']>[0][] = [];
  const app = buildApi({
    services: { routes: [] } as never,
    authenticator: { authenticate: async () => null },
    rateLimits: createUncountedRateLimits({ limits: LIMITS, clock: systemClock }),
    plans: {} as never,
    pings: {} as never,
    clock: systemClock,
    baseUrl: () => '',
    clientKeys: createClientKeys('a key for tests'),
    readiness: () => Promise.reject(new Error('not asked')),
    metrics,
    metricsToken,
    monitorMetrics(filter) {
      filters.push(filter);
      return pieces();
    },
    log: silentLog,
  });
  apps.push(app);
  const get = (url: string, authorization?: string, more: Record<string, string> = {}) =>
    app.inject({
      url,
      headers: { ...(authorization !== undefined && { authorization }), ...more },
    });
  return { get, filters };
}

async function* two() {
  yield 'first\n';
  yield 'second\n';
}

test('without METRICS_TOKEN, metrics are open and those of monitors are off [39.59]', async () => {
  const { get, filters } = scraped(null, two);
  const open = await get('/metrics');
  expect([open.statusCode, open.body]).toEqual([
    200,
    expect.stringContaining('\nrounds_total 3\n'),
  ]);
  const off = await get('/metrics/monitors', `Bearer ${TOKEN}`);
  expect([off.statusCode, off.json()]).toMatchObject([
    404,
    { message: 'Metrics of monitors are switched off. Set METRICS_TOKEN to switch them on.' },
  ]);
  expect(filters).toEqual([]);
});

test('METRICS_TOKEN protects both scrapes [39.59]', async () => {
  const { get, filters } = scraped(TOKEN, two);
  for (const path of ['/metrics', '/metrics/monitors']) {
    for (const wrong of [undefined, 'Bearer', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN]) {
      const refused = await get(path, wrong);
      expect([refused.statusCode, refused.headers['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(refused.body).not.toContain(TOKEN);
    }
  }
  expect(filters).toEqual([]);
  expect((await get('/metrics', `Bearer ${TOKEN}`)).statusCode).toBe(200);
  const monitors = await get('/metrics/monitors', `bearer ${TOKEN}`);
  expect([monitors.statusCode, monitors.body]).toEqual([200, 'first\nsecond\n']);
  expect(monitors.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
});

test.each([
  ['', { teamId: null, tag: null }],
  ['?team=7', { teamId: 7, tag: null }],
  ['?tag=shop&team=7', { teamId: 7, tag: 'shop' }],
])('monitors are filtered by %j', async (query, filter) => {
  const { get, filters } = scraped(TOKEN, two);
  await get(`/metrics/monitors${query}`, `Bearer ${TOKEN}`);
  expect(filters).toEqual([filter]);
});

test.each([
  ['team=x', 'team'],
  ['team=0', 'team'],
  ['team=1&team=2', 'team'],
  ['tag=', 'tag'],
])('%s is refused', async (query, field) => {
  const { get } = scraped(TOKEN, two);
  const { statusCode, body } = await get(`/metrics/monitors?${query}`, `Bearer ${TOKEN}`);
  expect([statusCode, Object.keys(JSON.parse(body).errors)]).toEqual([422, [field]]);
});

test('a database that is away is a 503, and counts as no scrape', async () => {
  const { get } = scraped(TOKEN, async function* () {
    yield await Promise.reject(new DatabaseUnavailable('it is away'));
  });
  for (let scrape = 0; scrape < 6; scrape += 1) {
    const { statusCode, headers } = await get('/metrics/monitors', `Bearer ${TOKEN}`);
    expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
  }
});

test('four scrapes of monitors run at once; one more is told to come again', async () => {
  const go = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  let running = 0;
  const { get } = scraped(TOKEN, async function* () {
    running += 1;
    if (running === 4) started.resolve();
    await go.promise;
    yield 'done\n';
  });
  const scrape = () => get('/metrics/monitors', `Bearer ${TOKEN}`);
  const scrapes = Array.from({ length: 4 }, scrape);
  await started.promise;
  const fifth = await scrape();
  expect([fifth.statusCode, fifth.headers['retry-after']]).toEqual([503, '5']);
  go.resolve();
  for (const { statusCode } of await Promise.all(scrapes)) expect(statusCode).toBe(200);
  expect((await scrape()).statusCode).toBe(200);
});

test('a scrape of monitors is compressed while it is written, for a client that accepts it [1.35]', async () => {
  const { get } = scraped(TOKEN, two);
  const plain = await get('/metrics/monitors', `Bearer ${TOKEN}`);
  const gzip = { 'accept-encoding': 'gzip' };
  const compressed = await get('/metrics/monitors', `Bearer ${TOKEN}`, gzip);
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  expect(gunzipSync(compressed.rawPayload).equals(plain.rawPayload)).toBe(true);
});
