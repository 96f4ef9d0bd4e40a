import fc from 'fast-check';
import { CompiledQuery, sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import type { Database } from '../database/contract.ts';
import { readCounts, type IncidentFilter } from './incident-counts.ts';
import { pageQuery, readIncidentPage, listIncidents, rowsQuery } from './incidents.ts';
import {
  choosePath,
  INCIDENT_SORTS,
  partsOf,
  QUICK_STEPS,
  slicesOf,
  type IncidentSort,
} from './incident-path.ts';
import { monitorChanges } from './monitor-changes.ts';
import type { Paging } from './monitors.ts';
import { DAY_MS } from '../engine/results.ts';

const ALL: IncidentFilter = {
  monitorId: null,
  status: null,
  type: null,
  severity: null,
  startedFrom: null,
  startedBefore: null,
};
const NEWEST: Paging<IncidentSort> = {
  sort: 'started_at',
  direction: 'desc',
  limit: 20,
  offset: 0,
};

interface Row {
  id: number;
  monitor_id: number;
  type: string;
  severity: string;
  started_at: number;
  ended_at: number | null;
}

/** Three monitors of team 1 with `count` incidents, of ten days, with ties in every order; every fourth is open. */
async function fill(database: Database, count: number): Promise<Row[]> {
  const monitors: number[] = [];
  for (let index = 0; index < 3; index += 1) {
    monitors.push(await createMonitor(database, 0, { team_id: 1 }));
  }
  const first = sql.lit(monitors[0]!);
  await database.transaction((tx) =>
    sql`insert into incident (team_id, monitor_id, type, severity, is_regional, started_at, ended_at, created_at, updated_at)
      with recursive number (n) as (select 1 union all select n + 1 from number where n < ${sql.lit(count)})
      select 1, ${first} + n % 3,
        case when n % 4 = 0 or n % 7 = 0 then 'manual' when n < 40 then 'ssl' else 'uptime' end,
        case when n % 5 = 0 then 'warning' else 'critical' end, 0,
        n * 7919 % 997 * ${sql.lit(Math.floor((10 * DAY_MS) / 997))},
        case when n % 4 <> 0 then n * 7919 % 997 * ${sql.lit(Math.floor((10 * DAY_MS) / 997))} + n % 61 * 1000 end, 0, 0
      from number`.execute(tx),
  );
  return database.read
    .selectFrom('incident')
    .select(['id', 'monitor_id', 'type', 'severity', 'started_at', 'ended_at'])
    .execute();
}

/** The whole list, made the simple way. */
function listed(rows: Row[], filter: IncidentFilter, sort: IncidentSort, direction: string) {
  const sign = direction === 'asc' ? 1 : -1;
  const valueOf = ({ started_at, ended_at }: Row) => {
    if (sort === 'started_at') return started_at;
    if (sort === 'status') return ended_at === null ? 0 : 1;
    if (ended_at === null) return null;
    return sort === 'ended_at' ? ended_at : ended_at - started_at;
  };
  const compare = (one: Row, other: Row) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    if (a !== null && b !== null && a !== b) return sign * (a - b);
    if (a === null && b !== null) return 1;
    if (a !== null && b === null) return -1;
    return sign * (one.id - other.id);
  };
  const { monitorId, status, type, severity, startedFrom, startedBefore } = filter;
  return rows
    .filter(
      (row) =>
        (monitorId === null || row.monitor_id === monitorId) &&
        (status === null || (row.ended_at === null) === (status === 'open')) &&
        (type === null || row.type === type) &&
        (severity === null || row.severity === severity) &&
        (startedFrom === null || row.started_at >= startedFrom) &&
        (startedBefore === null || row.started_at < startedBefore),
    )
    .toSorted(compare)
    .map(({ id }) => id);
}

const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null, freq: 1 });
const questions = (count: number) =>
  fc.record({
    filter: fc.record({
      monitorId: orNull(fc.nat({ max: 2 })),
      status: orNull(fc.constantFrom('open' as const, 'resolved' as const)),
      type: orNull(fc.constantFrom('uptime', 'manual', 'ssl', 'dns')),
      severity: orNull(fc.constantFrom('critical', 'warning')),
      startedFrom: orNull(fc.constantFrom(0, 3 * DAY_MS)),
      startedBefore: orNull(fc.constantFrom(4 * DAY_MS, 9 * DAY_MS)),
    }),
    sort: fc.constantFrom(...INCIDENT_SORTS),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
    limit: fc.constantFrom(1, 7, 100),
    offset: fc.oneof(fc.constantFrom(0, 1), fc.nat({ max: count + 100 })),
  });

eachDatabase((engine, open) => {
  test('each page is that part of the whole list, however deep', async () => {
    const database = await open();
    const count = 7_000;
    const rows = await fill(database, count);
    const first = Math.min(...rows.map(({ monitor_id }) => monitor_id));
    await fc.assert(
      fc.asyncProperty(questions(count), async ({ filter: asked, sort, direction, ...page }) => {
        const monitorId = asked.monitorId === null ? null : first + asked.monitorId;
        const filter = { ...asked, monitorId };
        const whole = listed(rows, filter, sort, direction);
        const found = await readIncidentPage(database, 1, filter, { sort, direction, ...page });
        expect(found.total).toBe(whole.length);
        expect(found.ids).toEqual(whole.slice(page.offset, page.offset + page.limit));
      }),
      { numRuns: 150 },
    );
  });

  test('incidents of deleted monitors and of other teams are in no page', async () => {
    const database = await open();
    const rows = await fill(database, 600);
    const buried = rows[0]!.monitor_id;
    await database.transaction((tx) => monitorChanges(tx).markDeleted(buried, 1, 1));
    const left = rows.filter(({ monitor_id }) => monitor_id !== buried);
    for (const sort of INCIDENT_SORTS) {
      for (const filter of [ALL, { ...ALL, severity: 'critical' }]) {
        const paging = { ...NEWEST, sort, offset: 150, limit: 50 };
        const whole = listed(left, filter, sort, 'desc');
        const { rows: page, total } = await listIncidents(database, 1, filter, paging);
        expect(total).toBe(whole.length);
        expect(page.map(({ id }) => id)).toEqual(whole.slice(150, 200));
      }
    }
    expect(await listIncidents(database, 2, ALL, NEWEST)).toEqual({ rows: [], total: 0 });
    const theirs = { ...ALL, monitorId: left[0]!.monitor_id };
    expect(await listIncidents(database, 2, theirs, NEWEST)).toEqual({ rows: [], total: 0 });
  });

  if (engine === 'postgres') {
    test('a page by duration steps over the index alone, and over no rows', async () => {
      const database = await open();
      await fill(database, 100);
      await sql`vacuum analyze incident`.execute(database.scan);
      const counts = await readCounts(database, 1, ALL);
      const { sort, ...page } = { ...NEWEST, sort: 'duration' as const };
      const [slice] = slicesOf(partsOf(counts.kinds, null, sort, page.direction), page);
      const path = choosePath(slice!, ALL, counts);
      const { sql: text, parameters } = pageQuery(engine, 1, ALL, counts, slice!, path).compile(
        database.read,
      );
      const plan = await database.transaction(async (tx) => {
        // So few rows would be sorted.
        await sql`set local enable_seqscan = off`.execute(tx);
        await sql`set local enable_sort = off`.execute(tx);
        const explain = CompiledQuery.raw(`explain ${text}`, [...parameters]);
        return (await tx.executeQuery<{ 'QUERY PLAN': string }>(explain)).rows;
      });
      expect(plan.map((line) => line['QUERY PLAN']).join()).toContain(
        'Index Only Scan Backward using incident_duration',
      );
    });
  }

  if (engine !== 'sqlite') return;

  test.each<[string, Partial<IncidentFilter>, Partial<Paging<IncidentSort>>, string]>([
    ['the newest', {}, {}, 'incident_team'],
    ['the oldest', {}, { direction: 'asc' }, 'incident_team'],
    ['the open ones', { status: 'open' }, {}, 'incident_open_since'],
    ['the resolved ones', { status: 'resolved' }, {}, 'incident_team'],
    ['one type', { type: 'ssl' }, {}, 'incident_kind'],
    ['some days', { startedFrom: DAY_MS, startedBefore: 2 * DAY_MS }, {}, 'incident_team'],
    ['by end', {}, { sort: 'ended_at' }, 'incident_ended'],
    ['by duration', {}, { sort: 'duration' }, 'incident_duration'],
    ['by status', {}, { sort: 'status' }, 'incident_resolved'],
  ])('%s are read along an index, without sorting', async (_name, filter, paging, index) => {
    const database = await open();
    await fill(database, 100);
    const asked = { ...ALL, ...filter };
    const { sort, ...page } = { ...NEWEST, ...paging };
    const counts = await readCounts(database, 1, asked);
    const kinds = counts.kinds.filter(({ type }) => asked.type === null || asked.type === type);
    const [slice] = slicesOf(partsOf(kinds.slice(0, 1), asked.status, sort, page.direction), page);
    const path = choosePath(slice!, asked, { ...counts, kinds: kinds.slice(0, 1) });
    expect(path).toMatchObject({ index, isWalk: true });
    expect(path.steps).toBeLessThan(QUICK_STEPS);
    const query = pageQuery(
      'sqlite',
      1,
      asked,
      { ...counts, kinds: kinds.slice(0, 1) },
      slice!,
      path,
    );
    const plan = await planOf(database, query.compile(database.read));
    expect(plan).toEqual([expect.stringContaining(`USING INDEX ${index} (`)]);
  });

  test('rows are read by their ids, and not by their team', async () => {
    const database = await open();
    const plan = await planOf(database, rowsQuery(database, 1, [1, 2]).compile());
    expect(plan.filter((line) => line.includes('incident'))).toEqual([
      'SEARCH incident USING INTEGER PRIMARY KEY (rowid=?)',
    ]);
  });
});

async function planOf(
  database: Database,
  { sql: text, parameters }: { sql: string; parameters: readonly unknown[] },
): Promise<string[]> {
  const parts = text.split('?').map((part) => sql.raw(part));
  const [first, ...others] = parts;
  const bound = others.map((part, index) => sql`${parameters[index]}${part}`);
  const { rows } = await sql<{ detail: string }>`explain query plan ${first!}${sql.join(
    bound,
    sql``,
  )}`.execute(database.read);
  return rows.map(({ detail }) => detail).map((line) => line.replace('COVERING INDEX', 'INDEX'));
}
