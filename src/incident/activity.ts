import type { IncidentType } from '../model/condition.ts';
import type { ActivityType, IncidentChange } from '../model/incident.ts';

const NAMES: Record<IncidentType, string> = {
  uptime: 'outage',
  regional: 'regional trouble',
  slow_response: 'slow response',
  heartbeat: 'missed or failed ping',
};

export interface ActivityText {
  type: ActivityType;
  description: string;
}

/** The line that a change adds to the incident's log, for people. */
export function activityOf(change: IncidentChange): ActivityText {
  if (change.kind === 'open') {
    const origin = change.from
      ? `The ${NAMES[change.from]} became an ${article(change.type)}: `
      : '';
    return { type: 'opened', description: `${origin}${change.rootCause}.` };
  }
  if (change.kind === 'note') return { type: 'failed_again', description: `${change.rootCause}.` };
  switch (change.reason) {
    case 'recovered':
      return {
        type: 'resolved',
        description:
          change.type === 'heartbeat' ? 'The job reported a success.' : 'The monitor recovered.',
      };
    case 'switched_off':
      return {
        type: 'resolved',
        description: `The check for ${NAMES[change.type]} was switched off.`,
      };
    case 'changed_over':
      return { type: 'resolved', description: `It became an ${article(change.into ?? 'uptime')}.` };
  }
}

function article(type: IncidentType): string {
  return type === 'uptime' ? NAMES.uptime : `incident of ${NAMES[type]}`;
}

/** What a person did to an incident. */
export type PersonsDeed =
  | { type: 'opened'; rootCause: string | null }
  | { type: 'root_cause_changed'; rootCause: string | null }
  | { type: 'resolved' | 'reopened' | 'acknowledged' };

/** The line that it adds to the log; the name stays as it was at the time. */
export function activityBy(name: string, deed: PersonsDeed): ActivityText {
  return { type: deed.type, description: withStop(`${name} ${doingOf(deed)}`) };
}

function doingOf(deed: PersonsDeed): string {
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

function withStop(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
