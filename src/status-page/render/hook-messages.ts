import { slackMessage, teamsMessage, type ChatMessage } from '../../lib/chat-messages.ts';
import { cut, singleLine } from '../../lib/text.ts';
import { SUBSCRIPTION_CHALLENGE, type SubscriberKind } from '../../model/outgoing.ts';
import { isoTime } from '../facts/days.ts';
import type { AnnouncementFacts, PageIdentity, UpdateFacts } from '../facts/model.ts';
import { markdownToText } from '../text/markdown.ts';
import { announcementTitle, automaticText, plannedRange, stateName } from './titles.ts';
import { wordsOf } from './words/index.ts';

/** Ways to notify a subscriber by a request, apart from mail. */
export type HookKind = Exclude<SubscriberKind, 'email'>;

type MessagePage = Pick<PageIdentity, 'id' | 'name' | 'language' | 'timezone'>;

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
  const planned = plannedRange(announcement, page.timezone, words);
  const times = planned === null ? [] : [planned];
  const { unsubscribe, smsPaused } = words.subscribe;
  if (kind === 'sms')
    return [
      cut(headline, LONGEST.sms),
      ...times,
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
  return chatMessage(kind, { headline, text: [...times, text].join('\n'), links });
}

/** In characters; Teams takes 28 kB. */
const LONGEST = { text: 3_000, sms: 160 };

function chatMessage(kind: 'slack' | 'microsoft_teams', { text, ...rest }: ChatMessage): string {
  const message = { ...rest, text: cut(text, LONGEST.text) };
  return JSON.stringify(kind === 'slack' ? slackMessage(message) : teamsMessage(message));
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
