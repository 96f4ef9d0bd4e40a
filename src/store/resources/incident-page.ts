import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../database/contract.ts';
import { withoutIndex, usingIndex, type Engine } from '../database/dialect.ts';
import {
  readCounts,
  readDays,
  type IncidentCounts,
  type IncidentFilter,
  type IncidentKind,
} from './incident-counts.ts';
import {
  choosePath,
  countOf,
  fromNearerEnd,
  isDeep,
  matchingKinds,
  partsOf,
  QUICK_STEPS,
  slicesOf,
  withinDays,
  type IncidentPath,
  type IncidentSort,
  type PartSlice,
} from './incident-path.ts';
import type { Paging } from './monitors.ts';

/**
 * The ids of one page, and how many incidents match in all. Nothing is counted: counts are kept. What may step over many
 * rows runs away from the quick reads.
 */
export async function readIncidentPage(
  database: Database,
  teamId: number,
  filter: IncidentFilter,
  paging: Paging<IncidentSort>,
): Promise<{ ids: number[]; total: number }> {
  const counts = await readCounts(database, teamId, filter);
  const kinds = matchingKinds(counts, filter);
  const parts = partsOf(kinds, filter.status, paging.sort, paging.direction);
  const ids: number[] = [];
  for (const slice of slicesOf(parts, paging)) {
    ids.push(...(await readSlice(database, teamId, filter, counts, slice)));
  }
  return { ids, total: countOf(kinds, filter.status) };
}

async function readSlice(
  database: Database,
  teamId: number,
  filter: IncidentFilter,
  counts: IncidentCounts,
  slice: PartSlice,
): Promise<number[]> {
  const narrowed = isDeep(slice)
    ? withinDays(slice, filter, await readDays(database, teamId, filter))
    : { slice, filter };
  const { isReversed, ...nearer } = fromNearerEnd(narrowed.slice);
  const path = choosePath(nearer, narrowed.filter, counts);
  const query = pageQuery(database.engine, teamId, narrowed.filter, counts, nearer, path);
  const db = path.steps > QUICK_STEPS ? database.scan : database.read;
  const { rows } = await query.execute(db);
  const ids = rows.map(({ id }) => id);
  return isReversed ? ids.toReversed() : ids;
}

/** The statement that reads the ids of a slice along its path. */
export function pageQuery(
  engine: Engine,
  teamId: number,
  filter: IncidentFilter,
  counts: IncidentCounts,
  slice: PartSlice,
  path: IncidentPath,
): RawBuilder<{ id: number }> {
  const byKind = path.index === 'incident_kind';
  const kinds = byKind ? matchingKinds(counts, filter) : [null];
  const conditions = conditionsOf(teamId, filter, counts, slice, path);
  const column = POSITIONS[slice.order];
  const position = path.isWalk ? column : withoutIndex(column);
  const direction = sql.raw(slice.direction);
  const branch = (kind: IncidentKind | null, skip: number, take: number) => sql<{ id: number }>`
    select incident.id, ${column} as position from ${usingIndex(engine, 'incident', path.index)}
    where ${sql.join([...conditions, ...(kind ? ofKind(kind) : [])], sql` and `)}
    order by ${position} ${direction}, incident.id ${direction} limit ${take} offset ${skip}`;
  if (kinds.length === 1) return branch(kinds[0]!, slice.skip, slice.take);
  const branches = kinds.map(
    (kind) => sql`select * from (${branch(kind, 0, slice.skip + slice.take)}) as kind`,
  );
  return sql`select id from (${sql.join(branches, sql` union all `)}) as incident
    order by position ${direction}, id ${direction} limit ${slice.take} offset ${slice.skip}`;
}

const POSITIONS = {
  started_at: sql<number>`incident.started_at`,
  ended_at: sql<number>`incident.ended_at`,
  duration: sql<number>`(incident.ended_at - incident.started_at)`,
  id: sql<number>`incident.id`,
} as const;

const ofKind = ({ type, severity }: Pick<IncidentKind, 'type' | 'severity'>) => [
  sql`incident.type = ${type}`,
  sql`incident.severity = ${severity}`,
];

function conditionsOf(
  teamId: number,
  filter: IncidentFilter,
  { hidden }: IncidentCounts,
  { status }: PartSlice,
  { index }: IncidentPath,
): RawBuilder<unknown>[] {
  const { monitorId, type, severity, startedFrom, startedBefore } = filter;
  const team = sql<number>`incident.team_id`;
  const byMonitor = index === 'incident_monitor';
  const conditions = [sql`${byMonitor ? withoutIndex(team) : team} = ${teamId}`];
  const add = (condition: RawBuilder<unknown>) => void conditions.push(condition);
  if (monitorId !== null) add(sql`incident.monitor_id = ${monitorId}`);
  if (status === 'open') add(sql`incident.ended_at is null`);
  if (status === 'resolved') add(sql`incident.ended_at is not null`);
  if (startedFrom !== null) add(sql`incident.started_at >= ${startedFrom}`);
  if (startedBefore !== null) add(sql`incident.started_at < ${startedBefore}`);
  if (index !== 'incident_kind') {
    if (type !== null) add(sql`incident.type = ${type}`);
    if (severity !== null) add(sql`incident.severity = ${severity}`);
  }
  if (hidden > 0) {
    add(sql`exists (select 1 from monitor
      where monitor.id = incident.monitor_id and monitor.deleted_at is null)`);
  }
  return conditions;
}
