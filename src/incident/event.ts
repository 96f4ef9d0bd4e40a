import type { IncidentType } from '../model/condition.ts';
import type { IncidentOpening, IncidentResolution } from '../model/incident.ts';
import { isPushType } from '../model/monitor.ts';
import type { MonitorType, PullType } from '../model/monitor.ts';

/** A change that others are told of. */
export type ToldChange = IncidentOpening | IncidentResolution;

/** The names of events are the contract of webhooks (completions, section 10). */
const UPTIME_EVENTS: Record<PullType, { open: string; resolve: string }> = {
  http: { open: 'monitor.down', resolve: 'monitor.up' },
  ping: { open: 'monitor.ping_failed', resolve: 'monitor.ping_recovered' },
  port: { open: 'monitor.port_failed', resolve: 'monitor.port_recovered' },
};

const EVENTS: Record<Exclude<IncidentType, 'uptime'>, { open: string; resolve: string }> = {
  regional: { open: 'monitor.degraded', resolve: 'monitor.degraded_resolved' },
  slow_response: { open: 'monitor.slow_response', resolve: 'monitor.slow_response_resolved' },
  heartbeat: { open: 'monitor.heartbeat_missed', resolve: 'monitor.heartbeat_recovered' },
};

export function eventName(
  monitorType: MonitorType,
  type: IncidentType,
  kind: ToldChange['kind'],
): string {
  return (type === 'uptime' ? UPTIME_EVENTS[monitorType as PullType] : EVENTS[type])[kind];
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
  change: ToldChange,
  monitor: EventSubject,
  incident: EventIncident,
  now: number,
): object {
  return {
    event: name,
    timestamp: new Date(now).toISOString(),
    // The url of a push monitor is a secret (completions, section 8).
    monitor: {
      id: monitor.id,
      name: monitor.name,
      url: isPushType(monitor.type) ? null : monitor.url,
    },
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
