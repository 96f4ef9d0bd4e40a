/** Failures of a name lookup. */
export const NAME_CODES = ['dns_not_found', 'dns_timeout', 'dns_failed'] as const;

/** Failures to connect, and broken connections. */
export const CONNECTION_CODES = [
  'connection_refused',
  'connection_timeout',
  'connection_reset',
  'connection_failed',
  'host_unreachable',
] as const;

/**
 * Reasons for which a check is down. The code is stored beside the text, a short sentence for people (contract 20.1).
 */
export const DOWN_CODES = [
  ...NAME_CODES,
  ...CONNECTION_CODES,
  'tls_expired',
  'tls_not_yet_valid',
  'tls_wrong_host',
  'tls_untrusted',
  'tls_handshake',
  'no_response',
  'no_echo',
  'http_status',
  'redirect_loop',
  'redirect_invalid',
  'response_too_large',
  'response_cut_short',
  'response_invalid',
  'error_text',
  'target_not_allowed',
  'keyword_missing',
  'keyword_found',
  'json_assertion',
] as const;

/** The request succeeded, but the content is wrong. */
export const CONTENT_CODES = [
  'response_too_large',
  'keyword_missing',
  'keyword_found',
  'json_assertion',
] as const satisfies (typeof DOWN_CODES)[number][];

export const UNKNOWN_CODES = [
  'no_probe',
  'probe_lost',
  'probe_lagged',
  'probe_no_network',
  'probe_unable',
  'probe_error',
  'aborted',
] as const;

/** Failures of heartbeat and cron jobs, which no check reports. */
export const HEARTBEAT_CODES = ['ping_missed', 'job_failed', 'run_unfinished'] as const;

export type HeartbeatCode = (typeof HEARTBEAT_CODES)[number];
/** Findings of inspections that no check reports. */
export const INSPECTION_CODES = [
  'tls_expiring',
  'tls_revoked',
  'domain_expired',
  'domain_expiring',
] as const;
export type InspectionCode = (typeof INSPECTION_CODES)[number];
/** One address family doesn't respond while the other does; doesn't fail a check. */
export const FAMILY_CODES = ['ipv4_broken', 'ipv6_broken'] as const;
export type FamilyCode = (typeof FAMILY_CODES)[number];

/** Error budgets that burn too fast. */
export const BUDGET_CODES = ['budget_burns_fast', 'budget_burns_slowly'] as const;
export type BudgetCode = (typeof BUDGET_CODES)[number];

export type UnknownCode = (typeof UNKNOWN_CODES)[number];

export type FailureCode = (typeof DOWN_CODES)[number] | (typeof UNKNOWN_CODES)[number];

export interface Failure {
  code: FailureCode;
  /** One sentence without a full stop, such as `HTTP 503 Service Unavailable`. */
  text: string;
}

/** Every code an incident can have. */
export type ProblemCode = FailureCode | HeartbeatCode | InspectionCode | FamilyCode | BudgetCode;

/** Whether the check could not be made, which says nothing about its target. */
export function isUnknownCode(code: string): boolean {
  return (UNKNOWN_CODES as readonly string[]).includes(code);
}

/** Whether the request succeeded and its content failed. */
export function isContentCode(code: FailureCode): boolean {
  return (CONTENT_CODES as readonly string[]).includes(code);
}
