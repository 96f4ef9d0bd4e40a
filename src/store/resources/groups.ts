import { lowerCase } from '../database/dialect.ts';
import { hasRow, findRows } from '../database/rows.ts';
import type { Db } from '../database/contract.ts';

/** Groups and the number of monitors directly in each, without deleted ones. */
export function selectGroups(db: Db) {
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
    );
}

/** All groups of the team, as its members sort them. */
export function namesOfGroups(db: Db, teamId: number) {
  return findRows(
    db,
    'monitor_group',
    { team_id: teamId },
    ['id', 'name', 'parent_id'],
    ['sort_order', 'name', 'id'],
  );
}

/** A name without its case, which is folded here and not by the engines, as these differ. */
export const foldedName = (name: string) => lowerCase(name.normalize('NFC'));

/** True for an existing group of the team. */
export async function isGroupOf(db: Db, teamId: number, id: number): Promise<boolean> {
  return hasRow(db.selectFrom('monitor_group').where('team_id', '=', teamId).where('id', '=', id));
}

/** A group of the team and its subgroups; none when the team has no such group. */
export async function groupWithSubgroups(db: Db, teamId: number, id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('monitor_group')
    .select('id')
    .where('team_id', '=', teamId)
    .where((or) => or.or([or('id', '=', id), or('parent_id', '=', id)]))
    .execute();
  const ids = rows.map((row) => row.id);
  return ids.includes(id) ? ids : [];
}
