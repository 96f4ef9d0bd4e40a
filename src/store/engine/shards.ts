import { sql, type SelectQueryBuilder } from 'kysely';
import { SHARD_COUNT, SHARD_STEP } from '../../model/monitor.ts';
import type { Database, Row, Schema, Tx } from '../database/contract.ts';
import { engineOf } from '../database/dialect.ts';
import { PULL_TYPES } from '../../monitor-types/registry.ts';

/**
 * Duration of a lease, and of a node's membership without a sign of life, by the database's clock. With what follows it,
 * loading the monitors and making up for what was due, a dead process is replaced within 10 s (contract 40.5).
 */
export const LEASE_MS = 7_000;

/** A node that was not seen for this time is deleted. */
const FORGET_NODE_MS = 3_600_000;

/**
 * Increments the version of a shard for an edit of one of its monitors. The edit stores it in `monitor.version`, and in
 * `revision` when the check itself changed. Edits of one shard commit one after another, so versions become visible in
 * order.
 */
export async function nextVersion(tx: Tx, shard: number): Promise<number> {
  return (await nextVersions(tx, [shard])).get(shard)!;
}

/**
 * Does the same for edits of several shards in one transaction, each once. Locks them in ascending order, so that two
 * edits never wait for each other.
 *
 * @returns the version of each shard.
 */
export async function nextVersions(tx: Tx, shards: Iterable<number>) {
  const wanted = [...new Set(shards)];
  if (rehearsals.has(tx)) return new Map(wanted.map((shard) => [shard, 0]));
  if (wanted.length > 1) await lockShards(tx, wanted);
  const rows = await tx
    .updateTable('shard')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('shard', 'in', wanted)
    .returning(['shard', 'version'])
    .execute();
  const versions = new Map(rows.map(({ shard, version }) => [shard, version]));
  const missing = wanted.find((shard) => !versions.has(shard));
  if (missing !== undefined) throw new Error(`The database has no row for shard ${missing}.`);
  return versions;
}

const rehearsals = new WeakSet<Tx>();

/**
 * Marks a transaction that is rolled back whatever it does. Its edits need no versions, so that it locks no shard: locked
 * for long, shards could not be edited by other teams, and their leases would end.
 */
export const markRehearsal = (tx: Tx) => void rehearsals.add(tx);

/** Locks shards in ascending order, before several edits each write a version. @param shards null for all. */
export async function lockShards(tx: Tx, shards: readonly number[] | null): Promise<void> {
  if (engineOf(tx) === 'sqlite' || shards?.length === 0 || rehearsals.has(tx)) return;
  const wanted = tx.selectFrom('shard').select('shard').orderBy('shard').forNoKeyUpdate();
  await wanted.$if(shards !== null, (rows) => rows.where('shard', 'in', shards!)).execute();
}

export interface ShardVersion {
  shard: number;
  version: number;
  owner: string | null;
}

/** Reads the versions of these shards, or of all 256, in one query. */
export async function readVersions(database: Database, shards?: Iterable<number>) {
  // Asked twice a second: as text a statement takes a third of the time that the query builder needs.
  const wanted = shards ? sql`where shard in (${sql.join([...shards])})` : sql``;
  const { rows } = await sql<ShardVersion>`
    select shard, version, owner from shard ${wanted}`.execute(database.read);
  return rows;
}

/** Maximum number of shards per member. */
export function fairShare(members: number): number {
  return Math.ceil(SHARD_COUNT / Math.max(1, members));
}

/** The database's clock in milliseconds. On Postgres only: on SQLite the process lock proves ownership without leases. */
const databaseNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Records that this node is alive. @returns the number of members, including itself. */
export async function announceNode(tx: Tx, nodeId: string): Promise<number> {
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

/** Deletes this node and nodes that have not been seen for an hour. */
async function forgetNode(tx: Tx, nodeId: string): Promise<void> {
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

/** Skips a shard that an edit has locked: repeat the call soon. @returns the renewed shards. */
export function renewShards(tx: Tx, nodeId: string): Promise<number[]> {
  return lease(tx, nodeId, (shards) => shards.where('owner', '=', nodeId));
}

/** An order in which neighbors are apart: processes that start together must not take shards in blocks. */
const scattered = sql`shard * ${sql.lit(SHARD_STEP)} % ${sql.lit(SHARD_COUNT)}`;

/** Leases up to `limit` shards that are free or whose lease is over. @returns the leased shards. */
export function takeShards(tx: Tx, nodeId: string, limit: number) {
  return lease(tx, nodeId, (shards) =>
    shards
      .where((eb) => eb.or([eb('owner', 'is', null), eb('lease_until', '<', databaseNow)]))
      .orderBy(scattered)
      .limit(limit),
  );
}

/**
 * Milliseconds until the first lease of another node ends, unless that renews it; null if no other one holds a lease.
 * Leases that are over already do not count.
 */
export async function untilNextEnd(tx: Tx, nodeId: string) {
  const { rows } = await sql<{ wait: number | null }>`
    select min(lease_until) - ${databaseNow} as wait from shard
    where owner <> ${nodeId} and lease_until > ${databaseNow}`.execute(tx);
  return rows[0]?.wait ?? null;
}

type ShardQuery = SelectQueryBuilder<Schema, 'shard', { shard: number }>;

/** Leases shards in one statement. Skips what another transaction has locked, so that no process waits for a lease. */
async function lease(tx: Tx, nodeId: string, which: (shards: ShardQuery) => ShardQuery) {
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
 * Releases shards of this node, so that others can take them at once. Waits for their edits, one shard after another in
 * ascending order.
 */
async function releaseShards(tx: Tx, nodeId: string, shards: number[]) {
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
 * Leases shards to the processes that share a database. Leases begin and end by the database's clock, each change is
 * atomic, and a shard is leased to one process at a time.
 */
export const POSTGRES_LEASES = {
  announceNode,
  forgetNode,
  renewShards,
  takeShards,
  untilNextEnd,
  releaseShards,
  fairShare,
};

export type LeaseStore = typeof POSTGRES_LEASES;

/** A monitor with the state that the scheduler needs, as stored. */
export type ScheduledMonitorRow = Row<'monitor'> &
  Pick<Schema['monitor_state'], 'run_at' | 'last_slot' | 'last_checked_at'>;

/** Whether the monitor is checked periodically now. */
export function isScheduled(row: ScheduledMonitorRow): boolean {
  const isPull = (PULL_TYPES as readonly string[]).includes(row.type);
  return isPull && row.is_paused === 0 && row.deleted_at === null && row.check_interval !== null;
}

/** Reads a page of the scheduled monitors of one shard, by id; `afterId` is the last id of the previous page, or 0. */
export function scheduledMonitorsOfShard(
  database: Database,
  shard: number,
  afterId: number,
  limit: number,
): Promise<ScheduledMonitorRow[]> {
  return selectScheduled(database.scan)
    .where('monitor.shard', '=', shard)
    .where('monitor.id', '>', afterId)
    .where('monitor.type', 'in', [...PULL_TYPES])
    .where('monitor.is_paused', '=', 0)
    .where('monitor.deleted_at', 'is', null)
    .orderBy('monitor.id')
    .limit(limit)
    .execute();
}

/** Reads monitors edited since the given version of their shard, by shard; paused and deleted ones are included. */
export function editedMonitors(database: Database, since: ReadonlyMap<number, number>) {
  return selectScheduled(database.read)
    .where((eb) =>
      eb.or(
        [...since].map(([shard, version]) =>
          eb('monitor.shard', '=', shard).and('monitor.version', '>', version),
        ),
      ),
    )
    .execute();
}

function selectScheduled(db: Database['read']) {
  return db
    .selectFrom('monitor')
    .innerJoin('monitor_state', 'monitor_state.monitor_id', 'monitor.id')
    .selectAll('monitor')
    .select(['monitor_state.run_at', 'monitor_state.last_slot', 'monitor_state.last_checked_at']);
}
