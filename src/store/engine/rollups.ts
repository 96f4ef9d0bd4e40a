import { sql } from 'kysely';
import type { Database, Db, Tx } from '../database/contract.ts';
import { lockRows } from '../database/rows.ts';
import { jsonTable, rowTable } from '../database/dialect.ts';
import { getProgress, setProgress } from '../database/settings.ts';
import { prepareQuery } from '../database/prepared-statements.ts';

/**
 * `rollup_day` has the days whose hours were deleted, `rollup_recent_day` sums of days whose hours are kept. Any change of an
 * hour deletes the sum of its day.
 */
export type RollupName = 'rollup_hour' | 'rollup_day' | 'rollup_recent_day';

/** A monitor's hour or day: `at` is its start in epoch milliseconds, `data` is packed by engine/history/summary.ts. */
export interface Rollup {
  monitorId: number;
  at: number;
  data: Uint8Array;
}

/** Changes of roll-ups, and of how far they have come. */
export function rollupChanges(tx: Tx) {
  return {
    /** Writes roll-ups and replaces existing ones. Roll-ups of deleted monitors are skipped. */
    async write(table: RollupName, rollups: readonly Rollup[]) {
      if (rollups.length === 0) return;
      const values = rollups.map(({ monitorId, at, data }) => [
        monitorId,
        at,
        Buffer.from(data).toString('hex'),
      ]);
      const columns = { monitor_id: 'integer', at: 'integer', data: 'blob' } as const;
      await sql`insert into ${sql.table(table)} (monitor_id, at, data)
    select v.monitor_id, v.at, v.data from ${rowTable(tx, values, columns)} as v
    where exists (select 1 from monitor_state where monitor_state.monitor_id = v.monitor_id)
    on conflict (monitor_id, at) do update set data = excluded.data`.execute(tx);
    },

    async delete(
      table: RollupName,
      monitorIds: readonly number[],
      range: { from: number; to: number },
    ) {
      if (monitorIds.length === 0) return;
      await tx
        .deleteFrom(table)
        .where('monitor_id', 'in', monitorIds)
        .where('at', '>=', range.from)
        .where('at', '<', range.to)
        .execute();
    },

    /** Reads the cursor, which does not move until the transaction ends. */
    async lockCursor(name: string): Promise<Cursor | null> {
      await lockRows(tx, 'progress', { name }, ['position']);
      return readCursor(tx, name);
    },

    /** @returns false when another process has moved the cursor: the step must then change nothing. */
    async moveCursor(name: string, { from, to }: { from: Cursor | null; to: Cursor }) {
      const current = await this.lockCursor(name);
      if (current?.period !== from?.period || current?.monitor !== from?.monitor) return false;
      await setProgress(tx, name, to.period);
      await setProgress(tx, monitorOf(name), to.monitor);
      return true;
    },
  };
}

/** Reads the roll-ups of these monitors that begin in `[from, to)`, by monitor and time. */
export async function readRollups(
  db: Db,
  table: RollupName,
  monitorIds: readonly number[],
  range: { from: number; to: number },
): Promise<Rollup[]> {
  return readRollupsIn(
    db,
    table,
    Array.from(new Set(monitorIds), (monitorId) => ({ monitorId, ...range })),
  );
}

/** Reads the roll-ups that begin in these ranges, `[from, to)` in epoch milliseconds, which must not overlap. */
export async function readRollupsIn(
  db: Db,
  table: RollupName,
  ranges: readonly { monitorId: number; from: number; to: number }[],
): Promise<Rollup[]> {
  if (ranges.length === 0) return [];
  const wanted = ranges.map(({ monitorId, from, to }) => [monitorId, from, to]);
  return rollupQueries[table](db, { ranges: JSON.stringify(wanted) });
}

const rollupQueries = {
  rollup_hour: queryOf('rollup_hour'),
  rollup_day: queryOf('rollup_day'),
  rollup_recent_day: queryOf('rollup_recent_day'),
};

function queryOf(table: RollupName) {
  const columns = { monitor_id: 'integer', from_at: 'integer', to_at: 'integer' } as const;
  return prepareQuery<Rollup, 'ranges'>(
    ['ranges'],
    ({ ranges }, engine) => sql`
      select stored.monitor_id as "monitorId", stored.at, stored.data
      from ${jsonTable(engine, ranges, columns)} as wanted cross join ${sql.table(table)} as stored
      where stored.monitor_id = wanted.monitor_id and stored.at >= wanted.from_at and stored.at < wanted.to_at
      order by stored.monitor_id, stored.at`,
  );
}

/** Reads the time before which all hours of all monitors are rolled up, epoch ms; null before the first roll-up. */
export function readRolledUpUntil(db: Db): Promise<number | null> {
  return getProgress(db, 'rollup_hour');
}

/** Reads the next monitors by id, including deleted ones that are not purged yet. */
export async function monitorsAfter(database: Database, after: number, count: number) {
  const rows = await database.read
    .selectFrom('monitor_state')
    .select('monitor_id')
    .where('monitor_id', '>', after)
    .orderBy('monitor_id')
    .limit(count)
    .execute();
  return rows.map((row) => row.monitor_id);
}

/** Lists up to `count` of the monitors that have an hour in `[from, to)`, of the next `among` monitors with greater ids. */
export async function monitorsWithHours(
  { read }: Database,
  range: { from: number; to: number },
  { after, among, count }: { after: number; among: number; count: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select next.id from (select monitor_id as id from monitor_state where monitor_id > ${after}
      order by monitor_id limit ${among}) as next
    where exists (select 1 from rollup_hour as hour
      where hour.monitor_id = next.id and hour.at >= ${range.from} and hour.at < ${range.to})
    order by next.id limit ${count}`.execute(read);
  return rows.map(({ id }) => id);
}

/** Progress of a job that processes all monitors once per period. */
export interface Cursor {
  period: number;
  monitor: number;
}

const monitorOf = (name: string) => `${name}_monitor`;

/** Reads the cursor of a job; null before its first step. */
export async function readCursor(db: Db, name: string): Promise<Cursor | null> {
  const period = await getProgress(db, name);
  if (period === null) return null;
  return { period, monitor: (await getProgress(db, monitorOf(name))) ?? 0 };
}
