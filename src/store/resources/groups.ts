import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import { lowerCase } from '../database/dialect.ts';
import type { MonitorGroupTable, Schema } from '../database/schema.ts';
import { countRows, insertRow, hasRow } from '../database/rows.ts';

/** A group and the number of monitors directly in it, without deleted ones. */
export type GroupRow = Selectable<MonitorGroupTable> & { monitors_count: number };

/** The columns of a group's settings. */
export type GroupColumns = Omit<
  Insertable<MonitorGroupTable>,
  'id' | 'team_id' | 'created_at' | 'updated_at'
>;

/** All groups of the team, by their sort order. */
export function listGroups(db: Kysely<Schema>, teamId: number): Promise<GroupRow[]> {
  return selectGroups(db, teamId).orderBy('sort_order').orderBy('name').orderBy('id').execute();
}

export function countGroups(db: Kysely<Schema>, teamId: number): Promise<number> {
  return countRows(db.selectFrom('monitor_group').where('team_id', '=', teamId));
}

/** Undefined for an unknown id and for another team's. */
export function findGroup(
  db: Kysely<Schema>,
  teamId: number,
  id: number,
): Promise<GroupRow | undefined> {
  return selectGroups(db, teamId).where('monitor_group.id', '=', id).executeTakeFirst();
}

/** True for an existing group of the team. */
export async function isGroupOf(db: Kysely<Schema>, teamId: number, id: number): Promise<boolean> {
  return hasRow(db.selectFrom('monitor_group').where('team_id', '=', teamId).where('id', '=', id));
}

/** A group of the team and its subgroups; none when the team has no such group. */
export async function groupWithSubgroups(
  db: Kysely<Schema>,
  teamId: number,
  id: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('monitor_group')
    .select('id')
    .where('team_id', '=', teamId)
    .where((or) => or.or([or('id', '=', id), or('parent_id', '=', id)]))
    .execute();
  const ids = rows.map((row) => row.id);
  return ids.includes(id) ? ids : [];
}

/**
 * The team's groups of that name without regard to case, the first one first. Case is folded here and not by the engines,
 * which differ, and a team has few groups. Earlier versions accepted names that differ only in case.
 */
export async function findGroupsByName(
  db: Kysely<Schema>,
  teamId: number,
  name: string,
): Promise<{ id: number; name: string }[]> {
  const rows = await db
    .selectFrom('monitor_group')
    .select(['id', 'name'])
    .where('team_id', '=', teamId)
    .orderBy('id')
    .execute();
  return rows.filter((row) => foldedName(row.name) === foldedName(name));
}

const foldedName = (name: string) => lowerCase(name.normalize('NFC'));

export async function hasSubgroups(
  db: Kysely<Schema>,
  teamId: number,
  id: number,
): Promise<boolean> {
  return hasRow(
    db.selectFrom('monitor_group').where('team_id', '=', teamId).where('parent_id', '=', id),
  );
}

/** @returns the new group's id. */
export async function insertGroup(
  tx: Transaction<Schema>,
  teamId: number,
  columns: GroupColumns,
  now: number,
): Promise<number> {
  return insertRow(tx, 'monitor_group', {
    ...columns,
    team_id: teamId,
    created_at: now,
    updated_at: now,
  });
}

export async function updateGroup(
  tx: Transaction<Schema>,
  teamId: number,
  id: number,
  columns: GroupColumns,
  now: number,
): Promise<void> {
  await tx
    .updateTable('monitor_group')
    .set({ ...columns, updated_at: now })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute();
}

/** Deletes a group. Foreign keys unset the group of its monitors and the parent of its subgroups. */
export async function deleteGroup(
  tx: Transaction<Schema>,
  teamId: number,
  id: number,
): Promise<void> {
  await tx.deleteFrom('monitor_group').where('team_id', '=', teamId).where('id', '=', id).execute();
}

function selectGroups(db: Kysely<Schema>, teamId: number) {
  return db
    .selectFrom('monitor_group')
    .selectAll('monitor_group')
    .select((select) =>
      select
        .selectFrom('monitor')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('monitor.group_id', '=', 'monitor_group.id')
        .where('monitor.deleted_at', 'is', null)
        .$asScalar()
        .$notNull()
        .as('monitors_count'),
    )
    .where('monitor_group.team_id', '=', teamId);
}
