export interface JsonLimits {
  levels: number;
  /** Values and names together, as the separators between them are counted. */
  parts: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const ORDINARY = 0;
const TEXT = 1;
const OPENING = 2;
const CLOSING = 3;
const SEPARATOR = 4;
const NUMBER = 5;

/** What each byte means outside of texts; a table, since most bytes mean nothing. */
const MEANING = new Uint8Array(256);
for (const [kind, characters] of [
  [TEXT, '"'],
  [OPENING, '[{'],
  [CLOSING, ']}'],
  [SEPARATOR, ',:'],
  [NUMBER, '-0123456789'],
] as const)
  for (const byte of Buffer.from(characters)) MEANING[byte] = kind;

export interface JsonShape {
  /** How it exceeds the limits; null if it does not. */
  excess: 'too deep' | 'too many parts' | null;
  /** Whether it may have a number that JavaScript rounds or writes differently. */
  hasOddNumbers: boolean;
}

/**
 * Measures a document before it is parsed, since a megabyte of brackets becomes a hundred megabytes of objects. Bytes
 * that are not JSON are for the parser to refuse.
 *
 * @param bytes UTF-8.
 */
export function jsonShape(bytes: Uint8Array, { levels, parts }: JsonLimits): JsonShape {
  let level = 0;
  let seen = 0;
  let hasOddNumbers = false;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (MEANING[bytes[at]!]) {
      case ORDINARY:
        continue;
      case TEXT:
        at = endOfText(bytes, at);
        continue;
      case NUMBER: {
        const end = endOfNumber(bytes, at);
        hasOddNumbers ||= isOddNumber(bytes, at, end);
        at = end - 1;
        continue;
      }
      case OPENING:
        level += 1;
        if (level > levels) return { excess: 'too deep', hasOddNumbers };
        break;
      case CLOSING:
        level -= 1;
        continue;
    }
    seen += 1;
    if (seen > parts) return { excess: 'too many parts', hasOddNumbers };
  }
  return { excess: null, hasOddNumbers };
}

const [ZERO, NINE, DOT] = [0x30, 0x39, 0x2e];
/** Fewer digits than a number of JavaScript keeps, whatever they are, with a sign and a point. */
const MAX_PLAIN_LENGTH = 15;
/** JavaScript writes smaller numbers with an exponent. */
const TINY = Buffer.from('0.000000');

function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && ((bytes[at]! >= ZERO && bytes[at]! <= NINE) || bytes[at] === DOT)) {
    at += 1;
  }
  return at;
}

function isOddNumber(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length > MAX_PLAIN_LENGTH || (bytes[end]! | 0x20) === 0x65) return true;
  const first = bytes[start] === 0x2d ? start + 1 : start;
  if (bytes[first] !== ZERO && bytes[end - 1] !== ZERO) return false;
  const isFraction = bytes.subarray(start, end).includes(DOT);
  if (!isFraction) return bytes[first] === ZERO && length > 1;
  return bytes[end - 1] === ZERO || TINY.every((byte, index) => bytes[first + index] === byte);
}

function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) at += 1;
  }
  return bytes.length;
}
