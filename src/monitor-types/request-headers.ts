import { z } from 'zod';
import { MASK } from '../lib/secret-box.ts';
import type { Findings, MonitorInput } from './definition.ts';
import type { MonitorSettings } from './fields.ts';

/** A field name of RFC 9110, section 5.6.2, and the characters that Node sends in a value. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const SET_BY_CHECK = 'is set by the check itself: leave it out';
/** Headers about the connection or the framing of the message, and why a check takes none. */
const REFUSED_HEADERS: ReadonlyMap<string, string> = new Map([
  ['connection', SET_BY_CHECK],
  ['content-length', SET_BY_CHECK],
  ['transfer-encoding', "can't be sent, since the check sends a Content-Length: leave it out"],
  ['expect', "can't be sent, since the check sends its body at once: leave it out"],
  ['keep-alive', "can't be sent, since each request has a connection of its own: leave it out"],
  ['upgrade', "can't be sent, since the check speaks HTTP/1.1 only: leave it out"],
]);

const MOST_HEADERS = 50;
/** Servers refuse more, and a page of a hundred monitors shows them all. */
const MOST_CHARACTERS = 32_768;
const NOTHING_KEPT =
  'is a placeholder, and nothing is stored that it could stand for: send the value itself';
const TOO_LONG = `must have at most ${MOST_CHARACTERS} characters in all`;

/** An object of texts that can be sent as headers of a request. */
export function requestHeaders() {
  return z
    .unknown()
    .superRefine((headers, context) => {
      const refuse = (message: string, path: string[] = []) =>
        context.addIssue({ code: 'custom', message, path });
      // Not judged as a record, which would lose a header with the name `__proto__`.
      if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
        return refuse('must be an object whose values are texts');
      }
      const names = Object.keys(headers);
      if (names.length > MOST_HEADERS) return refuse(`must have at most ${MOST_HEADERS} entries`);
      if (sizeOf(headers) > MOST_CHARACTERS) return refuse(TOO_LONG);
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

type StoredHeaders = MonitorSettings['request_headers'];

/**
 * The headers after an input (contract 6.29): eight bullets stand for the stored value of that name, whatever its case.
 * They are never stored themselves.
 *
 * @param stored null for none, and for a new monitor; undefined when no key opens them.
 * @param sent undefined to keep them.
 */
export function resolveHeaders(
  stored: StoredHeaders,
  sent: MonitorInput['request_headers'],
  findings: Findings,
): Pick<MonitorSettings, 'request_headers'> | undefined {
  if (sent === undefined || sent === null) return undefined;
  const known = new Map(
    Object.entries(stored ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const headers = Object.entries(sent).map(([name, value]): [string, string] => {
    if (value !== MASK) return [name, value];
    const kept = known.get(name.toLowerCase());
    if (kept === undefined) findings.add(`request_headers.${name}`, NOTHING_KEPT);
    return [name, kept ?? ''];
  });
  const resolved = Object.fromEntries(headers);
  if (sizeOf(resolved) > MOST_CHARACTERS) findings.add('request_headers', TOO_LONG);
  return { request_headers: resolved };
}

function headerFault(name: string, value: unknown): string | null {
  if (name === '') return 'must have a name before its value';
  if (!HEADER_NAME.test(name)) return 'is no header name: use letters, digits and hyphens';
  const refusal = REFUSED_HEADERS.get(name.toLowerCase());
  if (refusal !== undefined) return refusal;
  if (typeof value !== 'string') return 'must be text';
  if (value === MASK) return null;
  if (value.length > 8192) return 'must have at most 8192 characters';
  return HEADER_VALUE.test(value) ? null : 'must hold only Latin-1 characters, and no line breaks';
}

function sizeOf(headers: object): number {
  return Object.entries(headers)
    .map(([name, value]) => name.length + (typeof value === 'string' ? value.length : 0))
    .reduce((sum, length) => sum + length, 0);
}
