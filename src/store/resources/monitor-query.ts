import {
  sql,
  type Expression,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
} from 'kysely';
import {
  engineOf,
  unindexed,
  contains,
  elementContains,
  urlOrder,
  type Engine,
} from '../database/dialect.ts';
import type { AccessPath } from './monitor-path.ts';
import type { MonitorFilter, MonitorSort, Paging } from './monitors.ts';
import type { Schema } from '../database/schema.ts';

type Tables = 'monitor' | 'monitor_state';
/** Monitors of one team that match a filter, nothing selected yet. */
export type MonitorQuery = SelectQueryBuilder<Schema, Tables, object>;

/** The monitors that match, come by as the path says. The state is joined where something asks for it. */
export function matchMonitors(
  db: Kysely<Schema>,
  teamId: number,
  filter: MonitorFilter,
  path: Pick<AccessPath, 'by' | 'from'> & { sort: MonitorSort | null },
): MonitorQuery {
  const engine = engineOf(db);
  const needsState =
    filter.status !== null || path.sort === 'status' || path.sort === 'last_checked_at';
  let query = joinTables(db, teamId, path.from, needsState)
    .where('monitor.team_id', '=', teamId)
    .where('monitor.deleted_at', 'is', null);
  const { status, type, interval, search, q } = filter;
  const column = <Value>(name: string): Expression<Value> => {
    const reference = sql.ref<Value>(name);
    return path.by === 'filter' ? reference : unindexed(engine, reference);
  };
  // True of all; by it SQLite reads the monitors in the order in which they lie, which is many times faster.
  if (path.by === 'scan') query = query.where('monitor.created_at', '>=', 0);
  if (status !== null) query = query.where('monitor_state.status', '=', status);
  if (type !== null) query = query.where(column<string>('monitor.type'), '=', type);
  if (interval !== null)
    query = query.where(column<number>('monitor.check_interval'), '=', interval);
  if (search !== null) query = query.where(contains(engine, sql.ref('monitor.url'), search));
  if (q !== null) query = query.where((or) => or.or(textConditions(engine, q)));
  return query;
}

/** Joined so that SQLite reads the tables in this order: it has no statistics, we do. */
function joinTables(
  db: Kysely<Schema>,
  teamId: number,
  from: AccessPath['from'],
  needsState: boolean,
): MonitorQuery {
  if (from === 'monitor_state') {
    return db
      .selectFrom('monitor_state')
      .crossJoin('monitor')
      .whereRef('monitor.id', '=', 'monitor_state.monitor_id')
      .where('monitor_state.team_id', '=', teamId);
  }
  const monitors = db.selectFrom('monitor');
  if (!needsState) return monitors as unknown as MonitorQuery;
  return monitors
    .crossJoin('monitor_state')
    .whereRef('monitor_state.monitor_id', '=', 'monitor.id');
}

function textConditions(engine: Engine, text: string) {
  return [
    contains(engine, sql.ref('monitor.url'), text),
    contains(engine, sql.ref('monitor.friendly_name'), text),
    elementContains(engine, sql.ref('monitor.tags'), text),
  ];
}

/**
 * The terms of an order, the id last. The indexes of orders begin with team and `deleted_at`: Postgres uses them for an
 * order only when the order includes that null, too.
 */
export function orderTerms(
  engine: Engine,
  { sort, direction }: Pick<Paging<MonitorSort>, 'sort' | 'direction'>,
  path: Pick<AccessPath, 'by' | 'from'>,
): RawBuilder<unknown> {
  const way = sql.raw(direction);
  const terms = keysOf(engine, sort).map((key) =>
    path.by === 'order' ? sql`${key} ${way}` : sql`${unindexed(engine, key)} ${way}`,
  );
  const id = sql.ref(path.from === 'monitor' ? 'monitor.id' : 'monitor_state.monitor_id');
  const last = sql`${id} ${way}`;
  if (sort === 'status') return sql.join([...terms, last]);
  if (sort === 'last_checked_at') return sql.join([sql`${terms[0]} nulls last`, last]);
  if (sort === 'check_interval')
    return sql.join([sql`monitor.deleted_at asc`, sql`${terms[0]} nulls last`, last]);
  return sql.join([sql`monitor.deleted_at ${way}`, ...terms, last]);
}

function keysOf(engine: Engine, sort: MonitorSort): Expression<unknown>[] {
  switch (sort) {
    case 'url':
      return urlOrder(engine, sql.ref('monitor.url'));
    case 'status':
    case 'last_checked_at':
      return [sql.ref(`monitor_state.${sort}`)];
    default:
      return [sql.ref(`monitor.${sort}`)];
  }
}
