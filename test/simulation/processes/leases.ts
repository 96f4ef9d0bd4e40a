import type { Transaction } from 'kysely';
import type { Schema } from '../../../src/store/database/schema.ts';
import { LEASE_MS } from '../../../src/store/engine/shards.ts';
import type { LeaseStore } from '../../../src/store/engine/shards.ts';
import { SHARDS } from '../world-database.ts';

/**
 * Leases of shards on SQLite, equivalent to the product's statements for Postgres. Transactions are serialized, so that
 * rows need no locks; leases end by the clock of the database, which is that of the world.
 */
export function worldLeases(databaseNow: () => number): LeaseStore {
  const lease = async (tx: Transaction<Schema>, nodeId: string, shards: number[]) => {
    if (shards.length === 0) return [];
    await tx
      .updateTable('shard')
      .set({ owner: nodeId, lease_until: databaseNow() + LEASE_MS })
      .where('shard', 'in', shards)
      .execute();
    return shards;
  };
  return {
    // Worlds have fewer shards than the product; each of two processes owns half of them.
    fairShare: (members) => Math.ceil(SHARDS / Math.max(1, members)),
    async announceNode(tx, nodeId) {
      const now = databaseNow();
      await tx
        .insertInto('node')
        .values({ id: nodeId, seen_at: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: now }))
        .execute();
      const { members } = await tx
        .selectFrom('node')
        .select((eb) => eb.fn.countAll<number>().as('members'))
        .where('seen_at', '>', now - LEASE_MS)
        .executeTakeFirstOrThrow();
      return Math.max(1, Number(members));
    },
    async forgetNode(tx, nodeId) {
      await tx.deleteFrom('node').where('id', '=', nodeId).execute();
    },
    async renewShards(tx, nodeId) {
      const own = await tx
        .selectFrom('shard')
        .select('shard')
        .where('owner', '=', nodeId)
        .execute();
      return lease(
        tx,
        nodeId,
        own.map(({ shard }) => shard),
      );
    },
    async takeShards(tx, nodeId, limit) {
      const free = await tx
        .selectFrom('shard')
        .select('shard')
        .where((eb) => eb.or([eb('owner', 'is', null), eb('lease_until', '<', databaseNow())]))
        .limit(limit)
        .execute();
      return lease(
        tx,
        nodeId,
        free.map(({ shard }) => shard),
      );
    },
    async untilNextEnd(tx, nodeId) {
      const now = databaseNow();
      const { end } = await tx
        .selectFrom('shard')
        .select((eb) => eb.fn.min('lease_until').as('end'))
        .where('owner', '<>', nodeId)
        .where('lease_until', '>', now)
        .executeTakeFirstOrThrow();
      return end === null ? null : Number(end) - now;
    },
    async releaseShards(tx, nodeId, shards) {
      if (shards.length === 0) return;
      await tx
        .updateTable('shard')
        .set({ owner: null, lease_until: 0 })
        .where('owner', '=', nodeId)
        .where('shard', 'in', shards)
        .execute();
    },
  };
}
