import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { freshPostgres, postgres } from '../support/databases.ts';
import { PATIENTLY, useServices } from '../support/service.ts';

vi.setConfig({ testTimeout: 90_000 });

const services = useServices();

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
