import { z } from 'zod';
import { MAIL_IMAGES } from '../../lib/mail-layout.ts';
import { SUBSCRIBER_KINDS, type SubscriberKind } from '../../model/outgoing.ts';
import type { AnnouncementPageFacts } from '../../status-page/facts/model.ts';
import { addressOf, DOCUMENTS } from '../../status-page/facts/urls.ts';
import { readAnnouncementFacts } from '../../status-page/read-facts.ts';
import { renderUpdateMail } from '../../status-page/render/messages.ts';
import { isWanted } from '../../status-page/subscribers/mailings.ts';
import type { MailQueue } from '../../store/alerting/mails.ts';
import type { Database, Tx } from '../../store/database/contract.ts';
import { subscriberRows } from '../../store/resources/subscribers.ts';
import type { CollectionDeps } from '../common/collection.ts';
import { noun, type Call } from '../common/operation.ts';
import { teamWriter } from '../common/team-writes.ts';
import { undone, withinTransaction } from '../common/within-transaction.ts';
import type { viewUpdate } from './announcement.ts';
import { announcementCreateBody, createAnnouncements } from './announcements.ts';
import { createUpdates, updateCreateBody, type Subject } from './updates.ts';

type Written = ReturnType<typeof viewUpdate>;

interface Mail {
  facts: AnnouncementPageFacts;
  mail: ReturnType<ReturnType<typeof renderUpdateMail>>;
}

type Counts = Record<SubscriberKind, number>;

interface Deps extends CollectionDeps {
  mailQueue: Pick<MailQueue, 'isConfigured'>;
  baseUrl: () => string;
}

/** Mails about updates that are not written yet: each is written, rendered, and undone. */
function createPreviews({ database, clock, mailQueue, baseUrl }: Deps) {
  const write = teamWriter(database, 'editor');

  function linksOf({ page, announcement }: AnnouncementPageFacts) {
    const toPage = addressOf(page, DOCUMENTS.page(page.slug), baseUrl());
    const document = DOCUMENTS.announcement(page.slug, announcement.id);
    return { toPage, url: addressOf(page, document, baseUrl()) };
  }

  const logoOf = ({ page: { slug } }: AnnouncementPageFacts) =>
    `${baseUrl()}/status/${DOCUMENTS.image(slug, 'logo')}`;

  async function mailsOf(
    inside: Database,
    { id: updateId, announcement_id: id, status_pages: pages }: Written,
  ): Promise<Mail[]> {
    const mails: Mail[] = [];
    for (const pageId of pages) {
      const facts = await readAnnouncementFacts(inside, pageId, id, clock.now());
      const update = facts?.announcement.updates.find((one) => one.id === updateId);
      if (facts === null || update === undefined) continue;
      const { toPage, url } = linksOf(facts);
      const make = renderUpdateMail(facts.page, facts.announcement, update, { url, isLast: false });
      // The links of a mail are those of its subscriber.
      mails.push({ facts, mail: make({ manage: toPage, unsubscribe: toPage }) });
    }
    return mails;
  }

  async function countsOf({ page, announcement }: AnnouncementPageFacts): Promise<Counts> {
    const counts = Object.fromEntries(SUBSCRIBER_KINDS.map((kind) => [kind, 0])) as Counts;
    if (page.isDraft) return counts;
    for (const row of await subscriberRows(database.scan).countsBySubscription(page.id))
      if (isWanted(row, announcement.services) && (row.kind !== 'email' || mailQueue.isConfigured))
        counts[row.kind as SubscriberKind] += Number(row.count);
    return counts;
  }

  async function preview({ caller }: Call, create: (inside: CollectionDeps) => Promise<Written>) {
    const rehearse = async (tx: Tx) => {
      const inside = withinTransaction(database, tx);
      return mailsOf(inside, await create({ database: inside, clock }));
    };
    const mails = await undone((work) => write(caller, 'create', work), rehearse);
    const data = mails.map(async ({ facts, mail: { page, subject, text, html } }) => ({
      status_page: page.id,
      sender: page.name,
      subject,
      text,
      html: html.replace(`cid:${MAIL_IMAGES.logo}`, logoOf(facts)),
      subscribers: await countsOf(facts),
    }));
    return { data: await Promise.all(data) };
  }

  return {
    previewAnnouncement: (call: Call) =>
      preview(call, async (inside) => {
        const { updates } = await createAnnouncements(inside).createAnnouncement(call);
        return updates[0]!;
      }),
    previewUpdate: (subject: Subject, call: Call) =>
      preview(call, (inside) => createUpdates(inside).create(subject, call)),
  };
}

const preview = z.object({
  data: z.array(
    z.object({
      status_page: z.int(),
      sender: z.string().meta({ description: 'Name that the mail comes from.' }),
      subject: z.string(),
      text: z.string(),
      html: z.string().meta({
        description: 'It loads the logo of the page, which is attached to the mail itself.',
      }),
      subscribers: z
        .object(Object.fromEntries(SUBSCRIBER_KINDS.map((kind) => [kind, z.int()])))
        .meta({ description: 'How many are notified, by their kind.' }),
    }),
  ),
});

const exampleOf = (state: string, text: string) => ({
  data: [
    {
      status_page: 1,
      sender: 'Acme status',
      subject: `[Acme status] ${state}: Payments are slow`,
      text: `${text}\n\n…`,
      html: `<!doctype html>…<p>${text}</p>…`,
      subscribers: Object.fromEntries(SUBSCRIBER_KINDS.map((kind) => [kind, 1])),
    },
  ],
});

const FOUND = { state: 'identified', text: 'A certificate has expired.' };
const ANSWER = exampleOf('Identified', FOUND.text);

const SAYS =
  'Answers the mail that subscribers of each page get, and how many are notified. Nothing is stored or sent. The body and its errors are those of';

type Its = ReturnType<typeof createPreviews>;

/** Previews of what subscribers get (contract 43). */
export const announcementPreviews = noun('Announcements', createPreviews, {
  previewAnnouncement: {
    at: 'POST /announcements/preview',
    status: 200,
    summary: 'Preview the mail of a new announcement',
    description: `${SAYS} \`POST /announcements\`.`,
    body: announcementCreateBody,
    answer: preview,
    example: {
      body: { ...FOUND, title: 'Payments are slow', status_pages: [1], monitors: [1] },
      answer: ANSWER,
    },
  },
  previewAnnouncementUpdate: {
    at: 'POST /announcements/:id/updates/preview',
    status: 200,
    summary: 'Preview the mail of an update of an announcement',
    description: `${SAYS} \`POST /announcements/{id}/updates\`.`,
    body: updateCreateBody,
    answer: preview,
    example: { body: FOUND, answer: ANSWER },
    handle: (its: Its, call: Call) => its.previewUpdate('announcement', call),
  },
  previewIncidentUpdate: {
    at: 'POST /incidents/:id/updates/preview',
    status: 200,
    summary: 'Preview the mail of an update about an incident',
    description: `${SAYS} \`POST /incidents/{id}/updates\`.`,
    body: updateCreateBody,
    answer: preview,
    example: { body: FOUND, answer: ANSWER },
    handle: (its: Its, call: Call) => its.previewUpdate('incident', call),
  },
});
