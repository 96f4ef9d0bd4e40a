import { expect } from 'vitest';
import type { Database } from '../../src/store/database/contract.ts';
import { SHARD_COUNT } from '../../src/model/monitor.ts';
import { freshPostgres } from './databases.ts';
import { openPatiently } from './patient-postgres.ts';
import { createMonitors, PATIENTLY, untilAll, type Service, type useServices } from './service.ts';
import { startTarget, type TargetServer } from './target-server.ts';

/** Two processes that share a Postgres database and, half each, its monitors; all of these are up. */
export interface Pair {
  first: Service;
  second: Service;
  database: Database;
  target: TargetServer;
  ids: number[];
}

/** Monitor number `index` checks the path `/index` of the target. */
export async function startPair(
  services: ReturnType<typeof useServices>,
  count: number,
  fields: object = {},
): Promise<Pair> {
  const { place, remove } = await freshPostgres();
  services.use({ close: remove });
  const database = services.use(await openPatiently(place));
  const target = services.use(await startTarget());
  const settings = { DATABASE_URL: place, SECRET_KEY: 'a key for the process tests' };
  const start = async () => services.start({ ...settings, DATA_DIR: await services.folder() });
  const [first, second] = await Promise.all([start(), start()]);
  await untilOwned(database, [SHARD_COUNT / 2, SHARD_COUNT / 2]);
  const ids = await createMonitors(first, count, (index) => ({
    url: target.url(`/${index}`),
    ...fields,
  }));
  await untilAll(second, ids, 'online');
  return { first, second, database, target, ids };
}

/** Waits until the processes own that many shards each, in ascending order. */
export async function untilOwned(database: Database, shares: number[]): Promise<void> {
  const owned = async () => {
    const rows = await database.read
      .selectFrom('shard')
      .select((eb) => eb.fn.countAll<number>().as('shards'))
      .where('owner', 'is not', null)
      .groupBy('owner')
      .execute();
    return rows.map(({ shards }) => Number(shards)).toSorted((a, b) => a - b);
  };
  await expect.poll(owned, PATIENTLY).toEqual(shares);
}

/** Rounds that this process recorded, by outcome. */
export const roundsOf = (service: Service, outcome: 'counted' | 'duplicate') =>
  service.metric('tocsin_rounds_total', outcome);
