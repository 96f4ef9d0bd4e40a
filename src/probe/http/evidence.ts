import type { Evidence, TlsSummary } from '../../model/check.ts';
import { decodeBytes, mediaTypeOf } from '../../lib/charset.ts';
import { charsetOf } from '../content/decode.ts';
import { withoutSecrets } from './request.ts';
import { joinedHeader, type ResponseHead } from './response.ts';
import {
  createSecretRemoval,
  reachOf,
  withoutControls,
  type SecretRemoval,
} from './secret-removal.ts';
import { longestSecretBytes, secretsIn, type SentValues } from './sent-secrets.ts';

/** First 4 KiB of the body (contract 20.9). */
const BODY_BYTES = 4_096;
const MAX_HEADERS = 64;
const MAX_NAME_LENGTH = 100;
const MAX_VALUE_LENGTH = 1_024;
const MAX_STATUS_LINE_LENGTH = 200;

const SECRET_HEADERS =
  /^(?:set-cookie2?|cookie|authorization|www-authenticate|authentication-info|proxy-.*|.*(?:token|secret|api-?key|session).*)$/;
/** Headers with a URL, whose query may be a secret. */
const ADDRESS_HEADERS = new Set(['location', 'content-location', 'refresh', 'link']);

export interface CapturedResponse {
  head: ResponseHead | null;
  /** Decoded body, as far as known. */
  body: Buffer | null;
  redirects: string[];
  tls: TlsSummary | null;
}

/** Removes what the check sent from what the target sends back. */
export function createSentRemoval(sent: SentValues): SecretRemoval {
  return createSecretRemoval(secretsIn(sent));
}

/** Number of body bytes that evidence needs: those kept, and enough for a secret at their edge. */
export function evidenceBytes(sent: SentValues): number {
  return BODY_BYTES + reachOf(longestSecretBytes(sent));
}

/** Evidence of a failed check, without secrets of the user or the target. */
export function captureEvidence(
  { head, body, redirects, tls }: CapturedResponse,
  removal: SecretRemoval,
): Evidence {
  return {
    statusLine:
      head === null ? null : cut(removal.remove(headText(head.statusLine)), MAX_STATUS_LINE_LENGTH),
    headers: head === null ? {} : keepHeaders(head.headers, removal),
    body: body === null ? null : keepBody(body, contentType(head), removal),
    redirects: redirects.map((each) => removal.remove(each)),
    tls,
  };
}

/** First 4 KiB. Searches for secrets beyond, so that one at the edge isn't missed. */
function keepBody(body: Buffer, type: string | null, removal: SecretRemoval): string {
  const charset = charsetOf(body, type);
  const kept = bodyText(body.subarray(0, BODY_BYTES), charset).length;
  return removal.remove(bodyText(body.subarray(0, BODY_BYTES + removal.reach), charset), kept);
}

export function bodyText(bytes: Buffer, charset: string): string {
  return withoutControls(decodeBytes(bytes, charset, true));
}

export function contentType(head: ResponseHead | null): string | null {
  return mediaTypeOf(joinedHeader(head?.headers ?? [], 'content-type'));
}

/** Searches secrets in whole values, which are at most as long as a head can be. */
function keepHeaders(headers: ResponseHead['headers'], removal: SecretRemoval) {
  const kept = new Map<string, string>();
  for (const [name, value] of headers) {
    if (SECRET_HEADERS.test(name) || kept.size >= MAX_HEADERS) continue;
    const text = removal.remove(headText(value));
    const shown = ADDRESS_HEADERS.has(name) ? withoutQuery(text) : text;
    const shownName = cut(removal.remove(headText(name)), MAX_NAME_LENGTH);
    const before = kept.get(shownName);
    kept.set(
      shownName,
      cut(before === undefined ? shown : `${before}, ${shown}`, MAX_VALUE_LENGTH),
    );
  }
  return Object.fromEntries(kept);
}

function withoutQuery(text: string): string {
  const url = URL.parse(text);
  if (url !== null && url.host !== '') return withoutSecrets(url);
  return text.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');
}

/** Decodes bytes beyond ASCII, which was read as latin1, as UTF-8. */
function headText(latin1: string): string {
  return withoutControls(Buffer.from(latin1, 'latin1').toString('utf8'));
}

/** Shortens a text; half a surrogate pair at the end is replaced. */
function cut(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}
