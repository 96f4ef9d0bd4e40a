import { sql } from 'kysely';
import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import { engineOf, forUpdate } from '../database/dialect.ts';
import type { Paging } from './monitors.ts';
import type { MaintenanceWindowTable } from '../database/schema-alerts.ts';
import type { Schema } from '../database/schema.ts';
import { insertRow, updateRow, countRows } from '../database/rows.ts';

export type MaintenanceWindowRow = Selectable<MaintenanceWindowTable>;

/** The columns of a window's settings. */
export type MaintenanceWindowColumns = Omit<
  Insertable<MaintenanceWindowTable>,
  'id' | 'team_id' | 'next_at' | 'deleted_at' | 'created_at' | 'updated_at'
>;

/**
 * One page of a team's windows. `live` sorts scheduled and active windows before those that are over, each by descending
 * `starts_at`.
 */
export async function listWindows(
  db: Kysely<Schema>,
  teamId: number,
  { sort, direction, limit, offset }: Paging<'live' | 'name' | 'starts_at' | 'created_at'>,
): Promise<{ rows: MaintenanceWindowRow[]; total: number }> {
  const wanted = db
    .selectFrom('maintenance_window')
    .where('team_id', '=', teamId)
    .where('deleted_at', 'is', null);
  const { count } = await wanted
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const rows = await wanted
    .selectAll()
    .$if(sort === 'live', (all) =>
      all.orderBy(sql`case when next_at is null then 1 else 0 end`).orderBy('starts_at', direction),
    )
    .$if(sort !== 'live', (all) => all.orderBy(sort as Exclude<typeof sort, 'live'>, direction))
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, total: Number(count) };
}

/** Number of a team's windows that are scheduled or active. */
export async function countLiveWindows(db: Kysely<Schema>, teamId: number): Promise<number> {
  return countRows(
    db
      .selectFrom('maintenance_window')
      .where('team_id', '=', teamId)
      .where('deleted_at', 'is', null)
      .where('next_at', 'is not', null),
  );
}

/** Undefined for an unknown id, another team's, and a deleted one. */
export function findWindow(
  db: Kysely<Schema>,
  teamId: number,
  id: number,
): Promise<MaintenanceWindowRow | undefined> {
  return windowById(db, id).where('team_id', '=', teamId).executeTakeFirst();
}

/** Also locks the window until the transaction ends. */
export function lockWindow(
  tx: Transaction<Schema>,
  teamId: number,
  id: number,
): Promise<MaintenanceWindowRow | undefined> {
  return windowById(tx, id)
    .where('team_id', '=', teamId)
    .$call(forUpdate(engineOf(tx)))
    .executeTakeFirst();
}

/** Locks a due window; undefined when it is no longer due or another transaction has locked it. */
export function lockDueWindow(
  tx: Transaction<Schema>,
  id: number,
  now: number,
): Promise<MaintenanceWindowRow | undefined> {
  return windowById(tx, id)
    .where('next_at', '<=', now)
    .$call(forUpdate(engineOf(tx), 'skipLocked'))
    .executeTakeFirst();
}

function windowById(db: Kysely<Schema>, id: number) {
  return db
    .selectFrom('maintenance_window')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null);
}

/** Windows that are due, the longest due first. */
export function dueWindows(
  db: Kysely<Schema>,
  now: number,
  limit: number,
): Promise<MaintenanceWindowRow[]> {
  return db
    .selectFrom('maintenance_window')
    .selectAll()
    .where('next_at', '<=', now)
    .where('deleted_at', 'is', null)
    .orderBy('next_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** @returns the new window's id. */
export async function insertWindow(
  tx: Transaction<Schema>,
  teamId: number,
  columns: MaintenanceWindowColumns,
  now: number,
): Promise<number> {
  return insertRow(tx, 'maintenance_window', {
    ...columns,
    team_id: teamId,
    created_at: now,
    updated_at: now,
  });
}

export async function updateWindow(
  tx: Transaction<Schema>,
  id: number,
  columns: MaintenanceWindowColumns,
  now: number,
): Promise<void> {
  await updateRow(tx, 'maintenance_window', id, { ...columns, updated_at: now });
}

/** Sets when the scheduler processes the window next; null after the last occurrence. */
export async function setNextRunAt(
  tx: Transaction<Schema>,
  id: number,
  nextAt: number | null,
): Promise<void> {
  await updateRow(tx, 'maintenance_window', id, { next_at: nextAt });
}

/** Marks a window deleted. Its past occurrences stay, since history excludes them. */
export async function deleteWindow(
  tx: Transaction<Schema>,
  id: number,
  now: number,
): Promise<void> {
  await updateRow(tx, 'maintenance_window', id, {
    deleted_at: now,
    next_at: null,
    updated_at: now,
  });
}
