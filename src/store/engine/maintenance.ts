import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '../database/contract.ts';
import { engineOf, jsonTable } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';

/** A time of maintenance, `[from, to)` in epoch milliseconds. */
export interface MaintenanceTime {
  from: number;
  to: number;
}

/** One with what it is for, as it was when it was written. */
export interface ScopedMaintenanceTime extends MaintenanceTime {
  windowId: number;
  teamId: number;
  monitors: number[];
  groups: number[];
  tags: string[];
}

/** The times of these windows that have not ended, by window, in order. */
export async function timesToCome(
  db: Kysely<Schema>,
  windowIds: readonly number[],
  now: number,
): Promise<Map<number, MaintenanceTime[]>> {
  const wanted = jsonTable(engineOf(db), JSON.stringify(windowIds.map((id) => [id])), {
    id: 'integer',
  });
  const rows = await db
    .selectFrom('maintenance_occurrence')
    .select(['window_id', 'from_at', 'to_at'])
    .where('window_id', 'in', (eb) => eb.selectFrom(wanted.as('wanted')).select('id'))
    .where('to_at', '>', now)
    .orderBy('from_at')
    .execute();
  const times = new Map<number, MaintenanceTime[]>();
  for (const { window_id: id, from_at: from, to_at: to } of rows)
    times.set(id, [...(times.get(id) ?? []), { from, to }]);
  return times;
}

/** When the newest time of a window began, or is to begin (epoch ms). */
export async function newestStart(db: Kysely<Schema>, windowId: number): Promise<number | null> {
  const row = await db
    .selectFrom('maintenance_occurrence')
    .select((eb) => eb.fn.max('from_at').as('newest'))
    .where('window_id', '=', windowId)
    .executeTakeFirst();
  return row?.newest ?? null;
}

/** Adds times to a window, for what it is for now. */
export async function insertTimes(
  tx: Transaction<Schema>,
  windowId: number,
  times: readonly MaintenanceTime[],
): Promise<void> {
  if (times.length === 0) return;
  const rows = jsonTable(engineOf(tx), JSON.stringify(times.map(({ from, to }) => [from, to])), {
    from_at: 'integer',
    to_at: 'integer',
  });
  await sql`
    insert into maintenance_occurrence (window_id, team_id, monitors, groups, tags, from_at, to_at)
    select maintenance_window.id, team_id, monitors, groups, tags, v.from_at, v.to_at
    from ${rows} as v join maintenance_window on maintenance_window.id = ${windowId}`.execute(tx);
}

/** Ends what runs now, and forgets what is to come. */
export async function cutTimes(
  tx: Transaction<Schema>,
  windowId: number,
  now: number,
): Promise<void> {
  await tx
    .deleteFrom('maintenance_occurrence')
    .where('window_id', '=', windowId)
    .where('from_at', '>=', now)
    .execute();
  await endRunningTimes(tx, windowId, now);
}

/** Ends what runs now; what is to come stays. */
export async function endRunningTimes(
  tx: Transaction<Schema>,
  windowId: number,
  now: number,
): Promise<void> {
  await tx
    .updateTable('maintenance_occurrence')
    .set({ to_at: now })
    .where('window_id', '=', windowId)
    .where('from_at', '<=', now)
    .where('to_at', '>', now)
    .execute();
}

/** The times of these teams that run now, and those that are known to come: one query over an index. */
export async function activeWindowsOf(
  db: Kysely<Schema>,
  teamIds: readonly number[],
  now: number,
): Promise<ScopedMaintenanceTime[]> {
  if (teamIds.length === 0) return [];
  const rows = await scopedTimes(db)
    .where('team_id', 'in', [...new Set(teamIds)])
    .where('to_at', '>', now)
    .execute();
  return rows.map(scopedTimeOf);
}

/** The times of the teams of these monitors that touch `[from, to)`, epoch milliseconds. */
export async function timesWithin(
  db: Kysely<Schema>,
  monitorIds: readonly number[],
  { from, to }: MaintenanceTime,
): Promise<ScopedMaintenanceTime[]> {
  const rows = await scopedTimes(db)
    .where('team_id', 'in', (eb) =>
      eb.selectFrom('monitor').select('monitor.team_id').where('monitor.id', 'in', monitorIds),
    )
    .where('to_at', '>', from)
    .where('from_at', '<', to)
    .execute();
  return rows.map(scopedTimeOf);
}

function scopedTimes(db: Kysely<Schema>) {
  return db
    .selectFrom('maintenance_occurrence')
    .select(['window_id', 'team_id', 'monitors', 'groups', 'tags', 'from_at', 'to_at'])
    .orderBy('from_at');
}

function scopedTimeOf(row: {
  window_id: number;
  team_id: number;
  monitors: string;
  groups: string;
  tags: string;
  from_at: number;
  to_at: number;
}): ScopedMaintenanceTime {
  return {
    windowId: row.window_id,
    teamId: row.team_id,
    monitors: JSON.parse(row.monitors) as number[],
    groups: JSON.parse(row.groups) as number[],
    tags: JSON.parse(row.tags) as string[],
    from: row.from_at,
    to: row.to_at,
  };
}

/** What was held for a team is looked at now: a time of maintenance ended before its hour. */
export async function releaseHeld(
  tx: Transaction<Schema>,
  teamId: number,
  now: number,
): Promise<void> {
  await tx
    .updateTable('event')
    .set({ fan_out_at: now })
    .where('team_id', '=', teamId)
    .where('fan_out_at', '>', now)
    .execute();
  await tx
    .updateTable('alert')
    .set({ next_at: now })
    .where('team_id', '=', teamId)
    .where('next_at', '>', now)
    .where('over_at', 'is', null)
    .execute();
}

/** Rows that go in one transaction: a few milliseconds of the writer. */
const AT_ONCE = 500;

/**
 * Deletes one slice of the times of maintenance that ended before that time (epoch ms), and of windows that were deleted
 * before it. @returns whether there may be more.
 */
export function deleteOccurrencesBefore(database: Database, before: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    const times = await tx
      .deleteFrom('maintenance_occurrence')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('maintenance_occurrence')
          .select('id')
          .where('to_at', '<', before)
          .limit(AT_ONCE),
      )
      .executeTakeFirst();
    const windows = await tx
      .deleteFrom('maintenance_window')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('maintenance_window')
          .select('id')
          .where('deleted_at', '<', before)
          .limit(AT_ONCE),
      )
      .executeTakeFirst();
    return [times, windows].some(({ numDeletedRows }) => numDeletedRows >= BigInt(AT_ONCE));
  });
}
