import type { Transaction, Updateable } from 'kysely';
import type { Severity } from '../../model/condition.ts';
import type { IncidentTable, Schema } from '../database/schema.ts';
import { FACT_COLUMNS, noteChanged } from '../engine/incident-changes.ts';

/** An incident that a person reports; times are epoch milliseconds. */
export interface ManualIncident {
  teamId: number;
  monitorId: number;
  severity: Severity;
  rootCause: string | null;
  startedAt: number;
  endedAt: number | null;
}

/** Any number of these may be open for one monitor. @returns the id. */
export async function insertManualIncident(
  tx: Transaction<Schema>,
  incident: ManualIncident,
  now: number,
): Promise<number> {
  const row = await tx
    .insertInto('incident')
    .values({
      team_id: incident.teamId,
      monitor_id: incident.monitorId,
      type: 'manual',
      severity: incident.severity,
      root_cause: incident.rootCause,
      is_regional: 0,
      started_at: incident.startedAt,
      ended_at: incident.endedAt,
      created_at: now,
      updated_at: now,
    })
    .returning(FACT_COLUMNS)
    .executeTakeFirstOrThrow();
  noteChanged(tx, 'opened', [row]);
  if (row.endedAt !== null) noteChanged(tx, 'ended', [row], () => 'by_hand');
  return row.id;
}

/** The fields of an incident that people may change. */
export type IncidentEdit = Partial<
  Pick<Updateable<IncidentTable>, 'ended_at' | 'root_cause' | 'acknowledged_at' | 'acknowledged_by'>
>;

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

/** With its log and evidence. Events about it stay. */
export async function deleteIncident(tx: Transaction<Schema>, id: number): Promise<void> {
  await tx.deleteFrom('incident_evidence').where('incident_id', '=', id).execute();
  await tx.deleteFrom('incident_round').where('incident_id', '=', id).execute();
  await tx.deleteFrom('activity').where('incident_id', '=', id).execute();
  const rows = await tx
    .deleteFrom('incident')
    .where('id', '=', id)
    .returning(FACT_COLUMNS)
    .execute();
  noteChanged(tx, 'deleted', rows);
}
