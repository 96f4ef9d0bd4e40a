import { idList } from '../database/dialect.ts';
import { findRows } from '../database/rows.ts';
import type { Db } from '../database/contract.ts';
import { idsOfTeam } from './scoped-monitors.ts';

/** Ids that routes name. */
export interface RouteReferences {
  monitors: number[];
  groups: number[];
  channels: number[];
  users: number[];
}

/** Filters ids down to those that the team has: monitors that were not deleted, groups, its own channels, members. */
export async function existingReferences(
  db: Db,
  teamId: number,
  named: RouteReferences,
): Promise<Record<keyof RouteReferences, Set<number>>> {
  const { monitors, groups, channels, users } = named;
  const members = { team_id: teamId, person_id: ['in', idList(db, users)] } as const;
  const rows = users.length === 0 ? [] : await findRows(db, 'member', members, ['person_id']);
  return {
    monitors: await idsOfTeam(db, 'monitor', teamId, monitors),
    groups: await idsOfTeam(db, 'monitor_group', teamId, groups),
    channels: await idsOfTeam(db, 'alert_channel', teamId, channels),
    users: new Set(rows.map((row) => row.person_id)),
  };
}
