import { sql, type Kysely, type Selectable } from 'kysely';
import type { MonitorStatus, MonitorType } from '../model/monitor.ts';
import type { Database } from './contract.ts';
import { contains, elementContains } from './dialect.ts';
import type { MonitorStateTable, MonitorTable, Schema } from './schema.ts';

/** A monitor with what is known of it now. */
export type MonitorRow = Selectable<MonitorTable> &
  Pick<MonitorStateTable, 'status' | 'last_slot' | 'last_checked_at' | 'run_at' | 'newest'>;

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
  return selectMonitors(db, teamId).where('monitor.id', '=', id).executeTakeFirst();
}

/**
 * One page and how many there are in all. Text searches scan, so they run away from the quick reads.
 * Ties are ordered by id, nulls come last.
 */
export async function listMonitors(
  database: Database,
  teamId: number,
  filter: MonitorFilter,
  paging: Paging<MonitorSort>,
): Promise<{ rows: MonitorRow[]; total: number }> {
  const db = filter.search !== null || filter.q !== null ? database.scan : database.read;
  const matching = matchMonitors(database.engine, db, teamId, filter);
  const counted = await matching
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const total = Number(counted.total);
  if (paging.offset >= total) return { rows: [], total };
  const rows = await matching
    .selectAll('monitor')
    .select(STATE_COLUMNS)
    .orderBy(SORT_COLUMNS[paging.sort], (order) =>
      (paging.direction === 'asc' ? order.asc() : order.desc()).nullsLast(),
    )
    .orderBy('monitor.id', paging.direction)
    .limit(paging.limit)
    .offset(paging.offset)
    .execute();
  return { rows, total };
}

const STATE_COLUMNS = [
  'monitor_state.status',
  'monitor_state.last_slot',
  'monitor_state.last_checked_at',
  'monitor_state.run_at',
  'monitor_state.newest',
] as const;

const SORT_COLUMNS = {
  url: 'monitor.url',
  status: 'monitor_state.status',
  check_interval: 'monitor.check_interval',
  last_checked_at: 'monitor_state.last_checked_at',
  created_at: 'monitor.created_at',
} as const;

function joinState(db: Kysely<Schema>, teamId: number) {
  return db
    .selectFrom('monitor')
    .innerJoin('monitor_state', 'monitor_state.monitor_id', 'monitor.id')
    .where('monitor.team_id', '=', teamId)
    .where('monitor.deleted_at', 'is', null);
}

function selectMonitors(db: Kysely<Schema>, teamId: number) {
  return joinState(db, teamId).selectAll('monitor').select(STATE_COLUMNS);
}

function matchMonitors(
  engine: Database['engine'],
  db: Kysely<Schema>,
  teamId: number,
  filter: MonitorFilter,
) {
  let query = joinState(db, teamId);
  if (filter.status !== null) query = query.where('monitor_state.status', '=', filter.status);
  if (filter.type !== null) query = query.where('monitor.type', '=', filter.type);
  if (filter.interval !== null) query = query.where('monitor.check_interval', '=', filter.interval);
  if (filter.search !== null)
    query = query.where(contains(engine, sql.ref('monitor.url'), filter.search));
  const { q } = filter;
  if (q !== null) {
    query = query.where((or) =>
      or.or([
        contains(engine, sql.ref('monitor.url'), q),
        contains(engine, sql.ref('monitor.friendly_name'), q),
        elementContains(engine, sql.ref('monitor.tags'), q),
      ]),
    );
  }
  return query;
}
