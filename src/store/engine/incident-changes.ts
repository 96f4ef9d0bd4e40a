import { sql, type Selectable } from 'kysely';
import type { IncidentOpening, IncidentResolution } from '../../model/incident.ts';
import type { MonitorType } from '../../monitor-types/registry.ts';
import { idTable, rowTable } from '../database/dialect.ts';
import { BATCH_ROWS, countRows, insertRow, insertRows } from '../database/rows.ts';
import type { Schema, Tx } from '../database/contract.ts';
import { noteIncidents, type IncidentFact } from '../database/observer.ts';

type New<Table> = Omit<Selectable<Table>, 'id'>;

/** Columns of an incident by which events and activities describe it. */
const CHANGED = [
  'incident.id',
  'incident.monitor_id',
  'incident.type',
  'incident.started_at',
  'incident.root_cause',
  'incident.region',
] as const;

/** An incident that was opened or resolved. */
export type ChangedIncident = Pick<
  Selectable<Schema['incident']>,
  'id' | 'monitor_id' | 'type' | 'started_at' | 'root_cause' | 'region'
>;

/** What changes of incidents, with its history. */
export function incidentChanges(tx: Tx) {
  return {
    /**
     * Opens at most one incident per monitor and type. One that is open already was reopened manually: it stands for the new
     * problem from now on, unchanged, and is returned with the new cause.
     */
    async insert(openings: IncidentOpening[], now: number): Promise<ChangedIncident[]> {
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
              created_at: now,
              updated_at: now,
            })),
          )
          .onConflict((conflict) =>
            conflict
              .columns(['monitor_id', 'type'])
              .where('ended_at', 'is', null)
              // Spelled out: with a parameter the engines would not recognize the index.
              .where(sql<boolean>`type <> 'manual'`)
              .doUpdateSet({ updated_at: now }),
          )
          .returning([...FACT_COLUMNS, 'incident.region', 'incident.created_at'])
          .execute();
        // One that was reopened by hand is older, and was opened before.
        noteChanged(
          tx,
          'opened',
          rows.filter(({ created_at }) => created_at === now),
        );
        const causes = new Map(slice.map((one) => [`${one.monitorId} ${one.type}`, one.rootCause]));
        for (const row of rows)
          opened.push({ ...row, root_cause: causes.get(`${row.monitor_id} ${row.type}`)! });
      }
      return opened;
    },

    /** Reads the open incident of each monitor and type; a pair without one is missing. */
    async open(wanted: readonly { monitorId: number; type: string }[]): Promise<ChangedIncident[]> {
      if (wanted.length === 0) return [];
      const pairs = wanted.map(({ monitorId, type }) => [monitorId, type]);
      return tx
        .selectFrom(rowTable(tx, pairs, { monitor_id: 'integer', type: 'text' }).as('wanted'))
        .innerJoin('incident', (join) =>
          join
            .onRef('incident.monitor_id', '=', 'wanted.monitor_id')
            .onRef('incident.type', '=', 'wanted.type')
            .on('incident.ended_at', 'is', null),
        )
        .select(CHANGED)
        .execute();
    },

    /** Reads incidents by id, open or not; deleted ones are missing. */
    async byId(ids: readonly number[]): Promise<Map<number, ChangedIncident>> {
      if (ids.length === 0) return new Map();
      const rows = await tx
        .selectFrom(idTable(tx, ids).as('wanted'))
        .innerJoin('incident', 'incident.id', 'wanted.id')
        .select(CHANGED)
        .execute();
      return new Map(rows.map((row) => [row.id, row]));
    },

    /** Ends the open incident of each monitor and type, never before it began. One resolved manually is not returned. */
    async end(resolutions: IncidentResolution[], now: number): Promise<ChangedIncident[]> {
      if (resolutions.length === 0) return [];
      const ends = rowTable(
        tx,
        resolutions.map(({ monitorId, type, at }) => [monitorId, type, at]),
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
        .returning([...FACT_COLUMNS, 'incident.root_cause', 'incident.region'])
        .execute();
      const reasons = new Map(
        resolutions.map(({ monitorId, type, reason }) => [`${monitorId} ${type}`, reason]),
      );
      noteChanged(tx, 'ended', rows, (row) => reasons.get(`${row.monitor_id} ${row.type}`)!);
      return rows;
    },

    async insertEvidence(rows: Schema['incident_evidence'][]) {
      await insertRows(tx, 'incident_evidence', rows, 'skip');
    },

    async insertActivities(rows: New<Schema['activity']>[]) {
      await insertRows(tx, 'activity', rows);
    },

    /** Adds one entry per incident, as `insertActivities` does, unless its log is full. */
    async insertNotes(rows: New<Schema['activity']>[]) {
      if (rows.length === 0) return;
      const values = rows.map((row) => [
        row.team_id,
        row.incident_id,
        row.type,
        row.description,
        row.created_at,
      ]);
      const notes = rowTable(tx, values, {
        team_id: 'integer',
        incident_id: 'integer',
        type: 'text',
        description: 'text',
        created_at: 'integer',
      });
      await sql`insert into activity (team_id, incident_id, type, description, created_at)
    select team_id, incident_id, type, description, created_at from ${notes} as note
    where (select count(*) from activity where activity.incident_id = note.incident_id) < ${MAX_LOG_ENTRIES}`.execute(
        tx,
      );
    },

    /** Adds a note that a person wrote. @returns its id; null when the log of the incident is full. */
    async insertNote(
      note: { teamId: number; incidentId: number; personId: number; text: string },
      now: number,
    ): Promise<number | null> {
      const entries = await countRows(tx, 'activity', { incident_id: note.incidentId });
      if (entries >= MAX_LOG_ENTRIES) return null;
      return insertRow(tx, 'activity', {
        team_id: note.teamId,
        incident_id: note.incidentId,
        person_id: note.personId,
        type: 'note',
        description: note.text,
        created_at: now,
      });
    },

    async insertEvents(rows: New<Schema['event']>[]) {
      await insertRows(tx, 'event', rows);
    },

    /** Reads the subjects of events by monitor id; deleted monitors are missing. */
    async subjectsOf(monitorIds: number[]) {
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
    },
  };
}

/** Maximum number of entries in the log of an incident to which notes are added. */
export const MAX_LOG_ENTRIES = 1_000;

/** A monitor that an event is about. */
export interface Subject {
  id: number;
  type: MonitorType;
  name: string | null;
  url: string;
}

/** Cuts a list into slices below the engines' limits of parameters, with 14 columns at most. */
function* slices<T>(items: T[]): Generator<T[]> {
  for (let from = 0; from < items.length; from += BATCH_ROWS)
    yield items.slice(from, from + BATCH_ROWS);
}

/** Columns of an incident that a fact is made of. */
export const FACT_COLUMNS = [
  'incident.id',
  'incident.monitor_id',
  'incident.team_id',
  'incident.type',
  'incident.severity',
  'incident.failure_code',
  'incident.is_regional',
  'incident.started_at',
  'incident.ended_at',
] as const;

/** Notes that a transaction changed these incidents, for its observer. */
export function noteChanged<Row extends Omit<IncidentFact, 'change' | 'reason'>>(
  tx: Tx,
  change: IncidentFact['change'],
  rows: readonly Row[],
  reasonOf: (row: Row) => IncidentFact['reason'] = () => null,
): void {
  noteIncidents(
    tx,
    rows.map((row) => ({ ...row, change, reason: reasonOf(row) })),
  );
}
