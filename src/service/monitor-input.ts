import { z } from 'zod';
import { HTTP_METHODS, MONITOR_STATUSES, MONITOR_TYPES } from '../model/monitor.ts';
import { MONITOR_SORTS } from '../store/monitors.ts';
import { anyNumber, oneOf, queryNumber, text, wholeNumber, yesOrNo } from './input.ts';
import { PAGE_QUERY } from './page.ts';

/** What people may send for a monitor of each type. */
export type MonitorSchemas = ReturnType<typeof createMonitorSchemas>;

type HttpInput = z.output<MonitorSchemas['http']>;
type PortInput = z.output<MonitorSchemas['port']>;

/** The sound fields of a body: absent ones are left alone, null means "unset". */
export type MonitorInput = Partial<Omit<HttpInput, 'port'> & Pick<PortInput, 'port'>>;

/**
 * Create and update share one schema for each type: every field may be absent; which are required is a rule of
 * monitor-rules.ts.
 *
 * @param regions the codes of the installation's regions.
 */
export function createMonitorSchemas(regions: readonly string[]) {
  const common = {
    url: z.string({ error: 'must be text' }).nullish(),
    friendly_name: text(255).nullish(),
    check_interval: anyNumber(0.5, 60, 'a number of minutes').nullish(),
    monitored_regions: regionList(regions).nullish(),
    tags: z
      .array(text(50), { error: 'must be an array of texts' })
      .max(20, { error: 'must have at most 20 entries' })
      .nullish(),
    accepted_status_codes: statusCodes().nullish(),
    follow_redirects: yesOrNo().nullish(),
    request_timeout: wholeNumber(1, 60, 'a whole number of seconds').nullish(),
    verify_ssl: yesOrNo().nullish(),
    ssl_expiry_threshold: wholeNumber(1, 365, 'a whole number of days').nullish(),
    domain_expiry_threshold: wholeNumber(1, 365, 'a whole number of days').nullish(),
    slow_response_threshold: wholeNumber(100, 60_000, 'a whole number of milliseconds').nullish(),
    error_text_detection: yesOrNo().nullish(),
    failure_threshold: wholeNumber(1, 10).nullish(),
    recovery_threshold: wholeNumber(1, 10).nullish(),
    check_types: notYet((value) => Array.isArray(value) && value.length === 0),
    group_id: notYet(),
  };
  const http = z.object({
    ...common,
    port: ignored(),
    http_method: oneOf(HTTP_METHODS).nullish(),
    request_headers: requestHeaders().nullish(),
    request_body: text(10_000).nullish(),
    keyword_settings: notYet(isEmptyObject),
    json_assertion_settings: notYet(isEmptyObject),
    auth_type: notYet(),
    auth_username: notYet(),
    auth_password: notYet(),
  });
  const ping = z.object({
    ...common,
    port: ignored(),
    http_method: httpOnly(),
    request_headers: httpOnly(),
    request_body: httpOnly(),
    keyword_settings: httpOnly(),
    json_assertion_settings: httpOnly(),
    auth_type: httpOnly(),
    auth_username: httpOnly(),
    auth_password: httpOnly(),
  });
  const port = ping.extend({
    port: wholeNumber(1, 65_535, 'a TCP port, a whole number').nullish(),
  });
  return { http, ping, port };
}

export const monitorListQuery = z.object({
  ...PAGE_QUERY,
  search: text(2048).optional(),
  q: text(2048).optional(),
  status: oneOf(MONITOR_STATUSES).optional(),
  type: oneOf(MONITOR_TYPES).optional(),
  interval: queryNumber(0.5, 60, 'a number').optional(),
  sort: oneOf(MONITOR_SORTS).optional(),
});

function regionList(regions: readonly string[]) {
  const known = `must be one of ${regions.join(', ')}`;
  return z
    .array(
      z.string({ error: known }).refine((code) => regions.includes(code), { error: known }),
      { error: `must be an array of regions, any of ${regions.join(', ')}` },
    )
    .min(1, { error: 'must name at least one region' })
    .refine((codes) => new Set(codes).size === codes.length, {
      error: 'must not name a region twice',
    });
}

function statusCodes() {
  const error = 'must be text such as "200" or "2xx"';
  return z
    .array(z.string({ error }).regex(/^[1-5](\d\d|xx)$/, { error }), {
      error: 'must be an array of texts such as "200" or "2xx"',
    })
    .min(1, { error: 'must have at least one entry; null accepts 2xx and 3xx' })
    .max(100, { error: 'must have at most 100 entries' });
}

/** A field name of RFC 9110, section 5.6.2, and the characters that Node sends in a value. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** They say how the message itself is framed, which the check does. */
const FRAMING_HEADERS = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
];

function requestHeaders() {
  return z
    .record(z.string(), z.unknown(), { error: 'must be an object whose values are texts' })
    .superRefine((headers, context) => {
      const refuse = (message: string, path: string[] = []) =>
        context.addIssue({ code: 'custom', message, path });
      const names = Object.keys(headers);
      if (names.length > 50) refuse('must have at most 50 entries');
      if (new Set(names.map((name) => name.toLowerCase())).size < names.length) {
        refuse('must not hold a name twice, whatever the case');
      }
      for (const [name, value] of Object.entries(headers)) {
        const fault = headerFault(name, value);
        if (fault !== null) refuse(fault, [name]);
      }
    })
    .transform((headers) => headers as Record<string, string>);
}

function headerFault(name: string, value: unknown): string | null {
  if (!HEADER_NAME.test(name)) return 'is no header name: use letters, digits and hyphens';
  if (FRAMING_HEADERS.includes(name.toLowerCase()))
    return 'is set by the check itself: leave it out';
  if (typeof value !== 'string') return 'must be text';
  if (value.length > 8192) return 'must have at most 8192 characters';
  return HEADER_VALUE.test(value) ? null : 'must hold only Latin-1 characters, and no line breaks';
}

/** What this version does not do yet is refused, never accepted and left undone. */
function notYet(isUnset: (value: unknown) => boolean = () => false) {
  return z
    .unknown()
    .refine((value) => value === undefined || value === null || isUnset(value), {
      error: 'is not available yet in this version: leave it out',
    })
    .transform(() => undefined)
    .optional();
}

function httpOnly() {
  return z
    .null({ error: 'is for http monitors only: leave it out, or send null' })
    .transform(() => undefined)
    .optional();
}

function ignored() {
  return z
    .unknown()
    .transform(() => undefined)
    .optional();
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
