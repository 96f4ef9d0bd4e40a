import type { Credentials, HttpCheckRequest } from '../../monitor-types/http.ts';
import type { HttpMethod } from '../../model/monitor.ts';
import { cookieHeader, receiveCookies, type Cookie, type CookieUrl } from './cookies.ts';
import type { ResponseHead } from './response.ts';
import type { Failure } from '../../model/failure.ts';
import { failure } from '../failures.ts';

export interface SentRequest {
  method: HttpMethod;
  url: URL;
  /** Headers as given by the user, names in any case. */
  headers: Record<string, string>;
  body: string | null;
}

/** Request of a check: the first, or one that follows a redirect. */
export interface HttpRequest extends SentRequest {
  /** For a server that requests digest authentication; null if there are none, or not for this server. */
  digest: Credentials | null;
  /** Received so far, of all hosts. */
  cookies: readonly Cookie[];
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

/** Headers that frame the message, set by the probe. */
const FRAMING = new Set(['content-length', 'transfer-encoding']);
const METHODS_WITH_BODY = new Set<HttpMethod>(['POST', 'PUT', 'PATCH']);

/** Headers that may go to another origin than the one they were meant for: none of them can be secret. */
const PUBLIC_HEADERS = new Set([
  'user-agent',
  'accept',
  'accept-language',
  'accept-encoding',
  'cache-control',
  'pragma',
]);

/** Why the request can't be sent, as the end of a sentence; null if it can. */
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
 * Serializes an HTTP/1.1 request with valid headers. The user's headers take precedence over the defaults, including
 * `Host`; Content-Length and Transfer-Encoding are the probe's. Text is sent as UTF-8.
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

/** Path and query as sent (RFC 9112, section 3.2.1). */
export function requestTarget(url: URL): string {
  return url.pathname + url.search;
}

/**
 * First request of a check. With digest authentication the user's `Authorization` is not sent: it would be refused as
 * an answer.
 */
export function firstRequest(request: HttpCheckRequest, url: URL): HttpRequest {
  const { method, body, digest = null } = request;
  const headers =
    digest === null ? request.headers : withoutHeader(request.headers, 'authorization');
  return { method, url, headers, body, digest, cookies: [] };
}

/** The request with the cookies that its response sets. `now` is in epoch milliseconds. */
export function withCookiesOf(head: ResponseHead, request: HttpRequest, now: number): HttpRequest {
  if (!head.headers.some(([name]) => name === 'set-cookie')) return request;
  const cookies = receiveCookies(request.cookies, head.headers, cookieUrl(request), now);
  return cookies === request.cookies ? request : { ...request, cookies };
}

/** `Cookie` header of a request: the user's own, and what the check received for its URL. Null without one. */
function cookieOf(request: HttpRequest): string | null {
  return cookieHeader(request.cookies, headerOf(request, 'cookie'), cookieUrl(request));
}

/** URL of a request by the user's `Host` header, as in curl: it is the site that the server answers for. */
function cookieUrl(request: HttpRequest): CookieUrl {
  const { protocol, hostname, pathname } = request.url;
  const host = URL.parse(`http://${headerOf(request, 'host') ?? ''}`)?.hostname;
  return { protocol, hostname: host ?? hostname, pathname };
}

function headerOf({ headers }: HttpRequest, name: string): string | null {
  const header = Object.entries(headers).find(([each]) => each.toLowerCase() === name);
  return header?.[1] ?? null;
}

export function headersToSend(request: HttpRequest): Record<string, string> {
  if (request.cookies.length === 0) return request.headers;
  const cookie = cookieOf(request);
  const others = withoutHeader(request.headers, 'cookie');
  return cookie === null ? others : { ...others, Cookie: cookie };
}

function withoutHeader(headers: Record<string, string>, name: string): Record<string, string> {
  const others = Object.entries(headers).filter(([each]) => each.toLowerCase() !== name);
  return Object.fromEntries(others);
}

/**
 * Request that follows a redirect (Fetch standard, "HTTP-redirect fetch"): 303, and 301 or 302 after POST, become GET
 * without body; 307 and 308 keep both. Another origin gets neither the body nor headers that may be secret, and its
 * challenges are not answered.
 */
function redirectedRequest(from: HttpRequest, status: number, to: URL): HttpRequest {
  const becomesGet =
    status === 303
      ? from.method !== 'HEAD'
      : (status === 301 || status === 302) && from.method === 'POST';
  const sameOrigin = from.url.origin === to.origin;
  const keep = (name: string) =>
    (sameOrigin || PUBLIC_HEADERS.has(name)) && !(becomesGet && name.startsWith('content-'));
  return {
    method: becomesGet ? 'GET' : from.method,
    url: to,
    headers: Object.fromEntries(
      Object.entries(from.headers).filter(([name]) => keep(name.toLowerCase())),
    ),
    body: becomesGet || !sameOrigin ? null : from.body,
    digest: sameOrigin ? from.digest : null,
    cookies: from.cookies,
  };
}

/**
 * Request for a server without a valid certificate, which may be an impostor: without body (and then a GET), without
 * headers that may be secret, and without answering challenges. Returns the same request if nothing had to be withheld.
 */
export function untrustedRequest(request: HttpRequest): HttpRequest {
  const { method, body, digest } = request;
  const hasBody = METHODS_WITH_BODY.has(method) && body !== null && body !== '';
  const headers = Object.entries(headersToSend(request));
  const shown = headers.filter(([name]) => !mayBeSecret(name));
  if (!hasBody && digest === null && shown.length === headers.length) return request;
  const kept = shown.filter(([name]) => !(hasBody && name.toLowerCase() === 'content-type'));
  return {
    ...request,
    method: hasBody ? 'GET' : method,
    headers: Object.fromEntries(kept),
    body: null,
    digest: null,
    cookies: [],
  };
}

/** Whether a header's value is removed from evidence: all except those that are the same for everybody. */
export function mayBeSecret(name: string): boolean {
  const lower = name.toLowerCase();
  return !PUBLIC_HEADERS.has(lower) && lower !== 'host' && lower !== 'content-type';
}

function printable(text: string): string {
  return text.slice(0, 60).replace(/[^ -~]/g, '?');
}

/** Contract 16.4. */
const MAX_REDIRECTS = 5;

/** Next request of a redirect, or why it is not followed. `visited` has the keys of previous requests. */
export function followRedirect(
  from: HttpRequest,
  status: number,
  location: string,
  visited: readonly string[],
): { ok: true; request: HttpRequest } | { ok: false; failure: Failure } {
  const url = URL.parse(decodeLocation(location), from.url.href);
  if (url === null) {
    return refused('redirect_invalid', 'The redirect leads to an address that is not valid');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return refused(
      'redirect_invalid',
      `The redirect leads to ${url.protocol.slice(0, 20)} and not to http or https`,
    );
  }
  url.username = '';
  url.password = '';
  const request = redirectedRequest(from, status, url);
  if (visited.includes(requestKey(request))) {
    return refused('redirect_loop', `Redirect loop: ${withoutSecrets(url)} leads back to itself`);
  }
  if (visited.length > MAX_REDIRECTS) {
    return refused('redirect_loop', `Redirect loop: more than ${MAX_REDIRECTS} redirects`);
  }
  return { ok: true, request };
}

/** Key that is equal for equal requests of a check, to which a server may give the same response again. */
export function requestKey(request: HttpRequest): string {
  const { method, url } = request;
  const at = url.href.indexOf('#');
  const target = at === -1 ? url.href : url.href.slice(0, at);
  return `${method} ${target} ${cookieOf(request) ?? ''}`;
}

/** URL for evidence and texts: without credentials, query and fragment. */
export function withoutSecrets(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** Decodes UTF-8 in a header that was read as latin1. */
function decodeLocation(location: string): string {
  return Buffer.from(location, 'latin1').toString('utf8');
}

function refused(code: Failure['code'], text: string): { ok: false; failure: Failure } {
  return { ok: false, failure: failure(code, text) };
}
