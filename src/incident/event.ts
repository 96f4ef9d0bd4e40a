import type { IncidentType } from '../model/condition.ts';
import type { IncidentChange } from '../model/incident.ts';
import type { MonitorType } from '../model/monitor.ts';

/** The names of events are the contract of webhooks (completions, section 10). */
const UPTIME_EVENTS: Record<MonitorType, { open: string; resolve: string }> = {
  http: { open: 'monitor.down', resolve: 'monitor.up' },
  ping: { open: 'monitor.ping_failed', resolve: 'monitor.ping_recovered' },
  port: { open: 'monitor.port_failed', resolve: 'monitor.port_recovered' },
  heartbeat: { open: 'monitor.heartbeat_missed', resolve: 'monitor.heartbeat_recovered' },
  cron: { open: 'monitor.heartbeat_missed', resolve: 'monitor.heartbeat_recovered' },
};

const EVENTS: Record<Exclude<IncidentType, 'uptime'>, { open: string; resolve: string }> = {
  regional: { open: 'monitor.degraded', resolve: 'monitor.degraded_resolved' },
  slow_response: { open: 'monitor.slow_response', resolve: 'monitor.slow_response_resolved' },
};

export function eventName(
  monitorType: MonitorType,
  type: IncidentType,
  kind: IncidentChange['kind'],
): string {
  return (type === 'uptime' ? UPTIME_EVENTS[monitorType] : EVENTS[type])[kind];
}

/** The monitor as an event names it. */
export interface EventSubject {
  id: number;
  type: MonitorType;
  name: string | null;
  url: string;
}

/** The incident as it stands after the change. */
export interface EventIncident {
  id: number;
  startedAt: number;
  rootCause: string | null;
  region: string | null;
}

/** The body that webhooks will send, kept as it was at the moment of the change. */
export function eventPayload(
  name: string,
  change: IncidentChange,
  monitor: EventSubject,
  incident: EventIncident,
  now: number,
): object {
  return {
    event: name,
    timestamp: new Date(now).toISOString(),
    monitor: { id: monitor.id, name: monitor.name, url: monitor.url },
    status: {
      current: change.status.current,
      previous: change.status.previous,
      root_cause: incident.rootCause,
      region: incident.region,
      is_regional_issue: change.type === 'regional',
    },
    incident: { id: incident.id, started_at: new Date(incident.startedAt).toISOString() },
  };
}
