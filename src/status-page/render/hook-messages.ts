import { cut, singleLine, escapeTags } from '../../lib/text.ts';
import { SUBSCRIPTION_CHALLENGE, type SubscriberKind } from '../../model/outgoing.ts';
import { isoTime } from '../facts/days.ts';
import type { AnnouncementFacts, PageIdentity, UpdateFacts } from '../facts/model.ts';
import { markdownToText } from '../text/markdown.ts';
import { announcementTitle, automaticText, stateName } from './titles.ts';
import { wordsOf } from './words/index.ts';

/** Ways to notify a subscriber by a request, apart from mail. */
export type HookKind = Exclude<SubscriberKind, 'email'>;

type MessagePage = Pick<PageIdentity, 'id' | 'name' | 'language'>;

/** The addresses that change and end a subscription. */
interface SubscriptionUrls {
  manage: string;
  unsubscribe: string;
}

export interface SentUpdate {
  page: MessagePage;
  announcement: AnnouncementFacts;
  update: UpdateFacts;
  pageUrl: string;
  url: string;
  subscription: SubscriptionUrls;
}

interface Challenge {
  page: MessagePage;
  pageUrl: string;
  /** What a webhook answers with. */
  token: string;
  /** Of the form that confirms. */
  url: string;
  until: number;
  at: number;
  subscription: SubscriptionUrls;
}

/** The message that asks a hook or a phone to confirm its subscription, as it is sent. */
export function challengeOf(kind: HookKind, challenge: Challenge): string {
  const { page, url, subscription } = challenge;
  if (kind === 'webhook') return webhookChallenge(challenge);
  const { subscribe, mail } = wordsOf(page.language);
  if (kind === 'sms') return `${singleLine(mail.confirmSubject(page.name))}: ${url}`;
  const links = [
    { title: subscribe.confirm, url },
    { title: subscribe.unsubscribe, url: subscription.unsubscribe },
  ];
  return chatMessage(kind, {
    headline: null,
    text: singleLine(mail.confirmText(page.name)),
    links,
  });
}

/**
 * The message about an update, as it is sent.
 *
 * @param isLast for the last text message of an hour, which says that further updates are not sent.
 */
export function updateMessage(kind: HookKind, sent: SentUpdate, isLast = false): string {
  if (kind === 'webhook') return webhookBody(sent);
  const { page, announcement, update, url, subscription } = sent;
  const words = wordsOf(page.language);
  const title = announcementTitle(announcement, words);
  const headline = singleLine(`[${page.name}] ${stateName(update.state, words)}: ${title}`);
  const { unsubscribe, smsPaused } = words.subscribe;
  if (kind === 'sms')
    return [
      cut(headline, LONGEST.sms),
      url,
      ...(isLast ? [smsPaused] : []),
      `${unsubscribe}: ${subscription.unsubscribe}`,
    ].join('\n');
  const text =
    update.text === null ? automaticText(update, announcement, words) : markdownToText(update.text);
  const links = [
    { title: words.mail.seePage, url },
    { title: unsubscribe, url: subscription.unsubscribe },
  ];
  return chatMessage(kind, { headline, text, links });
}

interface ChatMessage {
  headline: string | null;
  text: string;
  links: readonly { title: string; url: string }[];
}

const chatMessage = (kind: 'slack' | 'microsoft_teams', message: ChatMessage) =>
  JSON.stringify(kind === 'slack' ? slackBlocks(message) : teamsCard(message));

/**
 * In characters. Of Slack a header, a section's text and a button (https://docs.slack.dev/reference/block-kit/blocks); Teams
 * takes messages of 28 kB.
 */
const LONGEST = { header: 150, section: 3_000, title: 75, sms: 160 };

/** Plain text objects throughout: nothing in it is mark-up there. */
function slackBlocks({ headline, text, links }: ChatMessage): object {
  return {
    text: escapeTags(headline ?? text),
    blocks: [
      ...(headline === null
        ? []
        : [{ type: 'header', text: plain(cut(headline, LONGEST.header)) }]),
      ...(text.trim() === '' ? [] : [{ type: 'section', text: plain(cut(text, LONGEST.section)) }]),
      {
        type: 'actions',
        elements: links.map(({ title, url }) => ({
          type: 'button',
          text: plain(cut(title, LONGEST.title)),
          url,
        })),
      },
    ],
    unfurl_links: false,
    unfurl_media: false,
  };
}

const block = (run: object) => ({
  type: 'RichTextBlock',
  inlines: [{ type: 'TextRun', ...run }],
});

/** An adaptive card of text runs, which know no Markdown. */
function teamsCard({ headline, text, links }: ChatMessage): object {
  const lines = cut(text, LONGEST.section).split('\n');
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: headline ?? text,
    msteams: { width: 'Full' },
    body: [
      ...(headline === null ? [] : [block({ text: headline, size: 'Large', weight: 'Bolder' })]),
      ...lines.filter((line) => line.trim() !== '').map((line) => block({ text: line })),
    ],
    actions: links.map(({ title, url }) => ({ type: 'Action.OpenUrl', title, url })),
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
}

const linksOf = ({ manage, unsubscribe }: SubscriptionUrls) => ({
  manage_url: manage,
  unsubscribe_url: unsubscribe,
});

function webhookBody({ page, announcement, update, pageUrl, url, subscription }: SentUpdate) {
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
    subscription: linksOf(subscription),
  });
}

function webhookChallenge({ page, pageUrl, token, url, until, at, subscription }: Challenge) {
  return JSON.stringify({
    event: SUBSCRIPTION_CHALLENGE,
    timestamp: isoTime(at),
    page: { id: page.id, name: page.name, url: pageUrl },
    challenge: token,
    confirm_url: url,
    expires_at: isoTime(until),
    subscription: linksOf(subscription),
  });
}

function plain(text: string): object {
  return { type: 'plain_text', text, emoji: false };
}
