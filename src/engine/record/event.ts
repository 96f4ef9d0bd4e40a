import type { ChangedIncident, Subject } from '../../store/engine/incident-changes.ts';
import type { Condition, IncidentType } from '../../model/condition.ts';
import type {
  IncidentOpening,
  IncidentResolution,
  ActivityType,
  IncidentChange,
} from '../../model/incident.ts';
import { definitionOf, isPushType, type MonitorType } from '../../monitor-types/registry.ts';
import type { MonitorStatus } from '../../model/monitor.ts';
import { sharedProbeHost } from '../../model/check.ts';

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
  error_budget_fast: {
    open: 'monitor.error_budget_burning',
    resolve: 'monitor.error_budget_resolved',
  },
  error_budget_slow: {
    open: 'monitor.error_budget_burning_slowly',
    resolve: 'monitor.error_budget_resolved',
  },
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

/** Body of an event that belongs to no incident: the status stays as it is. */
export function infoPayload(
  name: string,
  text: string,
  monitor: Subject,
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
  monitor: Subject,
  incident: Omit<ChangedIncident, 'monitor_id' | 'type'>,
  now: number,
): object {
  return {
    ...heading(name, monitor, now),
    status: {
      current: change.status.current,
      previous: change.status.previous,
      root_cause: incident.root_cause,
      region: incident.region,
      is_regional_issue: change.type === 'regional',
    },
    incident: { id: incident.id, started_at: new Date(incident.started_at).toISOString() },
  };
}

/** The first keys of every event. The url of a push monitor is a secret (contract 12.31). */
function heading(name: string, { id, name: title, type, url }: Subject, now: number): object {
  return {
    event: name,
    timestamp: new Date(now).toISOString(),
    monitor: { id, name: title, url: isPushType(type) ? null : url },
  };
}

const NAMES: Record<Condition, string> = {
  uptime: 'outage',
  regional: 'regional trouble',
  keyword: 'keyword failure',
  json_assertion: 'JSON assertion failure',
  dual_stack: 'trouble with one family of addresses',
  slow_response: 'slow response',
  ssl_invalid: 'invalid certificate',
  ssl_expiring: 'expiring certificate',
  dns: 'DNS failure',
  domain_expired: 'expired domain',
  domain_expiring: 'expiring domain',
  heartbeat: 'missed or failed ping',
  error_budget_fast: 'fast burn of the error budget',
  error_budget_slow: 'slow burn of the error budget',
};

interface ActivityText {
  type: ActivityType;
  description: string;
}

/** The line that a change adds to the incident's log, for people. */
export function activityOf(change: IncidentChange): ActivityText {
  if (change.kind === 'open') {
    const origin = change.from
      ? `The ${NAMES[change.from]} became ${withArticle(change.condition)}: `
      : '';
    const probeHost = sharedProbeHost(change.evidence);
    // The cause of a regional incident names the machine already.
    const place =
      probeHost === null || change.type === 'regional' ? '' : ` Seen from ${probeHost}.`;
    return { type: 'opened', description: `${origin}${change.rootCause}.${place}` };
  }
  if (change.kind === 'note') return { type: change.activity, description: `${change.text}.` };
  switch (change.reason) {
    case 'recovered':
      return { type: 'resolved', description: RECOVERY[change.type] ?? 'The monitor recovered.' };
    case 'target_changed':
      return { type: 'resolved', description: 'The monitor looks at another target now.' };
    case 'switched_off':
      return {
        type: 'resolved',
        description: `The check for ${SWITCHED_OFF[change.type] ?? NAMES[change.condition]} was switched off${
          NEEDS_A_TARGET.has(change.type) ? ', or does not apply to the url any more' : ''
        }.`,
      };
    case 'changed_over':
      return {
        type: 'resolved',
        description: `It became ${withArticle(change.into ?? 'uptime')}.`,
      };
  }
}

function withArticle(condition: Condition): string {
  const name = NAMES[condition];
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

const RECOVERY: Partial<Record<IncidentType, string>> = {
  heartbeat: 'The job reported a success.',
  keyword: 'The page is as it should be.',
  json_assertion: 'The answer is as it should be.',
  dual_stack: 'Both families of addresses answer, or there is one only.',
  ssl: 'The certificate is good.',
  dns: 'The name can be looked up.',
  domain: 'The registration is good.',
  error_budget: 'The error budget burns no faster than it lasts.',
};

/** Checks that run for some urls only. */
const NEEDS_A_TARGET: ReadonlySet<IncidentType> = new Set(['ssl', 'dns', 'domain']);

const SWITCHED_OFF: Partial<Record<IncidentType, string>> = {
  keyword: 'keywords',
  json_assertion: 'JSON assertions',
  dual_stack: 'both families of addresses',
  ssl: 'certificates',
  dns: 'DNS records',
  domain: 'the registration',
  error_budget: 'the error budget',
};

export type PersonAction =
  | { type: 'opened'; rootCause: string | null }
  | { type: 'root_cause_changed'; rootCause: string | null }
  | { type: 'resolved' | 'reopened' | 'acknowledged' };

/** The line that it adds to the log; the name stays as it was at the time. */
export function activityBy(name: string, deed: PersonAction): ActivityText {
  return { type: deed.type, description: withFullStop(`${name} ${phraseOf(deed)}`) };
}

function phraseOf(deed: PersonAction): string {
  switch (deed.type) {
    case 'opened':
      return `opened the incident${deed.rootCause === null ? '' : `: ${deed.rootCause}`}`;
    case 'root_cause_changed':
      return deed.rootCause === null
        ? 'removed the root cause'
        : `changed the root cause: ${deed.rootCause}`;
    default:
      return `${deed.type} the incident`;
  }
}

function withFullStop(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
