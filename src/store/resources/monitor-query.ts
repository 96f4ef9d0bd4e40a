import { sql, type Expression, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import {
  engineOf,
  unindexed,
  contains,
  elementContains,
  hasText,
  idTable,
  urlOrder,
  type Engine,
} from '../database/dialect.ts';
import type { AccessPath } from './monitor-path.ts';
import type { MonitorFilter, MonitorSort, Paging } from './monitors.ts';
import type { Db, Schema } from '../database/contract.ts';

type Tables = 'monitor' | 'monitor_state';
/** Monitors of one team that match a filter, nothing selected yet. */
export type MonitorQuery = SelectQueryBuilder<Schema, Tables, object>;

/** How matches are found. `ids` are those that the path `ids` begins with. */
type WantedPath = Pick<AccessPath, 'by' | 'from'> & { ids?: readonly number[] };

/** The monitors that match, come by as the path says. The state is joined where something asks for it. */
export function matchMonitors(
  db: Db,
  teamId: number,
  filter: MonitorFilter,
  path: WantedPath & { sort: MonitorSort | null },
): MonitorQuery {
  const engine = engineOf(db);
  const needsState =
    filter.status !== null || path.sort === 'status' || path.sort === 'last_checked_at';
  const { status, type, interval, search, q, tags, groupIds, region } = filter;
  // Else SQLite would prefer the indexes of the team.
  const ownIndex = <Value>(name: string) =>
    path.by === 'group' || path.by === 'ids'
      ? unindexed(engine, sql.ref<Value>(name))
      : sql.ref<Value>(name);
  let query = joinTables(db, teamId, path, tags?.[0], needsState)
    .where(ownIndex<number>('monitor.team_id'), '=', teamId)
    .where(ownIndex<number | null>('monitor.deleted_at'), 'is', null);
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
  if (groupIds !== null) query = query.where('monitor.group_id', 'in', [...groupIds]);
  if (region !== null)
    query = query.where(hasText(engine, sql.ref('monitor.monitored_regions'), region));
  for (const tag of tags?.slice(path.by === 'tag' ? 1 : 0) ?? []) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('monitor_tag as other')
          .select('other.tag')
          .whereRef('other.monitor_id', '=', 'monitor.id')
          .where('other.tag', '=', tag),
      ),
    );
  }
  return query;
}

/** Joined so that SQLite reads the tables in this order: it has no statistics, we do. */
function joinTables(
  db: Db,
  teamId: number,
  { by, from, ids = [] }: WantedPath,
  tag: string | undefined,
  needsState: boolean,
): MonitorQuery {
  if (from === 'monitor_state') {
    return db
      .selectFrom('monitor_state')
      .crossJoin('monitor')
      .whereRef('monitor.id', '=', 'monitor_state.monitor_id')
      .where('monitor_state.team_id', '=', teamId);
  }
  const monitors = (
    by === 'ids'
      ? withId(db, ids)
      : by === 'tag' && tag !== undefined
        ? withTag(db, teamId, tag)
        : db.selectFrom('monitor')
  ) as SelectQueryBuilder<Schema, 'monitor', object>;
  if (!needsState) return monitors as unknown as MonitorQuery;
  return monitors
    .crossJoin('monitor_state')
    .whereRef('monitor_state.monitor_id', '=', 'monitor.id');
}

function withId(db: Db, ids: readonly number[]) {
  return db
    .selectFrom(idTable(db, ids).as('wanted'))
    .crossJoin('monitor')
    .whereRef('monitor.id', '=', 'wanted.id');
}

function withTag(db: Db, teamId: number, tag: string) {
  return db
    .selectFrom('monitor_tag')
    .crossJoin('monitor')
    .whereRef('monitor.id', '=', 'monitor_tag.monitor_id')
    .where('monitor_tag.team_id', '=', teamId)
    .where('monitor_tag.tag', '=', tag);
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
