import { sql } from 'kysely';
import type { SelectQueryBuilder, Transaction } from 'kysely';
import { SHARD_COUNT } from '../../model/monitor.ts';
import type { Database } from '../database/contract.ts';
import type { Schema } from '../database/schema.ts';

/** How long a node owns its shards without renewing, and how long it counts as a member, by the database's clock. */
export const LEASE_MS = 10_000;

/** A node that was not seen for so long is forgotten. */
const FORGET_NODE_MS = 3_600_000;

/**
 * Counts an edit of a monitor of that shard; the edit stamps the answer into `monitor.version`, and into `revision`
 * when the check itself changed. Edits of one shard commit one after another, so versions become visible in order.
 */
export async function nextVersion(tx: Transaction<Schema>, shard: number): Promise<number> {
  const row = await tx
    .updateTable('shard')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('shard', '=', shard)
    .returning('version')
    .executeTakeFirstOrThrow(() => new Error(`The database has no row for shard ${shard}.`));
  return row.version;
}

export interface ShardVersion {
  shard: number;
  version: number;
  owner: string | null;
}

/** The edit counters of those shards, or of all 256, in one query. */
export async function readVersions(
  database: Database,
  shards?: Iterable<number>,
): Promise<ShardVersion[]> {
  // Asked twice a second: as text a statement takes a third of the time that the query builder needs.
  const wanted = shards ? sql`where shard in (${sql.join([...shards])})` : sql``;
  const { rows } = await sql<ShardVersion>`
    select shard, version, owner from shard ${wanted}`.execute(database.read);
  return rows;
}

/** How many shards each of so many members owns at most. */
export function fairShare(members: number): number {
  return Math.ceil(SHARD_COUNT / Math.max(1, members));
}

/**
 * Milliseconds of the database's clock within a statement. Only Postgres is asked: on SQLite the process lock proves
 * ownership and there are no leases.
 */
const databaseNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Says that this node is alive. Answers how many nodes are, itself included. */
export async function announceNode(tx: Transaction<Schema>, nodeId: string): Promise<number> {
  await tx
    .insertInto('node')
    .values({ id: nodeId, seen_at: databaseNow })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: databaseNow }))
    .execute();
  const row = await tx
    .selectFrom('node')
    .select((eb) => eb.fn.countAll<number>().as('members'))
    .where('seen_at', '>', sql<number>`${databaseNow} - ${sql.lit(LEASE_MS)}`)
    .executeTakeFirstOrThrow();
  return Math.max(1, Number(row.members));
}

/** Forgets this node and those that have not been seen for an hour. */
export async function forgetNode(tx: Transaction<Schema>, nodeId: string): Promise<void> {
  await tx
    .deleteFrom('node')
    .where((eb) =>
      eb.or([
        eb('id', '=', nodeId),
        eb('seen_at', '<', sql<number>`${databaseNow} - ${sql.lit(FORGET_NODE_MS)}`),
      ]),
    )
    .execute();
}

/**
 * Renews the leases of all shards that are this node's, and answers them. A shard that an edit holds at this moment
 * is left out rather than waited for: ask again soon.
 */
export function renewShards(tx: Transaction<Schema>, nodeId: string): Promise<number[]> {
  return lease(tx, nodeId, (shards) => shards.where('owner', '=', nodeId));
}

/** Takes at most so many shards that are free or whose lease is over, and answers them. */
export function takeShards(
  tx: Transaction<Schema>,
  nodeId: string,
  limit: number,
): Promise<number[]> {
  return lease(tx, nodeId, (shards) =>
    shards
      .where((eb) => eb.or([eb('owner', 'is', null), eb('lease_until', '<', databaseNow)]))
      .limit(limit),
  );
}

type ShardQuery = SelectQueryBuilder<Schema, 'shard', { shard: number }>;

/** One statement; rows that another transaction holds are left out, so that nobody ever waits for a lease. */
async function lease(
  tx: Transaction<Schema>,
  nodeId: string,
  which: (shards: ShardQuery) => ShardQuery,
): Promise<number[]> {
  const rows = await tx
    // A common table with `for update` is run once; as a subquery its limit could be applied several times.
    .with('leased', (db) => which(db.selectFrom('shard').select('shard')).forUpdate().skipLocked())
    .updateTable('shard')
    .from('leased')
    .set({ owner: nodeId, lease_until: sql<number>`${databaseNow} + ${sql.lit(LEASE_MS)}` })
    .whereRef('shard.shard', '=', 'leased.shard')
    .returning('shard.shard')
    .execute();
  return rows.map((row) => row.shard);
}

/**
 * Gives those of the shards back that are this node's, so that others can take them at once. Waits for edits of them,
 * one shard after another in ascending order.
 */
export async function releaseShards(
  tx: Transaction<Schema>,
  nodeId: string,
  shards: number[],
): Promise<void> {
  if (shards.length === 0) return;
  await tx
    .with('released', (db) =>
      db
        .selectFrom('shard')
        .select('shard')
        .where('owner', '=', nodeId)
        .where('shard', 'in', shards)
        .orderBy('shard')
        .forUpdate(),
    )
    .updateTable('shard')
    .from('released')
    .set({ owner: null, lease_until: 0 })
    .whereRef('shard.shard', '=', 'released.shard')
    .execute();
}

/**
 * Who leases shards to the processes that share a database. Leases begin and end by the database's clock, each change is
 * atomic, and a shard is leased to one process at a time.
 */
export interface LeaseStore {
  announceNode: typeof announceNode;
  forgetNode: typeof forgetNode;
  renewShards: typeof renewShards;
  takeShards: typeof takeShards;
  releaseShards: typeof releaseShards;
  fairShare: typeof fairShare;
}

export const POSTGRES_LEASES: LeaseStore = {
  announceNode,
  forgetNode,
  renewShards,
  takeShards,
  releaseShards,
  fairShare,
};
