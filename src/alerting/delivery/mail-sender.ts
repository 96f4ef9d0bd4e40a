import { MAIL_IMAGES, withoutLogo } from '../../lib/mail-layout.ts';
import { MAX_MAIL_LOGO_BYTES } from '../../model/page-images.ts';
import { readPageImage } from '../../store/resources/page-facts.ts';
import { withoutAddresses } from '../../lib/text.ts';
import { SecretUnreadable } from '../../lib/secret-box.ts';
import { queueOf } from '../../store/alerting/deliveries.ts';
import { lockDestination, type ClaimedDestination } from '../../store/alerting/claims.ts';
import { destinationStore } from '../../store/alerting/destinations.ts';
import {
  openMail,
  postponeMail,
  type Mail,
  readMail,
  type StoredMail,
} from '../../store/alerting/mails.ts';
import { subscriberChanges, subscriberRows } from '../../store/resources/subscribers.ts';
import { ATTEMPT_MS, type SenderDependencies } from './attempt.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** After the first failure, the second, and so on; the last one repeats until the mail expires. */
const BACK_OFF_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 60 * MINUTE_MS];

type Result = 'sent' | 'postponed' | 'refused' | 'expired' | 'unreadable' | 'unwanted';

interface Outcome {
  result: Result;
  nextAt: number | null;
  reason: string | null;
  /** Subscriber of a status page whom the mail was sent to. */
  subscriberId?: number | undefined;
}

/**
 * Sends mails to people: one attempt each time that one is claimed, also where a process died before the end of an
 * attempt; then the mail is deleted or postponed. A crash between sending and deleting sends it twice, with the same
 * Message-ID, by which mail programs know it for one.
 */
export function createMailSender(dependencies: SenderDependencies) {
  const { database, leases, secretBox, tools, clock, log, stopping } = dependencies;
  /** Mails by what became of them; those that are tried again count each time. */
  const counters = { sent: 0, postponed: 0, refused: 0, expired: 0, unreadable: 0 };

  /** @param attempts this one among them. */
  function report(mail: StoredMail, attempts: number, { result, reason }: Outcome): void {
    if (result === 'unwanted') return;
    counters[result] += 1;
    const fields = { mail: mail.kind, attempt: attempts };
    if (result === 'sent')
      // Log: The mail server took it.
      log.info(fields, 'A mail was sent.');
    else log.warn({ ...fields, reason: withoutAddresses(reason) }, MESSAGES[result]);
  }

  /** The mail of a page, with its name and logo. One whose logo is gone or too large has none. */
  async function fromPage<Content extends { html: string }>(
    { id, name }: NonNullable<Mail['page']>,
    content: Content,
  ) {
    const hasLogo = content.html.includes(MAIL_IMAGES.logo);
    const logo = hasLogo ? await readPageImage(database.read, id, 'logo') : null;
    return logo === null || logo.bytes.length > MAX_MAIL_LOGO_BYTES
      ? { ...content, sender: name, html: withoutLogo(content.html) }
      : { ...content, sender: name, logo };
  }

  async function attempt(mail: StoredMail, attempts: number): Promise<Outcome> {
    if (mail.expiresAt <= clock.now()) return last('expired', 'its time was over');
    try {
      const { subscriberId, page, ...content } = openMail(secretBox, mail);
      if (
        subscriberId !== undefined &&
        !(await subscriberRows(database.read).isSubscribed(subscriberId))
      )
        return UNWANTED;
      const branded = page === undefined ? content : await fromPage(page, content);
      const sent = await tools.mailer!.send({ id: mail.messageId, ...branded }, stopping);
      if (sent.outcome === 'sent') return { ...last('sent', null), subscriberId };
      if (sent.outcome === 'refused') return { ...last('refused', sent.reason), subscriberId };
      const nextAt = Math.min(clock.now() + backOff(attempts), mail.expiresAt);
      return { result: 'postponed', nextAt, reason: sent.reason };
    } catch (error) {
      if (error instanceof SecretUnreadable) return last('unreadable', error.message);
      throw error;
    }
  }

  /**
   * Deletes a mail that was sent or given up, even if another process has claimed it: it need not be sent again.
   *
   * @returns whether the subscription ended that it was for.
   */
  function write(
    claimed: ClaimedDestination,
    { nextAt, result, reason, subscriberId }: Pick<Outcome, 'nextAt'> & Partial<Outcome>,
  ): Promise<boolean> {
    return database.transaction(async (tx) => {
      if (nextAt === null) {
        await destinationStore(tx).delete(claimed.id);
        if (subscriberId === undefined) return false;
        if (result !== 'sent')
          return subscriberChanges(tx).noteRefusal(subscriberId, reason ?? '', clock.now());
        await subscriberChanges(tx).clearRefusals(subscriberId);
        return false;
      }
      if (!(await lockDestination(tx, claimed))) return false;
      await postponeMail(tx, { destinationId: claimed.id, attempts: claimed.claim, nextAt });
      await queueOf(tx, claimed.id).release(clock.now());
      return false;
    });
  }

  return {
    async serve(claimed: ClaimedDestination): Promise<void> {
      const record = (outcome: Parameters<typeof write>[1]) =>
        leases.retryUntilRecorded(claimed, () => write(claimed, outcome));
      const found = await leases.retryUntilRecorded(claimed, async () => ({
        mail: await readMail(database.read, claimed.id),
      }));
      if (found === null) return;
      const { mail } = found;
      if (mail === null) return void (await record({ nextAt: null }));
      // The process was frozen: another one may have the mail by the time an attempt ends.
      if (!leases.lastsFor(claimed, ATTEMPT_MS.mail))
        return void (await record({ nextAt: clock.now() }));
      const outcome = await attempt(mail, claimed.claim);
      const hasEnded = await record(outcome);
      report(mail, claimed.claim, outcome);
      const { subscriberId, reason } = outcome;
      if (hasEnded && subscriberId !== undefined)
        // Log: A subscriber of a status page refused three messages in a row, answered HTTP 410, or
        // failed for a week.
        log.warn(
          { subscriber_id: subscriberId, reason: withoutAddresses(reason) },
          'A subscription ended.',
        );
    },
    counters,
  };
}

function last(result: Result, reason: string | null): Outcome {
  return { result, nextAt: null, reason };
}

const MESSAGES = {
  // Log: Check SMTP_URL and the mail server.
  postponed: 'A mail could not be sent now; it is tried again.',
  // Log: Check MAIL_FROM and the mail server.
  refused: 'A mail was refused by the mail server, and is dropped.',
  // Log: Check SMTP_URL and the mail server.
  expired: 'A mail could not be sent in time, and is dropped.',
  // Log: No key of SECRET_KEY opens it. Give the former key back.
  unreadable: 'A mail can no longer be read, and is dropped.',
} as const satisfies Record<Exclude<Result, 'sent' | 'unwanted'>, string>;

/** The subscription ended while the mail waited. */
const UNWANTED: Outcome = { result: 'unwanted', nextAt: null, reason: null };

/** @param attempts those that failed, from 1 */
function backOff(attempts: number): number {
  return BACK_OFF_MS[Math.min(attempts, BACK_OFF_MS.length) - 1]!;
}
