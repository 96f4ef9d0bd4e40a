import { SUBSCRIPTION_CHALLENGE } from '../../model/outgoing.ts';
import { cut, singleLine } from '../../lib/text.ts';
import type { AnnouncementFacts, PageIdentity, UpdateFacts } from '../facts/model.ts';
import { markdownToText } from '../text/markdown.ts';
import { announcementTitle, automaticText, stateName } from './titles.ts';
import { wordsOf } from './words/index.ts';

/** An update and the addresses of its page and announcement. */
export interface SentUpdate {
  page: Pick<PageIdentity, 'id' | 'name' | 'language'>;
  announcement: AnnouncementFacts;
  update: UpdateFacts;
  pageUrl: string;
  url: string;
}

/** Body of a webhook about an update: the same for all subscribers. */
export function webhookBody({ page, announcement, update, pageUrl, url }: SentUpdate): string {
  const words = wordsOf(page.language);
  const { id, kind, impact, state, startedAt, endedAt, plannedUntil, services } = announcement;
  return JSON.stringify({
    event: 'announcement.updated',
    timestamp: isoTime(update.at),
    page: { id: page.id, name: page.name, url: pageUrl },
    announcement: {
      id,
      kind,
      title: announcementTitle(announcement, words),
      impact,
      state,
      started_at: isoTime(startedAt),
      ended_at: endedAt === null ? null : isoTime(endedAt),
      planned_until: plannedUntil === null ? null : isoTime(plannedUntil),
      services: services.map(({ monitorId, name }) => ({ id: monitorId, name })),
      url,
    },
    update: {
      id: update.id,
      state: update.state,
      text: update.text ?? automaticText(update, announcement, words),
      created_at: isoTime(update.at),
    },
  });
}

/** A subscription that a webhook or Slack channel is to confirm. Times are epoch milliseconds. */
export interface Challenge {
  page: Pick<PageIdentity, 'id' | 'name' | 'language'>;
  pageUrl: string;
  /** What a webhook answers with. */
  token: string;
  /** Link that confirms as well. */
  url: string;
  until: number;
  at: number;
}

/** Body of a webhook that asks for a confirmation. */
export function webhookChallenge({ page, pageUrl, token, url, until, at }: Challenge): string {
  return JSON.stringify({
    event: SUBSCRIPTION_CHALLENGE,
    timestamp: isoTime(at),
    page: { id: page.id, name: page.name, url: pageUrl },
    challenge: token,
    confirm_url: url,
    expires_at: isoTime(until),
  });
}

/** Message to a Slack channel that asks for a confirmation. */
export function slackChallenge({ page, url }: Challenge): string {
  const { subscribe, mail } = wordsOf(page.language);
  const text = singleLine(mail.confirmText(page.name));
  const label = plain(cut(subscribe.confirm, LONGEST.title));
  return JSON.stringify({
    text: escaped(text),
    blocks: [
      { type: 'section', text: plain(cut(text, LONGEST.section)) },
      { type: 'actions', elements: [{ type: 'button', text: label, url }] },
    ],
    unfurl_links: false,
    unfurl_media: false,
  });
}

/** In characters, of a header and of a section's text (https://docs.slack.dev/reference/block-kit/blocks). */
const LONGEST = { header: 150, section: 3_000, title: 75 };

/** Message to a Slack channel. Plain text objects throughout: nothing in it is mark-up there. */
export function slackBody({ page, announcement, update, url }: SentUpdate): string {
  const words = wordsOf(page.language);
  const title = announcementTitle(announcement, words);
  const headline = singleLine(`[${page.name}] ${stateName(update.state, words)}: ${title}`);
  const text =
    update.text === null ? automaticText(update, announcement, words) : markdownToText(update.text);
  return JSON.stringify({
    text: escaped(headline),
    blocks: [
      { type: 'header', text: plain(cut(headline, LONGEST.header)) },
      ...(text.trim() === '' ? [] : [{ type: 'section', text: plain(cut(text, LONGEST.section)) }]),
      {
        type: 'actions',
        elements: [{ type: 'button', text: plain(cut(words.mail.seePage, LONGEST.title)), url }],
      },
    ],
    unfurl_links: false,
    unfurl_media: false,
  });
}

function plain(text: string): object {
  return { type: 'plain_text', text, emoji: false };
}

/** Escapes text that Slack would read as a tag or a mention. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
