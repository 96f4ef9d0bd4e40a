/** Maximum shape of a JSON document. */
export interface JsonLimits {
  /** Levels of nesting. */
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

/** What each byte means outside of texts; a table, since most bytes mean nothing. */
const MEANING = new Uint8Array(256);
for (const [kind, characters] of [
  [TEXT, '"'],
  [OPENING, '[{'],
  [CLOSING, ']}'],
  [SEPARATOR, ',:'],
] as const)
  for (const byte of Buffer.from(characters)) MEANING[byte] = kind;

/**
 * Says how a document exceeds the limits; null if it does not. It is measured before it is parsed, since a megabyte of
 * brackets becomes a hundred megabytes of objects. Bytes that are not JSON are for the parser to refuse.
 *
 * @param bytes UTF-8.
 */
export function jsonExcess(
  bytes: Uint8Array,
  { levels, parts }: JsonLimits,
): 'too deep' | 'too many parts' | null {
  let level = 0;
  let seen = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (MEANING[bytes[at]!]) {
      case ORDINARY:
        continue;
      case TEXT:
        at = endOfText(bytes, at);
        continue;
      case OPENING:
        level += 1;
        if (level > levels) return 'too deep';
        break;
      case CLOSING:
        level -= 1;
        continue;
    }
    seen += 1;
    if (seen > parts) return 'too many parts';
  }
  return null;
}

/** Position of the closing quote of the text that opens here, or of the last byte. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) at += 1;
  }
  return bytes.length;
}
