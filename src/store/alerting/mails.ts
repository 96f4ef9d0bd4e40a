import type { Kysely, Transaction } from 'kysely';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { Schema } from '../database/schema.ts';
import { insertDeliveries, insertDestination } from './destinations.ts';

/** A mail to a person about their account. */
export interface Mail {
  /** A word for logs and metrics, such as `invitation`. */
  kind: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Epoch ms; the mail is not sent after this time. */
  expiresAt: number;
}

/** Enqueues mails, which are sent after the transaction committed, even after a crash. */
export interface MailQueue {
  /** False without SMTP_URL: nothing may be enqueued then, and links are shown instead. */
  readonly isConfigured: boolean;
  enqueue(tx: Transaction<Schema>, mail: Mail, now: number): Promise<void>;
}

/** The sealed part of a mail: its links are secrets, and its recipient is private. */
export type MailContent = Pick<Mail, 'to' | 'subject' | 'text' | 'html'>;

/** Creates a queue in which each mail has a destination of its own, so that none waits for another. Both are deleted once it is sent. */
export function createMailQueue(deps: { secretBox: SecretBox; isConfigured: boolean }): MailQueue {
  const { secretBox, isConfigured } = deps;
  return {
    isConfigured,
    async enqueue(tx, mail, now) {
      if (!isConfigured) throw new Error('No mail can be sent without SMTP_URL.');
      const { kind, to, subject, text, html, expiresAt } = mail;
      const content: MailContent = { to, subject, text, html };
      const destinationId = await insertDestination(tx, {
        kind: 'mail',
        teamId: null,
        nextAt: now,
        now,
      });
      const delivery = {
        destinationId,
        teamId: null,
        // The time makes ids unique in a database that was restored from a backup.
        messageId: `${kind}.${destinationId}.${now}`,
        kind,
        eventType: null,
        incidentId: null,
        alertId: null,
        body: secretBox.seal(JSON.stringify(content)),
        expiresAt,
      };
      await insertDeliveries(tx, [delivery], now);
    },
  };
}

/** A mail as it is stored. */
export interface StoredMail {
  kind: string;
  /** Stable over retries. */
  messageId: string;
  sealed: string;
  /** Epoch ms. */
  expiresAt: number;
}

/** Reads the mail of a destination; null when it is deleted. */
export async function readMail(
  db: Kysely<Schema>,
  destinationId: number,
): Promise<StoredMail | null> {
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
  { sealed }: Pick<StoredMail, 'sealed'>,
): MailContent {
  return JSON.parse(secretBox.open(sealed)) as MailContent;
}

/** Postpones a mail after a failed attempt, in the transaction that has locked its destination. Times are epoch ms. */
export async function postponeMail(
  tx: Transaction<Schema>,
  { destinationId, attempts, nextAt }: { destinationId: number; attempts: number; nextAt: number },
): Promise<void> {
  await tx
    .updateTable('delivery')
    .set({ attempts, next_at: nextAt })
    .where('destination_id', '=', destinationId)
    .execute();
}
