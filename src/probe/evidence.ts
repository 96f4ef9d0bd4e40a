import { TextDecoder } from 'node:util';
import type { Evidence, TlsSummary } from '../model/check.ts';
import { mayBeSecret } from './http-request.ts';
import { withoutSecrets } from './http-redirect.ts';
import type { ResponseHead } from './http-response.ts';

/** completions, section 6: the first 4 KiB of body. */
const BODY_BYTES = 4_096;
const MAX_HEADERS = 64;
const MAX_VALUE_LENGTH = 1_024;
/** Shorter values, and shorter words within one, are found everywhere by chance. */
const MIN_SECRET_LENGTH = 6;
const MIN_SECRET_PART_LENGTH = 12;
const REMOVED = '[removed]';

const SECRET_HEADERS =
  /^(?:set-cookie2?|cookie|authorization|www-authenticate|authentication-info|proxy-.*|.*(?:token|secret|api-?key|session).*)$/;
/** Headers that hold an address: of these the query may be a secret. */
const ADDRESS_HEADERS = new Set(['location', 'content-location', 'refresh', 'link']);

export interface Seen {
  head: ResponseHead | null;
  /** Unpacked body as far as it is known. */
  body: Buffer | null;
  redirects: string[];
  tls: TlsSummary | null;
  /** The headers that we sent: some targets send them back. */
  sentHeaders: Record<string, string>;
}

/** What is kept of a failed check, without anything that is a secret of the user's or of the target's. */
export function captureEvidence(seen: Seen): Evidence {
  const remove = remover(seen.sentHeaders);
  return {
    statusLine:
      seen.head === null ? null : remove(clean(decodeLatin1(seen.head.statusLine.slice(0, 200)))),
    headers: seen.head === null ? {} : keepHeaders(seen.head.headers, remove),
    body:
      seen.body === null
        ? null
        : remove(bodyText(seen.body.subarray(0, BODY_BYTES), contentType(seen.head))),
    redirects: seen.redirects,
    tls: seen.tls,
  };
}

/** Bytes as text, by the charset that the answer names; what is no text in it is replaced, never an error. */
export function bodyText(bytes: Buffer, type: string | null): string {
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(type ?? '')?.[1];
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(charset ?? 'utf-8');
  } catch {
    decoder = new TextDecoder();
  }
  // As a piece of a stream, so that a character cut in half at the end is left out and not replaced.
  return clean(decoder.decode(bytes, { stream: true }));
}

export function contentType(head: ResponseHead | null): string | null {
  return head?.headers.find(([name]) => name === 'content-type')?.[1] ?? null;
}

function keepHeaders(
  headers: ResponseHead['headers'],
  remove: (text: string) => string,
): Record<string, string> {
  const kept = new Map<string, string>();
  for (const [name, value] of headers) {
    if (SECRET_HEADERS.test(name) || kept.size >= MAX_HEADERS) continue;
    const text = remove(clean(decodeLatin1(value.slice(0, MAX_VALUE_LENGTH))));
    const shown = ADDRESS_HEADERS.has(name) ? withoutQuery(text) : text;
    const before = kept.get(name);
    kept.set(
      clean(name.slice(0, 100)),
      (before === undefined ? shown : `${before}, ${shown}`).slice(0, MAX_VALUE_LENGTH),
    );
  }
  return Object.fromEntries(kept);
}

function withoutQuery(text: string): string {
  const url = URL.parse(text);
  if (url !== null && url.host !== '') return withoutSecrets(url);
  return text.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');
}

/** Takes the values of the headers that we sent out of a text: whole, and without their scheme (`Bearer …`). */
function remover(sentHeaders: Record<string, string>): (text: string) => string {
  const secrets = Object.entries(sentHeaders)
    .filter(([name]) => mayBeSecret(name))
    .flatMap(([name, value]) => [
      ...[value, ...credentialsIn(name, value)].filter((one) => one.length >= MIN_SECRET_LENGTH),
      ...value.split(/[\s;]+/).filter((part) => part.length >= MIN_SECRET_PART_LENGTH),
    ])
    .toSorted((a, b) => b.length - a.length);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, REMOVED), text);
}

/** What follows the scheme of an Authorization header; of Basic the password, too, which pages for debugging show. */
function credentialsIn(name: string, value: string): string[] {
  const [, scheme = '', credentials = ''] = /^(\S+) (.*)$/.exec(value) ?? [];
  if (name.toLowerCase() !== 'authorization') return [];
  if (scheme.toLowerCase() !== 'basic') return [credentials];
  const pair = Buffer.from(credentials, 'base64').toString('utf8');
  return [credentials, pair, pair.slice(pair.indexOf(':') + 1)];
}

/** Header bytes beyond ASCII are mostly UTF-8. */
function decodeLatin1(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}

/** Databases and terminals take no control characters; tabs and line ends stay. */
function clean(text: string): string {
  return text.replace(/[^\P{Cc}\t\r\n]/gu, '\u{fffd}');
}
