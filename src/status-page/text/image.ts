export type ImageType = 'image/png' | 'image/jpeg' | 'image/svg+xml';

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];
/** Characters that are read to find the root element of an SVG file. */
const PROLOG_LIMIT = 16_384;

/** Media type of an image by its first bytes; SVG only as UTF-8. Null for everything else. */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  if (beginsWith(bytes, PNG)) return 'image/png';
  if (beginsWith(bytes, JPEG)) return 'image/jpeg';
  return isSvg(bytes) ? 'image/svg+xml' : null;
}

function beginsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

function isSvg(bytes: Uint8Array): boolean {
  const text = decoded(bytes);
  if (text === null) return false;
  let rest = text.slice(0, PROLOG_LIMIT).trimStart();
  // XML declaration, processing instructions, comments and document type stand before the root.
  for (;;) {
    const end = endOfProlog(rest);
    if (end === null) return /^<svg[\s>/]/.test(rest);
    rest = rest.slice(end).trimStart();
  }
}

function endOfProlog(text: string): number | null {
  if (text.startsWith('<?')) return after(text, '?>');
  if (text.startsWith('<!--')) return after(text, '-->');
  if (!/^<!DOCTYPE\s/.test(text)) return null;
  const subset = /^<!DOCTYPE[^>[]*\[/.exec(text);
  return subset === null ? after(text, '>') : after(text, /\]\s*>/);
}

function after(text: string, end: string | RegExp): number | null {
  const found = typeof end === 'string' ? text.indexOf(end) : text.search(end);
  return found === -1 ? null : text.indexOf('>', found) + 1;
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
