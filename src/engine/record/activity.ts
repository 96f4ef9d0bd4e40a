import type { Condition, IncidentType } from '../../model/condition.ts';
import { sharedVantage } from '../../model/check.ts';
import type { ActivityType, IncidentChange } from '../../model/incident.ts';

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
};

export interface ActivityText {
  type: ActivityType;
  description: string;
}

/** The line that a change adds to the incident's log, for people. */
export function activityOf(change: IncidentChange): ActivityText {
  if (change.kind === 'open') {
    const origin = change.from
      ? `The ${NAMES[change.from]} became ${withArticle(change.condition)}: `
      : '';
    const vantage = sharedVantage(change.evidence);
    // The cause of a regional incident names the machine already.
    const place = vantage === null || change.type === 'regional' ? '' : ` Seen from ${vantage}.`;
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
};

/** A person's action on an incident. */
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
