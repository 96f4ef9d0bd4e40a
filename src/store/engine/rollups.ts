import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../database/contract.ts';
import { engineOf, forUpdate, jsonTable } from '../database/dialect.ts';
import { getProgress, setProgress } from '../database/progress.ts';
import type { RollupTable, Schema } from '../database/schema.ts';

export type RollupName = 'rollup_hour' | 'rollup_day';

/** A monitor's hour or day: `at` is its beginning in epoch milliseconds, `data` is packed by engine/history/summary.ts. */
export interface Rollup {
  monitorId: number;
  at: number;
  data: Uint8Array;
}

/** Writes roll-ups, in place of those that are there. Those of monitors that are gone are left out. */
export async function writeRollups(
  tx: Transaction<Schema>,
  table: RollupName,
  rollups: readonly Rollup[],
): Promise<void> {
  if (rollups.length === 0) return;
  const values = rollups.map(({ monitorId, at, data }) => [
    monitorId,
    at,
    Buffer.from(data).toString('hex'),
  ]);
  const columns = { monitor_id: 'integer', at: 'integer', data: 'blob' } as const;
  await sql`insert into ${sql.table(table)} (monitor_id, at, data)
    select v.monitor_id, v.at, v.data from ${jsonTable(engineOf(tx), JSON.stringify(values), columns)} as v
    where exists (select 1 from monitor_state where monitor_state.monitor_id = v.monitor_id)
    on conflict (monitor_id, at) do update set data = excluded.data`.execute(tx);
}

/** The roll-ups of these monitors that begin in `[from, to)`, by monitor and time. */
export async function readRollups(
  db: Kysely<Schema>,
  table: RollupName,
  monitorIds: readonly number[],
  range: { from: number; to: number },
): Promise<Rollup[]> {
  if (monitorIds.length === 0) return [];
  const rows: RollupTable[] = await db
    .selectFrom(table)
    .selectAll()
    .where('monitor_id', 'in', monitorIds)
    .where('at', '>=', range.from)
    .where('at', '<', range.to)
    .orderBy('monitor_id')
    .orderBy('at')
    .execute();
  return rows.map(({ monitor_id, at, data }) => ({ monitorId: monitor_id, at, data }));
}

/** All hours before it are rolled up, for each monitor; epoch milliseconds. Null before the first roll-up. */
export async function readRolledUpUntil(db: Kysely<Schema>): Promise<number | null> {
  return (await readCursor(db, 'rollup_hour'))?.period ?? null;
}

/** Deletes the roll-ups of these monitors that begin in `[from, to)`. */
export async function deleteRollups(
  tx: Transaction<Schema>,
  table: RollupName,
  monitorIds: readonly number[],
  range: { from: number; to: number },
): Promise<void> {
  if (monitorIds.length === 0) return;
  await tx
    .deleteFrom(table)
    .where('monitor_id', 'in', monitorIds)
    .where('at', '>=', range.from)
    .where('at', '<', range.to)
    .execute();
}

/** The next monitors by id, deleted ones included until they are purged. */
export async function monitorsAfter(
  database: Database,
  after: number,
  count: number,
): Promise<number[]> {
  const rows = await database.read
    .selectFrom('monitor_state')
    .select('monitor_id')
    .where('monitor_id', '>', after)
    .orderBy('monitor_id')
    .limit(count)
    .execute();
  return rows.map((row) => row.monitor_id);
}

/** How far a job has come that goes over all monitors once for each period. */
export interface Cursor {
  /** Epoch milliseconds of the period's beginning. */
  period: number;
  /** The last monitor that is done with, 0 before the first. */
  monitor: number;
}

const monitorOf = (name: string) => `${name}_monitor`;

/** Null before the job's first step. */
export async function readCursor(db: Kysely<Schema>, name: string): Promise<Cursor | null> {
  const period = await getProgress(db, name);
  if (period === null) return null;
  return { period, monitor: (await getProgress(db, monitorOf(name))) ?? 0 };
}

/**
 * Moves the cursor on, in the transaction of the step itself. False when another process has moved it meanwhile: the
 * step must then change nothing.
 */
export async function moveCursor(
  tx: Transaction<Schema>,
  name: string,
  { from, to }: { from: Cursor | null; to: Cursor },
): Promise<boolean> {
  await tx
    .selectFrom('progress')
    .select('position')
    .where('name', '=', name)
    .$call(forUpdate(engineOf(tx)))
    .executeTakeFirst();
  const current = await readCursor(tx, name);
  if (current?.period !== from?.period || current?.monitor !== from?.monitor) return false;
  await setProgress(tx, name, to.period);
  await setProgress(tx, monitorOf(name), to.monitor);
  return true;
}
