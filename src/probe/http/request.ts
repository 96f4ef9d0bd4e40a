import type { Credentials, HttpCheckRequest } from '../../model/check.ts';
import type { HttpMethod } from '../../model/monitor.ts';

/** What a request is made of. */
export interface SentRequest {
  method: HttpMethod;
  url: URL;
  /** As the user gave them, names in any case. */
  headers: Record<string, string>;
  body: string | null;
}

/** One request of a check: the first, or one that follows a redirect. */
export interface HttpRequest extends SentRequest {
  /** For a server that asks for digest authentication; null when there are none, or none for this server. */
  digest: Credentials | null;
}

/** RFC 9110, sections 5.1 and 5.5: a token, and a value without control characters (a tab is allowed). */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~\w]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\u{10ffff}]*$/u;

const DEFAULTS: Record<string, string> = {
  'User-Agent': 'Mozilla/5.0 (compatible; Tocsin uptime check)',
  Accept: '*/*',
  'Accept-Encoding': 'gzip, deflate, br, zstd',
  Connection: 'close',
};

/** The message's own framing, which only we can know. */
const FRAMING = new Set(['content-length', 'transfer-encoding']);
const METHODS_WITH_BODY = new Set<HttpMethod>(['POST', 'PUT', 'PATCH']);

/** What of the user's headers goes to another origin than the one they were meant for: nothing that may be a secret. */
const PUBLIC_HEADERS = new Set([
  'user-agent',
  'accept',
  'accept-language',
  'accept-encoding',
  'cache-control',
  'pragma',
]);

/** Why the request can't be sent, as the end of a sentence; null when it can. */
export function requestProblem(headers: Record<string, string>): string | null {
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name)) return `the request header name "${printable(name)}" is not valid`;
    if (typeof value !== 'string' || !HEADER_VALUE.test(value)) {
      return `the value of the request header "${name}" holds a line break or another control character`;
    }
  }
  return null;
}

/**
 * The bytes of an HTTP/1.1 request, for headers without a problem. The user's headers win over the defaults, `Host`
 * included; Content-Length and Transfer-Encoding are ours. Text is sent as UTF-8.
 */
export function serializeRequest({ method, url, headers, body }: SentRequest): string | Buffer {
  let lines = `${method} ${requestTarget(url)} HTTP/1.1\r\n`;
  const given = new Set<string>();
  let rest = '';
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase();
    if (FRAMING.has(lower)) continue;
    given.add(lower);
    if (lower === 'host') lines += `${name}: ${headers[name]}\r\n`;
    else rest += `${name}: ${headers[name]}\r\n`;
  }
  if (!given.has('host')) lines += `Host: ${url.host}\r\n`;
  for (const name of Object.keys(DEFAULTS)) {
    if (given.size === 0 || !given.has(name.toLowerCase()))
      lines += `${name}: ${DEFAULTS[name]}\r\n`;
  }
  lines += rest;
  if (METHODS_WITH_BODY.has(method))
    lines += `Content-Length: ${Buffer.byteLength(body ?? '')}\r\n`;
  lines += '\r\n';
  return METHODS_WITH_BODY.has(method) && body !== null ? lines + body : lines;
}

/** Path and query, as they are sent (RFC 9112, section 3.2.1). */
export function requestTarget(url: URL): string {
  return url.pathname + url.search;
}

/** With digest authentication an `Authorization` of the user's own is not sent: it would be refused as an answer. */
export function firstRequest(request: HttpCheckRequest, url: URL): HttpRequest {
  const { method, body, digest } = request;
  if (digest === undefined) return { method, url, headers: request.headers, body, digest: null };
  const headers = Object.entries(request.headers).filter(
    ([name]) => name.toLowerCase() !== 'authorization',
  );
  return { method, url, headers: Object.fromEntries(headers), body, digest };
}

/**
 * The request that a redirect leads to (Fetch standard, "HTTP-redirect fetch"): 303, and 301 or 302 of a POST, become
 * a GET without body; 307 and 308 keep both. To another origin go neither the body nor any header that may be a
 * secret, and no challenge of it is answered.
 */
export function redirectedRequest(from: HttpRequest, status: number, to: URL): HttpRequest {
  const becomesGet =
    status === 303
      ? from.method !== 'HEAD'
      : (status === 301 || status === 302) && from.method === 'POST';
  const sameOrigin = from.url.origin === to.origin;
  const keep = (name: string): boolean =>
    (sameOrigin || PUBLIC_HEADERS.has(name)) && !(becomesGet && name.startsWith('content-'));
  return {
    method: becomesGet ? 'GET' : from.method,
    url: to,
    headers: Object.fromEntries(
      Object.entries(from.headers).filter(([name]) => keep(name.toLowerCase())),
    ),
    body: becomesGet || !sameOrigin ? null : from.body,
    digest: sameOrigin ? from.digest : null,
  };
}

/**
 * What of a request goes to a server that may be somebody else's, its certificate being no proof: neither a body, without
 * which it is a GET, nor any header that may be a secret, and no challenge of it is answered. The very same request when
 * nothing had to be withheld.
 */
export function untrustedRequest(request: HttpRequest): HttpRequest {
  const { method, body, digest } = request;
  const hasBody = METHODS_WITH_BODY.has(method) && body !== null && body !== '';
  const headers = Object.entries(request.headers);
  const shown = headers.filter(([name]) => !mayBeSecret(name));
  if (!hasBody && digest === null && shown.length === headers.length) return request;
  const kept = shown.filter(([name]) => !(hasBody && name.toLowerCase() === 'content-type'));
  return {
    ...request,
    method: hasBody ? 'GET' : method,
    headers: Object.fromEntries(kept),
    body: null,
    digest: null,
  };
}

/** Whether a header's value is kept out of evidence wherever it shows up: all but those that are the same for everybody. */
export function mayBeSecret(name: string): boolean {
  const lower = name.toLowerCase();
  return !PUBLIC_HEADERS.has(lower) && lower !== 'host' && lower !== 'content-type';
}

function printable(text: string): string {
  return text.slice(0, 60).replace(/[^ -~]/g, '?');
}
