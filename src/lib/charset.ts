import { MIMEType } from 'node:util';
import {
  getBOMEncoding,
  normalizeEncoding,
  TextDecoder as StandardDecoder,
} from '@exodus/bytes/encoding.js';

/**
 * Decodes bytes by the WHATWG Encoding Standard ("decode"), which Node's own decoder does not follow for Chinese, Japanese
 * and Korean: a byte order mark precedes `charset` and is removed, invalid bytes become U+FFFD.
 *
 * @param charset as `charsetNamed` returns it.
 * @param isCut drops half a character at the end.
 */
export function decodeBytes(bytes: Uint8Array, charset: string, isCut = false): string {
  const name = markedCharset(bytes) ?? charset;
  if (name === 'replacement') return bytes.length === 0 ? '' : '\ufffd';
  // In UTF-8 Node's is the same, and its texts are in the heap, whose limit bounds the memory of a search.
  const Decoder = name === 'utf-8' ? TextDecoder : StandardDecoder;
  return new Decoder(name).decode(bytes, { stream: isCut });
}

export function markedCharset(bytes: Uint8Array): string | null {
  return getBOMEncoding(bytes);
}

/** Name of the charset with a label, such as `windows-1252` for `latin1`; null if it is unknown. */
export function charsetNamed(label: string | null | undefined): string | null {
  return normalizeEncoding(label ?? '');
}

/** Charset that a media type names; null if there is none that is known. */
export function charsetOfType(mediaType: string | null): string | null {
  return charsetNamed(parseMediaType(mediaType ?? '')?.params.get('charset'));
}

/** One value of a list; commas in quotes do not separate. */
const LIST_VALUE = /(?:[^,"]|"(?:[^"\\]|\\.)*(?:"|\\?$))+/gs;

/**
 * Media type of one or several `Content-Type` headers, which are joined by commas: the last valid one, which keeps the
 * charset of one before it of the same type (WHATWG Fetch standard, "extract a MIME type"). Null if none is valid.
 */
export function mediaTypeOf(header: string | null): string | null {
  let found: MIMEType | null = null;
  for (const [value] of (header ?? '').matchAll(LIST_VALUE)) {
    const type = parseMediaType(value);
    if (type === null || type.essence === '*/*') continue;
    const charset = found?.essence === type.essence ? found.params.get('charset') : null;
    if (charset != null && !type.params.has('charset')) type.params.set('charset', charset);
    found = type;
  }
  return found === null ? null : String(found);
}

function parseMediaType(text: string): MIMEType | null {
  try {
    return new MIMEType(text);
  } catch {
    return null;
  }
}
