import { sql, type Expression, type Insertable, type Updateable, type RawBuilder } from 'kysely';
import type { CorrectionKind } from '../../model/correction.ts';
import type { Database, Db, Row, Schema, Tx } from '../database/contract.ts';
import { engineOf, idTable, withoutIndex, usingIndex, type Engine } from '../database/dialect.ts';
import {
  type IncidentFilter,
  readCounts,
  readDays,
  type IncidentCounts,
  type IncidentKind,
} from './incident-counts.ts';
import {
  type IncidentSort,
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
  type PartSlice,
} from './incident-path.ts';
import type { Paging } from './monitors.ts';
import { nameQuery, prepareStatement } from '../database/prepared-statements.ts';
import { FACT_COLUMNS, noteChanged } from '../engine/incident-changes.ts';
import { gatherPairs, keyOfPair, pairParameters, pairTable } from './team-pairs.ts';

/** An incident with the monitor that it is about. */
export type IncidentRow = Row<'incident'> & {
  monitor_url: string;
  /** Sealed by the secret box; push monitors only. */
  monitor_ping_token: string | null;
  monitor_friendly_name: string | null;
  /** The newest correction in force of the time at which the incident began. */
  counted_as: CorrectionKind | null;
};

/** Incidents of deleted monitors are never shown. */
export function findIncident(db: Db, teamId: number, id: number): Promise<IncidentRow | undefined> {
  return selectIncidents(db, teamId).where('incident.id', '=', id).executeTakeFirst();
}

/** One page and how many there are in all. Ties are ordered by id, nulls come last. */
export async function listIncidents(
  database: Database,
  teamId: number,
  filter: IncidentFilter,
  paging: Paging<IncidentSort>,
): Promise<{ rows: IncidentRow[]; total: number }> {
  const { ids, total } = await readIncidentPage(database, teamId, filter, paging);
  if (ids.length === 0) return { rows: [], total };
  const rows = await rowsQuery(database, teamId, ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  // An incident that was deleted in between is left out.
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), total };
}

/** Whole rows, by their ids and in any order: sorting whole rows would cost three times as much as sorting ids. */
export function rowsQuery(
  { read }: Pick<Database, 'read'>,
  teamId: number,
  ids: readonly number[],
) {
  return read
    .selectFrom(idTable(read, ids).as('wanted'))
    .innerJoin('incident', 'incident.id', 'wanted.id')
    .innerJoin('monitor', 'monitor.id', 'incident.monitor_id')
    .where(withoutIndex(sql<number>`incident.team_id`), '=', teamId)
    .where('monitor.deleted_at', 'is', null)
    .selectAll('incident')
    .select(INCIDENT_CONTEXT);
}

/** The newest incidents of one monitor, newest first. */
export type NewestIncidents = (teamId: number, monitorId: number) => Promise<IncidentRow[]>;

export function createNewestIncidents(db: Db, limit: number): NewestIncidents {
  const newest = prepareStatement<IncidentRow, 'team' | 'monitor'>(
    db,
    ['team', 'monitor'],
    ({ team, monitor }) =>
      db
        .selectFrom(newestOf(db, sql<number>`${monitor}`, limit).as('incident'))
        .innerJoin('monitor', 'monitor.id', 'incident.monitor_id')
        .where('incident.team_id', '=', sql<number>`${team}`)
        .where('monitor.deleted_at', 'is', null)
        .selectAll('incident')
        .select(INCIDENT_CONTEXT)
        .orderBy('incident.started_at', 'desc')
        .orderBy('incident.id', 'desc'),
  );
  const ofOne: NewestIncidents = (team, monitor) => newest({ team, monitor });
  // A statement of SQLite ends before the next request arrives.
  return engineOf(db) === 'postgres' ? gatherNewest(db, limit, ofOne) : ofOne;
}

/** On Postgres, where most of the cost of a small statement is to send it. */
function gatherNewest(db: Db, limit: number, ofOne: NewestIncidents): NewestIncidents {
  const query = nameQuery(
    db
      .selectFrom(pairTable().as('wanted'))
      .innerJoinLateral(newestOf(db, sql.ref<number>('wanted.id'), limit).as('incident'), (join) =>
        join.onTrue(),
      )
      .innerJoin('monitor', 'monitor.id', 'incident.monitor_id')
      .whereRef('incident.team_id', '=', 'wanted.team')
      .where('monitor.deleted_at', 'is', null)
      .selectAll('incident')
      .select(INCIDENT_CONTEXT)
      .orderBy('incident.started_at', 'desc')
      .orderBy('incident.id', 'desc')
      .compile(),
  );
  const gathered = gatherPairs<IncidentRow[]>({
    one: ofOne,
    async many(wanted) {
      const parameters = pairParameters(wanted);
      const { rows } = await db.executeQuery<IncidentRow>({ ...query, parameters });
      return Map.groupBy(rows, (row) => keyOfPair({ team: row.team_id, id: row.monitor_id }));
    },
  });
  return async (team, monitor) => (await gathered(team, monitor)) ?? [];
}

/** Limited before anything else is asked: a plan for any team would otherwise read all incidents of the monitor and sort them. */
function newestOf(db: Db, monitorId: Expression<number>, limit: number) {
  return db
    .selectFrom('incident')
    .where('monitor_id', '=', monitorId)
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(sql<number>`${sql.lit(limit)}`);
}

/** The log of one incident, oldest first. */
export function listActivities(db: Db, teamId: number, incidentId: number) {
  return db
    .selectFrom('activity')
    .leftJoin('person', 'person.id', 'activity.person_id')
    .where('activity.team_id', '=', teamId)
    .where('activity.incident_id', '=', incidentId)
    .select(['activity.id', 'activity.type', 'activity.description', 'activity.created_at'])
    .select(['activity.person_id', 'person.name as person_name'])
    .orderBy('activity.id')
    .execute();
}

export type ActivityRow = Awaited<ReturnType<typeof listActivities>>[number];

/** Reads the evidence of each failing region, as JSON of `RegionEvidence`. */
export function listEvidence(db: Db, teamId: number, incidentId: number) {
  return db
    .selectFrom('incident_evidence')
    .innerJoin('incident', 'incident.id', 'incident_evidence.incident_id')
    .where('incident.team_id', '=', teamId)
    .where('incident.id', '=', incidentId)
    .select('incident_evidence.evidence')
    .orderBy('incident_evidence.region')
    .execute();
}

/** Columns of an `IncidentRow` beside those of the incident. */
export const INCIDENT_CONTEXT = [
  'monitor.url as monitor_url',
  'monitor.ping_token as monitor_ping_token',
  'monitor.friendly_name as monitor_friendly_name',
  sql<CorrectionKind | null>`(
    select counts_as from correction where correction.monitor_id = incident.monitor_id
      and correction.from_at <= incident.started_at and correction.to_at > incident.started_at
      and correction.removed_at is null
    order by correction.id desc limit 1)`.as('counted_as'),
] as const;

/** By the index of another column than the team: each caller names an incident. */
function selectIncidents(db: Db, teamId: number) {
  return db
    .selectFrom('incident')
    .innerJoin('monitor', 'monitor.id', 'incident.monitor_id')
    .where(withoutIndex(sql<number>`incident.team_id`), '=', teamId)
    .where('monitor.deleted_at', 'is', null)
    .selectAll('incident')
    .select(INCIDENT_CONTEXT);
}

/** Records an incident that a person reports: any number of these may be open for one monitor. @returns the id. */
export async function insertManualIncident(
  tx: Tx,
  incident: Omit<
    Insertable<Schema['incident']>,
    'type' | 'is_regional' | 'created_at' | 'updated_at'
  >,
  now: number,
): Promise<number> {
  const row = await tx
    .insertInto('incident')
    .values({ ...incident, type: 'manual', is_regional: 0, created_at: now, updated_at: now })
    .returning(FACT_COLUMNS)
    .executeTakeFirstOrThrow();
  noteChanged(tx, 'opened', [row]);
  if (row.ended_at !== null) noteChanged(tx, 'ended', [row], () => 'by_hand');
  return row.id;
}

/** That somebody works on an incident. @param by null for an unknown person. */
export const acknowledgement = (by: number | null, now: number) => ({
  acknowledged_at: now,
  acknowledged_by: by,
});
export const NOT_ACKNOWLEDGED = { acknowledged_at: null, acknowledged_by: null };

/** Name of the person who acknowledged an incident. */
export const ACKNOWLEDGER = sql<
  string | null
>`(select name from person where person.id = incident.acknowledged_by)`.as('acknowledger');

/** The fields of an incident that people may change. */
export type IncidentEdit = Pick<Updateable<Schema['incident']>, 'ended_at' | 'root_cause'> &
  Partial<ReturnType<typeof acknowledgement> | typeof NOT_ACKNOWLEDGED>;

/** A unique violation when `ended_at` is taken away and another of its monitor and type, but `manual`, is open. */
export async function editIncident(tx: Tx, id: number, edit: IncidentEdit, now: number) {
  const rows = await tx
    .updateTable('incident')
    .set({ ...edit, updated_at: now })
    .where('id', '=', id)
    .returning(FACT_COLUMNS)
    .execute();
  if (edit.ended_at === undefined) return;
  if (edit.ended_at === null) noteChanged(tx, 'reopened', rows);
  else noteChanged(tx, 'ended', rows, () => 'by_hand');
}

/** With its log and evidence. Its events stay. */
export async function deleteIncident(tx: Tx, id: number): Promise<void> {
  for (const part of ['incident_evidence', 'incident_round', 'activity'] as const)
    await tx.deleteFrom(part).where('incident_id', '=', id).execute();
  const rows = await tx
    .deleteFrom('incident')
    .where('id', '=', id)
    .returning(FACT_COLUMNS)
    .execute();
  noteChanged(tx, 'deleted', rows);
}

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
