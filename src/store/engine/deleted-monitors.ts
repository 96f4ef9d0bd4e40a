import type { Transaction } from 'kysely';
import type { MonitorType } from '../../monitor-types/registry.ts';
import { idTable } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';

/** What a deleted monitor was. */
export interface DeletedMonitor {
  id: number;
  type: MonitorType;
  name: string | null;
  url: string;
  /** Its group and that one's parent. */
  groupIds: number[];
  tags: string[];
}

/** Deleted monitors by id, as long as their rows are kept: those who were alarmed know them by name. */
export async function deletedMonitors(
  tx: Transaction<Schema>,
  ids: readonly number[],
): Promise<Map<number, DeletedMonitor>> {
  if (ids.length === 0) return new Map();
  const wanted = idTable(tx, ids);
  const rows = await tx
    .selectFrom(wanted.as('wanted'))
    .innerJoin('monitor', 'monitor.id', 'wanted.id')
    .leftJoin('monitor_group', 'monitor_group.id', 'monitor.group_id')
    .where('monitor.deleted_at', 'is not', null)
    .select(['monitor.id', 'monitor.type', 'monitor.friendly_name as name', 'monitor.url'])
    .select(['monitor.tags', 'monitor.group_id', 'monitor_group.parent_id'])
    .execute();
  return new Map(
    rows.map(({ id, type, name, url, tags, group_id: groupId, parent_id: parentId }) => {
      const groupIds = [groupId, parentId].filter((group) => group !== null);
      const monitor = { id, type: type as MonitorType, name, url, groupIds };
      return [id, { ...monitor, tags: JSON.parse(tags) as string[] }];
    }),
  );
}
