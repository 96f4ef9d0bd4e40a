import { isPushType } from '../../monitor-types/registry.ts';
import type { IncidentRow } from '../../store/resources/incidents.ts';
import type { AuditChange } from './entry.ts';
import { MASK } from '../../lib/secret-box.ts';
import type { MonitorSettings } from '../../monitor-types/fields.ts';
import { isoOrNull, isoTime } from '../common/time.ts';

type Target = AuditChange['target'];

/** A push monitor has no url that people gave it; without a name it has none here. */
export function monitorTarget(
  id: number,
  { friendly_name, url }: Pick<MonitorSettings, 'friendly_name' | 'url'>,
): Target {
  return { type: 'monitor', id, name: friendly_name ?? (url === '' ? null : url) };
}

/** What people set of a monitor. Whoever knows the ping URL of a push monitor may call it: it is masked. */
export function monitorAsSet(type: string, settings: MonitorSettings): object {
  const pingUrls = isPushType(type) ? { url: MASK, ping_url: MASK } : {};
  return { monitor_type: type, ...settings, ...pingUrls };
}

/** An incident goes by the name of its monitor. */
export function incidentTarget(row: IncidentRow): Target {
  const monitor = { friendly_name: row.monitor_friendly_name, url: row.monitor_url };
  return { type: 'incident', id: row.id, name: monitorTarget(row.monitor_id, monitor).name };
}

/** What an incident says of itself; what follows from it, such as its duration, is left out. */
export function incidentAsSet(row: IncidentRow): object {
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
