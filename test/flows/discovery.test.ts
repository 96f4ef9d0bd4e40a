import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createDiscoveries } from '../../src/main/discovery.ts';
import { openApi } from '../support/api.ts';
import { closedAfterEach } from '../support/closing.ts';
import { freshDirectory } from '../support/directories.ts';
import { waitUntil } from '../support/event-loop.ts';
import { openInMemory } from '../support/memory-database.ts';
import { Answer, startStreamingApi } from '../support/streaming-api.ts';

const open = closedAfterEach<() => unknown>();

const HOUR_MS = 3_600_000;

/** Docker with containers that the test changes, an installation that follows it, and who looks at both. */
async function start(environment: Record<string, string> = {}) {
  const { place, remove } = await freshDirectory();
  open.push(remove);
  const containers = new Map<string, Record<string, string>>();
  const socket = join(place, 'docker.sock');
  const docker = await startStreamingApi(
    ({ pathname }) => {
      if (pathname === '/events') return 'stream';
      if (pathname !== '/containers/json') return new Answer(404, { message: 'page not found' });
      return [...containers].map(([name, labels]) => ({
        Id: name.padEnd(64, '0'),
        Names: [`/${name}`],
        Created: 1,
        Labels: labels,
      }));
    },
    { socket },
  );
  open.push(() => docker.close());
  const api = await openApi(await openInMemory());
  const { config } = readConfig({
    DISCOVER: 'docker',
    DOCKER_HOST: `unix://${socket}`,
    ...environment,
  });
  const warnings: string[] = [];
  let applied = 0;
  const configuration = {
    ...api.configuration,
    async apply(...given: Parameters<typeof api.configuration.apply>) {
      try {
        return await api.configuration.apply(...given);
      } finally {
        applied += 1;
      }
    },
  };
  const warn = ({ reason }: { reason?: unknown }) => void warnings.push(String(reason));
  const follow = () => {
    const settings = { ...config!, discoverTeam: 'ours' };
    const discovery = createDiscoveries(
      { settings, clock: api.clock, log: { ...silentLog, warn } },
      configuration,
    );
    discovery.start();
    open.push(() => discovery.stop());
    return discovery;
  };
  /** Waits until sets were applied that often in all. */
  const settled = (times: number) => waitUntil(() => applied >= times);
  async function event() {
    await waitUntil(() => docker.streams.length === 1);
    const timers = api.clock.pending().timers;
    docker.streams[0]!.write('{"Type": "container", "Action": "create"}\n');
    await waitUntil(() => api.clock.pending().timers > timers);
    await api.clock.advance(2_000);
  }
  const monitors = async () => {
    const { body } = await api.call(api.alice, 'GET', '/api/v1/monitors');
    const all = (body['data'] as Record<string, unknown>[]).map((one) => ({
      name: one['friendly_name'],
      url: one['url'],
      isPaused: one['is_paused'],
      tags: one['tags'],
    }));
    return all.toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
  };
  return { api, containers, follow, event, settled, monitors, warnings, docker };
}

const labelled = (url: string, more: object = {}) => ({ 'tocsin.monitor.url': url, ...more });
const shown = (name: string, more: object = {}) => ({
  name,
  url: `https://${name}.example.com`,
  isPaused: false,
  tags: [],
  ...more,
});

test('monitors follow the containers of Docker', async () => {
  const { api, containers, follow, event, settled, monitors, warnings } = await start({
    DISCOVER_KEEP_HOURS: '2',
  });
  containers.set('web', labelled('https://web.example.com', { 'tocsin.group': 'Shop' }));
  // The API alone knows the regions.
  const elsewhere = { 'tocsin.monitor.monitored_regions': 'moon' };
  containers.set('bad', labelled('https://bad.example.com', elsewhere));
  const first = follow();
  await settled(2);
  expect(await monitors()).toEqual([shown('web')]);
  expect(warnings).toEqual([expect.stringContaining('monitors.0.monitored_regions')]);
  const { body: groups } = await api.call(api.alice, 'GET', '/api/v1/groups');
  expect(groups['data']).toMatchObject([{ name: 'Shop', monitors_count: 1 }]);

  containers.set('api', labelled('https://api.example.com'));
  containers.delete('bad');
  await event();
  await settled(3);
  expect(await monitors()).toEqual([shown('api'), shown('web')]);

  containers.delete('web');
  await event();
  await settled(4);
  const gone = { isPaused: true, tags: ['gone since 2030-01-01 00:00 UTC'] };
  expect(await monitors()).toEqual([shown('api'), shown('web', gone)]);

  await first.stop();
  await api.clock.advance(HOUR_MS);
  follow();
  await settled(5);
  expect(await monitors()).toEqual([shown('api'), shown('web', gone)]);
  containers.set('web', labelled('https://web.example.com'));
  await event();
  await settled(6);
  expect(await monitors()).toEqual([shown('api'), shown('web')]);

  containers.delete('api');
  await event();
  await settled(7);
  await api.clock.advance(2 * HOUR_MS);
  await settled(8);
  // With its history, and for people to delete.
  const retired = { isPaused: true, tags: ['gone since 2030-01-01 01:00 UTC'] };
  expect(await monitors()).toEqual([shown('api', retired), shown('web')]);
  const { body: owned } = await api.call(api.alice, 'GET', '/api/v1/configuration/items');
  expect(owned['data']).toMatchObject([{ section: 'monitors', key: 'web' }]);
});

test('monitors that are gone are deleted with their history where the operator wants it', async () => {
  const { api, containers, follow, event, settled, monitors } = await start({
    DISCOVER_KEEP_HOURS: '1',
    DISCOVER_DELETE_HISTORY: 'true',
  });
  containers.set('web', labelled('https://web.example.com'));
  follow();
  await settled(1);
  containers.delete('web');
  await event();
  await settled(2);
  await api.clock.advance(HOUR_MS);
  await settled(3);
  expect(await monitors()).toEqual([]);
});

test('monitors of people are left alone', async () => {
  const { api, containers, follow, settled, monitors } = await start();
  await api.create({ url: 'https://own.example.com', friendly_name: 'own', check_interval: 1 });
  await api.create({ url: 'https://web.example.com', friendly_name: 'web', check_interval: 1 });
  containers.set('web', labelled('https://web.example.com'));
  const first = follow();
  await settled(1);
  await first.stop();
  containers.delete('web');
  follow();
  await settled(2);
  expect(await monitors()).toMatchObject([shown('own'), { name: 'web', isPaused: true }]);
});
