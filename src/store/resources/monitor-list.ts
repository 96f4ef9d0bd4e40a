import { sql } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import { createSharedRuns } from '../../lib/shared-runs.ts';
import { MONITOR_STATUSES } from '../../model/monitor.ts';
import type { Database } from '../database/contract.ts';
import { unindexed } from '../database/dialect.ts';
import {
  choosePath,
  choosePathOfCount,
  isSearch,
  isOnlyOfTexts,
  isSearchOfTexts,
  searchPath,
  type AccessPath,
} from './monitor-path.ts';
import { matchMonitors, orderTerms } from './monitor-query.ts';
import { createMonitorSearch } from './monitor-search.ts';
import { createMonitorStamps, EDITS, readEdits, type PageStamps } from './monitor-stamps.ts';
import { createMonitorTotals, type CountedFilter } from './monitor-totals.ts';
import { NO_FILTER, type MonitorFilter, type MonitorSort, type Paging } from './monitors.ts';
import { prepareStatement } from '../database/prepared-statements.ts';

export interface MonitorList {
  /**
   * One page of monitors. Ties are ordered by id, nulls come last. Texts of large teams are searched in memory. What steps
   * over many rows (other searches, a filter by tag, group or region, a deep page, the order of the last checks) runs away
   * from the quick reads. In large teams a page in the order of the last checks may be a second old; the monitors on it
   * are as they are now.
   */
  page(teamId: number, filter: MonitorFilter, paging: Paging<MonitorSort>): Promise<MonitorPage>;
  /** The ids of all that match, in ascending order, `limit` at most. */
  all(teamId: number, filter: MonitorFilter, limit: number): Promise<number[]>;
}

export interface MonitorPage {
  /** In the order of the page. */
  ids: readonly number[];
  /** Number of monitors that match, on all pages. */
  total: number;
  /** The stamps of those monitors (see PageStamps). */
  stamps: string;
}

/** To step over more rows than that takes milliseconds. */
const QUICK_STEPS = 2_000;
/** Teams with fewer monitors are searched in the database, which takes a few milliseconds. */
const MANY_MONITORS = 1_000;
/** Milliseconds for which a page in the order of the last checks is used again, although each check changes that order. */
const LAST_CHECKS_MS = 1_000;
/** Cached pages, of their ids alone. */
const KEPT_PAGES = 1_000;

/** A page, and the number of edits so far at which it was read. */
type FoundPage = Pick<MonitorPage, 'ids' | 'total'> & { edits: number };
/** `until` is the monotonic time until which it is valid if no monitor is edited. */
type KeptPage = FoundPage & { until: number };

export function createMonitorList(deps: {
  database: Database;
  clock: Pick<Clock, 'monotonic' | 'now'>;
  manyMonitors?: number;
}): MonitorList {
  const { database, clock, manyMonitors = MANY_MONITORS } = deps;
  const keptPages = new Map<string, KeptPage>();
  const runs = createSharedRuns<FoundPage>();
  const countByStatus = prepareCountByStatus(database);
  const search = createMonitorSearch(deps);
  const pageStamps = createMonitorStamps(database);
  const totals = createMonitorTotals({
    countMonitors: (teamId, filter) => countMonitors(teamId, filter),
    clock,
  });

  async function countMonitors(teamId: number, filter: CountedFilter): Promise<number> {
    const { status, type, interval } = filter;
    const fromIndex = { by: 'filter', from: 'monitor', steps: 0 } as const;
    if (status === null) return countAlong(database, teamId, filter, fromIndex);
    if (type === null && interval === null) {
      const [counted] = await countByStatus({ team: teamId, status });
      return counted!.total;
    }
    const path = choosePathOfCount({
      team: await totals.estimate(teamId, NO_FILTER),
      ofStatus: await totals.estimate(teamId, { ...NO_FILTER, status }),
      ofRest: await totals.estimate(teamId, { ...filter, status: null }),
    });
    const count = path.isByOthers ? countByOthers : countAlong;
    return count(database, teamId, filter, path);
  }

  async function page(
    teamId: number,
    filter: MonitorFilter,
    paging: Paging<MonitorSort>,
  ): Promise<MonitorPage> {
    const key = JSON.stringify([teamId, filter, paging]);
    const askedAt = clock.monotonic();
    const known = keptPages.get(key);
    if (known !== undefined && askedAt < known.until) {
      const { edits, stamps } = await stampsOf(teamId, known.ids);
      if (edits === known.edits) return { ids: known.ids, total: known.total, stamps };
    }
    keptPages.delete(key);
    const remembered = await pageByTexts('recall', teamId, filter, paging);
    if (remembered !== null) {
      const { edits, stamps } = await stampsOf(teamId, remembered.ids);
      if (edits === remembered.edits) {
        if (settles(filter, paging)) keep(key, { ...remembered, until: Infinity });
        return { ids: remembered.ids, total: remembered.total, stamps };
      }
    }
    const found = await runs.run(key, () => findPage(teamId, filter, paging));
    if (settles(filter, paging)) keep(key, { ...found, until: Infinity });
    else if (isByLastCheck(filter, paging) && (await isLarge(teamId)))
      keep(key, { ...found, until: askedAt + LAST_CHECKS_MS });
    const { ids, total } = found;
    return { ids, total, stamps: (await stampsOf(teamId, ids)).stamps };
  }

  function keep(key: string, found: KeptPage): void {
    keptPages.set(key, found);
    if (keptPages.size > KEPT_PAGES) keptPages.delete(keptPages.keys().next().value!);
  }

  async function isLarge(teamId: number): Promise<boolean> {
    return (await totals.estimate(teamId, NO_FILTER)) >= manyMonitors;
  }

  async function stampsOf(teamId: number, ids: readonly number[]): Promise<PageStamps> {
    if (ids.length === 0) return { edits: await readEdits(database), stamps: '' };
    return pageStamps.of(teamId, ids);
  }

  async function findPage(teamId: number, filter: MonitorFilter, paging: Paging<MonitorSort>) {
    const byTexts = await pageByTexts('find', teamId, filter, paging);
    if (byTexts !== null) return byTexts;
    if (isSearch(filter)) return searchIds(database, teamId, filter, paging);
    const counts = {
      team: await totals.estimate(teamId, NO_FILTER),
      matching: await totals.estimate(teamId, filter),
    };
    const path = choosePath(filter, paging, counts);
    const { ids, edits } = await readPage(teamId, filter, paging, path);
    return { ids, edits, total: await totals.exact(teamId, filter, edits) };
  }

  /** The page of a search for texts that are in memory; null without them, or if a scan takes less time. */
  async function pageByTexts(
    how: 'recall' | 'find',
    teamId: number,
    filter: MonitorFilter,
    paging: Paging<MonitorSort>,
  ): Promise<FoundPage | null> {
    if (!isSearchOfTexts(filter)) return null;
    if (!(await isLarge(teamId))) return null;
    const matches = await search[how](teamId, filter);
    if (matches === null) return null;
    const { ids, edits } = matches;
    const { sort, direction, offset, limit } = paging;
    if (sort === 'created_at' && isOnlyOfTexts(filter)) {
      const total = ids.length;
      if (direction === 'asc') return { ids: ids.slice(offset, offset + limit), total, edits };
      const end = Math.max(0, total - offset);
      return { ids: ids.slice(Math.max(0, end - limit), end).toReversed(), total, edits };
    }
    if (ids.length > QUICK_STEPS) return null;
    const found = await searchIds(database, teamId, filter, paging, ids);
    return { ...found, edits };
  }

  /** The ids of a page, and the number of edits they were read at. */
  async function readPage(
    teamId: number,
    filter: MonitorFilter,
    paging: Paging<MonitorSort>,
    path: AccessPath,
  ): Promise<{ ids: number[]; edits: number }> {
    const db = path.steps > QUICK_STEPS ? database.scan : database.read;
    const found = await matchMonitors(db, teamId, filter, { ...path, sort: paging.sort })
      .select(['monitor.id', EDITS.as('edits')])
      .orderBy(orderTerms(database.engine, paging, path))
      .limit(paging.limit)
      .offset(paging.offset)
      .execute();
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

  return { page, all: readAll };
}

/** Whether only edits change which monitors are on a page. */
function settles(filter: MonitorFilter, { sort }: Paging<MonitorSort>): boolean {
  return sort !== 'status' && sort !== 'last_checked_at' && isByEdits(filter);
}

/** Whether checks change the order of a page and only edits its monitors. */
function isByLastCheck(filter: MonitorFilter, { sort }: Paging<MonitorSort>): boolean {
  return sort === 'last_checked_at' && isByEdits(filter);
}

/** Whether only edits change which monitors match. Groups are deleted without an edit. */
function isByEdits({ status, groupIds }: MonitorFilter): boolean {
  return status === null && groupIds === null;
}

/** The ids of a page and how many match in all, reading each match once: of those `among`, or of the whole team. */
async function searchIds(
  database: Database,
  teamId: number,
  filter: MonitorFilter,
  paging: Paging<MonitorSort>,
  among: readonly number[] | null = null,
): Promise<FoundPage> {
  const { engine } = database;
  const db = among === null ? database.scan : database.read;
  const path = among === null ? searchPath(filter) : ({ by: 'ids', from: 'monitor' } as const);
  const wanted = { ...path, sort: paging.sort, ids: among ?? [] };
  const matching = matchMonitors(db, teamId, filter, wanted).select([
    'monitor.id',
    sql<number>`row_number() over (order by ${orderTerms(engine, paging, path)})`.as('position'),
  ]);
  const { rows } = await sql<{ total: number; id: number | null; edits: number }>`
    with matching as materialized ${matching}
    select counted.total, page.id, ${EDITS} as edits from (select count(*) as total from matching) as counted
    left join matching as page on page.position > ${paging.offset} and page.position <= ${paging.offset + paging.limit}
    order by page.position`.execute(db);
  const { total, edits } = rows[0]!;
  return { ids: rows.flatMap(({ id }) => id ?? []), total, edits };
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

/** Subtracts the matches of all other statuses from the matches of any status. */
async function countByOthers(
  database: Database,
  teamId: number,
  { status, ...rest }: CountedFilter,
  path: AccessPath,
): Promise<number> {
  const db = path.steps > QUICK_STEPS ? database.scan : database.read;
  const all = { ...NO_FILTER, ...rest };
  const ofAny = matchMonitors(db, teamId, all, { by: 'filter', from: 'monitor', sort: null });
  const ofOthers = matchMonitors(db, teamId, all, {
    by: 'order',
    from: 'monitor_state',
    sort: null,
  }).where(
    'monitor_state.status',
    'in',
    MONITOR_STATUSES.filter((other) => other !== status),
  );
  const [any, others] = [ofAny, ofOthers].map((matching) =>
    matching.select((select) => select.fn.countAll<number>().as('total')),
  );
  const { total } = await db
    .selectNoFrom(sql<number>`(${any}) - (${others})`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** All states of that status but those of tombstones, which are few: so no monitor that is there is looked at. */
function prepareCountByStatus({ read }: Database) {
  return prepareStatement<{ total: number }, 'team' | 'status'>(
    read,
    ['team', 'status'],
    ({ team, status }) => {
      const [teamId, wanted] = [sql<number>`${team}`, sql<string>`${status}`];
      const count = sql<number>`count(*)`.as('count');
      const all = read
        .selectFrom('monitor_state')
        .where('monitor_state.team_id', '=', teamId)
        .where('monitor_state.status', '=', wanted)
        .select(count);
      const dead = read
        .selectFrom('monitor')
        .crossJoin('monitor_state')
        .whereRef('monitor_state.monitor_id', '=', 'monitor.id')
        .where('monitor.team_id', '=', teamId)
        .where('monitor.deleted_at', 'is not', null)
        .where('monitor_state.status', '=', wanted)
        .select(count);
      return read.selectNoFrom(sql<number>`(${all}) - (${dead})`.as('total'));
    },
  );
}
