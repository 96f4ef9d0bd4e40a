import { charsetNamed, charsetOfType, decodeBytes, markedCharset } from '../../lib/charset.ts';
import { documentKind, readHtml } from './html.ts';

/** Prefix in which browsers look for a declaration, whatever is around it. */
const PRESCAN_BYTES = 1_024;
/** Part of a document that is read first in search of the end of its head, and by how much more each time. */
const HEAD_BYTES = 8 * 1024;
const HEAD_GROWTH = 8;

const XML_DECLARATION = /^<\?xml[^>]*?encoding[\0- ]*=[\0- ]*(?:"([^">]*)"|'([^'>]*)')/;
const CHARSET_PARAMETER = /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i;
/** Elements that may be in a head; any other ends it. */
const IN_HEAD: ReadonlySet<string> = new Set(
  'html head base basefont bgsound link meta title noscript noframes style script template'.split(
    ' ',
  ),
);
/** Those whose text is not of the page. */
const HOLDS_TEXT: ReadonlySet<string> = new Set('title noframes style template'.split(' '));
const ENDS_HEAD: ReadonlySet<string> = new Set('body html br'.split(' '));

/** Decodes a document. Invalid bytes are replaced by U+FFFD; a byte order mark is removed. */
export function decodeText(bytes: Uint8Array, contentType: string | null): string {
  return decodeBytes(bytes, charsetOf(bytes, contentType));
}

/**
 * Decodes JSON, which is UTF-8 whatever its header says (RFC 8259, section 8.1), except after a UTF-16 byte order mark.
 */
export function decodeJson(bytes: Uint8Array): string {
  return decodeBytes(bytes, 'utf-8');
}

/** The bytes of JSON in UTF-8: the same ones, unless they are in UTF-16. */
export function inUtf8(bytes: Uint8Array): Uint8Array {
  const charset = markedCharset(bytes) ?? 'utf-8';
  return charset === 'utf-8' ? bytes : Buffer.from(decodeJson(bytes));
}

/**
 * Charset of a document by the WHATWG HTML standard ("determining the character encoding"): byte order mark, header,
 * declaration in the document. UTF-8 if there is none that is known.
 */
export function charsetOf(bytes: Uint8Array, contentType: string | null): string {
  return (
    markedCharset(bytes) ??
    charsetOfType(contentType) ??
    declaredCharset(bytes, contentType) ??
    'utf-8'
  );
}

function declaredCharset(bytes: Uint8Array, contentType: string | null): string | null {
  const kind = documentKind(contentType);
  if (kind === 'plain') return null;
  const start = latin1(bytes, PRESCAN_BYTES);
  if (start.startsWith('<\0?\0x\0')) return 'utf-16le';
  if (start.startsWith('\0<\0?\0x')) return 'utf-16be';
  const [, double, single] = XML_DECLARATION.exec(start) ?? [];
  return (kind === 'html' ? metaCharset(bytes) : null) ?? declarable(double ?? single);
}

function latin1({ buffer, byteOffset, byteLength }: Uint8Array, length: number): string {
  return Buffer.from(buffer, byteOffset, Math.min(byteLength, length)).toString('latin1');
}

/** Charset of a declaration. One that was read byte by byte can't be in UTF-16. */
function declarable(label: string | null | undefined): string | null {
  const charset = charsetNamed(label);
  if (charset === 'x-user-defined') return 'windows-1252';
  return charset?.startsWith('utf-16') === true ? 'utf-8' : charset;
}

/**
 * First known charset of a `<meta>` in the head of a document, however far that extends, or in its first 1,024 bytes. A
 * parser that meets it has only guessed until then, and decodes again.
 */
function metaCharset(bytes: Uint8Array): string | null {
  for (let size = HEAD_BYTES; size < bytes.length; size *= HEAD_GROWTH) {
    const start = latin1(bytes, size);
    // Without a tag that the end cuts off.
    const tag = start.lastIndexOf('<');
    const isCut = tag > start.lastIndexOf('>');
    const { charset, isHeadWhole } = searchHead(isCut ? start.slice(0, tag) : start);
    if (charset !== null || isHeadWhole) return charset;
  }
  return searchHead(latin1(bytes, bytes.length)).charset;
}

function searchHead(head: string): { charset: string | null; isHeadWhole: boolean } {
  let charset: string | null = null;
  let isHeadWhole = false;
  let inside = '';
  let meta: Map<string, string> | null = null;
  readHtml(head, 'html', {
    text(from, to) {
      isHeadWhole ||= inside === '' && head.slice(from, to).trim() !== '';
    },
    character() {
      isHeadWhole ||= inside === '';
    },
    open(name) {
      meta = name === 'meta' && inside !== 'template' ? new Map() : null;
      if (inside !== '') return;
      isHeadWhole ||= !IN_HEAD.has(name);
      if (HOLDS_TEXT.has(name)) inside = name;
    },
    close(name) {
      if (name === inside) inside = '';
      isHeadWhole ||= inside === '' && ENDS_HEAD.has(name);
    },
    attribute(name, value) {
      if (meta?.has(name) === false) meta.set(name, value);
    },
    isDone(position) {
      if (meta !== null) charset = charsetOfMeta(meta);
      return charset !== null || (isHeadWhole && position >= PRESCAN_BYTES);
    },
  });
  return { charset, isHeadWhole };
}

function charsetOfMeta(attributes: ReadonlyMap<string, string>): string | null {
  const charset = declarable(attributes.get('charset'));
  if (charset !== null || attributes.get('http-equiv')?.toLowerCase() !== 'content-type') {
    return charset;
  }
  const [, double, single, bare] = CHARSET_PARAMETER.exec(attributes.get('content') ?? '') ?? [];
  return declarable(double ?? single ?? bare);
}
