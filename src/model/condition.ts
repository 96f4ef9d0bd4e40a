/** Types of incidents that Tocsin opens (contract, section 19), by what finds them. */
const FOUND_BY = {
  uptime: 'rounds',
  keyword: 'rounds',
  json_assertion: 'rounds',
  ssl: 'inspections',
  domain: 'inspections',
  dns: 'inspections',
  regional: 'rounds',
  dual_stack: 'rounds',
  slow_response: 'rounds',
  heartbeat: 'pings',
  error_budget: 'error budgets',
} as const;
export type IncidentType = keyof typeof FOUND_BY;
export const INCIDENT_TYPES = Object.keys(FOUND_BY) as [IncidentType, ...IncidentType[]];

/** Null for incidents that people record. */
export function foundBy(type: string): (typeof FOUND_BY)[IncidentType] | null {
  return (FOUND_BY as Partial<Record<string, (typeof FOUND_BY)[IncidentType]>>)[type] ?? null;
}

export const SEVERITIES = ['critical', 'warning', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/**
 * Groups of mutually exclusive conditions: a monitor is unreachable from most regions or from some, not both. These are
 * the confirmations evaluated by rounds.
 */
export const ROUND_CONFIRMATIONS = [
  'reachability',
  'content',
  'dual_stack',
  'slow_response',
] as const;
/** Confirmations of inspections, named after their kinds. */
export const INSPECTION_CONFIRMATIONS = ['ssl', 'dns', 'domain'] as const;
/** All confirmations, including the one of pings. */
export const CONFIRMATION_NAMES = [
  ...ROUND_CONFIRMATIONS,
  ...INSPECTION_CONFIRMATIONS,
  'heartbeat',
] as const;
export type ConfirmationName = (typeof CONFIRMATION_NAMES)[number];
export type RoundConfirmation = (typeof ROUND_CONFIRMATIONS)[number];

interface ConditionRule {
  type: IncidentType;
  /** On a confirmation, critical conditions make the monitor offline, warnings degraded. */
  severity: 'critical' | 'warning';
}

/**
 * Conditions a monitor can have; each confirmed one has one open incident (contract 19.1, 23.6). A problem that
 * escalates within its type, such as an expiring certificate that expires, is two conditions: the worse replaces the
 * other.
 */
export const CONDITIONS = {
  uptime: { type: 'uptime', severity: 'critical' },
  regional: { type: 'regional', severity: 'warning' },
  keyword: { type: 'keyword', severity: 'critical' },
  json_assertion: { type: 'json_assertion', severity: 'critical' },
  dual_stack: { type: 'dual_stack', severity: 'warning' },
  slow_response: { type: 'slow_response', severity: 'warning' },
  ssl_invalid: { type: 'ssl', severity: 'critical' },
  ssl_expiring: { type: 'ssl', severity: 'warning' },
  dns: { type: 'dns', severity: 'warning' },
  domain_expired: { type: 'domain', severity: 'critical' },
  domain_expiring: { type: 'domain', severity: 'warning' },
  heartbeat: { type: 'heartbeat', severity: 'critical' },
  // On no confirmation: a budget that burns is no status of the monitor (engine/slo).
  error_budget_fast: { type: 'error_budget', severity: 'critical' },
  error_budget_slow: { type: 'error_budget', severity: 'warning' },
} as const satisfies Record<string, ConditionRule>;
export type Condition = keyof typeof CONDITIONS;

/** A bad round is rechecked 10 s after its end, further ones after 20 s (contract 18.11). */
export const FIRST_RECHECK_MS = 10_000;
export const FURTHER_RECHECK_MS = 20_000;

/** End of a round that counted towards a run, from which the distance to the next is measured. */
export interface CountedRound {
  endedAt: number;
  /** Process that ran the round, and its end by that process's monotonic clock (milliseconds). */
  process?: string;
  steadyEndedAt?: number;
}

/** An incident that a person resolved or deleted while its condition persisted. */
export interface ClosedIncident {
  id: number;
  startedAt: number;
}

/** Confirmation state of one confirmation. */
export interface Confirmation {
  /** Confirmed condition; null if none. */
  open: Condition | null;
  /** Consecutive bad rounds, whatever their condition. */
  badRun: number;
  /** Consecutive bad rounds with the condition `candidate`. */
  candidateRun: number;
  /** Condition of the last bad round. */
  candidate: Condition | null;
  /** Epoch milliseconds of the first failing result of the bad run, and of the `candidate` run. */
  firstFailedAt: number | null;
  candidateSince: number | null;
  /** Epoch milliseconds of the last ten failing results of the bad run. */
  attempts?: number[];
  /** Last round of the run, bad or good. Absent without a run, and on confirmations not evaluated by rounds. */
  lastCounted?: CountedRound;
  /** Consecutive good rounds while a condition is open. */
  goodRun: number;
  /** Epoch milliseconds of the first good result of that run. */
  firstGoodAt: number | null;
  /** Rechecks requested since the run began: the first comes after 10 s, later ones after 20 s. */
  rechecks: number;
  /** Settings revision and target of the inspection that counted. Rounds have one revision for all their confirmations. */
  revision?: number;
  target?: string;
  /** A person resolved or deleted the open condition's incident: it reopens once confirmed again. */
  incidentClosed?: true;
  /**
   * Incidents of the open condition that people resolved or deleted, oldest first. Webhook endpoints were notified of
   * their start, and are notified of their end when the condition ends.
   */
  closedByHand?: ClosedIncident[];
  /** No condition is open, and a person reopened the last condition's incident: the next good result resolves it. */
  incidentReopened?: true;
}

export type Confirmations = Partial<Record<ConfirmationName, Confirmation>>;
