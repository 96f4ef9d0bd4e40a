const BYTE_ORDER_MARKS: readonly { bytes: readonly number[]; charset: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], charset: 'utf-8' },
  { bytes: [0xfe, 0xff], charset: 'utf-16be' },
  { bytes: [0xff, 0xfe], charset: 'utf-16le' },
];
/** As far as browsers look for a declaration in the document itself. */
const PRESCAN_BYTES = 1_024;

const XML_DECLARATION = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"']*)["']/;
const COMMENT = /<!--.*?(?:-->|$)/gs;
const META = /<meta[\s/]([^>]*)/gi;
const ATTRIBUTE = /([^\s"'<>/=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))/g;
const CHARSET_PARAMETER = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i;

/** A document as text. Bytes that are none in its charset are replaced by U+FFFD; a byte order mark is left out. */
export function decodeText(bytes: Uint8Array, contentType: string | null): string {
  return new TextDecoder(charsetOf(bytes, contentType)).decode(bytes);
}

/** JSON is UTF-8 whatever its header says (RFC 8259, section 8.1). A byte order mark, which it should not have, is honoured. */
export function decodeJson(bytes: Uint8Array): string {
  return new TextDecoder(markedCharset(bytes) ?? 'utf-8').decode(bytes);
}

/**
 * The charset of a document, as a label that TextDecoder takes, in the order of the WHATWG's HTML standard ("determining
 * the character encoding"): byte order mark, header, the document's own declaration in its first 1,024 bytes. Without
 * any, or where none of them is known, it is UTF-8.
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

/** By `<?xml encoding>`, `<meta charset>` or `<meta http-equiv="Content-Type">`, the first whose charset is known. */
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
    // What could be read byte by byte up to its declaration is not in UTF-16.
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

/** The charset's own name, null when there is no such charset or no decoder for it. */
function known(label: string | null): string | null {
  if (label === null) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}
