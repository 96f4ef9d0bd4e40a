import { isIPv6 } from 'node:net';
import type { CheckRequest } from '../model/check.ts';
import type { HttpMethod } from '../model/monitor.ts';

/** The columns of a monitor that say what its check is. */
export interface CheckFields {
  id: number;
  type: string;
  url: string;
  port: number | null;
  /** Minutes. */
  check_interval: number | null;
  http_method: string;
  /** JSON array. */
  accepted_status_codes: string | null;
  follow_redirects: number;
  /** Seconds. */
  request_timeout: number;
  verify_ssl: number;
  error_text_detection: number;
  auth_type: string | null;
}

/** The sealed columns, opened. */
export interface OpenedFields {
  headers: Record<string, string>;
  body: string | null;
  /** Needed only when `auth_type` is sent with each request: see `sendsCredentials`. */
  credentials: Credentials | null;
}

export interface Credentials {
  username: string;
  password: string;
}

/** The effective deadline never passes this share of the interval (completions, section 5). */
const SHARE_OF_INTERVAL = 0.9;

/** `check_interval` (minutes, fractions allowed) in whole milliseconds. */
export function intervalMsOf(minutes: number): number {
  return Math.round(minutes * 60_000);
}

/**
 * What a probe is asked for a pull monitor. `maximumMs` caps the deadline further, as a manual check needs.
 * Throws on a push monitor, a port monitor without a port, and a column that holds no JSON.
 */
export function checkRequest(
  row: CheckFields,
  opened: OpenedFields,
  maximumMs = Infinity,
): CheckRequest {
  const base = { monitorId: row.id, timeoutMs: deadlineMs(row, maximumMs) };
  if (row.type === 'ping') return { ...base, type: 'ping', host: hostOf(row.url) ?? row.url };
  if (row.type === 'port') {
    if (row.port === null) throw new Error(`Port monitor ${row.id} has no port.`);
    return { ...base, type: 'port', host: hostOf(row.url) ?? row.url, port: row.port };
  }
  if (row.type !== 'http') throw new Error(`Monitor ${row.id} of type ${row.type} is not checked.`);
  return {
    ...base,
    type: 'http',
    url: row.url,
    method: row.http_method as HttpMethod,
    headers: withAuthorization(opened.headers, row.auth_type, opened.credentials),
    body: opened.body,
    acceptedStatusCodes:
      row.accepted_status_codes === null
        ? null
        : (JSON.parse(row.accepted_status_codes) as string[]),
    followRedirects: row.follow_redirects === 1,
    verifySsl: row.verify_ssl === 1,
    errorTextDetection: row.error_text_detection === 1,
  };
}

/** Whether a check sends credentials unasked. Digest waits for the server's challenge. */
export function sendsCredentials(authType: string | null): boolean {
  return authType === 'basic' || authType === 'bearer';
}

/**
 * Basic is RFC 7617 in UTF-8. With bearer (RFC 6750) the token is the user name (completions, section 5). It takes the
 * place of an Authorization header that was given by hand.
 */
function withAuthorization(
  headers: Record<string, string>,
  authType: string | null,
  credentials: Credentials | null,
): Record<string, string> {
  if (credentials === null || !sendsCredentials(authType)) return headers;
  const { username, password } = credentials;
  const value =
    authType === 'basic'
      ? `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`
      : `Bearer ${username}`;
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization');
  return { ...Object.fromEntries(others), Authorization: value };
}

function deadlineMs(row: CheckFields, maximumMs: number): number {
  const share =
    row.check_interval === null ? Infinity : intervalMsOf(row.check_interval) * SHARE_OF_INTERVAL;
  return Math.floor(Math.min(row.request_timeout * 1_000, share, maximumMs));
}

/**
 * The host to look for when a ping or port monitor's url is a host name, an IPv4 address, an IPv6 address (bare or
 * bracketed) or a URL whose host is used (completions, section 5). International names come back in ASCII, addresses
 * without brackets. Null when there is no host in it.
 */
export function hostOf(url: string): string | null {
  const text = url.trim();
  if (isIPv6(text)) return text;
  // Parsed as http whatever the scheme is: for schemes it does not know, URL leaves international names encoded.
  const rest = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  const parsed = URL.parse(`http://${rest}`);
  if (parsed === null || parsed.hostname === '') return null;
  return parsed.hostname.replace(/^\[(.*)\]$/, '$1');
}
