import { rowTable } from '../database/dialect.ts';
import { insertRow, updateRow, findRow, findRows } from '../database/rows.ts';
import type { Db, Row, Tx } from '../database/contract.ts';

export type ConfigurationSetRow = Row<'configuration_set'>;
export type ConfigurationItemRow = Row<'configuration_item'>;

/** Sets of a team, and what they own. */
export function configurationSetRows(db: Db, teamId: number) {
  return {
    list: () => findRows(db, 'configuration_set', { team_id: teamId }, 'all', ['name']),

    find: (id: number) => findRow(db, 'configuration_set', { team_id: teamId, id }),

    /** Number of items of each set, by its id. */
    async counts(): Promise<ReadonlyMap<number, number>> {
      const rows = await db
        .selectFrom('configuration_item')
        .innerJoin('configuration_set', 'configuration_set.id', 'configuration_item.set_id')
        .select(['set_id', (select) => select.fn.countAll<number>().as('count')])
        .where('configuration_set.team_id', '=', teamId)
        .groupBy('set_id')
        .execute();
      return new Map(rows.map((row) => [row.set_id, row.count]));
    },

    /** Which sets own what. @param wanted null for things of every kind, and for every thing. */
    owners: ({ kind, id }: { kind: string | null; id: number | null }) =>
      db
        .selectFrom('configuration_item')
        .innerJoin('configuration_set', 'configuration_set.id', 'configuration_item.set_id')
        .select(['set_id', 'kind', 'key', 'resource_id', 'configuration_set.name as set_name'])
        .where('configuration_set.team_id', '=', teamId)
        .$if(kind !== null, (rows) => rows.where('kind', '=', kind!))
        .$if(id !== null, (rows) => rows.where('resource_id', '=', id!))
        .orderBy('set_id')
        .orderBy('kind')
        .orderBy('key')
        .execute(),

    /** The items of all sets of the team, with the name of their set. */
    items: (): Promise<(ConfigurationItemRow & { set_name: string })[]> =>
      db
        .selectFrom('configuration_item')
        .innerJoin('configuration_set', 'configuration_set.id', 'configuration_item.set_id')
        .selectAll('configuration_item')
        .select('configuration_set.name as set_name')
        .where('configuration_set.team_id', '=', teamId)
        .orderBy('configuration_item.set_id')
        .orderBy('configuration_item.kind')
        .orderBy('configuration_item.key')
        .execute(),
  };
}

/** Changes of a set, in a transaction that locks its team. */
export function configurationSetChanges(tx: Tx) {
  return {
    insert: (row: Omit<ConfigurationSetRow, 'id'>) => insertRow(tx, 'configuration_set', row),

    applied: (id: number, at: number, by: string) =>
      updateRow(tx, 'configuration_set', id, { applied_at: at, applied_by: by }),

    async delete(id: number): Promise<void> {
      await tx.deleteFrom('configuration_set').where('id', '=', id).execute();
    },

    /** Replaces all items of a set. */
    async replaceItems(setId: number, items: readonly Omit<ConfigurationItemRow, 'set_id'>[]) {
      await tx.deleteFrom('configuration_item').where('set_id', '=', setId).execute();
      if (items.length === 0) return;
      const rows = items.map((one) => [setId, one.kind, one.key, one.resource_id, one.applied]);
      const columns = {
        set_id: 'integer',
        kind: 'text',
        key: 'text',
        resource_id: 'integer',
        applied: 'text',
      } as const;
      const names = Object.keys(columns) as (keyof typeof columns)[];
      await tx
        .insertInto('configuration_item')
        .columns(names)
        .expression((from) => from.selectFrom(rowTable(tx, rows, columns).as('item')).select(names))
        .execute();
    },
  };
}
