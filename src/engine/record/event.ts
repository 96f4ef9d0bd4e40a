import type { Condition } from '../../model/condition.ts';
import type { IncidentOpening, IncidentResolution } from '../../model/incident.ts';
import { definitionOf, isPushType } from '../../monitor-types/registry.ts';
import type { MonitorStatus } from '../../model/monitor.ts';
import type { MonitorType } from '../../monitor-types/registry.ts';

/** A change that causes an event. */
export type NotifiedChange = IncidentOpening | IncidentResolution;

/** The names of events are the contract of webhooks (contract 28.3 to 28.5). */
const EVENTS: Record<
  Exclude<Condition, 'uptime' | 'heartbeat'>,
  { open: string; resolve: string }
> = {
  regional: { open: 'monitor.degraded', resolve: 'monitor.degraded_resolved' },
  keyword: { open: 'monitor.keyword_missing', resolve: 'monitor.keyword_resolved' },
  json_assertion: {
    open: 'monitor.json_assertion_failed',
    resolve: 'monitor.json_assertion_resolved',
  },
  dual_stack: { open: 'monitor.degraded', resolve: 'monitor.degraded_resolved' },
  slow_response: { open: 'monitor.slow_response', resolve: 'monitor.slow_response_resolved' },
  ssl_invalid: { open: 'monitor.ssl_invalid', resolve: 'monitor.ssl_resolved' },
  ssl_expiring: { open: 'monitor.ssl_expiring', resolve: 'monitor.ssl_resolved' },
  dns: { open: 'monitor.dns_failed', resolve: 'monitor.dns_resolved' },
  domain_expired: { open: 'monitor.domain_expired', resolve: 'monitor.domain_resolved' },
  domain_expiring: { open: 'monitor.domain_expiring', resolve: 'monitor.domain_resolved' },
};

export function eventName(monitorType: MonitorType, change: NotifiedChange): string {
  const { condition, kind } = change;
  if (condition === 'uptime' || condition === 'heartbeat') {
    return definitionOf(monitorType).events[kind].name;
  }
  // A phrase that must not be there is found; all else that can be wrong with keywords is that they are missing. Found
  // in some regions only, it is a regional incident and not one of keywords.
  const isFound =
    kind === 'open' && condition === 'keyword' && change.failureCode === 'keyword_found';
  return isFound ? 'monitor.keyword_found' : EVENTS[condition][kind];
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

/** Body of an event that belongs to no incident: the status stays as it is. */
export function infoPayload(
  name: string,
  text: string,
  monitor: EventSubject,
  status: MonitorStatus,
  now: number,
): object {
  return {
    ...heading(name, monitor, now),
    status: {
      current: status,
      previous: status,
      root_cause: text,
      region: null,
      is_regional_issue: false,
    },
    incident: null,
  };
}

/** The body that webhooks will send, kept as it was at the moment of the change. */
export function eventPayload(
  name: string,
  change: NotifiedChange,
  monitor: EventSubject,
  incident: EventIncident,
  now: number,
): object {
  return {
    ...heading(name, monitor, now),
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

/** The first keys of every event. The url of a push monitor is a secret (contract 12.31). */
function heading(name: string, { id, name: title, type, url }: EventSubject, now: number): object {
  return {
    event: name,
    timestamp: new Date(now).toISOString(),
    monitor: { id, name: title, url: isPushType(type) ? null : url },
  };
}
