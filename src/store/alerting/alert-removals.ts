import type { Transaction } from 'kysely';
import { detectedEnds } from './alert-steps.ts';
import { wakeAlertsOfIncidents, wakeAlertsOfMonitors } from './alerts.ts';
import { idList } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';

/**
 * Records in the alerts of an incident that it is about to be deleted, and makes them due. Call it before the incident is
 * deleted: an incident that is over keeps the time at which its end was detected.
 */
export async function markIncidentRemoved(
  tx: Transaction<Schema>,
  incident: { id: number; severity: string; ended_at: number | null },
  now: number,
): Promise<void> {
  const { id, severity, ended_at: endedAt } = incident;
  const seen = endedAt === null ? now : ((await detectedEnds(tx, [id])).get(id) ?? endedAt);
  await wakeAlertsOfIncidents(tx, [id], now);
  await tx
    .updateTable('alert_incident')
    .set({ removed_at: Math.max(seen, endedAt ?? 0), removed_severity: severity })
    .where('incident_id', '=', id)
    .where('removed_at', 'is', null)
    .execute();
}

/** Does the same for the open incidents of monitors that are deleted. */
export async function markMonitorsRemoved(
  tx: Transaction<Schema>,
  monitorIds: readonly number[],
  now: number,
): Promise<void> {
  await wakeAlertsOfMonitors(tx, monitorIds, now);
  await tx
    .updateTable('alert_incident')
    .set({ removed_at: now })
    .where('incident_id', 'in', (eb) =>
      eb
        .selectFrom('incident')
        .select('id')
        .where('monitor_id', 'in', idList(tx, monitorIds))
        .where('ended_at', 'is', null),
    )
    .where('removed_at', 'is', null)
    .execute();
}
