import type { z } from 'zod';
import { singleLine } from '../../lib/text.ts';
import { hostOf } from '../../lib/url-host.ts';
import { MASK } from '../../lib/secret-box.ts';
import { FIRST_RECHECK_MS, FURTHER_RECHECK_MS } from '../../model/condition.ts';
import { HTTP_METHODS } from '../../model/monitor.ts';
import { FIELDS } from '../../monitor-types/fields.ts';
import {
  credential,
  MAX_TAGS,
  requestHeaders,
  statusCodes,
} from '../../monitor-types/input-schemas.ts';
import type { MonitorType } from '../../monitor-types/registry.ts';
import { isSecretValue, type SecretValue } from '../document.ts';
import { DNS_PORT_ONLY, quoted, withoutUserInfo, type Notes } from './notes.ts';
import { numberOf, textOf, type Given } from './values.ts';

/** What a thing of a source becomes. */
export interface Target {
  type: MonitorType;
  fields: Given;
}

/** Made once, as there are thousands of monitors. */
const HEADERS = requestHeaders();
const STATUS_CODES = statusCodes();
const CREDENTIAL = credential();

/**
 * A name as the API takes it: one line of at most `maximum` characters, without the credentials of an address.
 *
 * @param fallback of a thing without a name.
 */
export function nameOf(value: unknown, maximum: number, fallback: string, notes: Notes): string {
  const name = withoutUserInfo(singleLine(textOf(value) ?? '')) || fallback;
  const characters = [...name];
  if (characters.length <= maximum) return name;
  notes.remark(`Its name is cut to ${maximum} characters.`);
  return characters.slice(0, maximum).join('').trim();
}

/** A text of at most `maximum` characters that the API can store; undefined for an empty one. */
export function textUpTo(
  value: unknown,
  { maximum, what }: { maximum: number; what: string },
  notes: Notes,
): string | undefined {
  const text = (textOf(value) ?? '').toWellFormed().replaceAll('\0', '');
  const characters = text.length > maximum ? [...text] : [];
  if (characters.length > maximum) notes.change(`Its ${what} is cut to ${maximum} characters.`);
  return (characters.length > maximum ? characters.slice(0, maximum).join('') : text) || undefined;
}

export const bodyUpTo = (value: unknown, notes: Notes) =>
  textUpTo(value, { maximum: 10_000, what: 'body' }, notes);

/** The phrase of a keyword. */
export const phraseUpTo = (value: unknown, notes: Notes) =>
  textUpTo(value, { maximum: 500, what: 'keyword' }, notes);

/** The method of a request: as it is written, in capitals, and as the API takes it. */
export function methodOf(value: unknown, notes: Notes) {
  const method = (textOf(value) ?? 'GET').toUpperCase();
  const http_method = HTTP_METHODS.find((one) => one === method);
  if (http_method === undefined) notes.change(`Its method is GET instead of ${quoted(method)}.`);
  return { method, http_method };
}

/** Whether a request has a body here. */
export const takesBody = (method: string) => ['POST', 'PUT', 'PATCH'].includes(method);

/** Headers with the type of a body, where they name none. */
export function typed(
  headers: readonly (readonly [name: string, value: unknown])[],
  type: string | undefined,
) {
  const isGiven = headers.some(([name]) => name.toLowerCase() === 'content-type');
  return type === undefined || isGiven ? headers : [['Content-Type', type] as const, ...headers];
}

/** Tags as the API takes them. */
export function tagsOf(values: readonly unknown[], notes: Notes): string[] | undefined {
  const names = values.flatMap((value) => {
    const tag = singleLine(textOf(value) ?? '');
    return tag === '' ? [] : [nameOf(tag, 50, '', notes)];
  });
  const tags = [...new Set(names)];
  if (tags.length > MAX_TAGS) notes.remark(`Only its first ${MAX_TAGS} tags are imported.`);
  return tags.length === 0 ? undefined : tags.slice(0, MAX_TAGS);
}

/** Fields that hold a time, and those that hold a count. */
type TimeField =
  | 'check_interval'
  | 'request_timeout'
  | 'heartbeat_interval'
  | 'heartbeat_grace'
  | 'heartbeat_max_runtime'
  | 'slow_response_threshold'
  | 'ssl_expiry_threshold'
  | 'domain_expiry_threshold';
type CountField = 'failure_threshold' | 'recovery_threshold' | 'port';
const SECONDS = { minutes: 60, seconds: 1, ms: 0.001, days: 86_400 };

/** Times, given in seconds, and counts as `timeFor` and `countFor` make them, by the fields of monitors that they are for. */
export function limited(
  notes: Notes,
  given: { [Field in TimeField | CountField]?: number | undefined },
): Given {
  const entries = Object.entries(given) as [TimeField | CountField, number | undefined][];
  return Object.fromEntries(
    entries.map(([field, value]) => [
      field,
      isCount(field) ? countFor(field, value, notes) : timeFor(field, value, notes),
    ]),
  );
}

/**
 * The inspections of certificates and registrations, with the seconds before they expire: null for those of a new
 * monitor, undefined where nobody is warned.
 */
export function expiryFields(
  notes: Notes,
  { ssl, domain }: { ssl?: number | null | undefined; domain?: number | null | undefined },
): Given {
  const check_types = Object.entries({ ssl, domain }).flatMap(([name, seconds]) =>
    seconds === undefined ? [] : [name],
  );
  return {
    check_types: check_types.length === 0 ? undefined : check_types,
    ...limited(notes, {
      ssl_expiry_threshold: ssl ?? undefined,
      domain_expiry_threshold: domain ?? undefined,
    }),
  };
}

const isCount = (field: string): field is CountField =>
  ['failure_threshold', 'recovery_threshold', 'port'].includes(field);

/** A time in the unit and within the limits of a field of monitors. Undefined where there is none. */
export function timeFor(
  field: TimeField,
  seconds: number | undefined,
  notes: Notes,
): number | undefined {
  if (seconds === undefined || !Number.isFinite(seconds)) return undefined;
  const { unit } = FIELDS[field] as { unit: keyof typeof SECONDS };
  const given = seconds / SECONDS[unit];
  const { minValue, maxValue, isWhole } = limitsOf(field);
  const value = Math.min(Math.max(given, minValue), maxValue);
  if (value !== given)
    notes.change(
      `Its ${field} is ${span(value * SECONDS[unit])} instead of ${span(seconds)}: that is the limit.`,
    );
  return isWhole ? Math.round(value) : Number(value.toFixed(4));
}

/** A whole number within the limits of a field of monitors. Undefined where there is none. */
function countFor(field: CountField, count: number | undefined, notes: Notes): number | undefined {
  if (count === undefined || !Number.isFinite(count)) return undefined;
  const { minValue, maxValue } = limitsOf(field);
  const value = Math.round(Math.min(Math.max(count, minValue), maxValue));
  if (value !== count)
    notes.change(`Its ${field} is ${value} instead of ${shown(count)}: that is the limit.`);
  return value;
}

/**
 * The number of consecutive rounds that comes nearest to a time, since Tocsin counts rounds where others wait: from the first
 * one on that differs, it rechecks faster than the interval.
 *
 * @param what its name at the service.
 */
export function roundsLasting(seconds: number, what: string, notes: Notes): number {
  const rechecks = Math.ceil((seconds * 1000 - FIRST_RECHECK_MS) / FURTHER_RECHECK_MS - 0.5);
  const further = Math.max(0, rechecks);
  const lastMs = FIRST_RECHECK_MS + further * FURTHER_RECHECK_MS;
  notes.remark(
    `Its ${what} of ${span(seconds)} is counted in rounds: ${further + 2}, of which the last is ${lastMs / 1000} s after the first.`,
  );
  return further + 2;
}

function limitsOf(field: TimeField | CountField) {
  const input = FIELDS[field].input as z.ZodNumber;
  return { minValue: input.minValue!, maxValue: input.maxValue!, isWhole: input.isInt };
}

/** A time for people, such as `30 s`, `5 min` or `1 day`. */
function span(seconds: number): string {
  const [size, unit] = [
    [86_400, 'days'],
    [3_600, 'h'],
    [60, 'min'],
  ].find(([length]) => seconds >= Number(length)) ?? [1, 's'];
  const count = shown(seconds / Number(size));
  return count === 1 && unit === 'days' ? '1 day' : `${count} ${unit}`;
}

const shown = (value: number) => Number(value.toPrecision(4));

/**
 * A secret that a source names, or the variable that it is. Undefined for an empty one, and for the mask of ours, which
 * stands for none.
 */
export function secret(value: unknown): SecretValue | undefined {
  if (isSecretValue(value)) return value;
  const text = textOf(value);
  return text === undefined || text === '' || text === MASK
    ? undefined
    : { from: 'import', value: text };
}

/** A value with its secrets as plain texts, as the API reads it; a text stands for those that are not known. */
export function withoutSecrets(value: unknown): unknown {
  if (isSecretValue(value)) return value.value ?? 'unknown';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      isSecretValue(part) ? withoutSecrets(part) : part,
    ]),
  );
}

/** Credentials of a monitor, as fields of the API. */
export interface Credentials {
  auth_type: 'basic' | 'bearer' | 'digest';
  auth_username?: SecretValue;
  auth_password: SecretValue;
}

/** The target of an http monitor: an absolute http or https URL, and the credentials that stood in it. */
export function httpTarget(
  value: unknown,
  notes: Notes,
): { url: string; credentials: Credentials | undefined } | undefined {
  const given = singleLine(textOf(value) ?? '');
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(given);
  const parsed = URL.parse(hasScheme ? given : `https://${given}`);
  if (parsed === null || !/^https?:$/.test(parsed.protocol) || !isPossibleHost(parsed.hostname))
    return undefined;
  if (!hasScheme) notes.change(`Its address had no scheme: it is checked by https.`);
  const { username, password } = parsed;
  if (username === '' && password === '')
    return { url: hasScheme ? given : `https://${given}`, credentials: undefined };
  parsed.username = '';
  parsed.password = '';
  return { url: parsed.href, credentials: basic(decoded(username), decoded(password), notes) };
}

/** Basic authentication; undefined where it is incomplete. */
export function basic(username: unknown, password: unknown, notes: Notes): Credentials | undefined {
  if (secret(username) === undefined && secret(password) === undefined) return undefined;
  const [name, word] = [credentialOf(username), credentialOf(password)];
  if (name !== undefined && word !== undefined && !name.value?.includes(':'))
    return { auth_type: 'basic', auth_username: name, auth_password: word };
  notes.change(
    'It is checked without its user name and password: basic authentication needs both, and no colon in the name.',
  );
  return undefined;
}

/** A bearer token; undefined where there is none. */
export function bearer(token: unknown, notes: Notes): Credentials | undefined {
  const value = credentialOf(token);
  if (value !== undefined) return { auth_type: 'bearer', auth_password: value };
  notes.change('It is checked without a token, as the file has none that can be sent.');
  return undefined;
}

function credentialOf(value: unknown): SecretValue | undefined {
  const one = secret(value);
  const isSound = one?.value === undefined || CREDENTIAL.safeParse(one.value).success;
  return isSound ? one : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The host of a ping or port monitor, of a host name, an address or a URL. */
export function hostTarget(value: unknown): string | undefined {
  const host = hostOf(singleLine(textOf(value) ?? ''));
  return host !== null && isPossibleHost(host) ? host : undefined;
}

/** The port of a DNS server that a check asks; a text says why there is none. */
export function dnsTarget(server: unknown, port: unknown, notes: Notes): Target | string {
  const url = hostTarget(server);
  if (url === undefined)
    return 'Tocsin watches the DNS records of a host that it checks: add the check type dns to a monitor of it.';
  notes.change(DNS_PORT_ONLY);
  return { type: 'port', fields: { url, port: numberOf(port) ?? 53 } };
}

/** RFC 1035, section 2.3.4. */
function isPossibleHost(host: string): boolean {
  if (host.includes(':')) return true;
  const name = host.replace(/\.$/, '');
  return name.length <= 253 && name.split('.').every((label) => /^[^.%]{1,63}$/.test(label));
}

/** Most parts of a thing that are looked at: far more than the API takes. */
const MAX_READ = 1_000;

/** Names of headers that hold secrets. */
const SECRET_HEADER = /auth|cookie|token|secret|key|password|signature|session/i;

/** Headers as the API takes them; those that it refuses are left out with a note. */
export function headersOf(
  entries: readonly (readonly [name: string, value: unknown])[],
  notes: Notes,
): Record<string, string | SecretValue> | undefined {
  let headers = new Map<string, string | SecretValue>();
  for (const [name, written] of entries.slice(0, MAX_READ)) {
    const text = textOf(written) ?? '';
    const isHidden = SECRET_HEADER.test(name) && text !== '';
    const value = isSecretValue(written)
      ? written
      : isHidden
        ? { from: 'import', value: text }
        : text;
    const more = new Map(headers).set(name, value);
    const plain = withoutSecrets(Object.fromEntries(more));
    const [issue] = HEADERS.safeParse(plain).error?.issues ?? [];
    if (issue === undefined && text !== MASK) headers = more;
    else
      notes.change(
        `Its header ${quoted(name)} is not sent, since it ${issue?.message ?? 'has no value'}.`,
      );
  }
  return headers.size === 0 ? undefined : Object.fromEntries(headers);
}

/** Accepted status codes as the API takes them; undefined where none is left. */
export function statusCodesOf(
  values: readonly unknown[],
  notes: Notes,
): (string | number)[] | undefined {
  const texts = [
    ...new Set(values.slice(0, MAX_READ).map((value) => (textOf(value) ?? '').trim())),
  ];
  const codes = texts.filter((text) => {
    const isSound = STATUS_CODES.safeParse([text]).success;
    if (!isSound)
      notes.change(`The status code ${quoted(text)} is no longer accepted: there is none.`);
    return isSound;
  });
  if (codes.length > 100) notes.change('Only the first 100 of its status codes are accepted.');
  return codes.length === 0 ? undefined : codes.slice(0, 100);
}
