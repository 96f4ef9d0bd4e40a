const BYTE_ORDER_MARKS: readonly { bytes: readonly number[]; charset: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], charset: 'utf-8' },
  { bytes: [0xfe, 0xff], charset: 'utf-16be' },
  { bytes: [0xff, 0xfe], charset: 'utf-16le' },
];
/** Prefix in which browsers look for a declaration in the document itself. */
const PRESCAN_BYTES = 1_024;

const XML_DECLARATION = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"']*)["']/;
const COMMENT = /<!--.*?(?:-->|$)/gs;
const META = /<meta[\s/]([^>]*)/gi;
const ATTRIBUTE = /([^\s"'<>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/g;
const CHARSET_PARAMETER = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i;

/** Decodes a document. Invalid bytes are replaced by U+FFFD; a byte order mark is removed. */
export function decodeText(bytes: Uint8Array, contentType: string | null): string {
  return new TextDecoder(charsetOf(bytes, contentType)).decode(bytes);
}

/**
 * Decodes JSON, which is UTF-8 whatever its header says (RFC 8259, section 8.1), except after a UTF-16 byte order mark.
 */
export function decodeJson(bytes: Uint8Array): string {
  return new TextDecoder(markedCharset(bytes) ?? 'utf-8').decode(bytes);
}

/** The bytes of JSON in UTF-8: the same ones, unless they are in UTF-16. */
export function inUtf8(bytes: Uint8Array): Uint8Array {
  const charset = markedCharset(bytes) ?? 'utf-8';
  return charset === 'utf-8' ? bytes : Buffer.from(decodeJson(bytes));
}

/**
 * Charset of a document as a label for TextDecoder, by the WHATWG HTML standard ("determining the character encoding"):
 * byte order mark, header, declaration in the first 1,024 bytes. UTF-8 if there is none that is known.
 */
export function charsetOf(bytes: Uint8Array, contentType: string | null): string {
  return (
    markedCharset(bytes) ?? known(charsetParameter(contentType ?? '')) ?? declared(bytes) ?? 'utf-8'
  );
}

function markedCharset(bytes: Uint8Array): string | null {
  const mark = BYTE_ORDER_MARKS.find((each) =>
    each.bytes.every((byte, index) => bytes[index] === byte),
  );
  return mark?.charset ?? null;
}

/**
 * Charset declared by `<?xml encoding>`, `<meta charset>` or `<meta http-equiv="Content-Type">`, the first known one.
 */
function declared(bytes: Uint8Array): string | null {
  const { buffer, byteOffset, byteLength } = bytes;
  const head = Buffer.from(buffer, byteOffset, Math.min(byteLength, PRESCAN_BYTES))
    .toString('latin1')
    .replace(COMMENT, '');
  const labels = [
    XML_DECLARATION.exec(head)?.[1] ?? null,
    ...Array.from(head.matchAll(META), ([, attributes = '']) => metaCharset(attributes)),
  ];
  for (const label of labels) {
    const charset = known(label);
    // A declaration that was read byte by byte can't be in UTF-16.
    if (charset !== null) return charset.startsWith('utf-16') ? 'utf-8' : charset;
  }
  return null;
}

function metaCharset(text: string): string | null {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, double ?? single ?? bare ?? '');
  }
  const charset = attributes.get('charset');
  if (charset !== undefined) return charset;
  if (attributes.get('http-equiv')?.trim().toLowerCase() !== 'content-type') return null;
  return charsetParameter(attributes.get('content') ?? '');
}

function charsetParameter(text: string): string | null {
  const [, double, single, bare] = CHARSET_PARAMETER.exec(text) ?? [];
  return double ?? single ?? bare ?? null;
}

/** Canonical name of the charset; null if it is unknown or has no decoder. */
function known(label: string | null): string | null {
  if (label === null) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
