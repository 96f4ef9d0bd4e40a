import { plainName, singleLine } from '../../lib/text.ts';
import {
  layOutMail,
  type MailBrand,
  type MailLayout,
  type MailPart,
  type MailTone,
} from '../../lib/mail-layout.ts';
import { hasMailLogo } from '../../model/page-images.ts';
import type { AnnouncementFacts, PageIdentity, UpdateFacts } from '../facts/model.ts';
import { markdownToHtml, markdownToText } from '../text/markdown.ts';
import { toneOf } from './announcements.ts';
import type { Tone } from './sentence.ts';
import { announcementTitle, automaticText, plannedRange, stateName } from './titles.ts';
import { wordsOf, type Words } from './words/index.ts';

/** Makes the mail of one subscriber, from the addresses to change and to end the subscription. */
export type MailFor = ReturnType<typeof mailFor>;

type MailPage = Pick<PageIdentity, 'id' | 'name' | 'language' | 'timezone' | 'brand' | 'images'>;

/** Characters of the name of a page as a sender, and in a mail to somebody who may not know it. */
const LONGEST_NAME = 60;

/** Mail with the link that confirms an address. @param until end of the link, epoch ms. */
export function renderConfirmation(page: MailPage, { url, until }: { url: string; until: number }) {
  const words = wordsOf(page.language);
  const name = plainName(page.name, LONGEST_NAME);
  const { mail } = words;
  const subject = mail.confirmSubject(name);
  const parts = [
    { text: mail.confirmText(name) },
    { open: { label: words.subscribe.confirm, url } },
    { text: mail.confirmUntil(words.dateTime(until, page.timezone)) },
    { remark: mail.confirmIgnore },
  ];
  return mailOf(page, words, { name, subject, headline: subject, parts }, null);
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
  const affected = words.list(services.map(({ name }) => name));
  const planned = plannedRange(announcement, page.timezone, words);
  return mailFor(page, words, {
    headline: `${state}: ${title}`,
    tone: toneOf({ ...announcement, state: update.state }),
    parts: [
      update.text === null
        ? { text: automaticText(update, announcement, words) }
        : { html: markdownToHtml(update.text), plain: markdownToText(update.text) },
      {
        facts: [
          ...(planned === null ? [] : [{ name: words.incidents.maintenance, value: planned }]),
          ...(services.length === 0 ? [] : [{ name: words.incidents.affected, value: affected }]),
        ],
      },
      { remark: words.dateTime(update.at, page.timezone) },
      { buttons: [{ label: words.mail.seePage, url }] },
      ...(isLast ? [{ remark: words.mail.heldBack }] : []),
    ],
  });
}

/** One mail in place of many: the state of the announcements that had updates which were held back. */
export function renderDigest(
  page: MailPage,
  announcements: readonly { announcement: AnnouncementFacts; url: string }[],
): MailFor {
  const words = wordsOf(page.language);
  return mailFor(page, words, {
    headline: words.mail.digestSubject,
    parts: [
      { text: words.mail.digestText },
      {
        links: announcements.map(({ announcement, url }) => ({
          label: `${stateName(announcement.state, words)}: ${announcementTitle(announcement, words)}`,
          url,
        })),
      },
    ],
  });
}

interface Letter {
  /** That of the page, as the mail shows it. */
  name: string;
  subject: string;
  headline: string;
  tone?: Tone;
  parts: readonly MailPart[];
}

function mailFor(page: MailPage, words: Words, letter: Omit<Letter, 'name' | 'subject'>) {
  const headline = singleLine(letter.headline);
  const subject = `[${singleLine(page.name)}] ${headline}`;
  const { because, change, unsubscribe } = words.mail;
  const { contact, terms } = page.brand.links;
  return (urls: { manage: string; unsubscribe: string }) =>
    mailOf(
      page,
      words,
      { ...letter, name: page.name, subject, headline },
      {
        text: because(page.name),
        links: [
          { label: change, url: urls.manage },
          { label: unsubscribe, url: urls.unsubscribe },
          ...(contact === null ? [] : [{ label: words.links.contact, url: contact }]),
          ...(terms === null ? [] : [{ label: words.links.terms, url: terms }]),
        ],
      },
    );
}

const TONES: Record<Tone, MailTone> = {
  up: 'good',
  degraded: 'warning',
  down: 'critical',
  maintenance: 'maintenance',
  unknown: 'neutral',
  paused: 'neutral',
};

function mailOf(
  page: MailPage,
  { language }: Words,
  { name, tone = 'unknown', ...letter }: Letter,
  footer: MailLayout['footer'],
) {
  const brand: MailBrand = {
    name,
    image: hasMailLogo(page.images) ? 'logo' : null,
    accent: page.brand.accent,
  };
  const laidOut = layOutMail({ ...letter, language, brand, tone: TONES[tone], footer });
  return { subject: letter.subject, ...laidOut, page: senderOf(page) };
}

/** The page as the sender of a mail. */
function senderOf({ id, name }: MailPage) {
  return { id, name: plainName(name, LONGEST_NAME) };
}
