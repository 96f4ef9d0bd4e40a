import { z } from 'zod';
import { oneOf, text } from '../lib/schemas.ts';
import type { MonitorTypeDefinition } from './definition.ts';

const MOST_PARENTS = 10;

export function tagList() {
  return z
    .array(text(50), { error: 'must be an array of texts' })
    .max(20, { error: 'must have at most 20 entries' });
}

/** @param regions the codes of the installation's regions. */
export function regionList(regions: readonly string[]) {
  const names = regions.join(', ');
  const known = `must be one of ${names}`;
  return z
    .array(
      z.string({ error: known }).refine((code) => regions.includes(code), { error: known }),
      { error: `must be an array of regions, any of ${names}` },
    )
    .min(1, { error: 'must name at least one region' })
    .max(regions.length, { error: `must have at most ${regions.length} regions, any of ${names}` })
    .refine((codes) => new Set(codes).size === codes.length, {
      error: 'must not name a region twice',
    });
}

export function statusCodes() {
  const error = 'must be text such as "200" or "2xx"';
  return z
    .array(z.string({ error }).regex(/^[1-5](\d\d|xx)$/, { error }), {
      error: 'must be an array of texts such as "200" or "2xx"',
    })
    .min(1, { error: 'must have at least one entry; null accepts 2xx and 3xx' })
    .max(100, { error: 'must have at most 100 entries' });
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

export function checkTypesInput({ name, checkTypes }: MonitorTypeDefinition) {
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

/** A user name or password that an http check signs in with. */
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
/** Headers that frame the message, which the check does itself. */
const FRAMING_HEADERS = [
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
];

const MOST_HEADERS = 50;
/** Servers refuse more, and a page of a hundred monitors shows them all. */
const MOST_CHARACTERS = 32_768;

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
      if (sizeOf(headers) > MOST_CHARACTERS) {
        return refuse(`must have at most ${MOST_CHARACTERS} characters in all`);
      }
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
  if (name === '') return 'must have a name before its value';
  if (!HEADER_NAME.test(name)) return 'is no header name: use letters, digits and hyphens';
  if (FRAMING_HEADERS.includes(name.toLowerCase()))
    return 'is set by the check itself: leave it out';
  if (typeof value !== 'string') return 'must be text';
  if (value.length > 8192) return 'must have at most 8192 characters';
  return HEADER_VALUE.test(value) ? null : 'must hold only Latin-1 characters, and no line breaks';
}

function sizeOf(headers: object): number {
  return Object.entries(headers)
    .map(([name, value]) => name.length + (typeof value === 'string' ? value.length : 0))
    .reduce((sum, length) => sum + length, 0);
}
