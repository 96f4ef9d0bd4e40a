import pg from 'pg';
import { sleep, systemClock } from '../../src/lib/clock.ts';

/** What the run itself reads of the database. Waits while Postgres is away. */
export interface SharedTables {
  nodes(): Promise<string[]>;
  shardsOf(nodeId: string): Promise<number[]>;
  /** Number of these shards that still belong to that node, or to none. */
  withoutNewOwner(nodeId: string, shards: readonly number[]): Promise<number>;
  pendingDeliveries(): Promise<number>;
  openIncidents(): Promise<number>;
  close(): Promise<void>;
}

const AWAY_AT_MOST_MS = 60_000;
const AGAIN_MS = 50;

export function openSharedTables(url: string): SharedTables {
  const pool = new pg.Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 3_000 });
  pool.on('error', () => {});
  async function read<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const deadline = performance.now() + AWAY_AT_MOST_MS;
    for (;;) {
      try {
        return (await pool.query<Row>(text, values)).rows;
      } catch (error) {
        if (performance.now() > deadline) throw error;
      }
      await sleep(systemClock, AGAIN_MS);
    }
  }
  const countOf = async (text: string, values: unknown[] = []) =>
    Number((await read<{ count: string }>(text, values))[0]!.count);
  return {
    nodes: async () => (await read<{ id: string }>('select id from node')).map(({ id }) => id),
    async shardsOf(nodeId) {
      const rows = await read<{ shard: string }>('select shard from shard where owner = $1', [
        nodeId,
      ]);
      return rows.map(({ shard }) => Number(shard));
    },
    withoutNewOwner: (nodeId, shards) =>
      countOf(
        `select count(*) from shard where shard = any($2::int[]) and (owner is null or owner = $1)`,
        [nodeId, shards],
      ),
    pendingDeliveries: () => countOf(`select count(*) from delivery where status = 'pending'`),
    openIncidents: () => countOf('select count(*) from incident where ended_at is null'),
    close: () => pool.end(),
  };
}
