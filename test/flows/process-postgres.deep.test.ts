import { describe, expect, test, vi } from 'vitest';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import { postgres, freshPostgres } from '../support/databases.ts';
import {
  createMonitor,
  createMonitors,
  incidents,
  PATIENTLY,
  untilAll,
  untilCounted,
  untilIdle,
  useServices,
} from '../support/service.ts';
import { expectSoundHistory } from '../support/sound-history.ts';
import { startTarget } from '../support/target-server.ts';
import type { OpenDatabase } from '../../src/store/database/database.ts';
import { openPatiently } from '../support/patient-postgres.ts';
import { startProxy, type TcpProxy } from '../support/tcp-proxy.ts';

/** A Postgres database whose connection to the service can be cut. */
interface PostgresOnALine {
  line: TcpProxy;
  /** The URL through the proxy, for the service. */
  settings: { DATABASE_URL: string; SECRET_KEY: string; DATA_DIR: string };
  /** A direct connection. */
  database: OpenDatabase;
}

async function postgresOnALine(services: ReturnType<typeof useServices>): Promise<PostgresOnALine> {
  const { place, remove } = await freshPostgres();
  services.use({ close: remove });
  const { searchParams, pathname } = new URL(place);
  const line = services.use(await startProxy(`${searchParams.get('host')}/.s.PGSQL.5432`));
  const settings = {
    DATABASE_URL: `postgres://tocsin@127.0.0.1:${line.port}${pathname}`,
    SECRET_KEY: 'a key for the process tests',
    DATA_DIR: await services.folder(),
  };
  const database = services.use(await openPatiently(place));
  return { line, settings, database };
}

vi.setConfig({ testTimeout: 90_000 });

const services = useServices();

describe.skipIf('missing' in postgres)('on Postgres', () => {
  test('while it is away the API says so, results wait, and all goes on by itself [40.9]', async () => {
    const target = services.use(await startTarget());
    const { settings, database, line } = await postgresOnALine(services);
    const service = await services.start(settings);
    const ids = await createMonitors(service, 40, (index) => ({
      url: target.url(`/${index}`),
    }));
    const doomed = await createMonitor(service, { url: target.url('/doomed'), check_interval: 10 });
    await untilAll(service, [...ids, doomed], 'online');
    await untilIdle(service);

    // Their answers come when the database is gone.
    await target.heal(2_500);
    const before = target.requests().length;
    const looks = [...ids, doomed];
    const edit = { request_timeout: 20 };
    await Promise.all(looks.map((id) => service.put(`/api/v1/monitors/${id}`, edit)));
    await expect
      .poll(() => target.requests().length, PATIENTLY)
      .toBeGreaterThanOrEqual(before + 4 * looks.length);
    const cutAt = Date.now();
    await line.close();

    const refused = await service.get('/api/v1/monitors');
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.body['message']).toMatch(/\w+/);
    const created = await service.post('/api/v1/monitors', {
      url: target.url(),
      check_interval: 1,
    });
    expect(created.status).toBe(503);
    expect(Date.now() - cutAt).toBeLessThan(5_000);
    expect((await service.get('/healthz')).status).toBe(200);
    expect(await service.get('/readyz')).toMatchObject({ status: 503, body: { database: false } });
    const waiting = () => service.metric('tocsin_rounds_waiting');
    await expect.poll(waiting, PATIENTLY).toBeGreaterThan(looks.length / 2);
    const leases = 'Shard leases could not be renewed';
    await expect.poll(() => service.stdout, PATIENTLY).toContain(leases);
    // Longer than the leases last: another process might look at the monitors now.
    await sleep(systemClock, 11_000);
    const rounds = await service.metric('tocsin_rounds_started_total');
    await sleep(systemClock, 2_000);
    expect(await service.metric('tocsin_rounds_started_total')).toBe(rounds);

    await target.heal();
    await line.reopen();
    await expect.poll(waiting, PATIENTLY).toBe(0);
    await expect.poll(() => service.stdout, PATIENTLY).toContain('Shard leases are renewed again.');
    await expect.poll(async () => (await service.get('/readyz')).status, PATIENTLY).toBe(200);
    const backAt = Date.now();
    await Promise.all(ids.map((id) => untilCounted(service, id, backAt)));
    expect(await incidents(service)).toEqual([]);
    await untilAll(service, looks, 'online');

    await target.fail();
    await untilAll(service, [doomed], 'offline');
    // The others aim at the same target, and one whose turn has come has found it broken, too.
    const ofDoomed = (await incidents(service)).filter((one) => one['monitor_id'] === doomed);
    expect(ofDoomed).toMatchObject([{ type: 'uptime', status: 'open' }]);
    await service.stop();
    await expectSoundHistory(database);
  });

  test('that is not there yet is waited for [39.15]', async () => {
    const { settings, line } = await postgresOnALine(services);
    await line.close();
    const service = await services.start(settings, async (log) => {
      await expect.poll(log, PATIENTLY).toContain('Waiting for the database.');
      await line.reopen();
    });
    expect((await service.get('/readyz')).status).toBe(200);
    await service.stop();
  });
});
