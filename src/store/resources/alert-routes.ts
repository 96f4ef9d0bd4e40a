import { idTable } from '../database/dialect.ts';
import type { Db } from '../database/contract.ts';

/** Ids that routes name. */
export interface RouteReferences {
  monitors: number[];
  groups: number[];
  channels: number[];
  users: number[];
}

async function found(ids: readonly number[], read: () => Promise<{ id: number }[]>) {
  return new Set(ids.length === 0 ? [] : (await read()).map(({ id }) => id));
}

/** Filters ids down to those that the team has: monitors that were not deleted, groups, its own channels, members. */
export async function existingReferences(
  db: Db,
  teamId: number,
  named: RouteReferences,
): Promise<Record<keyof RouteReferences, Set<number>>> {
  const idsIn = (ids: readonly number[]) => idTable(db, ids).as('named');
  return {
    monitors: await found(named.monitors, () =>
      db
        .selectFrom(idsIn(named.monitors))
        .innerJoin('monitor', 'monitor.id', 'named.id')
        .where('monitor.team_id', '=', teamId)
        .where('monitor.deleted_at', 'is', null)
        .select('monitor.id')
        .execute(),
    ),
    groups: await found(named.groups, () =>
      db
        .selectFrom(idsIn(named.groups))
        .innerJoin('monitor_group', 'monitor_group.id', 'named.id')
        .where('monitor_group.team_id', '=', teamId)
        .select('monitor_group.id')
        .execute(),
    ),
    channels: await found(named.channels, () =>
      db
        .selectFrom(idsIn(named.channels))
        .innerJoin('alert_channel', 'alert_channel.id', 'named.id')
        .where('alert_channel.team_id', '=', teamId)
        .select('alert_channel.id')
        .execute(),
    ),
    users: await found(named.users, () =>
      db
        .selectFrom(idsIn(named.users))
        .innerJoin('member', 'member.person_id', 'named.id')
        .where('member.team_id', '=', teamId)
        .select('member.person_id as id')
        .execute(),
    ),
  };
}
