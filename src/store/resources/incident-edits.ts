import type { Transaction, Updateable } from 'kysely';
import type { Severity } from '../../model/condition.ts';
import type { IncidentTable, Schema } from '../database/schema.ts';

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
  const { id } = await tx
    .insertInto('incident')
    .values({
      team_id: incident.teamId,
      monitor_id: incident.monitorId,
      type: 'manual',
      severity: incident.severity,
      root_cause: incident.rootCause,
      failure_code: null,
      is_regional: 0,
      region: null,
      started_at: incident.startedAt,
      ended_at: incident.endedAt,
      acknowledged_at: null,
      acknowledged_by: null,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** What people may change of an incident. */
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
  await tx
    .updateTable('incident')
    .set({ ...edit, updated_at: now })
    .where('id', '=', id)
    .execute();
}

/** With its log and evidence. Events that told of it stay. */
export async function deleteIncident(tx: Transaction<Schema>, id: number): Promise<void> {
  await tx.deleteFrom('incident_evidence').where('incident_id', '=', id).execute();
  await tx.deleteFrom('activity').where('incident_id', '=', id).execute();
  await tx.deleteFrom('incident').where('id', '=', id).execute();
}
