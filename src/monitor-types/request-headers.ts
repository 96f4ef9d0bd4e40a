import { z } from 'zod';

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
