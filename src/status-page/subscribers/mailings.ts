import type { Clock } from '../../lib/clock.ts';
import { unsubscribeHeaders } from '../../lib/mail-layout.ts';
import type { Log } from '../../lib/log.ts';
import { createPoller } from '../../lib/poller.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { SUBSCRIPTION_TOKEN } from '../../model/outgoing.ts';
import { type NewDelivery, destinationStore } from '../../store/alerting/destinations.ts';
import type { MailQueue, SubscriberMail } from '../../store/alerting/mails.ts';
import type { Database, Tx } from '../../store/database/contract.ts';
import { isUnavailable } from '../../store/database/errors.ts';
import { mailings, type DueMailing, type HourlyMails } from '../../store/resources/mailings.ts';
import { openAddress, type SubscriberRow } from '../../store/resources/subscribers.ts';
import type { AnnouncementPageFacts, PageIdentity } from '../facts/model.ts';
import { addressOf, DOCUMENTS } from '../facts/urls.ts';
import { updateMessage, type HookKind, type SentUpdate } from '../render/hook-messages.ts';
import { renderDigest, renderUpdateMail, type MailFor } from '../render/messages.ts';
import { readAnnouncementFacts, readPageOutline } from '../read-facts.ts';
import { subscriptionUrls, type SubscriberLinks } from './addresses.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const INTERVAL_MS = SECOND_MS;
const BATCH = 200;
/** Mails to subscribers that may wait in the outbox before more are enqueued. */
const MAX_QUEUED = 400;
const POSTPONE_MS = 5 * 60_000;
/** Time after which an update that could not be sent is dropped: it is no longer news. */
const SEND_WITHIN_MS = DAY_MS;
const MAX_IN_DIGEST = 20;
const CLEANING = [mailings.deleteUnconfirmed, mailings.deleteAbandonedQueues];

/**
 * Sends updates to subscribers. Each batch enqueues its messages and moves the position of its mailing in one transaction:
 * after a crash the next batch begins where the last one ended, and two processes never serve the same batch. Any number of
 * processes may run one.
 */
export function createMailings(dependencies: {
  database: Database;
  clock: Clock;
  log: Log;
  mailQueue: MailQueue;
  secretBox: SecretBox;
  links: SubscriberLinks;
  baseUrl: () => string;
  onDeliveries(): void;
}) {
  const { database, clock, log, mailQueue, secretBox, links, baseUrl, onDeliveries } = dependencies;
  let cleanedAt = -Infinity;

  const poller = createPoller({
    run,
    clock,
    intervalMs: INTERVAL_MS,
    isUnavailable,
    onFailure: fail,
  });
  const yieldToOthers = () => new Promise<void>((resolve) => clock.soon(resolve));

  function fail(error: unknown): void {
    // Log: Mails and messages about updates of status pages wait.
    log.error({ error }, 'Updates could not be handed to subscribers; it is tried again.');
  }

  async function run(): Promise<void> {
    for (;;) {
      if (poller.isStopped) return;
      const due = await mailings.findDue(database.read, clock.now());
      if (due === undefined || !(await isolated(due.id))) break;
      await yieldToOthers();
    }
    if (mailQueue.isConfigured) await sendDigests();
    if (clock.monotonic() - cleanedAt < HOUR_MS) return;
    cleanedAt = clock.monotonic();
    for (const deleteSome of CLEANING) {
      let hasMore = true;
      while (hasMore && !poller.isStopped) hasMore = await deleteSome(database, clock.now());
    }
  }

  /** One mailing that fails must not keep others back. @returns whether others may be served now. */
  async function isolated(id: number): Promise<boolean> {
    try {
      return await serve(id);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      fail(error);
      await mailings.postpone(database, id, clock.now() + POSTPONE_MS);
      return true;
    }
  }

  async function serve(id: number): Promise<boolean> {
    const mailing = await mailings.read(database.read, id);
    if (mailing === undefined) return true;
    const now = clock.now();
    const sent = await readUpdate(mailing, now);
    if (sent === null) return database.transaction((tx) => end(tx, mailing));
    if ((await mailings.countQueuedMails(database.read, MAX_QUEUED)) >= MAX_QUEUED) {
      await mailings.postpone(database, id, now + SECOND_MS);
      return true;
    }
    const isOurs = await database.transaction((tx) => serveBatch(tx, mailing, sent, now));
    if (isOurs) onDeliveries();
    return isOurs;
  }

  /** Null for an update that is no longer shown, or is too old. */
  async function readUpdate(mailing: DueMailing, now: number): Promise<Update | null> {
    if (mailing.isVoid || mailing.createdAt < now - SEND_WITHIN_MS) return null;
    const { pageId, announcementId, updateId } = mailing;
    const facts = await readAnnouncementFacts(database, pageId, announcementId, now);
    const update = facts?.announcement.updates.find(({ id }) => id === updateId);
    if (facts === null || update === undefined) return null;
    const { page, announcement } = facts;
    const url = announcementUrl(facts);
    const pageUrl = addressOf(page, DOCUMENTS.page(page.slug), baseUrl());
    const subscription = subscriptionUrls(page, SUBSCRIPTION_TOKEN, baseUrl());
    return { facts, sent: { page, announcement, update, url, pageUrl, subscription } };
  }

  /** @returns false when another process serves the mailing. */
  async function serveBatch(tx: Tx, mailing: DueMailing, update: Update, now: number) {
    if (!(await mailings.lock(tx, mailing))) return false;
    const { pageId, position } = mailing;
    const next = await mailings.nextSubscribers(tx, pageId, { after: position, limit: BATCH });
    const wanted = next.subscribers.filter((row) =>
      isWanted(row, update.facts.announcement.services),
    );
    await enqueueMails(tx, wanted, update, now);
    const { messages, hours } = messagesOf(wanted, update, mailing, now);
    if (messages.length > 0) await destinationStore(tx).enqueue(messages, now);
    // After their queues, which the process that sends locks before it locks them.
    await mailings.writeHourlyMails(tx, hours);
    const nextAt = next.isLast ? null : now;
    await mailings.move(tx, mailing.id, { position: next.position, nextAt });
    return true;
  }

  async function enqueueMails(
    tx: Tx,
    rows: readonly SubscriberRow[],
    { facts, sent }: Update,
    now: number,
  ): Promise<void> {
    if (!mailQueue.isConfigured) return;
    const { page, announcement, update, url } = sent;
    const make = (isLast: boolean) =>
      renderUpdateMail(facts.page, announcement, update, { url, isLast });
    const mails: Record<Exclude<MailDecision, 'hold'>, MailFor> = {
      send: make(false),
      last: make(true),
    };
    const hours: HourlyMails[] = [];
    const queued: SubscriberMail[] = [];
    for (const row of rows) {
      if (row.kind !== 'email') continue;
      const { decision, hour } = countMail(hourOf(row), now);
      hours.push({ id: row.id, ...hour });
      if (decision === 'hold') continue;
      const id = `status_update.${update.id}.${row.id}`;
      const mail = mailTo(row, facts.page, mails[decision], { id, now });
      if (mail !== null)
        queued.push({ ...mail, thread: `announcement.${announcement.id}.${page.id}` });
    }
    await mailings.writeHourlyMails(tx, hours);
    await mailQueue.enqueueForSubscribers(tx, queued, now);
  }

  /** Null for an address that no key of SECRET_KEY opens. */
  function mailTo(
    subscriber: SubscriberRow,
    page: PageIdentity,
    make: MailFor,
    mail: { id: string; now: number },
  ): SubscriberMail | null {
    const { id } = subscriber;
    const to = openAddress(subscriber, secretBox);
    if (to === null) return null;
    const urls = subscriptionUrls(page, links.manageToken(id), baseUrl());
    return {
      kind: 'status_update',
      subscriberId: id,
      messageId: mail.id,
      to,
      ...make(urls),
      headers: {
        ...unsubscribeHeaders(urls.unsubscribe),
        'List-Id': `<page-${page.id}.${new URL(baseUrl()).hostname}>`,
      },
      expiresAt: mail.now + SEND_WITHIN_MS,
    };
  }

  async function sendDigests(): Promise<void> {
    for (;;) {
      if (poller.isStopped) return;
      const rows = await mailings.dueDigests(database.read, clock.now(), BATCH);
      const [first] = rows;
      if (first === undefined) return;
      await sendDigestsOf(first.page_id, rows);
      onDeliveries();
      await yieldToOthers();
    }
  }

  async function sendDigestsOf(pageId: number, rows: readonly SubscriberRow[]): Promise<void> {
    const now = clock.now();
    const wantedBy = await readHeld(pageId, rows, now);
    const outline = await readPageOutline(database, pageId);
    await database.transaction(async (tx) => {
      const queued: SubscriberMail[] = [];
      const hours: HourlyMails[] = [];
      for (const row of rows) {
        const claimed = await mailings.claimDigest(tx, row.id);
        if (claimed === undefined) continue;
        const wanted = wantedBy.get(row)!;
        if (outline === null || outline.page.isDraft || wanted.length === 0) continue;
        const parts = wanted.map((facts) => ({
          announcement: facts.announcement,
          url: announcementUrl(facts),
        }));
        const id = `status_digest.${row.digest_at}.${row.id}`;
        const mail = mailTo(row, outline.page, renderDigest(outline.page, parts), { id, now });
        if (mail === null) continue;
        queued.push(mail);
        hours.push({ id: row.id, ...countDigest(claimed, now) });
      }
      await mailings.writeHourlyMails(tx, hours);
      await mailQueue.enqueueForSubscribers(tx, queued, now);
    });
  }

  /** For each subscriber, the announcements that may have held updates, the newest first. */
  async function readHeld(
    pageId: number,
    rows: readonly SubscriberRow[],
    now: number,
  ): Promise<Map<SubscriberRow, AnnouncementPageFacts[]>> {
    const hourFrom = Math.min(...rows.map((row) => row.digest_at!)) - HOUR_MS;
    // An update that was held in that hour may have waited this long: one named twice is better than one never named.
    const ids = await mailings.announcementsSentSince(
      database.read,
      pageId,
      hourFrom - SEND_WITHIN_MS,
    );
    const held = new Map(rows.map((row): [SubscriberRow, AnnouncementPageFacts[]] => [row, []]));
    for (let from = 0; from < ids.length; from += MAX_IN_DIGEST) {
      const open = [...held].filter(([, wanted]) => wanted.length < MAX_IN_DIGEST);
      if (open.length === 0) break;
      const some = ids.slice(from, from + MAX_IN_DIGEST);
      const read = await Promise.all(
        some.map((id) => readAnnouncementFacts(database, pageId, id, now)),
      );
      const shown = read.filter((facts) => facts !== null);
      for (const [row, wanted] of open) {
        const more = shown.filter(({ announcement }) => isWanted(row, announcement.services));
        wanted.push(...more.slice(0, MAX_IN_DIGEST - wanted.length));
      }
    }
    return held;
  }

  function announcementUrl({ page, announcement }: AnnouncementPageFacts): string {
    return addressOf(page, DOCUMENTS.announcement(page.slug, announcement.id), baseUrl());
  }

  return { start: () => poller.start(), wake: () => poller.wake(), stop: () => poller.stop() };
}

/** Ends a mailing without sending. @returns false when another process has it. */
async function end(tx: Tx, mailing: DueMailing): Promise<boolean> {
  const isOurs = await mailings.lock(tx, mailing);
  if (isOurs) await mailings.move(tx, mailing.id, { position: mailing.position, nextAt: null });
  return isOurs;
}

interface Update {
  facts: AnnouncementPageFacts;
  sent: SentUpdate;
}

/** Messages to hooks, and the counted hours of those to phones: what is over is on the page alone. */
function messagesOf(
  rows: readonly SubscriberRow[],
  { facts, sent }: Update,
  { updateId }: DueMailing,
  now: number,
): { messages: NewDelivery[]; hours: HourlyMails[] } {
  const bodies = new Map<string, string>();
  const bodyOf = (kind: HookKind, isLast: boolean) => {
    const known = bodies.get(`${kind} ${isLast}`) ?? updateMessage(kind, sent, isLast);
    bodies.set(`${kind} ${isLast}`, known);
    return known;
  };
  const hours: HourlyMails[] = [];
  const messages = rows.flatMap((row): NewDelivery[] => {
    const { id, kind, destination_id: destinationId } = row;
    if (destinationId === null) return [];
    const counted = kind === 'sms' ? countMail(hourOf(row), now) : null;
    if (counted !== null) hours.push({ id, ...counted.hour, digestAt: null });
    if (counted?.decision === 'hold') return [];
    return [
      {
        destinationId,
        teamId: facts.page.teamId,
        messageId: `msg_update_${updateId}_${id}`,
        kind: 'status_update',
        eventType: 'announcement.updated',
        incidentId: null,
        alertId: null,
        body: bodyOf(kind as HookKind, counted?.decision === 'last'),
      },
    ];
  });
  return { messages, hours };
}

/** Whether a subscriber wants to know of an announcement: one without services is about the whole page. */
export function isWanted(
  { monitors }: Pick<SubscriberRow, 'monitors'>,
  services: readonly { monitorId: number }[],
): boolean {
  if (monitors === '[]' || services.length === 0) return true;
  const chosen = new Set(JSON.parse(monitors) as number[]);
  return services.some(({ monitorId }) => chosen.has(monitorId));
}

function hourOf({ mails, mails_until, digest_at }: SubscriberRow) {
  return { mails, mailsUntil: mails_until, digestAt: digest_at };
}

type MailHour = Omit<HourlyMails, 'id'>;

/** Maximum number of mails about updates per subscriber and hour, which begins with the first: an unstable service must not flood people. */
const MAILS_PER_HOUR = 10;

/** `last` is a mail that also says that the next updates are held back until the hour is over. */
type MailDecision = 'send' | 'last' | 'hold';

function countMail(hour: MailHour, now: number): { decision: MailDecision; hour: MailHour } {
  const { mails, mailsUntil, digestAt } = hour;
  if (!isRunning(mailsUntil, now))
    return { decision: 'send', hour: { mails: 1, mailsUntil: now + HOUR_MS, digestAt } };
  if (mails >= MAILS_PER_HOUR)
    return { decision: 'hold', hour: { ...hour, digestAt: digestAt ?? mailsUntil } };
  const decision = mails + 1 === MAILS_PER_HOUR ? 'last' : 'send';
  return { decision, hour: { ...hour, mails: mails + 1 } };
}

/** The hour after a mail about held updates: it counts in the hour that runs, and begins one when none does. */
function countDigest(
  { mails, mailsUntil }: Pick<MailHour, 'mails' | 'mailsUntil'>,
  now: number,
): MailHour {
  return isRunning(mailsUntil, now)
    ? { mails: mails + 1, mailsUntil, digestAt: null }
    : { mails: 1, mailsUntil: now + HOUR_MS, digestAt: null };
}

/** An hour that ends far ahead began before the clock was set back: it is over. */
function isRunning(mailsUntil: number | null, now: number): mailsUntil is number {
  return mailsUntil !== null && mailsUntil > now && mailsUntil <= now + HOUR_MS;
}
