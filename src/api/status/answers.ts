import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DocumentRequest } from '../../status-page/facts/paths.ts';
import { errorAnswer } from '../errors.ts';
import { permissionsPolicy, securityHeaders } from '../security-headers.ts';
import type { Site } from './site.ts';

/** Shared caches answer for 15 s, and longer while the page is rendered again or this server is away. */
const PUBLIC = 'public, max-age=15, stale-while-revalidate=60, stale-if-error=86400';
const RESTRICTED = 'private, no-store';
/** Paths of static files contain their hash. */
const FOREVER = 'public, max-age=31536000, immutable';

const PAGE_POLICY = (ancestors: Ancestors, isLive: boolean) =>
  `default-src 'none'; ${isLive ? "script-src 'self'; connect-src 'self'; " : ''}style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors ${ancestors}; base-uri 'none'`;
/** Images of users must not run as documents. */
const IMAGE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

type Name = DocumentRequest['name'];

/**
 * What each document is: `live` pages are kept current by a script, other sites may show what is `shared`, and their scripts
 * may read what is `readable`.
 */
const TRAITS: Record<Name, readonly ('html' | 'live' | 'image' | 'shared' | 'readable')[]> = {
  page: ['html', 'live'],
  preview: ['html'],
  announcement: ['html', 'live'],
  month: ['html'],
  embed: ['html', 'shared'],
  uncorrected: ['html'],
  summary: ['shared', 'readable'],
  atom: ['shared', 'readable'],
  rss: ['shared', 'readable'],
  jsonFeed: ['shared', 'readable'],
  badge: ['image', 'shared', 'readable'],
  image: ['image', 'shared'],
  style: [],
};

export function isHtml(name: Name): boolean {
  return TRAITS[name].includes('html');
}

/** Who a document is for: everybody, those who may see a restricted page, or who edits one and sees it beside the editor. */
export type Audience = 'everybody' | 'some' | 'editor';

/** Creates the headers of documents, as alternating names and values. They depend on the kind of document and its audience only. */
function createDocumentHeaders(baseUrl: () => string) {
  const known = new Map<string, readonly string[]>();
  return (name: Name, audience: Audience): readonly string[] => {
    const key = `${name} ${audience} ${baseUrl()}`;
    const headers = known.get(key) ?? Object.entries(headersOf(name, audience, baseUrl())).flat();
    known.set(key, headers);
    return headers;
  };
}

function headersOf(name: Name, audience: Audience, baseUrl: string): Record<string, string> {
  const traits = TRAITS[name];
  const isPublic = audience === 'everybody';
  const headers: Record<string, string> = {
    ...securityHeaders(baseUrl),
    'cache-control': isPublic ? PUBLIC : RESTRICTED,
    vary: 'accept-encoding',
  };
  if (isHtml(name))
    Object.assign(headers, htmlHeaders(ancestorsOf(name, audience), traits.includes('live')));
  if (traits.includes('image')) headers['content-security-policy'] = IMAGE_POLICY;
  if (name === 'embed') delete headers['x-frame-options'];
  else if (isHtml(name) && audience !== 'some') headers['x-frame-options'] = 'SAMEORIGIN';
  if (traits.includes('shared')) headers['cross-origin-resource-policy'] = 'cross-origin';
  if (isPublic && traits.includes('readable')) headers['access-control-allow-origin'] = '*';
  if (!isPublic) headers['x-robots-tag'] = 'noindex';
  return headers;
}

/** Who may frame a page: everybody the summary; the dashboard, beside the editor, what everybody or its editor may see. */
type Ancestors = '*' | "'self'" | "'none'";

function ancestorsOf(name: Name, audience: Audience): Ancestors {
  if (name === 'embed') return '*';
  return audience === 'some' ? "'none'" : "'self'";
}

/** Headers of a page for people. Its forms send the origin to this server only. */
export function htmlHeaders(ancestors: Ancestors, isLive = false): Record<string, string> {
  return {
    'content-security-policy': PAGE_POLICY(ancestors, isLive),
    'permissions-policy': permissionsPolicy(),
    'referrer-policy': 'same-origin',
  };
}

/** Headers of refusals, as alternating names and values. */
function refusalHeaders(baseUrl: string, kind: 'page' | 'image' | 'data'): string[] {
  return Object.entries({
    ...securityHeaders(baseUrl),
    ...(kind === 'page' && htmlHeaders("'none'")),
    ...(kind === 'image' && {
      'content-security-policy': IMAGE_POLICY,
      'cross-origin-resource-policy': 'cross-origin',
    }),
    'cache-control': RESTRICTED,
    'x-robots-tag': 'noindex',
  }).flat();
}

/** Headers of static files, as alternating names and values. Frames of other sites need them too. */
function assetHeaders(baseUrl: string): string[] {
  return Object.entries({
    ...securityHeaders(baseUrl),
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': FOREVER,
    vary: 'accept-encoding',
  }).flat();
}

export interface PublicCall {
  site: Site;
  request: IncomingMessage;
  response: ServerResponse;
  address: string;
  requestId: string;
}

export type Answers = ReturnType<typeof createAnswers>;

export function createAnswers(baseUrl: () => string) {
  let isClosing = false;

  /** @param headers alternating names and values. */
  function send(call: PublicCall, status: number, headers: string[], body?: Buffer): void {
    headers.push('x-request-id', call.requestId);
    if (body !== undefined) headers.push('content-length', String(body.length));
    if (isClosing) headers.push('connection', 'close');
    call.response.writeHead(status, headers);
    // Node omits the body for HEAD.
    call.response.end(body);
  }

  const refusal =
    (kind: 'page' | 'image' | 'data', type: string) =>
    (call: PublicCall, status: number, text: string) =>
      send(
        call,
        status,
        [...refusalHeaders(baseUrl(), kind), 'content-type', type],
        Buffer.from(text),
      );

  return {
    send,
    documentHeaders: createDocumentHeaders(baseUrl),
    assetHeaders: () => assetHeaders(baseUrl()),
    /** In place of the document. */
    page: refusal('page', 'text/html; charset=utf-8'),
    text: refusal('data', 'text/plain; charset=utf-8'),
    /** An SVG image, which pages of other sites show. */
    badge: refusal('image', 'image/svg+xml; charset=utf-8'),
    /** An error, as of the API. @param more further headers. */
    problem(call: PublicCall, why: unknown, more: readonly string[] = []) {
      const { status, headers, body } = errorAnswer(why, call.requestId);
      const all = [
        ...refusalHeaders(baseUrl(), 'data'),
        ...Object.entries(headers).flat(),
        ...more,
      ];
      all.push('content-type', 'application/json; charset=utf-8');
      send(call, status, all, Buffer.from(JSON.stringify(body)));
    },
    redirect(call: PublicCall, location: string) {
      send(call, 301, [...refusalHeaders(baseUrl(), 'data'), 'location', location]);
    },
    /** Closes connections with their next answer. */
    drain() {
      isClosing = true;
    },
  };
}
