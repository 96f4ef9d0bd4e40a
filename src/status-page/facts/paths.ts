import { PAGE_IMAGES, type PageImageName } from '../../model/page-images.ts';

/** Forms of the summary for frames: services with a problem, one line, or the shape of the state. */
export const EMBED_VARIANTS = ['card', 'strip', 'dot'] as const;
export type EmbedVariant = (typeof EMBED_VARIANTS)[number];

export type DocumentRequest =
  | { name: 'page' | 'preview' | 'summary' | 'atom' | 'rss' | 'jsonFeed' | 'uncorrected' }
  | { name: 'embed'; variant: EmbedVariant }
  | { name: 'style' }
  | { name: 'image'; image: PageImageName }
  | { name: 'announcement'; id: number }
  | { name: 'month'; month: string }
  | { name: 'badge'; kind: 'status' | 'uptime'; monitorId: number | null; label?: string };

export type PublicRequest =
  | { type: 'document'; slug: string; document: DocumentRequest }
  /** The form for a password, of a page that has one. */
  | { type: 'signIn'; slug: string }
  /** Where the link of a mail leads, whose token proves who may use it. */
  | { type: 'link'; slug: string }
  | { type: 'subscribe'; slug: string }
  /** An address below a page that does not exist. */
  | { type: 'other'; slug: string }
  /** A static file; `path` as in the list of files. */
  | { type: 'asset'; path: string }
  | null;

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MONTH = /^\d{4}-\d{2}$/;
/** Ids of safe integers, without leading zeros. */
const ID = /^[1-9]\d{0,14}$/;

const BY_EXTENSION: ReadonlyMap<string, DocumentRequest> = new Map([
  ['json', { name: 'summary' }],
  ['atom', { name: 'atom' }],
  ['rss', { name: 'rss' }],
  ['preview', { name: 'preview' }],
]);

const BY_NAME: ReadonlyMap<string, DocumentRequest> = new Map([
  ['feed.json', { name: 'jsonFeed' }],
  ['uncorrected', { name: 'uncorrected' }],
  ['custom.css', { name: 'style' }],
  ...PAGE_IMAGES.map((image): [string, DocumentRequest] => [
    image.replace('_', '-'),
    { name: 'image', image },
  ]),
]);

const LINKS: ReadonlySet<string> = new Set(['confirm', 'subscription', 'unsubscribe']);

const PAGE: DocumentRequest = { name: 'page' };

/**
 * Parses a path below `/status/`, without a trailing slash, as it was sent: no address of a document needs
 * percent-encoding. Null when it belongs to no page.
 *
 * @param query without the question mark; only badges have one.
 */
export function parsePublicPath(path: string, query: string): PublicRequest {
  const [first = '', ...rest] = path.split('/');
  if (first === '_') return { type: 'asset', path };
  if (rest.length === 0) return parseWhole(first);
  if (!SLUG.test(first)) return null;
  if (rest.length === 1 && rest[0] === 'sign-in') return { type: 'signIn', slug: first };
  if (rest.length === 1 && rest[0] === 'subscribe') return { type: 'subscribe', slug: first };
  if (rest.length === 1 && LINKS.has(rest[0]!)) return { type: 'link', slug: first };
  const document = documentBelow(rest, query);
  return document === null
    ? { type: 'other', slug: first }
    : { type: 'document', slug: first, document };
}

function parseWhole(name: string): PublicRequest {
  if (SLUG.test(name)) return { type: 'document', slug: name, document: PAGE };
  const dot = name.lastIndexOf('.');
  const document = BY_EXTENSION.get(name.slice(dot + 1));
  const slug = name.slice(0, Math.max(0, dot));
  return document === undefined || !SLUG.test(slug) ? null : { type: 'document', slug, document };
}

function documentBelow([name = '', item = '', ...more]: string[], query: string) {
  if (more.length > 0) return null;
  if (name === 'incidents' && ID.test(item))
    return { name: 'announcement', id: Number(item) } as const;
  if (name === 'history' && MONTH.test(item)) return { name: 'month', month: item } as const;
  if (item !== '') return null;
  if (name === 'badge.svg') return badgeOf(query);
  if (name === 'embed') return embedOf(query);
  return BY_NAME.get(name) ?? null;
}

/** `?variant=strip` for a line, `?variant=dot` for the shape alone; other values are ignored. */
function embedOf(query: string): DocumentRequest {
  const asked = new URLSearchParams(query).get('variant');
  return { name: 'embed', variant: EMBED_VARIANTS.find((one) => one === asked) ?? 'card' };
}

/** `?kind=uptime` for the uptime instead of the status, `?monitor_id=ID` for one service, `?label=` for words before it; other values are ignored. */
function badgeOf(query: string): DocumentRequest {
  const fields = new URLSearchParams(query);
  const monitor = fields.get('monitor_id') ?? '';
  const label = fields.get('label')?.trim();
  return {
    name: 'badge',
    kind: fields.get('kind') === 'uptime' ? 'uptime' : 'status',
    monitorId: ID.test(monitor) ? Number(monitor) : null,
    ...(label && { label }),
  };
}
