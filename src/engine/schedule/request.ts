import { hostOf } from '../../lib/url-host.ts';
import type { CheckRequest, Credentials } from '../../model/check.ts';
import type { ContentCheck } from '../../model/content.ts';
import type { HttpMethod } from '../../model/monitor.ts';

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
  /** JSON array. */
  check_types: string;
}

/** The sealed columns, opened. */
export interface OpenedFields {
  headers: Record<string, string>;
  body: string | null;
  /** Null without an `auth_type`. */
  credentials: Credentials | null;
  content: ContentCheck | null;
}

/** The effective deadline never passes this share of the interval (contract 15.1). */
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
    ...(isSslOn(row) ? { isCertificateInspected: true } : {}),
    ...(opened.content === null ? {} : { content: opened.content }),
    // The others send theirs unasked; digest waits for the server's challenge.
    ...(row.auth_type === 'digest' && opened.credentials !== null
      ? { digest: opened.credentials }
      : {}),
  };
}

/** Of an http url there is no certificate to inspect: where a redirect leads to one, it counts as before. */
function isSslOn(row: CheckFields): boolean {
  return /^https:/i.test(row.url) && (JSON.parse(row.check_types) as string[]).includes('ssl');
}

/**
 * Basic is RFC 7617 in UTF-8. With bearer (RFC 6750) the token is the user name (contract 16.12). It takes the
 * place of an Authorization header that was given by hand.
 */
function withAuthorization(
  headers: Record<string, string>,
  authType: string | null,
  credentials: Credentials | null,
): Record<string, string> {
  if (credentials === null || authType === null) return headers;
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization');
  if (authType === 'digest') return Object.fromEntries(others);
  const { username, password } = credentials;
  const value =
    authType === 'basic'
      ? `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`
      : `Bearer ${username}`;
  return { ...Object.fromEntries(others), Authorization: value };
}

function deadlineMs(row: CheckFields, maximumMs: number): number {
  const share =
    row.check_interval === null ? Infinity : intervalMsOf(row.check_interval) * SHARE_OF_INTERVAL;
  return Math.floor(Math.min(row.request_timeout * 1_000, share, maximumMs));
}
