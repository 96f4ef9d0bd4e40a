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
  /** Epoch ms: not sent any more from then on. */
  expiresAt: number;
}

/** Enqueues mails that are sent after the transaction that asked for them, whatever crashes. */
export interface MailQueue {
  /** False without SMTP_URL: nothing may be enqueued then, and links are shown instead. */
  readonly isConfigured: boolean;
  enqueue(tx: Transaction<Schema>, mail: Mail, now: number): Promise<void>;
}

/** The sealed part of a mail: its links are secrets, and its recipient is nobody else's business. */
export type MailContent = Pick<Mail, 'to' | 'subject' | 'text' | 'html'>;

/** A mail is a delivery with a destination of its own, so that none waits for another one. Both go once it is sent. */
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
        // The time tells apart the rows of a database that was set back.
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

/** Null where the mail is gone. */
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

/** Throws SecretUnreadable when no key opens it any more. */
export function openMail(
  secretBox: SecretBox,
  { sealed }: Pick<StoredMail, 'sealed'>,
): MailContent {
  return JSON.parse(secretBox.open(sealed)) as MailContent;
}

/** The next attempt of a mail whose attempt failed; times are epoch ms. In the transaction that holds its destination. */
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
