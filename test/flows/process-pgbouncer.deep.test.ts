import { describe, expect, test, vi } from 'vitest';
import { SHARD_COUNT } from '../../src/model/monitor.ts';
import { freshPostgres, postgres } from '../support/databases.ts';
import { untilOwned } from '../support/pair.ts';
import { openPatiently } from '../support/patient-postgres.ts';
import { startPgBouncer } from '../support/pgbouncer.ts';
import {
  createMonitor,
  incidents,
  lookAt,
  monitorOf,
  PATIENTLY,
  untilAll,
  useServices,
} from '../support/service.ts';
import { expectSoundHistory } from '../support/sound-history.ts';
import { startTarget } from '../support/target-server.ts';

vi.setConfig({ testTimeout: 240_000 });

const services = useServices();

/** A pooler that loses prepared statements may end a transaction, whose request is refused with 503 and sent again. */
const untilAccepted = <Value>(request: () => Promise<Value>) => vi.waitFor(request, PATIENTLY);

describe.skipIf('missing' in postgres)('two processes behind PgBouncer in transaction mode', () => {
  test.each(['true', 'false'])(
    'share the work, and go on when it starts anew; prepared statements: %s',
    async (prepared) => {
      const { place, remove } = await freshPostgres();
      services.use({ close: remove });
      const database = services.use(await openPatiently(place));
      const pooler = services.use(await startPgBouncer(place, await services.folder()));
      const target = services.use(await startTarget());
      const start = async () =>
        services.start({
          DATABASE_URL: pooler.url,
          DATABASE_PREPARED_STATEMENTS: prepared,
          SECRET_KEY: 'a key for the process tests',
          DATA_DIR: await services.folder(),
        });
      const [first, second] = await Promise.all([start(), start()]);
      await untilOwned(database, [SHARD_COUNT / 2, SHARD_COUNT / 2]);
      const ids = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          untilAccepted(() => createMonitor(first, { url: target.url(`/${index}`) })),
        ),
      );
      await untilAll(second, ids, 'online');
      const job = await untilAccepted(() =>
        createMonitor(second, {
          monitor_type: 'heartbeat',
          friendly_name: 'Backup',
          heartbeat_interval: 300,
        }),
      );
      const { ping_url: ping } = (await monitorOf(first, job)) as unknown as { ping_url: string };
      await untilAccepted(async () => {
        const pinged = await fetch(first.url + new URL(ping).pathname);
        expect(pinged.status).toBe(200);
      });
      await expect
        .poll(async () => (await monitorOf(second, job)).status, PATIENTLY)
        .toBe('online');

      await pooler.restart();
      await target.fail();
      for (const id of ids) await lookAt(second, id);
      await untilAll(first, ids, 'offline');
      const owned = async () => (await second.get('/readyz')).status;
      await expect.poll(owned, PATIENTLY).toBe(200);

      await first.kill();
      await untilOwned(database, [SHARD_COUNT]);
      await target.heal();
      for (const id of ids) await lookAt(second, id);
      await untilAll(second, ids, 'online');
      expect(await incidents(second)).toHaveLength(ids.length);
      await second.stop();
      await expectSoundHistory(database);
    },
  );
});
