import type { Transaction } from 'kysely';
import type { Severity } from '../../model/condition.ts';
import type { AlertIncidentRow } from './alert-steps.ts';
import { insertAlerts, wakeAlerts } from './alerts.ts';
import { lockFanOut, pendingOpenings } from '../engine/events.ts';
import type { Schema } from '../database/schema.ts';

/**
 * Notifies people again of an incident that somebody reopened: it joins its alert now, or an alert of its own when that
 * is over. Nobody is notified of a manual incident; nor of one whose opening event waits, which does it. Waits for a lock:
 * the transaction must not have touched an alert before.
 */
export async function notifyReopened(
  tx: Transaction<Schema>,
  incident: Pick<AlertIncidentRow, 'id' | 'team_id' | 'monitor_id' | 'type' | 'severity'>,
  now: number,
): Promise<void> {
  const { id: incidentId, monitor_id: monitorId } = incident;
  if (incident.type === 'manual') return;
  await lockFanOut(tx);
  if ((await pendingOpenings(tx, [incidentId])).length > 0) return;
  const known = await openAlertsWith(tx, [incidentId]);
  if (known.length > 0) return joinAgain(tx, known, now);
  const alert = {
    teamId: incident.team_id,
    kind: 'single' as const,
    severity: incident.severity as Severity,
    monitorId,
    incidentId,
    incidentType: incident.type,
    isGroupable: false,
  };
  await insertAlerts(tx, [alert], now);
}

/** The alerts of these incidents that are not over, each with its incident. */
export async function openAlertsWith(
  tx: Transaction<Schema>,
  incidentIds: readonly number[],
): Promise<{ alertId: number; incidentId: number }[]> {
  if (incidentIds.length === 0) return [];
  const rows = await tx
    .selectFrom('alert_incident')
    .innerJoin('alert', 'alert.id', 'alert_incident.alert_id')
    .select(['alert_incident.alert_id', 'alert_incident.incident_id'])
    .where('alert_incident.incident_id', 'in', incidentIds)
    .where('alert.over_at', 'is', null)
    .execute();
  return rows.map((row) => ({ alertId: row.alert_id, incidentId: row.incident_id }));
}

/** Makes incidents that were over, or known, news of these alerts once more, and wakes those. */
export async function joinAgain(
  tx: Transaction<Schema>,
  members: readonly { alertId: number; incidentId: number }[],
  now: number,
): Promise<void> {
  if (members.length === 0) return;
  const alertIds = [...new Set(members.map(({ alertId }) => alertId))];
  const incidentIds = members.map(({ incidentId }) => incidentId);
  await tx
    .updateTable('alert_incident')
    .set({ joined_at: now, has_successor: 0 })
    .where('alert_id', 'in', alertIds)
    .where('incident_id', 'in', incidentIds)
    .execute();
  await wakeAlerts(tx, alertIds, now);
}
