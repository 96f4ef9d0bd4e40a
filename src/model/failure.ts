/** A name could not be looked up. */
export const NAME_CODES = ['dns_not_found', 'dns_timeout', 'dns_failed'] as const;

/** No connection came about, or it broke. */
export const CONNECTION_CODES = [
  'connection_refused',
  'connection_timeout',
  'connection_reset',
  'connection_failed',
  'host_unreachable',
] as const;

/**
 * The closed set of reasons for which a check is down or unknown. The code is stored beside the text;
 * the text is a short sentence for people (contract 20.1).
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

/** The request succeeded, and what came is not what it should be. */
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

/** What a job that must call us can do wrong; no check says these. */
export const HEARTBEAT_CODES = ['ping_missed', 'job_failed', 'run_unfinished'] as const;

export type HeartbeatCode = (typeof HEARTBEAT_CODES)[number];
/** What an inspection can find beside what a check can. */
export const INSPECTION_CODES = [
  'tls_expiring',
  'tls_revoked',
  'domain_expired',
  'domain_expiring',
] as const;
export type InspectionCode = (typeof INSPECTION_CODES)[number];
/** One family of addresses does not answer while the other one does; no check is down for that. */
export const FAMILY_CODES = ['ipv4_broken', 'ipv6_broken'] as const;
export type FamilyCode = (typeof FAMILY_CODES)[number];

export type UnknownCode = (typeof UNKNOWN_CODES)[number];

export type FailureCode = (typeof DOWN_CODES)[number] | (typeof UNKNOWN_CODES)[number];

export interface Failure {
  code: FailureCode;
  /** One sentence without a full stop, such as `HTTP 503 Service Unavailable`. */
  text: string;
}

/** Whatever an incident can be about. */
export type TroubleCode = FailureCode | HeartbeatCode | InspectionCode | FamilyCode;

/** Whether the request succeeded, and its content failed. */
export function isContentCode(code: FailureCode): boolean {
  return (CONTENT_CODES as readonly string[]).includes(code);
}
