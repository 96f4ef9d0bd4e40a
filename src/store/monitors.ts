import type { Kysely, Selectable } from 'kysely';
import type { MonitorStatus, MonitorType } from '../model/monitor.ts';
import type { Database } from './contract.ts';
import { jsonTable } from './dialect.ts';
import type { MonitorStateTable, MonitorTable, Schema } from './schema.ts';

/** A monitor with what is known of it now. */
export type MonitorRow = Selectable<MonitorTable> &
  Pick<
    MonitorStateTable,
    | 'status'
    | 'last_slot'
    | 'last_checked_at'
    | 'run_at'
    | 'newest'
    | 'last_heartbeat_at'
    | 'heartbeat_expected_at'
  >;

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
}

export interface Paging<Sort extends string> {
  sort: Sort;
  direction: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/** Undefined for an unknown id, another team's, and a deleted one. */
export function findMonitor(
  db: Kysely<Schema>,
  teamId: number,
  id: number,
): Promise<MonitorRow | undefined> {
  return db
    .selectFrom('monitor')
    .innerJoin('monitor_state', 'monitor_state.monitor_id', 'monitor.id')
    .where('monitor.id', '=', id)
    .where('monitor.team_id', '=', teamId)
    .where('monitor.deleted_at', 'is', null)
    .selectAll('monitor')
    .select(STATE_COLUMNS)
    .executeTakeFirst();
}

/** In the order of the ids; those that are gone, or another team's, are left out. */
export async function findMonitors(
  db: Kysely<Schema>,
  engine: Database['engine'],
  teamId: number,
  ids: number[],
): Promise<MonitorRow[]> {
  if (ids.length === 0) return [];
  const wanted = jsonTable(engine, JSON.stringify(ids.map((id) => [id])), { id: 'integer' });
  // In this order of tables, as SQLite has no statistics to know that they are few.
  const rows = await db
    .selectFrom(wanted.as('wanted'))
    .crossJoin('monitor')
    .crossJoin('monitor_state')
    .whereRef('monitor.id', '=', 'wanted.id')
    .whereRef('monitor_state.monitor_id', '=', 'monitor.id')
    .where('monitor.team_id', '=', teamId)
    .where('monitor.deleted_at', 'is', null)
    .selectAll('monitor')
    .select(STATE_COLUMNS)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const STATE_COLUMNS = [
  'monitor_state.status',
  'monitor_state.last_slot',
  'monitor_state.last_checked_at',
  'monitor_state.run_at',
  'monitor_state.newest',
  'monitor_state.last_heartbeat_at',
  'monitor_state.heartbeat_expected_at',
] as const;
