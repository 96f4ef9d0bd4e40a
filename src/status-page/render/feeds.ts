import { cut, escapeHtml, singleLine } from '../../lib/text.ts';
import { isoTime } from '../facts/days.ts';
import type { AnnouncementFacts, PageFacts, PageIdentity } from '../facts/model.ts';
import { addressOf, DOCUMENTS } from '../facts/urls.ts';
import { withoutControls } from '../text/characters.ts';
import { markdownToHtml, markdownToText } from '../text/markdown.ts';
import { announcementTitle, automaticText, plannedRange, stateName, updateText } from './titles.ts';
import { wordsOf, type Words } from './words/index.ts';

const DAY_MS = 86_400_000;
const MAX_SUMMARY = 300;

/** Writes the announcements of a page as Atom, RSS 2.0 or JSON Feed 1.1. */
export function renderFeed(facts: PageFacts, format: keyof typeof WRITERS): string {
  return WRITERS[format](feedContent(facts, DOCUMENTS[format](facts.page.slug)));
}

const WRITERS = { atom, rss, jsonFeed };

/**
 * A feed before it is written in one of its formats: an entry for each announcement, the last changed one first. Addresses are
 * absolute; texts have no control characters.
 */
function feedContent({ page, announcements, readAt }: PageFacts, document: string) {
  const { baseUrl } = page;
  const words = wordsOf(page.language);
  const entries = announcements
    .map((announcement) => entryOf(announcement, page, words))
    .toSorted((a, b) => b.updatedAt - a.updatedAt || b.publishedAt - a.publishedAt);
  const name = singleLine(withoutControls(page.name));
  return {
    // Stays the same when the page gets another slug or domain.
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

type FeedContent = ReturnType<typeof feedContent>;

function entryOf(announcement: AnnouncementFacts, page: PageIdentity, words: Words) {
  const { baseUrl } = page;
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

function htmlOf(announcement: AnnouncementFacts, zone: string, words: Words): string {
  const { updates, postMortem, services } = announcement;
  const parts: string[] = [];
  const planned = plannedRange(announcement, zone, words);
  if (planned !== null) parts.push(`<p>${escaped(planned)}</p>`);
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

/** Atom (RFC 4287). */
function atom(feed: FeedContent): string {
  return [
    XML,
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${escapeHtml(feed.language)}">`,
    element('id', feed.id),
    element('title', feed.title),
    element('subtitle', feed.description),
    element('updated', isoTime(feed.updatedAt)),
    `<author>${element('name', feed.author)}</author>`,
    `<link rel="alternate" type="text/html" href="${escapeHtml(feed.pageUrl)}"/>`,
    `<link rel="self" type="application/atom+xml" href="${escapeHtml(feed.feedUrl)}"/>`,
    element('generator', 'Tocsin'),
    ...feed.entries.map(atomEntry),
    '</feed>\n',
  ].join('\n');
}

function atomEntry(entry: ReturnType<typeof entryOf>): string {
  return [
    '<entry>',
    element('id', entry.id),
    element('title', entry.title),
    `<link rel="alternate" type="text/html" href="${escapeHtml(entry.url)}"/>`,
    element('published', isoTime(entry.publishedAt)),
    element('updated', isoTime(entry.updatedAt)),
    element('summary', entry.summary),
    `<content type="html">${escapeHtml(entry.html)}</content>`,
    '</entry>',
  ].join('\n');
}

/** RSS 2.0, with the address of the feed itself as Atom has it. The date of an item is that of its last change. */
function rss(feed: FeedContent): string {
  return [
    XML,
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">',
    '<channel>',
    element('title', feed.title),
    element('link', feed.pageUrl),
    element('description', feed.description),
    element('language', feed.language),
    element('lastBuildDate', new Date(feed.updatedAt).toUTCString()),
    element('generator', 'Tocsin'),
    `<atom:link rel="self" type="application/rss+xml" href="${escapeHtml(feed.feedUrl)}"/>`,
    ...feed.entries.map(rssItem),
    '</channel>',
    '</rss>\n',
  ].join('\n');
}

function rssItem(entry: ReturnType<typeof entryOf>): string {
  return [
    '<item>',
    element('title', entry.title),
    element('link', entry.url),
    element('description', entry.html),
    `<guid isPermaLink="false">${escapeHtml(entry.id)}</guid>`,
    element('pubDate', new Date(entry.updatedAt).toUTCString()),
    '</item>',
  ].join('\n');
}

function jsonFeed(feed: FeedContent): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.pageUrl,
    feed_url: feed.feedUrl,
    description: feed.description,
    language: feed.language,
    authors: [{ name: feed.author, url: feed.pageUrl }],
    items: feed.entries.map((entry) => ({
      id: entry.id,
      url: entry.url,
      title: entry.title,
      summary: entry.summary,
      content_html: entry.html,
      date_published: isoTime(entry.publishedAt),
      date_modified: isoTime(entry.updatedAt),
    })),
  });
}

const XML = '<?xml version="1.0" encoding="utf-8"?>';

function element(name: string, text: string): string {
  return `<${name}>${escapeHtml(text)}</${name}>`;
}
