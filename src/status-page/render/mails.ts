import { plainName } from '../../lib/plain-name.ts';
import { escapeHtml, singleLine } from '../../lib/text.ts';
import type { AnnouncementFacts, PageIdentity, UpdateFacts } from '../facts/model.ts';
import { markdownToHtml, markdownToText } from '../text/markdown.ts';
import { announcementTitle, automaticText, stateName } from './titles.ts';
import { wordsOf, type Words } from './words/index.ts';

/** A mail to a subscriber, without its recipient. */
export interface SubscriberMailText {
  subject: string;
  text: string;
  html: string;
}

/** Addresses to change and to end a subscription. */
export interface SubscriptionUrls {
  manage: string;
  unsubscribe: string;
}

/** Makes the mail of one subscriber. */
export type MailFor = (urls: SubscriptionUrls) => SubscriberMailText;

/** A page as mails name it. */
type MailPage = Pick<PageIdentity, 'name' | 'language' | 'timezone'>;

/** Characters of the name of a page in a mail to somebody who may not know it. */
const LONGEST_NAME = 60;

/** Mail with the link that confirms an address. @param until end of the link, epoch ms. */
export function renderConfirmation(
  page: MailPage,
  { url, until }: { url: string; until: number },
): SubscriberMailText {
  const words = wordsOf(page.language);
  const name = plainName(page.name, LONGEST_NAME);
  const { mail } = words;
  return mailOf(words, mail.confirmSubject(name), [
    { text: mail.confirmText(name) },
    { link: { label: words.subscribe.confirm, url } },
    { text: mail.confirmUntil(words.dateTime(until, page.timezone)) },
    { text: mail.confirmIgnore },
  ]);
}

/**
 * Mail about an update of an announcement.
 *
 * @param isLast for the last mail of an hour, which says that further updates are held back.
 */
export function renderUpdateMail(
  page: MailPage,
  announcement: AnnouncementFacts,
  update: UpdateFacts,
  { url, isLast }: { url: string; isLast: boolean },
): MailFor {
  const words = wordsOf(page.language);
  const title = announcementTitle(announcement, words);
  const state = stateName(update.state, words);
  const { services } = announcement;
  return mailFor(page, words, `${state}: ${title}`, [
    update.text === null
      ? { text: automaticText(update, announcement, words) }
      : { markdown: update.text },
    {
      facts: [
        words.dateTime(update.at, page.timezone),
        ...plannedTime(page, announcement, words),
        ...(services.length === 0
          ? []
          : [`${words.incidents.affected}: ${words.list(services.map(({ name }) => name))}`]),
      ],
    },
    { link: { label: words.mail.seePage, url } },
    ...(isLast ? [{ text: words.mail.heldBack }] : []),
  ]);
}

function plannedTime(
  { timezone }: MailPage,
  { kind, startedAt, plannedUntil }: AnnouncementFacts,
  words: Words,
): string[] {
  if (kind !== 'maintenance' || plannedUntil === null) return [];
  return [`${words.incidents.maintenance}: ${words.range(startedAt, plannedUntil, timezone)}`];
}

/** One mail in place of many: the state of the announcements that had updates which were held back. */
export function renderDigest(
  page: MailPage,
  announcements: readonly { announcement: AnnouncementFacts; url: string }[],
): MailFor {
  const words = wordsOf(page.language);
  return mailFor(page, words, words.mail.digestSubject, [
    { text: words.mail.digestText },
    ...announcements.map(({ announcement, url }) => ({
      link: {
        label: `${stateName(announcement.state, words)}: ${announcementTitle(announcement, words)}`,
        url,
      },
    })),
  ]);
}

type Part =
  | { text: string }
  | { markdown: string }
  | { facts: readonly string[] }
  | { link: { label: string; url: string } };

function mailFor(page: MailPage, words: Words, headline: string, parts: readonly Part[]): MailFor {
  const subject = `[${singleLine(page.name)}] ${singleLine(headline)}`;
  const { because, change, unsubscribe } = words.mail;
  return (urls) =>
    mailOf(words, subject, parts, {
      text: because(page.name),
      links: [
        { label: change, url: urls.manage },
        { label: unsubscribe, url: urls.unsubscribe },
      ],
    });
}

interface Footer {
  text: string;
  links: readonly { label: string; url: string }[];
}

function mailOf(
  { language }: Words,
  subject: string,
  parts: readonly Part[],
  footer?: Footer,
): SubscriberMailText {
  const end =
    footer &&
    [footer.text, ...footer.links.map(({ label, url }) => `${label}:\n${url}`)].join('\n');
  const text = [...parts.map(textOf), ...(end === undefined ? [] : [`-- \n${end}`])];
  const html = [
    '<!doctype html>',
    `<html lang="${language}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>`,
    '<body style="margin:0;padding:24px 16px">',
    '<div style="max-width:36em;margin:0 auto;font:16px/1.5 system-ui,-apple-system,\'Segoe UI\',Roboto,sans-serif;overflow-wrap:anywhere">',
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:1.35">${escapeHtml(subject)}</h1>`,
    ...parts.map(htmlOf),
    ...(footer === undefined ? [] : [footerOf(footer)]),
    '</div></body></html>\n',
  ];
  return { subject, text: `${text.join('\n\n')}\n`, html: html.join('\n') };
}

function textOf(part: Part): string {
  if ('text' in part) return part.text;
  if ('markdown' in part) return markdownToText(part.markdown);
  if ('facts' in part) return part.facts.join('\n');
  return `${part.link.label}:\n${part.link.url}`;
}

function htmlOf(part: Part): string {
  if ('text' in part) return `<p>${escapeHtml(part.text)}</p>`;
  if ('markdown' in part) return markdownToHtml(part.markdown);
  if ('facts' in part) return `<p>${part.facts.map(escapeHtml).join('<br>')}</p>`;
  return `<p><a href="${escapeHtml(part.link.url)}">${escapeHtml(part.link.label)}</a></p>`;
}

function footerOf({ text, links }: Footer): string {
  const shown = links.map(
    ({ label, url }) => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`,
  );
  return `<hr style="border:0;border-top:1px solid #88888866;margin:24px 0 12px"><p style="font-size:13px">${escapeHtml(text)}<br>${shown.join(' · ')}</p>`;
}
