import { keyedHash } from '../../lib/derived-key.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { spendingsOfMail, type MailKind, type MailSender } from '../../model/budgets.ts';
import { mailboxOf } from '../../model/mail-address.ts';
import type { Db, Tx } from '../database/contract.ts';
import { spendBudgets } from '../people/budgets.ts';
import { destinationStore } from './destinations.ts';

/** A mail to a person about their account. */
export interface Mail {
  kind: MailKind;
  to: string;
  /** Who sends it to somebody else; absent for a mail about one's own account. */
  sender?: MailSender;
  subject: string;
  text: string;
  html: string;
  /** Status page that it is from: it has its name, and its logo where the HTML shows one. Tocsin unless given. */
  page?: { id: number; name: string };
  /** See MailMessage. */
  thread?: string;
  headers?: Readonly<Record<string, string>>;
  /** Epoch ms; the mail is not sent after this time. */
  expiresAt: number;
}

/** A mail to a subscriber of a status page. It is not sent once the subscription has ended. */
export interface SubscriberMail extends Omit<Mail, 'sender'> {
  subscriberId: number;
  /** Letters, digits and dots: the same for the same mail to the same subscriber. */
  messageId: string;
}

/** The sealed part of a mail: its links are secrets, and its recipient is private. */
export type MailContent = Omit<Mail, 'kind' | 'sender' | 'expiresAt'> &
  Partial<Pick<SubscriberMail, 'subscriberId'>>;

/**
 * Enqueues mails, which are sent after the transaction committed, even after a crash. Each mail has a destination of its own,
 * so that none waits for another; both are deleted once it is sent.
 */
export function createMailQueue(deps: {
  secretBox: SecretBox;
  isConfigured: boolean;
  /** The list of SECRET_KEY: the first one hashes recipients. */
  keys: readonly string[];
  openSignup: boolean;
}) {
  const { secretBox, isConfigured, keys, openSignup } = deps;
  const hash = keyedHash(keys[0]!, 'tocsin mail budgets v1');
  const keyOf = (address: string) => hash(mailboxOf(address));
  const seal = (messageId: string, content: MailContent) =>
    secretBox.of('delivery', messageId).seal(JSON.stringify(content), 'body');

  /** Spends the budgets of mails that are sent past the queue. Throws BudgetExceeded: then nothing is spent. */
  async function spend(
    tx: Tx,
    mails: { kind: MailKind; recipients: readonly string[]; sender?: MailSender },
    now: number,
  ): Promise<void> {
    const { kind, recipients, sender } = mails;
    const spendings = spendingsOfMail(
      kind,
      recipients.map(keyOf),
      sender ?? { personId: null, teamId: null },
      { openSignup },
    );
    await spendBudgets(tx, spendings, now);
  }

  return {
    /** False without SMTP_URL: nothing may be enqueued then, and links are shown instead. */
    isConfigured,
    spend,
    /** Spends the budgets of a mail and enqueues it. Throws BudgetExceeded: then nothing is spent or enqueued. */
    async enqueue(tx: Tx, mail: Mail, now: number): Promise<void> {
      if (!isConfigured) throw new Error('No mail can be sent without SMTP_URL.');
      const { kind, sender, expiresAt, ...content } = mail;
      const { to } = content;
      await spend(tx, { kind, recipients: [to], ...(sender && { sender }) }, now);
      const destinationId = await destinationStore(tx).insert({
        kind: 'mail',
        teamId: null,
        nextAt: now,
        now,
      });
      // The time makes ids unique in a database that was restored from a backup.
      const messageId = `${kind}.${destinationId}.${now}`;
      const delivery = {
        destinationId,
        teamId: null,
        messageId,
        kind,
        body: seal(messageId, content),
        expiresAt,
      };
      await destinationStore(tx).insertDeliveries([delivery], now);
    },
    /** Enqueues mails to subscribers, which have slots of their own and spend no budgets. */
    async enqueueForSubscribers(tx: Tx, mails: readonly SubscriberMail[], now: number) {
      if (mails.length === 0) return;
      if (!isConfigured) throw new Error('No mail can be sent without SMTP_URL.');
      const ids = await destinationStore(tx).insertMany('subscriber_mail', mails.length, now);
      const deliveries = mails.map(({ kind, messageId, expiresAt, ...content }, index) => {
        return {
          destinationId: ids[index]!,
          teamId: null,
          messageId,
          kind,
          body: seal(messageId, content),
          expiresAt,
        };
      });
      await destinationStore(tx).insertDeliveries(deliveries, now);
    },
  };
}

export type MailQueue = ReturnType<typeof createMailQueue>;

/** A mail as it is stored. */
export interface StoredMail {
  kind: string;
  messageId: string;
  sealed: string;
  expiresAt: number;
}

/** Reads the mail of a destination; null when it is deleted. */
export async function readMail(db: Db, destinationId: number) {
  const row = await db
    .selectFrom('delivery')
    .select(['kind', 'message_id as messageId', 'body as sealed', 'expires_at as expiresAt'])
    .where('destination_id', '=', destinationId)
    .executeTakeFirst();
  return row ?? null;
}

/** Opens the sealed part of a mail. Throws SecretUnreadable when no key fits. */
export function openMail(
  secretBox: SecretBox,
  { messageId, sealed }: Pick<StoredMail, 'messageId' | 'sealed'>,
): MailContent {
  return JSON.parse(secretBox.of('delivery', messageId).open(sealed, 'body')) as MailContent;
}

/** Postpones a mail after a failed attempt, in the transaction that has locked its destination. Times are epoch ms. */
export async function postponeMail(
  tx: Tx,
  { destinationId, attempts, nextAt }: { destinationId: number; attempts: number; nextAt: number },
): Promise<void> {
  await tx
    .updateTable('delivery')
    .set({ attempts, next_at: nextAt })
    .where('destination_id', '=', destinationId)
    .execute();
}
