import { describe, expect, test, vi } from 'vitest';
import { deriveRegionKey, probeKeyText } from '../../src/lib/region-keys.ts';
import { SECRET_KEY, startCluster } from '../support/cluster.ts';
import { postgres } from '../support/databases.ts';
import { onNats } from '../support/nats.ts';
import {
  createMonitor,
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

/** Probes of the region that take checks, as an API process sees them. */
async function takingIn(api: Service, region: string): Promise<unknown[]> {
  const { body } = await api.get<{ data: { code: string; probes: Json[] }[] }>('/api/v1/regions');
  const probes = body.data.find(({ code }) => code === region)?.probes ?? [];
  return probes.filter((probe) => probe['takes_checks']).map(({ vantage }) => vantage);
}

describe.skipIf('missing' in postgres)('a private region behind a firewall', () => {
  onNats((startNats) => {
    test('reaches what nobody else may, until its key is withdrawn', async () => {
      const nats = await startNats();
      const cluster = await startCluster(services, nats.url, ['nbg']);
      const target = services.use(await startTarget());
      const outside = { ALLOW_PRIVATE_TARGETS: 'false' };
      const settings = { ...outside, PRIVATE_REGIONS: 'office:1=Office' };
      const roles = 'api,scheduler,worker';
      const [server] = await Promise.all([
        cluster.server(roles, settings),
        cluster.probe('nbg', outside),
        cluster.probe('office', { ALLOW_PRIVATE_TARGETS: 'true' }),
      ]);
      const body = { url: target.url('/'), friendly_name: 'Intranet' };
      for (const regions of [['nbg'], ['nbg', 'office']]) {
        const refused = await server!.post('/api/v1/monitors', {
          ...body,
          check_interval: 1,
          monitored_regions: regions,
        });
        expect(refused.status).toBe(422);
      }
      const id = await createMonitor(server!, { ...body, monitored_regions: ['office'] });
      await untilAll(server!, [id], 'online');
      const { response_times: times } = await monitorOf(server!, id);
      expect(times.map(({ region }) => region)).toEqual(['office']);
      const url = encodeURIComponent(target.url('/once'));
      const once = await server!.get(`/api/v1/check-url?url=${url}&regions=office`);
      expect(once.body).toMatchObject({ verdict: 'up', total_regions: 1 });
      // A check that was lost on a busy machine is made again.
      expect(target.requests('/once')).not.toHaveLength(0);

      const withdrawn = await cluster.server(roles, {
        ...settings,
        REGION_KEY_VERSIONS: 'office=2',
      });
      await expect.poll(() => takingIn(withdrawn, 'nbg'), PATIENTLY).toEqual(['rack-nbg']);
      // It hears the probe of the withdrawn key, and cannot open what it says.
      await expect
        .poll(() => withdrawn.metric('tocsin_nats_messages_unreadable_total'), PATIENTLY)
        .toBeGreaterThan(0);
      expect(await takingIn(withdrawn, 'office')).toEqual([]);
      const before = target.requests('/twice').length;
      const twice = url.replace('once', 'twice');
      const unanswered = await withdrawn.get(`/api/v1/check-url?url=${twice}&regions=office`);
      expect(unanswered.body).toMatchObject({ verdict: 'unknown' });
      expect(target.requests('/twice')).toHaveLength(before);
      await cluster.probe('office', {
        ALLOW_PRIVATE_TARGETS: 'true',
        VANTAGE_NAME: 'new laptop',
        PROBE_KEY: probeKeyText(deriveRegionKey(SECRET_KEY, 'office', 2)),
      });
      await expect.poll(() => takingIn(withdrawn, 'office'), PATIENTLY).toEqual(['new laptop']);
      const again = await withdrawn.get(`/api/v1/check-url?url=${twice}&regions=office`);
      expect(again.body).toMatchObject({ verdict: 'up' });
    });
  });
});
