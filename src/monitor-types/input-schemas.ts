import { z } from 'zod';
import { oneOf, text, unknownWord } from '../lib/schemas.ts';
import type { InputContext, Findings } from './field.ts';
import { MASK } from '../lib/secret-box.ts';

const MOST_PARENTS = 10;

/** Maximum number of tags of a monitor, and in a filter. */
export const MAX_TAGS = 20;

export const tagText = () => text(50);

export function tagList() {
  return z
    .array(tagText(), { error: 'must be an array of texts' })
    .max(MAX_TAGS, { error: `must have at most ${MAX_TAGS} entries` });
}

/** @param regions the codes of the installation's regions. */
export function regionList(regions: readonly string[]) {
  const names = regions.join(', ');
  return z
    .array(
      z
        .string({ error: ({ input }) => unknownWord(input, regions) })
        .refine((code) => regions.includes(code), {
          error: ({ input }) => unknownWord(input, regions),
        }),
      { error: `must be an array of regions, any of ${names}` },
    )
    .min(1, { error: 'must name at least one region' })
    .max(regions.length, { error: `must have at most ${regions.length} regions, any of ${names}` })
    .refine((codes) => new Set(codes).size === codes.length, {
      error: 'must not name a region twice',
    });
}

/** A status code, a class of them such as `2xx`, or a range such as `200-299`. */
const STATUS = /^[1-5](?:xx|\d\d(?:-[1-5]\d\d)?)$/;

export function statusCodes() {
  const code = z
    .unknown()
    .superRefine((value, context) => {
      const message = statusFault(value);
      if (message !== null) context.addIssue({ code: 'custom', message });
    })
    .meta({
      override: {
        anyOf: [
          { type: 'integer', minimum: 100, maximum: 599 },
          { type: 'string', pattern: STATUS.source },
        ],
      },
    });
  return z
    .array(code as z.ZodType<string | number>, {
      error: 'must be an array of status codes, such as [401, "2xx", "200-299"]',
    })
    .min(1, { error: 'must have at least one entry; null accepts 2xx and 3xx' })
    .max(100, { error: 'must have at most 100 entries' });
}

function statusFault(value: unknown): string | null {
  const isStatus =
    typeof value === 'string'
      ? STATUS.test(value)
      : Number.isInteger(value) && STATUS.test(String(value));
  if (!isStatus)
    return 'must be a status code such as 401, a class such as "2xx" or a range such as "200-299"';
  const range = String(value);
  return range.slice(0, 3) > range.slice(-3) ? 'must not begin above its end' : null;
}

/** Ids of the monitors that one depends on. */
export function dependsOnInput() {
  return z
    .array(z.int({ error: 'must be the id of a monitor, a whole number' }), {
      error: 'must be an array of ids of monitors',
    })
    .max(MOST_PARENTS, { error: `must have at most ${MOST_PARENTS} entries` })
    .refine((ids) => new Set(ids).size === ids.length, {
      error: 'must not name a monitor twice',
    });
}

export function checkTypesInput({ name, checkTypes }: InputContext['type']) {
  const [first, ...others] = checkTypes;
  if (first === undefined) {
    const error = `must be empty: a ${name} monitor has no sub-checks`;
    return z.array(z.unknown(), { error }).max(0, { error });
  }
  const names = checkTypes.join(', ');
  return z
    .array(oneOf([first, ...others]), { error: `must be a list of sub-checks, any of ${names}` })
    .max(checkTypes.length, {
      error: `must have at most ${checkTypes.length} sub-checks, any of ${names}`,
    })
    .refine((given) => new Set(given).size === given.length, {
      error: 'must not name a sub-check twice',
    });
}

export function credential() {
  const error = 'must be text of 1 to 4096 characters';
  return z
    .string({ error })
    .min(1, { error })
    .max(4096, { error })
    .refine((value) => !/\p{Cc}/u.test(value) && value.isWellFormed(), {
      error: 'must not hold control characters or half a character',
    });
}

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

/**
 * The headers after an input (contract 6.29): MASK stands for the stored value of that name, whatever its case.
 * They are never stored themselves.
 *
 * @param stored null for none, and for a new monitor; undefined when no key opens them.
 * @param sent undefined to keep them.
 */
export function resolveHeaders(
  stored: Record<string, string> | null | undefined,
  sent: Record<string, string> | null | undefined,
  findings: Findings,
): { request_headers: Record<string, string> } | undefined {
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
