import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { METRICS } from '../../src/lib/metric-table.ts';
import { startCluster } from '../support/cluster.ts';
import { postgres } from '../support/databases.ts';
import { onNats } from '../support/nats.ts';
import {
  createMonitor,
  lookAt,
  monitorOf,
  PATIENTLY,
  untilAll,
  useServices,
  type Json,
  type Service,
} from '../support/service.ts';
import { startTarget } from '../support/target-server.ts';

vi.setConfig({ testTimeout: 240_000 });

const services = useServices();
const REGIONS = ['nbg', 'sin'];

async function startReceiver() {
  const events: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      events.push(String((JSON.parse(Buffer.concat(chunks).toString()) as Json)['event']));
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return services.use({ url, events, close });
}

const placesOf = async (api: Service) => {
  const { body } = await api.get<{ data: { code: string; vantage: string; probes: Json[] }[] }>(
    '/api/v1/regions',
  );
  return body.data.map(({ code, vantage, probes }) => [
    code,
    vantage,
    probes.filter((probe) => probe['takes_checks']).length,
  ]);
};

describe.skipIf('missing' in postgres)('roles in processes of their own', () => {
  onNats((startNats) => {
    test('they check, judge, alert and answer together, and each ends cleanly', async () => {
      const nats = await startNats();
      const cluster = await startCluster(services, nats.url, REGIONS);
      const target = services.use(await startTarget());
      const receiver = await startReceiver();
      const settings = { ALLOW_HTTP_WEBHOOKS: 'true' };
      const [api, nbg, sin] = await Promise.all([
        cluster.server('api', settings),
        ...REGIONS.map((region) => cluster.probe(region)),
      ]);
      const scheduler = await cluster.server('scheduler', settings);
      const worker = await cluster.server('worker', settings);
      const hook = {
        name: 'Receiver',
        url: receiver.url,
        severities: ['critical', 'warning', 'info'],
      };
      expect((await api!.post('/api/v1/webhook-endpoints', hook)).status).toBe(201);

      const id = await createMonitor(api!, { url: target.url('/'), friendly_name: 'Shop' });
      await untilAll(api!, [id], 'online');
      const { response_times: times } = await monitorOf(api!, id);
      expect(times.map(({ region }) => region)).toEqual(REGIONS);
      expect(await placesOf(api!)).toEqual([
        ['nbg', 'rack-nbg', 1],
        ['sin', 'rack-sin', 1],
      ]);

      await target.fail();
      await lookAt(api!, id);
      await untilAll(api!, [id], 'offline');
      await expect.poll(() => receiver.events, PATIENTLY).toEqual(['monitor.down']);
      await target.heal();
      await lookAt(api!, id);
      await untilAll(api!, [id], 'online');
      await expect.poll(() => receiver.events, PATIENTLY).toEqual(['monitor.down', 'monitor.up']);
      expect((await api!.post(`/api/v1/monitors/${id}/check`)).status).toBe(200);

      expect((await api!.get('/readyz')).body).toMatchObject({
        status: 'ready',
        roles: ['api'],
        schedule_lag_ms: null,
        probes: { nbg: 1, sin: 1 },
        nats: true,
      });
      expect((await scheduler.get('/readyz')).body).toMatchObject({
        status: 'ready',
        roles: ['scheduler'],
        probes: { nbg: 1, sin: 1 },
      });
      expect((await worker.get('/readyz')).body).toMatchObject({ roles: ['worker'] });
      expect((await nbg!.get('/readyz')).body).toMatchObject({
        status: 'ready',
        roles: ['probe'],
        regions: ['nbg'],
      });
      const scraped = await (await fetch(`${scheduler.url}/metrics`)).text();
      const ofNats = Object.keys(METRICS).filter((name) => /^tocsin_(nats|region)_/.test(name));
      expect(ofNats.filter((name) => !scraped.includes(`\n${name}`))).toEqual([]);
      expect(await scheduler.metric('tocsin_rounds_total', 'counted')).toBeGreaterThan(1);
      expect(await scheduler.metric('tocsin_nats_requests_lost_total')).toBe(0);
      expect(await worker.metric('tocsin_deliveries_total', 'delivered')).toBe(2);
      expect(await nbg!.metric('tocsin_checks_total', 'up')).toBeGreaterThan(1);
      for (const [service, absent] of [
        [api!, 'tocsin_schedule_lag_seconds'],
        [scheduler, 'tocsin_deliveries_total'],
        [worker, 'tocsin_rounds_total'],
        [sin!, 'tocsin_database_up'],
      ] as const) {
        const text = await (await fetch(`${service.url}/metrics`)).text();
        expect(text).not.toContain(absent);
      }
      for (const service of [scheduler, worker, sin!])
        expect((await fetch(`${service.url}/api/v1/monitors`)).status).toBe(404);

      for (const service of [sin!, worker, scheduler, api!, nbg!]) {
        await service.stop();
        expect(service.stdout).not.toContain('"level":"error"');
      }
    });

    test('a process with all roles and NATS checks its own regions itself, and asks others for the rest', async () => {
      const nats = await startNats();
      const cluster = await startCluster(services, nats.url, REGIONS);
      const target = services.use(await startTarget());
      const all = await cluster.server('all', { PROBE_REGIONS: 'nbg', VANTAGE_NAME: 'here' });
      const id = await createMonitor(all, { url: target.url('/') });
      await untilAll(all, [id], 'online');
      const far = await cluster.probe('sin');
      await expect
        .poll(() => placesOf(all), PATIENTLY)
        .toEqual([
          ['nbg', 'here', 1],
          ['sin', 'rack-sin', 1],
        ]);
      await lookAt(all, id);
      await nats.stop('SIGKILL');
      // Its own probes need no message bus.
      const before = target.requests().length;
      const since = Date.now();
      await all.put(`/api/v1/monitors/${id}`, { request_timeout: 20 });
      await expect.poll(() => target.requests().length, PATIENTLY).toBeGreaterThan(before);
      await expect
        .poll(async () => (await monitorOf(all, id)).last_checked_at, PATIENTLY)
        .toSatisfy((at: string) => Date.parse(at) >= since);
      expect((await monitorOf(all, id)).status).toBe('online');
      expect((await all.get('/readyz')).body).toMatchObject({ status: 'ready', nats: false });
      expect((await far.get('/readyz')).status).toBe(503);
    });

    test('without what its roles need a process says so and ends', async () => {
      const refused = await services.run({ ROLES: 'probe', ADMIN_TOKEN: undefined });
      expect(refused.code).toBe(1);
      expect(refused.stderr.trim().split('\n')).toEqual([
        expect.stringContaining('NATS_URL must be set when ROLES is probe'),
        expect.stringContaining('PROBE_KEY must be set when ROLES is probe'),
      ]);
      const nats = await startNats({ args: ['--user', 'tocsin', '--pass', 'right'] });
      const cluster = await startCluster(services, nats.url, REGIONS);
      await expect(cluster.probe('nbg')).rejects.toThrow(/NATS_URL: no connection to NATS/);
      const url = nats.url.replace('//', '//tocsin:right@');
      const probe = await cluster.probe('nbg', { NATS_URL: url });
      expect((await probe.get('/readyz')).status).toBe(200);
      expect(probe.stdout).not.toContain('right');
    });
  });
});
