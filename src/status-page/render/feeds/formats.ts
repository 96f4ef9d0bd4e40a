import { escapeHtml } from '../../../lib/text.ts';
import type { FeedContent, FeedEntry } from './entries.ts';

/** Atom (RFC 4287). */
export function atom(feed: FeedContent): string {
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

function atomEntry(entry: FeedEntry): string {
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
export function rss(feed: FeedContent): string {
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

function rssItem(entry: FeedEntry): string {
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

/** JSON Feed 1.1. */
export function jsonFeed(feed: FeedContent): string {
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

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
