import { readFileSync } from 'node:fs';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { freshPostgres, postgres } from '../support/databases.ts';
import { ADMIN_TOKEN, PATIENTLY, useServices, type Service } from '../support/service.ts';

vi.setConfig({ testTimeout: 120_000 });

const services = useServices();

const document = {
  name: 'shop',
  groups: [{ key: 'shop', name: 'Shop' }],
  monitors: Array.from({ length: 3_000 }, (_, index) => ({
    key: `m${index}`,
    monitor_type: 'heartbeat',
    friendly_name: `Job ${index}`,
    heartbeat_interval: 86_400,
    group_id: 'shop',
  })),
};

/** What a team has of the set. */
async function countOf(service: Service) {
  const [monitors, groups, sets] = await Promise.all(
    ['/monitors', '/groups', '/configuration/sets'].map((path) =>
      service.get<{ total: number }>(`/api/v1${path}`),
    ),
  );
  return [monitors!.body.total, groups!.body.total, sets!.body.total];
}

const NOTHING = [0, 0, 0];
const ALL = [3_000, 1, 1];

test.skipIf('missing' in postgres)(
  'killed at the end of an apply on Postgres, it has changed nothing [61.1]',
  async () => {
    const { place, remove } = await freshPostgres();
    services.use({ close: remove });
    const holder = new pg.Client({ connectionString: place });
    await holder.connect();
    services.use({ close: () => holder.end() });
    const environment = {
      DATABASE_URL: place,
      SECRET_KEY: 'a key for the process tests',
      DATA_DIR: await services.folder(),
      ADMIN_TOKEN,
    };
    const service = await services.start(environment);
    // Lets an apply read what sets own, and waits at its last step, which stores that.
    await holder.query('begin; lock table configuration_item in share mode');
    const applying = service.post('/api/v1/configuration/apply', { document }).catch(() => null);
    const isWaiting = async () => {
      const { rows } = await holder.query(
        "select from pg_locks where not granted and relation = 'configuration_item'::regclass",
      );
      return rows.length > 0;
    };
    await expect.poll(isWaiting, PATIENTLY).toBe(true);
    await service.kill();
    await applying;
    await holder.query('rollback');
    const next = await services.start(environment);
    expect(await countOf(next)).toEqual(NOTHING);
    expect((await next.post('/api/v1/configuration/apply', { document })).status).toBe(200);
    expect(await countOf(next)).toEqual(ALL);
  },
);

test('killed in the middle of an apply on SQLite, it has changed nothing or all [61.1]', async () => {
  const environment = { DATA_DIR: await services.folder(), ADMIN_TOKEN };
  const service = await services.start(environment);
  const ticks = () => {
    const fields = readFileSync(`/proc/${service.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return Number(fields[11]) + Number(fields[12]);
  };
  const before = ticks();
  const applying = service.post('/api/v1/configuration/apply', { document }).catch(() => null);
  // A quarter of a second of CPU: the apply takes several.
  await expect.poll(() => ticks() - before, PATIENTLY).toBeGreaterThan(25);
  await service.kill();
  const answer = await applying;
  const next = await services.start(environment);
  const left = await countOf(next);
  expect([NOTHING, ALL]).toContainEqual(left);
  if (answer !== null) expect(left).toEqual(ALL);
  const { body } = await next.post<{ is_empty: boolean }>('/api/v1/configuration/apply', {
    document,
  });
  expect(body.is_empty).toBe(left[0] === 3_000);
  expect(await countOf(next)).toEqual(ALL);
});
