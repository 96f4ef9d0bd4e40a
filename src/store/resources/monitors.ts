import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { MonitorStatus } from '../../model/monitor.ts';
import type { MonitorType } from '../../monitor-types/registry.ts';
import type { Database, Db, Row, Schema } from '../database/contract.ts';
import { dependsOnOf } from './dependencies.ts';
import { engineOf, idTable, jsonTable, withoutIndex } from '../database/dialect.ts';
import { countRows } from '../database/rows.ts';
import { nameQuery, prepareQuery, prepareStatement } from '../database/prepared-statements.ts';
import { ALIVE_AT, type ObservationRow } from '../engine/process-marks.ts';
import { gatherPairs, keyOfPair, pairParameters, pairTable } from './team-pairs.ts';

/** A monitor with what is known of it now. */
export type MonitorRow = Row<'monitor'> &
  Pick<
    Schema['monitor_state'],
    | 'status'
    | 'last_slot'
    | 'last_checked_at'
    | 'run_at'
    | 'observed_until'
    | 'newest'
    | 'last_heartbeat_at'
    | 'heartbeat_expected_at'
  > & {
    /** The ids of the monitors that it depends on, joined by commas; null for none. */
    depends_on: string | null;
  } & Pick<ObservationRow, 'alive_at'>;

export const MONITOR_SORTS = [
  'url',
  'status',
  'check_interval',
  'last_checked_at',
  'created_at',
] as const;
export type MonitorSort = (typeof MONITOR_SORTS)[number];

export interface MonitorFilter {
  /** Partial match on the url, whatever the case. */
  search: string | null;
  /** Partial match on url, name or a tag. */
  q: string | null;
  status: MonitorStatus | null;
  type: MonitorType | null;
  /** Minutes. */
  interval: number | null;
  /** Has all of these tags, exactly; at least one. */
  tags: readonly string[] | null;
  /** Lies in one of these groups. */
  groupIds: readonly number[] | null;
  /** Is checked from this region. */
  region: string | null;
}

/** Matches every monitor. */
export const NO_FILTER: MonitorFilter = {
  search: null,
  q: null,
  status: null,
  type: null,
  interval: null,
  tags: null,
  groupIds: null,
  region: null,
};

export interface Paging<Sort extends string> {
  sort: Sort;
  direction: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/** Undefined for an unknown id, another team's, and a deleted one. */
export function findMonitor(db: Db, teamId: number, id: number): Promise<MonitorRow | undefined> {
  return db
    .selectFrom('monitor')
    .innerJoin('monitor_state', 'monitor_state.monitor_id', 'monitor.id')
    .where('monitor.id', '=', id)
    .where('monitor.team_id', '=', teamId)
    .where('monitor.deleted_at', 'is', null)
    .selectAll('monitor')
    .select(STATE_COLUMNS)
    .select(DEPENDS_ON)
    .executeTakeFirst();
}

/** The id of a monitor of the team; undefined for unknown and deleted monitors and those of other teams. */
export async function findMonitorId(
  db: Db,
  teamId: number,
  id: number,
): Promise<number | undefined> {
  const [row] = await monitorOfTeam(db, { teamId, id });
  return row?.id;
}

const monitorOfTeam = prepareQuery<{ id: number }, 'teamId' | 'id'>(
  ['teamId', 'id'],
  ({ teamId, id }) => sql`
    select id from monitor where id = ${id} and team_id = ${teamId} and deleted_at is null`,
);

/** Monitors of a team by their ids, in ascending order; those that are gone, or another team's, are left out. */
export async function findMonitors(
  db: Db,
  teamId: number,
  ids: readonly number[],
): Promise<MonitorRow[]> {
  if (ids.length === 0) return [];
  const rows = await wantedMonitors(db, listOf(ids), teamId)
    .selectAll('monitor')
    .select(STATE_COLUMNS)
    .select(DEPENDS_ON)
    .execute();
  return rows.toSorted((one, other) => one.id - other.id);
}

/** What a bulk action looks at before it changes monitors, by ascending ids. */
export type MonitorLabels = Pick<MonitorRow, 'id' | 'is_paused' | 'group_id' | 'tags'>;

export async function labelsOfMonitors(
  db: Db,
  teamId: number,
  ids: readonly number[],
): Promise<MonitorLabels[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom(idTable(db, ids).as('wanted'))
    .crossJoin('monitor')
    .whereRef('monitor.id', '=', 'wanted.id')
    .where('monitor.team_id', '=', teamId)
    .where('monitor.deleted_at', 'is', null)
    .select(['monitor.id', 'monitor.is_paused', 'monitor.group_id', 'monitor.tags'])
    .execute();
  return rows.toSorted((one, other) => one.id - other.id);
}

/** Counts the monitors of a team: paused ones too, deleted ones not. */
export async function countMonitors(db: Db, teamId: number): Promise<number> {
  return countRows(db, 'monitor', { team_id: teamId, deleted_at: null });
}

/** Whole monitors of a team by their ids, in no order; those that are gone, or another team's, are left out. */
export interface MonitorReads {
  whole(teamId: number, ids: readonly number[]): Promise<MonitorRow[]>;
  /** One of them, in a statement that may serve several calls and begins after this one. Undefined as above. */
  one(teamId: number, id: number): Promise<MonitorRow | undefined>;
}

export function createMonitorReads({ read }: Pick<Database, 'read'>): MonitorReads {
  const names = ['ids', 'team'] as const;
  const whole = prepareStatement<MonitorRow, 'ids' | 'team'>(read, names, ({ ids, team }) =>
    wantedMonitors(read, ids, team).selectAll('monitor').select(STATE_COLUMNS).select(DEPENDS_ON),
  );
  const one: MonitorReads['one'] = async (team, id) =>
    (await whole({ team, ids: listOf([id]) }))[0];
  return {
    whole: async (team, ids) => (ids.length === 0 ? [] : whole({ team, ids: listOf(ids) })),
    // A statement of SQLite ends before the next request arrives.
    one: engineOf(read) === 'postgres' ? gatherMonitors(read, one) : one,
  };
}

/** On Postgres, where most of the cost of a small statement is to send it. */
function gatherMonitors(read: Db, one: MonitorReads['one']): MonitorReads['one'] {
  const query = nameQuery(
    joinMonitors(read.selectFrom(pairTable().as('wanted')), sql<number>`wanted.team`)
      .selectAll('monitor')
      .select(STATE_COLUMNS)
      .select(DEPENDS_ON)
      .compile(),
  );
  return gatherPairs<MonitorRow | undefined>({
    one,
    async many(wanted) {
      const parameters = pairParameters(wanted);
      const { rows } = await read.executeQuery<MonitorRow>({ ...query, parameters });
      return new Map(rows.map((row) => [keyOfPair({ team: row.team_id, id: row.id }), row]));
    },
  });
}

/** A list of ids in the form that `jsonTable` reads. */
function listOf(ids: readonly number[]): string {
  return JSON.stringify(ids.map((id) => [id]));
}

/**
 * In this order of tables, as SQLite has no statistics to know that they are few. Without the index of teams: a plan for any
 * team would read all monitors of a big one.
 */
function wantedMonitors(db: Db, ids: string, team: string | number) {
  const wanted = db.selectFrom(jsonTable(engineOf(db), ids, { id: 'integer' }).as('wanted'));
  return joinMonitors(wanted, sql<number>`${team}`);
}

function joinMonitors(
  wanted: SelectQueryBuilder<Schema & { wanted: { id: number } }, 'wanted', object>,
  team: RawBuilder<number>,
) {
  return wanted
    .crossJoin('monitor')
    .crossJoin('monitor_state')
    .whereRef('monitor.id', '=', 'wanted.id')
    .whereRef('monitor_state.monitor_id', '=', 'monitor.id')
    .where(withoutIndex(sql<number>`monitor.team_id`), '=', team)
    .where('monitor.deleted_at', 'is', null);
}

const DEPENDS_ON = dependsOnOf('monitor.id').as('depends_on');

const STATE_COLUMNS = [
  'monitor_state.status',
  'monitor_state.last_slot',
  'monitor_state.last_checked_at',
  'monitor_state.run_at',
  'monitor_state.observed_until',
  ALIVE_AT,
  'monitor_state.last_heartbeat_at',
  'monitor_state.heartbeat_expected_at',
  'monitor_state.newest',
] as const;
