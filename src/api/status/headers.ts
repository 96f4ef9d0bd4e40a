import type { DocumentRequest } from '../../status-page/facts/paths.ts';
import { permissionsPolicy, securityHeaders } from '../security-headers.ts';

/** Shared caches answer for 15 s, and longer while the page is rendered again or this server is away. */
const PUBLIC = 'public, max-age=15, stale-while-revalidate=60, stale-if-error=86400';
const RESTRICTED = 'private, no-store';
/** Paths of static files contain their hash. */
const FOREVER = 'public, max-age=31536000, immutable';

const PAGE_POLICY = (ancestors: Ancestors, isLive: boolean) =>
  `default-src 'none'; ${isLive ? "script-src 'self'; connect-src 'self'; " : ''}style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors ${ancestors}; base-uri 'none'`;
/** Pages whose script keeps them current. */
const LIVE: ReadonlySet<Name> = new Set(['page', 'announcement']);
/** Images of users must not run as documents. */
const IMAGE_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

type Name = DocumentRequest['name'];

/** Documents that other sites may show or read. */
const FOR_OTHER_SITES: ReadonlySet<Name> = new Set([
  'summary',
  'atom',
  'rss',
  'jsonFeed',
  'badge',
  'embed',
  'logo',
]);
/** Those that scripts of other sites may read. */
const READABLE: ReadonlySet<Name> = new Set(['summary', 'atom', 'rss', 'jsonFeed', 'badge']);
const HTML: ReadonlySet<Name> = new Set([
  'page',
  'preview',
  'announcement',
  'month',
  'embed',
  'uncorrected',
]);

/** Whether a document is a page for people. */
export function isHtml(name: Name): boolean {
  return HTML.has(name);
}

/** Who a document is for: everybody, those who may see a restricted page, or who edits one and sees it beside the editor. */
export type Audience = 'everybody' | 'some' | 'editor';

/** Creates the headers of documents, as alternating names and values. They depend on the kind of document and its audience only. */
export function createDocumentHeaders(baseUrl: () => string) {
  const known = new Map<string, readonly string[]>();
  return (name: Name, audience: Audience): readonly string[] => {
    const key = `${name} ${audience} ${baseUrl()}`;
    const headers = known.get(key) ?? Object.entries(headersOf(name, audience, baseUrl())).flat();
    known.set(key, headers);
    return headers;
  };
}

function headersOf(name: Name, audience: Audience, baseUrl: string): Record<string, string> {
  const isPublic = audience === 'everybody';
  const headers: Record<string, string> = {
    ...securityHeaders(baseUrl),
    'cache-control': isPublic ? PUBLIC : RESTRICTED,
    vary: 'accept-encoding',
  };
  if (isHtml(name))
    Object.assign(headers, htmlHeaders(ancestorsOf(name, audience), LIVE.has(name)));
  if (name === 'badge' || name === 'logo') headers['content-security-policy'] = IMAGE_POLICY;
  if (name === 'embed') delete headers['x-frame-options'];
  else if (isHtml(name) && audience !== 'some') headers['x-frame-options'] = 'SAMEORIGIN';
  if (FOR_OTHER_SITES.has(name)) headers['cross-origin-resource-policy'] = 'cross-origin';
  if (isPublic && READABLE.has(name)) headers['access-control-allow-origin'] = '*';
  if (!isPublic) headers['x-robots-tag'] = 'noindex';
  return headers;
}

/** Who may frame a page: everybody the summary; the dashboard, beside the editor, what everybody or its editor may see. */
type Ancestors = '*' | "'self'" | "'none'";

function ancestorsOf(name: Name, audience: Audience): Ancestors {
  if (name === 'embed') return '*';
  return audience === 'some' ? "'none'" : "'self'";
}

/** Headers of a page for people. A form of it tells this server its origin, and other sites nothing. */
export function htmlHeaders(ancestors: Ancestors, isLive = false): Record<string, string> {
  return {
    'content-security-policy': PAGE_POLICY(ancestors, isLive),
    'permissions-policy': permissionsPolicy(),
    'referrer-policy': 'same-origin',
  };
}

/** Headers of refusals, as alternating names and values. */
export function refusalHeaders(baseUrl: string, kind: 'page' | 'image' | 'data'): string[] {
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
export function assetHeaders(baseUrl: string): string[] {
  return Object.entries({
    ...securityHeaders(baseUrl),
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': FOREVER,
    vary: 'accept-encoding',
  }).flat();
}
