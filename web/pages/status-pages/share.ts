import type { StatusPage } from '../../app/api.gen.ts';

/** Frames for other sites, and their size in pixels. */
const EMBEDS = [
  { variant: 'strip', width: 360, height: 48 },
  { variant: 'card', width: 360, height: 280 },
  { variant: 'dot', width: 24, height: 24 },
] as const;

/** Texts that people paste elsewhere, on the address that visitors know: the custom domain of the page where it has one. */
export function shareTexts(
  { name, slug, url }: Pick<StatusPage, 'name' | 'slug' | 'url'>,
  badgeLabel = '',
) {
  const at = (document: string) => new URL(document, url).href;
  const badge = (kind: object) =>
    markdown(badgeLabel.trim() || name, at(`${slug}/badge.svg${badgeQuery(kind, badgeLabel)}`));
  const markdown = (label: string, image: string) =>
    `[![${label.replaceAll(/[[\]\\]/g, '\\$&')}](${image})](${url})`;
  const title = name.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return {
    link: url,
    badge: badge({}),
    uptimeBadge: badge({ kind: 'uptime' }),
    embeds: EMBEDS.map(({ variant, width, height }) => {
      const src = at(`${slug}/embed${variant === 'card' ? '' : `?variant=${variant}`}`);
      const size = `width="${width}" height="${height}"`;
      const text = `<iframe src="${src}" title="${title}" ${size} style="border:0" loading="lazy"></iframe>`;
      return { variant, width, height, text };
    }),
    atom: at(`${slug}.atom`),
    rss: at(`${slug}.rss`),
    jsonFeed: at(`${slug}/feed.json`),
    summary: at(`${slug}.json`),
  };
}

/** What a badge shows, as the query of its address; empty for the state under the name of the page. */
export function badgeQuery(kind: object, badgeLabel: string): string {
  const label = badgeLabel.trim();
  const query = new URLSearchParams({ ...kind, ...(label !== '' && { label }) });
  return query.size === 0 ? '' : `?${query}`;
}
