import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { IncidentOpening, IncidentResolution } from '../../model/incident.ts';
import type { MonitorType } from '../../monitor-types/registry.ts';
import { engineOf, jsonTable, idTable } from '../database/dialect.ts';
import type {
  ActivityTable,
  EventTable,
  IncidentEvidenceTable,
  Schema,
} from '../database/schema.ts';

type New<Table> = Omit<Table, 'id'>;

export interface ChangedIncident {
  id: number;
  monitorId: number;
  type: string;
  startedAt: number;
  rootCause: string | null;
  region: string | null;
}

/**
 * Opens at most one incident per monitor and type. One that is open already was reopened by hand: it stands for the
 * new problem from now on, as it is, and is returned with the new cause.
 */
export async function insertIncidents(
  tx: Transaction<Schema>,
  openings: IncidentOpening[],
  now: number,
): Promise<ChangedIncident[]> {
  const opened: ChangedIncident[] = [];
  for (const slice of slices(openings)) {
    const rows = await tx
      .insertInto('incident')
      .values(
        slice.map((opening) => ({
          team_id: opening.teamId,
          monitor_id: opening.monitorId,
          type: opening.type,
          severity: opening.severity,
          root_cause: opening.rootCause,
          failure_code: opening.failureCode,
          is_regional: opening.regions ? 1 : 0,
          region: opening.regions?.join(', ') ?? null,
          started_at: opening.at,
          ended_at: null,
          acknowledged_at: null,
          acknowledged_by: null,
          created_at: now,
          updated_at: now,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['monitor_id', 'type'])
          .where('ended_at', 'is', null)
          // Spelt out: with a parameter the engines would not recognise the index.
          .where(sql<boolean>`type <> 'manual'`)
          .doUpdateSet({ updated_at: now }),
      )
      .returning(['id', 'monitor_id', 'type', 'started_at', 'root_cause', 'region'])
      .execute();
    const causes = new Map(slice.map((one) => [`${one.monitorId} ${one.type}`, one.rootCause]));
    for (const row of rows) {
      opened.push({ ...changed(row), rootCause: causes.get(`${row.monitor_id} ${row.type}`)! });
    }
  }
  return opened;
}

/** What of an incident its change tells of. */
const CHANGED = [
  'incident.id',
  'incident.monitor_id',
  'incident.type',
  'incident.started_at',
  'incident.root_cause',
  'incident.region',
] as const;

/** The open incident of each monitor and type; one that there is none of is missing. */
export async function openIncidents(
  tx: Transaction<Schema>,
  wanted: readonly { monitorId: number; type: string }[],
): Promise<ChangedIncident[]> {
  if (wanted.length === 0) return [];
  const pairs = jsonTable(
    engineOf(tx),
    JSON.stringify(wanted.map(({ monitorId, type }) => [monitorId, type])),
    { monitor_id: 'integer', type: 'text' },
  );
  const rows = await tx
    .selectFrom(pairs.as('wanted'))
    .innerJoin('incident', (join) =>
      join
        .onRef('incident.monitor_id', '=', 'wanted.monitor_id')
        .onRef('incident.type', '=', 'wanted.type')
        .on('incident.ended_at', 'is', null),
    )
    .select(CHANGED)
    .execute();
  return rows.map(changed);
}

/** These incidents by id, open or not; those that were deleted are missing. */
export async function incidentsById(
  tx: Transaction<Schema>,
  ids: readonly number[],
): Promise<Map<number, ChangedIncident>> {
  if (ids.length === 0) return new Map();
  const wanted = idTable(tx, ids);
  const rows = await tx
    .selectFrom(wanted.as('wanted'))
    .innerJoin('incident', 'incident.id', 'wanted.id')
    .select(CHANGED)
    .execute();
  return new Map(rows.map((row) => [row.id, changed(row)]));
}

/** Ends the open incident of each monitor and type; never before it began. One resolved by hand is not returned. */
export async function endIncidents(
  tx: Transaction<Schema>,
  resolutions: IncidentResolution[],
  now: number,
): Promise<ChangedIncident[]> {
  if (resolutions.length === 0) return [];
  const ends = jsonTable(
    engineOf(tx),
    JSON.stringify(resolutions.map(({ monitorId, type, at }) => [monitorId, type, at])),
    { monitor_id: 'integer', type: 'text', at: 'integer' },
  );
  const rows = await tx
    .updateTable('incident')
    .from(ends.as('ends'))
    .set((eb) => ({
      ended_at: eb
        .case()
        .when('ends.at', '<', eb.ref('incident.started_at'))
        .then(eb.ref('incident.started_at'))
        .else(eb.ref('ends.at'))
        .end(),
      updated_at: now,
    }))
    .whereRef('incident.monitor_id', '=', 'ends.monitor_id')
    .whereRef('incident.type', '=', 'ends.type')
    .where('incident.ended_at', 'is', null)
    .returning(CHANGED)
    .execute();
  return rows.map(changed);
}

export async function insertEvidence(
  tx: Transaction<Schema>,
  rows: IncidentEvidenceTable[],
): Promise<void> {
  for (const slice of slices(rows)) {
    await tx
      .insertInto('incident_evidence')
      .values(slice)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export async function insertActivities(
  tx: Transaction<Schema>,
  rows: New<ActivityTable>[],
): Promise<void> {
  for (const slice of slices(rows)) await tx.insertInto('activity').values(slice).execute();
}

/** Lines of an incident's log; so many are enough to know that it goes on. */
const MAX_NOTES = 1_000;

/** As `insertActivities`, one line for each incident, for as long as its log is not full. */
export async function insertNotes(
  tx: Transaction<Schema>,
  rows: New<ActivityTable>[],
): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map((row) => [
    row.team_id,
    row.incident_id,
    row.type,
    row.description,
    row.created_at,
  ]);
  const notes = jsonTable(engineOf(tx), JSON.stringify(values), {
    team_id: 'integer',
    incident_id: 'integer',
    type: 'text',
    description: 'text',
    created_at: 'integer',
  });
  await sql`insert into activity (team_id, incident_id, type, description, created_at)
    select team_id, incident_id, type, description, created_at from ${notes} as note
    where (select count(*) from activity where activity.incident_id = note.incident_id) < ${MAX_NOTES}`.execute(
    tx,
  );
}

export async function insertEvents(
  tx: Transaction<Schema>,
  rows: New<EventTable>[],
): Promise<void> {
  for (const slice of slices(rows)) await tx.insertInto('event').values(slice).execute();
}

export interface Subject {
  id: number;
  type: MonitorType;
  name: string | null;
  url: string;
}

/** The monitors that events speak of, by id; those that are gone are missing. */
export async function subjectsOf(
  tx: Transaction<Schema>,
  monitorIds: number[],
): Promise<Map<number, Subject>> {
  const subjects = new Map<number, Subject>();
  for (const slice of slices(monitorIds)) {
    const rows = await tx
      .selectFrom('monitor')
      .select(['id', 'type', 'friendly_name as name', 'url'])
      .where('id', 'in', slice)
      .where('deleted_at', 'is', null)
      .execute();
    for (const row of rows) subjects.set(row.id, { ...row, type: row.type as MonitorType });
  }
  return subjects;
}

function changed(row: {
  id: number;
  monitor_id: number;
  type: string;
  started_at: number;
  root_cause: string | null;
  region: string | null;
}): ChangedIncident {
  return {
    id: row.id,
    monitorId: row.monitor_id,
    type: row.type,
    startedAt: row.started_at,
    rootCause: row.root_cause,
    region: row.region,
  };
}

/** Small enough for the engines' limits of parameters, 14 columns at most. */
function* slices<T>(items: T[], size = 500): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
