import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import { freshPostgres, postgres } from '../support/databases.ts';
import {
  createMonitors,
  incidents,
  PATIENTLY,
  untilAll,
  untilCounted,
  untilIdle,
  useServices,
} from '../support/service.ts';
import { startTarget } from '../support/target-server.ts';

vi.setConfig({ testTimeout: 90_000 });

const services = useServices();

test('stopped for a while in the middle of checks, it blames nobody', async () => {
  const target = services.use(await startTarget());
  const service = await services.start({ DATA_DIR: await services.folder() });
  const ids = await createMonitors(service, 20, (index) => ({ url: target.url(`/${index}`) }));
  await untilAll(service, ids, 'online');
  await untilIdle(service);

  // The answers come after it is awake again.
  await target.heal(13_000);
  const before = target.requests().length;
  // While it stands still the time runs out: for the probe alone, or for who waits for the probe too.
  const timeouts = ids.map((_, index) => ({ request_timeout: index % 2 === 0 ? 11 : 8 }));
  await Promise.all(
    ids.map((id, index) => service.put(`/api/v1/monitors/${id}`, timeouts[index]!)),
  );
  const all = before + 4 * ids.length;
  await expect.poll(() => target.requests().length, PATIENTLY).toBeGreaterThanOrEqual(all);
  service.signalAll('SIGSTOP');
  // Longer than a lease, than the checks' time limits, and than a probe may be silent.
  await sleep(systemClock, 11_500);
  await target.heal();
  service.signalAll('SIGCONT');
  const wokenAt = Date.now();
  for (const id of ids) await untilCounted(service, id, wokenAt);
  expect(await incidents(service)).toEqual([]);
  await untilAll(service, ids, 'online');
  expect((await service.get('/readyz')).status).toBe(200);
  await service.stop();
});

test('a probe process that is killed is replaced, and nobody is blamed', async () => {
  const target = services.use(await startTarget());
  const service = await services.start({ DATA_DIR: await services.folder() });
  const ids = await createMonitors(service, 10, (index) => ({
    url: target.url(`/${index}`),
    check_interval: 10,
  }));
  await untilAll(service, ids, 'online');
  await untilIdle(service);
  const probesByRegion = async () => (await service.get('/readyz')).body['probes'];
  const all = { ash: 1, pdx: 1, nbg: 1, sin: 1 };
  expect(await probesByRegion()).toEqual(all);

  await target.hang();
  const [victim] = await service.probes();
  const before = target.requests().length;
  for (const id of ids) await service.put(`/api/v1/monitors/${id}`, { request_timeout: 20 });
  await expect.poll(() => target.requests().length, PATIENTLY).toBe(before + 4 * ids.length);
  // One that dies again and again is started after a while only, and is seen to be missing.
  const missing = async () => {
    for (const pid of await service.probes()) process.kill(pid, 'SIGKILL');
    return probesByRegion();
  };
  await expect
    .poll(missing, { ...PATIENTLY, interval: 10 })
    .toEqual({ ash: 0, pdx: 0, nbg: 0, sin: 0 });
  const killedAt = Date.now();
  await target.heal();
  await expect.poll(probesByRegion, PATIENTLY).toEqual(all);
  expect(await service.probes()).not.toContain(victim);

  for (const id of ids) await untilCounted(service, id, killedAt);
  expect(await incidents(service)).toEqual([]);
  await untilAll(service, ids, 'online');
  expect(service.stdout).toContain('"cause":"ended (SIGKILL)"');
  await service.stop();
});

test.skipIf('missing' in postgres)(
  'on SIGTERM when it serves and has not quite started, it ends well and gives its shards back [39.18]',
  async () => {
    const { place, remove } = await freshPostgres();
    services.use({ close: remove });
    const holder = new pg.Client({ connectionString: place });
    await holder.connect();
    services.use({ close: () => holder.end() });
    // The last step of a start counts incidents, and waits for this lock.
    await holder.query('begin; lock table incident in access exclusive mode');
    const owners = async () => {
      const { rows } = await holder.query('select owner from shard where owner is not null');
      return rows.length;
    };
    const { code, stdout } = await services.run(
      {
        DATABASE_URL: place,
        SECRET_KEY: 'a key for the process tests',
        DATA_DIR: await services.folder(),
      },
      undefined,
      async (pid) => {
        await expect.poll(owners, PATIENTLY).toBeGreaterThan(0);
        process.kill(pid, 'SIGTERM');
      },
    );
    expect(stdout).toContain('Tocsin is stopping.');
    expect(code).toBe(0);
    expect(await owners()).toBe(0);
  },
);

test.skipIf('missing' in postgres)(
  'told to end while a request takes long, it gives its shards back at once [39.18]',
  async () => {
    const { place, remove } = await freshPostgres();
    services.use({ close: remove });
    const holder = new pg.Client({ connectionString: place });
    const observer = new pg.Client({ connectionString: place });
    for (const client of [holder, observer]) {
      await client.connect();
      services.use({ close: () => client.end() });
    }
    const countOf = async (query: string) =>
      Number((await observer.query<{ count: string }>(query)).rows[0]!.count);
    const owned = () => countOf('select count(*) from shard where owner is not null');
    const service = await services.start({
      DATABASE_URL: place,
      SECRET_KEY: 'a key for the process tests',
      DATA_DIR: await services.folder(),
    });
    await expect.poll(owned, PATIENTLY).toBeGreaterThan(0);
    await holder.query('begin; lock table monitor_group in access exclusive mode');
    const slow = service.get('/api/v1/groups').catch(() => null);
    await expect
      .poll(
        () => countOf(`select count(*) from pg_stat_activity where wait_event_type = 'Lock'`),
        PATIENTLY,
      )
      .toBeGreaterThan(0);
    const ended = service.kill('SIGTERM');
    await expect.poll(owned, { timeout: 5_000 }).toBe(0);
    await holder.query('rollback');
    await slow;
    expect((await ended).code).toBe(0);
  },
);
