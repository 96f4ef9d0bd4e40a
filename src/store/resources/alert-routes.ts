import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import { idTable } from '../database/dialect.ts';
import type { AlertRouteTable } from '../database/schema-alerts.ts';
import type { Schema } from '../database/schema.ts';
import { insertRow, updateRow, countRows } from '../database/rows.ts';

export type AlertRouteRow = Selectable<AlertRouteTable>;

/** Settings of a route. Columns that may be null are null unless given. */
export type AlertRouteColumns = Omit<
  Insertable<AlertRouteTable>,
  'id' | 'team_id' | 'created_at' | 'updated_at'
>;

/** All routes of a team, in the order that people gave them. */
export function listAlertRoutes(db: Kysely<Schema>, teamId: number): Promise<AlertRouteRow[]> {
  return selectRoutes(db, teamId).orderBy('sort_order').orderBy('id').execute();
}

/** Undefined for an unknown id and for another team's. */
export function findAlertRoute(
  db: Kysely<Schema>,
  teamId: number,
  id: number,
): Promise<AlertRouteRow | undefined> {
  return selectRoutes(db, teamId).where('id', '=', id).executeTakeFirst();
}

export async function countAlertRoutes(db: Kysely<Schema>, teamId: number): Promise<number> {
  return countRows(db.selectFrom('alert_route').where('team_id', '=', teamId));
}

/** @returns the new route's id. */
export async function insertAlertRoute(
  tx: Transaction<Schema>,
  teamId: number,
  columns: AlertRouteColumns,
  now: number,
): Promise<number> {
  return insertRow(tx, 'alert_route', {
    ...columns,
    team_id: teamId,
    created_at: now,
    updated_at: now,
  });
}

export async function updateAlertRoute(
  tx: Transaction<Schema>,
  id: number,
  columns: AlertRouteColumns,
  now: number,
): Promise<void> {
  await updateRow(tx, 'alert_route', id, { ...columns, updated_at: now });
}

export async function deleteAlertRoute(tx: Transaction<Schema>, id: number): Promise<void> {
  await tx.deleteFrom('alert_route').where('id', '=', id).execute();
}

/** Ids that routes name. */
export interface RouteReferences {
  monitors: number[];
  groups: number[];
  channels: number[];
  users: number[];
}

async function found(
  ids: readonly number[],
  read: () => Promise<{ id: number }[]>,
): Promise<Set<number>> {
  return new Set(ids.length === 0 ? [] : (await read()).map(({ id }) => id));
}

/** Filters ids down to those that the team has: monitors that were not deleted, groups, its own channels, members. */
export async function existingReferences(
  db: Kysely<Schema>,
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

function selectRoutes(db: Kysely<Schema>, teamId: number) {
  return db.selectFrom('alert_route').selectAll().where('team_id', '=', teamId);
}
