import {
  sql,
  type Expression,
  type Insertable,
  type Kysely,
  type Selectable,
  type Transaction,
  type Updateable,
} from 'kysely';
import type { CorrectionKind } from '../../model/correction.ts';
import type { Database } from '../database/contract.ts';
import { engineOf, idTable, withoutIndex } from '../database/dialect.ts';
import type { IncidentFilter } from './incident-counts.ts';
import { readIncidentPage } from './incident-page.ts';
import type { IncidentSort } from './incident-path.ts';
import type { Paging } from './monitors.ts';
import type { Schema } from '../database/schema.ts';
import { nameQuery, prepareStatement } from '../database/prepared-statements.ts';
import { FACT_COLUMNS, noteChanged } from '../engine/incident-changes.ts';
import { gatherPairs, keyOfPair, pairParameters, pairTable } from './team-pairs.ts';

/** An incident with the monitor that it is about. */
export type IncidentRow = Selectable<Schema['incident']> & {
  monitor_url: string;
  /** Sealed by the secret box; push monitors only. */
  monitor_ping_token: string | null;
  monitor_friendly_name: string | null;
  /** The newest correction in force of the time at which the incident began. */
  counted_as: CorrectionKind | null;
};

/** Incidents of deleted monitors are never shown. */
export function findIncident(
  db: Kysely<Schema>,
  teamId: number,
  id: number,
): Promise<IncidentRow | undefined> {
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

export function createNewestIncidents(db: Kysely<Schema>, limit: number): NewestIncidents {
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
function gatherNewest(db: Kysely<Schema>, limit: number, ofOne: NewestIncidents): NewestIncidents {
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
function newestOf(db: Kysely<Schema>, monitorId: Expression<number>, limit: number) {
  return db
    .selectFrom('incident')
    .where('monitor_id', '=', monitorId)
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(sql<number>`${sql.lit(limit)}`);
}

/** The log of one incident, oldest first. */
export function listActivities(db: Kysely<Schema>, teamId: number, incidentId: number) {
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
export function listEvidence(db: Kysely<Schema>, teamId: number, incidentId: number) {
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
function selectIncidents(db: Kysely<Schema>, teamId: number) {
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
  tx: Transaction<Schema>,
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
export async function editIncident(
  tx: Transaction<Schema>,
  id: number,
  edit: IncidentEdit,
  now: number,
): Promise<void> {
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
export async function deleteIncident(tx: Transaction<Schema>, id: number): Promise<void> {
  for (const part of ['incident_evidence', 'incident_round', 'activity'] as const)
    await tx.deleteFrom(part).where('incident_id', '=', id).execute();
  const rows = await tx
    .deleteFrom('incident')
    .where('id', '=', id)
    .returning(FACT_COLUMNS)
    .execute();
  noteChanged(tx, 'deleted', rows);
}
