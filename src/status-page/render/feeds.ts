import type { PageFacts } from '../facts/model.ts';
import { DOCUMENTS } from '../facts/urls.ts';
import { feedContent } from './feeds/entries.ts';
import { atom, jsonFeed, rss } from './feeds/formats.ts';

/** Announcements of a page as a feed: Atom, RSS 2.0 or JSON Feed 1.1. */
export function renderFeed(
  facts: PageFacts,
  format: 'atom' | 'rss' | 'json',
  baseUrl: string,
): string {
  const { slug } = facts.page;
  switch (format) {
    case 'atom':
      return atom(feedContent(facts, DOCUMENTS.atom(slug), baseUrl));
    case 'rss':
      return rss(feedContent(facts, DOCUMENTS.rss(slug), baseUrl));
    case 'json':
      return jsonFeed(feedContent(facts, DOCUMENTS.jsonFeed(slug), baseUrl));
  }
}
