import { sql, type Expression, type Kysely, type Selectable } from 'kysely';
import type { CorrectionKind } from '../../model/correction.ts';
import type { Database } from '../database/contract.ts';
import { engineOf, idTable, withoutIndex } from '../database/dialect.ts';
import type { IncidentFilter } from './incident-counts.ts';
import { readIncidentPage } from './incident-page.ts';
import type { IncidentSort } from './incident-path.ts';
import type { Paging } from './monitors.ts';
import type { IncidentTable, Schema } from '../database/schema.ts';
import { nameQuery, prepareStatement } from '../database/prepared-statements.ts';
import { gatherPairs, keyOfPair, pairParameters, pairTable } from './team-pairs.ts';

/** An incident with the monitor that it is about. */
export type IncidentRow = Selectable<IncidentTable> & {
  monitor_url: string;
  /** Sealed by the secret box; push monitors only. */
  monitor_ping_token: string | null;
  monitor_friendly_name: string | null;
  /** The newest correction in force of the time at which the incident began. */
  counted_as: CorrectionKind | null;
};

export interface ActivityRow {
  id: number;
  type: string;
  description: string;
  created_at: number;
  person_id: number | null;
  person_name: string | null;
}

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
export function listActivities(
  db: Kysely<Schema>,
  teamId: number,
  incidentId: number,
): Promise<ActivityRow[]> {
  return db
    .selectFrom('activity')
    .leftJoin('person', 'person.id', 'activity.person_id')
    .where('activity.team_id', '=', teamId)
    .where('activity.incident_id', '=', incidentId)
    .select([
      'activity.id',
      'activity.type',
      'activity.description',
      'activity.created_at',
      'activity.person_id',
      'person.name as person_name',
    ])
    .orderBy('activity.id')
    .execute();
}

/** Reads the evidence of each failing region, as JSON of `RegionEvidence`. */
export async function listEvidence(
  db: Kysely<Schema>,
  teamId: number,
  incidentId: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('incident_evidence')
    .innerJoin('incident', 'incident.id', 'incident_evidence.incident_id')
    .where('incident.team_id', '=', teamId)
    .where('incident.id', '=', incidentId)
    .select('incident_evidence.evidence')
    .orderBy('incident_evidence.region')
    .execute();
  return rows.map((row) => row.evidence);
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
