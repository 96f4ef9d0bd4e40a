import { cut, escapeHtml, singleLine } from '../../../lib/text.ts';
import type { AnnouncementFacts, PageFacts, UpdateFacts } from '../../facts/model.ts';
import { addressOf, DOCUMENTS } from '../../facts/urls.ts';
import { withoutControls } from '../../text/characters.ts';
import { markdownToHtml, markdownToText } from '../../text/markdown.ts';
import { announcementTitle, automaticText, stateName } from '../titles.ts';
import { wordsOf, type Words } from '../words/index.ts';

/** A feed before it is written in one of its formats. Addresses are absolute; texts have no control characters. */
export interface FeedContent {
  /** Stays the same when the page gets another slug or domain. */
  id: string;
  title: string;
  description: string;
  language: string;
  author: string;
  pageUrl: string;
  feedUrl: string;
  updatedAt: number;
  entries: readonly FeedEntry[];
}

export interface FeedEntry {
  id: string;
  url: string;
  title: string;
  /** Plain text of the newest update. */
  summary: string;
  html: string;
  publishedAt: number;
  updatedAt: number;
}

const DAY_MS = 86_400_000;
const MAX_SUMMARY = 300;

/** Content of the feed of a page: an entry for each announcement, the last changed one first. */
export function feedContent(facts: PageFacts, document: string, baseUrl: string): FeedContent {
  const { page, announcements, readAt } = facts;
  const words = wordsOf(page.language);
  const entries = announcements
    .map((announcement) => entryOf(announcement, facts, words, baseUrl))
    .toSorted((a, b) => b.updatedAt - a.updatedAt || b.publishedAt - a.publishedAt);
  const name = singleLine(withoutControls(page.name));
  return {
    id: idOf(page.id, null, baseUrl),
    title: words.incidents.back(name),
    description: markdownToText(page.description ?? '') || words.incidents.history,
    language: page.language,
    author: name,
    pageUrl: addressOf(page, DOCUMENTS.page(page.slug), baseUrl),
    feedUrl: addressOf(page, document, baseUrl),
    // Without entries the feed changes once a day at most, so that readers need not load it again.
    updatedAt: entries[0]?.updatedAt ?? Math.floor(readAt / DAY_MS) * DAY_MS,
    entries,
  };
}

function entryOf(
  announcement: AnnouncementFacts,
  { page }: PageFacts,
  words: Words,
  baseUrl: string,
): FeedEntry {
  const { id, updates, updatedAt, startedAt } = announcement;
  const newest = updates[0];
  // Maintenance may begin in the future; it was published with its first update.
  const publishedAt = Math.min(updates.at(-1)?.at ?? startedAt, updatedAt);
  return {
    id: idOf(page.id, id, baseUrl),
    url: addressOf(page, DOCUMENTS.announcement(page.slug, id), baseUrl),
    title: singleLine(withoutControls(announcementTitle(announcement, words))),
    summary: newest === undefined ? '' : cut(updateText(newest, announcement, words), MAX_SUMMARY),
    html: htmlOf(announcement, page.timezone, words),
    publishedAt,
    updatedAt,
  };
}

/** Plain text of an update. */
export function updateText(
  update: UpdateFacts,
  announcement: AnnouncementFacts,
  words: Words,
): string {
  const { text } = update;
  return text === null
    ? withoutControls(automaticText(update, announcement, words))
    : markdownToText(text);
}

function htmlOf(announcement: AnnouncementFacts, zone: string, words: Words): string {
  const { kind, startedAt, plannedUntil, updates, postMortem, services } = announcement;
  const parts: string[] = [];
  if (kind === 'maintenance' && plannedUntil !== null)
    parts.push(`<p>${escaped(words.range(startedAt, plannedUntil, zone))}</p>`);
  if (services.length > 0) {
    const names = words.list(services.map(({ name }) => name));
    parts.push(`<p>${escaped(words.incidents.affected)}: ${escaped(names)}</p>`);
  }
  if (postMortem !== null) {
    parts.push(`<h2>${escaped(words.incidents.postMortem)}</h2>`);
    parts.push(markdownToHtml(postMortem.text));
  }
  for (const update of updates) {
    const { state, at, text } = update;
    const time = escaped(words.dateTime(at, zone));
    parts.push(`<p><strong>${escaped(stateName(state, words))}</strong> · ${time}</p>`);
    parts.push(
      text === null
        ? `<p>${escaped(automaticText(update, announcement, words))}</p>`
        : markdownToHtml(text),
    );
  }
  return parts.join('\n');
}

function escaped(text: string): string {
  return escapeHtml(withoutControls(text));
}

/** Tag URI (RFC 4151) of a page or an announcement. */
function idOf(pageId: number, announcementId: number | null, baseUrl: string): string {
  const authority = new URL(baseUrl).hostname.replaceAll(/[^\w.-]/g, '-');
  const page = `tag:${authority},2026:status-page:${pageId}`;
  return announcementId === null ? page : `${page}:announcement:${announcementId}`;
}
