import { auditTarget, type AuditTarget } from '../../model/audit.ts';
import type { IncidentRow } from '../../store/resources/incidents.ts';
import { monitorTarget } from '../monitors/audit.ts';
import { isoOrNull, isoTime } from '../common/time.ts';

/** An incident has the name of its monitor. */
export function incidentTarget(row: IncidentRow): AuditTarget {
  const monitor = { friendly_name: row.monitor_friendly_name, url: row.monitor_url };
  return auditTarget('incident', { id: row.id, name: monitorTarget(row.monitor_id, monitor).name });
}

/** Fields of an incident, without those that follow from others, such as its duration. */
export function auditedIncident(row: IncidentRow): object {
  return {
    monitor_id: row.monitor_id,
    type: row.type,
    severity: row.severity,
    status: row.ended_at === null ? 'open' : 'resolved',
    root_cause: row.root_cause,
    started_at: isoTime(row.started_at),
    ended_at: isoOrNull(row.ended_at),
    acknowledged_at: isoOrNull(row.acknowledged_at),
    acknowledged_by: row.acknowledged_by,
  };
}
