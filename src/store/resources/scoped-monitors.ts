import { PULL_TYPES } from '../../monitor-types/registry.ts';
import { idList } from '../database/dialect.ts';
import { findRows } from '../database/rows.ts';
import type { Db } from '../database/contract.ts';

/** A monitor as scopes look at it. */
export interface ScopedMonitor {
  id: number;
  teamId: number;
  /** Its group and that one's parent. */
  groupIds: number[];
  tags: string[];
}

/** These monitors, deleted ones included, as scopes look at them. */
export async function scopedMonitors(db: Db, monitorIds: readonly number[]) {
  const rows = await maintained(db).where('monitor.id', 'in', idList(db, monitorIds)).execute();
  return rows.map(maintainedMonitorOf);
}

/** Monitors of a team. */
export function scopedMonitorRows(db: Db, teamId: number) {
  return {
    /** The team's monitors that we check ourselves now, as scopes look at them, with the minutes between their checks. */
    async checked(): Promise<(ScopedMonitor & { checkInterval: number })[]> {
      const rows = await maintained(db)
        .select('monitor.check_interval')
        .where('monitor.team_id', '=', teamId)
        .where('monitor.deleted_at', 'is', null)
        .where('monitor.is_paused', '=', 0)
        .where('monitor.type', 'in', PULL_TYPES)
        .orderBy('monitor.id')
        .execute();
      return rows.map((row) => ({
        ...maintainedMonitorOf(row),
        checkInterval: row.check_interval ?? 1,
      }));
    },

    /** The team's monitors of every type, paused ones too, as scopes look at them. */
    async all(): Promise<ScopedMonitor[]> {
      const rows = await maintained(db)
        .where('monitor.team_id', '=', teamId)
        .where('monitor.deleted_at', 'is', null)
        .execute();
      return rows.map(maintainedMonitorOf);
    },
  };
}

/** Filters ids down to those that the team has; deleted monitors are not among them. */
export async function idsOfTeam(
  db: Db,
  table: 'monitor' | 'monitor_group' | 'alert_channel',
  teamId: number,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const ofTeam = { team_id: teamId, ...(table === 'monitor' && { deleted_at: null }) };
  const rows = await findRows(db, table, { id: ['in', idList(db, ids)], ...ofTeam }, ['id']);
  return new Set(rows.map(({ id }) => id));
}

function maintained(db: Db) {
  return db
    .selectFrom('monitor')
    .leftJoin('monitor_group', 'monitor_group.id', 'monitor.group_id')
    .select([
      'monitor.id',
      'monitor.team_id',
      'monitor.group_id',
      'monitor.tags',
      'monitor_group.parent_id',
    ]);
}

type Maintained = Awaited<ReturnType<ReturnType<typeof maintained>['execute']>>[number];

function maintainedMonitorOf(row: Maintained): ScopedMonitor {
  return {
    id: row.id,
    teamId: row.team_id,
    groupIds: [row.group_id, row.parent_id].filter((id) => id !== null),
    tags: JSON.parse(row.tags) as string[],
  };
}
