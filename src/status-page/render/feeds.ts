import type { PageFacts } from '../facts/model.ts';

/** Announcements of a page as a feed. */
export function renderFeed(
  _facts: PageFacts,
  _format: 'atom' | 'rss' | 'json',
  _baseUrl: string,
): string {
  throw new Error('not rendered yet');
}
