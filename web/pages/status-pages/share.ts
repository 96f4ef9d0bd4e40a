import type { StatusPage } from '../../app/api.gen.ts';

/** Texts that people paste elsewhere, on the address that visitors know: the custom domain of the page where it has one. */
export function shareTexts({ name, slug, url }: Pick<StatusPage, 'name' | 'slug' | 'url'>) {
  const at = (document: string) => new URL(document, url).href;
  const badge = at(`${slug}/badge.svg`);
  const markdown = (label: string, image: string) =>
    `[![${label.replaceAll(/[[\]\\]/g, '\\$&')}](${image})](${url})`;
  const title = name.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return {
    link: url,
    badge: markdown(name, badge),
    uptimeBadge: markdown(name, `${badge}?kind=uptime`),
    embed: `<iframe src="${at(`${slug}/embed`)}" title="${title}" width="360" height="160" loading="lazy"></iframe>`,
    atom: at(`${slug}.atom`),
    rss: at(`${slug}.rss`),
    jsonFeed: at(`${slug}/feed.json`),
    summary: at(`${slug}.json`),
  };
}
