import { sql, type CompiledQuery } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../database/contract.ts';
import { unindexed } from '../database/dialect.ts';
import {
  choosePath,
  choosePathOfCount,
  isSearch,
  searchPath,
  type AccessPath,
} from './monitor-path.ts';
import { matchMonitors, orderTerms } from './monitor-query.ts';
import { createMonitorTotals, type CountedFilter } from './monitor-totals.ts';
import { NO_FILTER, type MonitorFilter, type MonitorSort, type Paging } from './monitors.ts';

export interface MonitorList {
  /**
   * The ids of one page, and how many there are in all. Ties are ordered by id, nulls come last. What steps over many rows (a
   * search or filter by tag, group or region, a deep page, the order of the last checks) runs away from the quick reads.
   */
  page(
    teamId: number,
    filter: MonitorFilter,
    paging: Paging<MonitorSort>,
  ): Promise<{ ids: number[]; total: number }>;
  /** The ids of all that match, in ascending order, `limit` at most. */
  all(teamId: number, filter: MonitorFilter, limit: number): Promise<number[]>;
}

/** To step over more rows than that takes milliseconds. */
const QUICK_STEPS = 2_000;
/** The pages that are asked for again and again: making a statement takes longer than running it. */
const KEPT_STATEMENTS = 500;

export function createMonitorList(deps: {
  database: Database;
  clock: Pick<Clock, 'monotonic'>;
}): MonitorList {
  const { database, clock } = deps;
  const statements = new Map<string, CompiledQuery<Found>>();
  const totals = createMonitorTotals({
    countMonitors: (teamId, filter) => countMonitors(teamId, filter),
    clock,
  });

  async function countMonitors(teamId: number, filter: CountedFilter): Promise<number> {
    const { status, type, interval } = filter;
    const fromIndex = { by: 'filter', from: 'monitor', steps: 0 } as const;
    if (status === null) return countAlong(database, teamId, filter, fromIndex);
    if (type === null && interval === null) return countByStatus(database, teamId, status);
    return countAlong(
      database,
      teamId,
      filter,
      choosePathOfCount({
        team: await totals.estimate(teamId, NO_FILTER),
        ofStatus: await totals.estimate(teamId, { ...NO_FILTER, status }),
        ofRest: await totals.estimate(teamId, { ...filter, status: null }),
      }),
    );
  }

  async function readIds(teamId: number, filter: MonitorFilter, paging: Paging<MonitorSort>) {
    if (isSearch(filter)) return searchIds(database, teamId, filter, paging);
    const counts = {
      team: await totals.estimate(teamId, NO_FILTER),
      matching: await totals.estimate(teamId, filter),
    };
    const path = choosePath(filter, paging, counts);
    const { ids, edits } = await readPage(teamId, filter, paging, path);
    return { ids, total: await totals.exact(teamId, filter, edits) };
  }

  /** The ids of a page, and the number of edits they were read at. */
  async function readPage(
    teamId: number,
    filter: MonitorFilter,
    paging: Paging<MonitorSort>,
    path: AccessPath,
  ): Promise<{ ids: number[]; edits: number }> {
    const db = path.steps > QUICK_STEPS ? database.scan : database.read;
    const { by, from } = path;
    const key = JSON.stringify([teamId, filter, paging, by, from]);
    const query = statements.get(key) ?? pageStatement(database, teamId, filter, paging, path);
    remember(statements, key, query);
    const found = (await db.executeQuery(query)).rows;
    const edits = found[0]?.edits ?? (await readEdits(database));
    return { ids: found.map(({ id }) => id), edits };
  }

  async function readAll(teamId: number, filter: MonitorFilter, limit: number) {
    const path = { ...searchPath(filter), sort: null };
    const rows = await matchMonitors(database.scan, teamId, filter, path)
      .select('monitor.id')
      .orderBy(unindexed(database.engine, sql.ref('monitor.id')))
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  return { page: readIds, all: readAll };
}

/** Counts every edit of a monitor, its making and its deletion included (see shards.ts). */
const EDITS = sql<number>`(select sum(version) from shard)`;

interface Found {
  id: number;
  edits: number;
}

function pageStatement(
  { engine, read }: Database,
  teamId: number,
  filter: MonitorFilter,
  paging: Paging<MonitorSort>,
  path: AccessPath,
): CompiledQuery<Found> {
  return matchMonitors(read, teamId, filter, { ...path, sort: paging.sort })
    .select(['monitor.id', EDITS.as('edits')])
    .orderBy(orderTerms(engine, paging, path))
    .limit(paging.limit)
    .offset(paging.offset)
    .compile();
}

/** The oldest go. */
function remember<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  if (kept.has(key)) return;
  kept.set(key, value);
  if (kept.size > KEPT_STATEMENTS) kept.delete(kept.keys().next().value!);
}

async function readEdits(database: Database): Promise<number> {
  const { edits } = await database.read.selectNoFrom(EDITS.as('edits')).executeTakeFirstOrThrow();
  return edits;
}

/** The ids of a page and how many match in all, reading each match once. */
async function searchIds(
  database: Database,
  teamId: number,
  filter: MonitorFilter,
  paging: Paging<MonitorSort>,
): Promise<{ ids: number[]; total: number }> {
  const { engine } = database;
  const path = searchPath(filter);
  const matching = matchMonitors(database.scan, teamId, filter, {
    ...path,
    sort: paging.sort,
  }).select([
    'monitor.id',
    sql<number>`row_number() over (order by ${orderTerms(engine, paging, path)})`.as('position'),
  ]);
  const { rows } = await sql<{ total: number; id: number | null }>`
    with matching as materialized ${matching}
    select counted.total, page.id from (select count(*) as total from matching) as counted
    left join matching as page on page.position > ${paging.offset} and page.position <= ${paging.offset + paging.limit}
    order by page.position`.execute(database.scan);
  return { ids: rows.flatMap(({ id }) => id ?? []), total: rows[0]?.total ?? 0 };
}

/** Counts matches by the tables of that path. */
async function countAlong(
  database: Database,
  teamId: number,
  filter: CountedFilter,
  path: AccessPath,
): Promise<number> {
  const db = path.steps > QUICK_STEPS ? database.scan : database.read;
  const all = { ...NO_FILTER, ...filter };
  const { total } = await matchMonitors(db, teamId, all, { ...path, sort: null })
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** All states of that status but those of tombstones, which are few: so no monitor that is there is looked at. */
async function countByStatus(database: Database, teamId: number, status: string): Promise<number> {
  const ofStatus = (db: Database['read']) =>
    db
      .selectFrom('monitor_state')
      .where('monitor_state.team_id', '=', teamId)
      .where('monitor_state.status', '=', status)
      .select((select) => select.fn.countAll<number>().as('count'));
  const all = ofStatus(database.read);
  const dead = database.read
    .selectFrom('monitor')
    .crossJoin('monitor_state')
    .whereRef('monitor_state.monitor_id', '=', 'monitor.id')
    .where('monitor.team_id', '=', teamId)
    .where('monitor.deleted_at', 'is not', null)
    .where('monitor_state.status', '=', status)
    .select((select) => select.fn.countAll<number>().as('count'));
  const { total } = await database.read
    .selectNoFrom(sql<number>`(${all}) - (${dead})`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}
