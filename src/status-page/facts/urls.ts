import type { PageImageName } from '../../model/page-images.ts';

/**
 * Addresses of the documents of a page. Links between documents are relative, so that the same bytes serve below BASE_URL
 * and on a custom domain, where `/` is the page and `/x` stands for `/status/x`.
 */

/** Documents of a page by their path below `/status/`; `{slug}` itself is the page. */
export const DOCUMENTS = {
  page: (slug: string) => slug,
  announcement: (slug: string, id: number) => `${slug}/incidents/${id}`,
  month: (slug: string, month: string) => `${slug}/history/${month}`,
  summary: (slug: string) => `${slug}.json`,
  atom: (slug: string) => `${slug}.atom`,
  rss: (slug: string) => `${slug}.rss`,
  jsonFeed: (slug: string) => `${slug}/feed.json`,
  badge: (slug: string) => `${slug}/badge.svg`,
  embed: (slug: string) => `${slug}/embed`,
  image: (slug: string, name: PageImageName) => `${slug}/${name.replace('_', '-')}`,
  style: (slug: string) => `${slug}/custom.css`,
  uncorrected: (slug: string) => `${slug}/uncorrected`,
  subscribe: (slug: string) => `${slug}/subscribe`,
  confirm: (slug: string) => `${slug}/confirm`,
  subscription: (slug: string) => `${slug}/subscription`,
  unsubscribe: (slug: string) => `${slug}/unsubscribe`,
  signIn: (slug: string) => `${slug}/sign-in`,
} as const;

/** A link from one document to another, such as `../../acme` from `acme/incidents/1` to `acme`. */
export function linkBetween(from: string, to: string): string {
  return `${'../'.repeat(from.split('/').length - 1)}${to}`;
}

/** Feeds of a page, by the names of their documents. */
export const FEEDS = {
  atom: { label: 'Atom', type: 'application/atom+xml' },
  rss: { label: 'RSS', type: 'application/rss+xml' },
  jsonFeed: { label: 'JSON', type: 'application/feed+json' },
} as const;

/** Links from a document of a page to its feeds. */
export const feedsFrom = (document: string, slug: string) =>
  (Object.keys(FEEDS) as (keyof typeof FEEDS)[]).map((name) => ({
    ...FEEDS[name],
    url: linkBetween(document, DOCUMENTS[name](slug)),
  }));

/** Absolute address of a document: on the verified custom domain of its page, where `/` is the page, else below BASE_URL. */
export function addressOf(
  { customDomain, slug }: { customDomain: string | null; slug: string },
  document: string,
  baseUrl: string,
): string {
  if (customDomain === null) return `${baseUrl}/status/${document}`;
  return `https://${customDomain}/${document === DOCUMENTS.page(slug) ? '' : document}`;
}
