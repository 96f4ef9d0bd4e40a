import type { Transaction } from 'kysely';
import type { SecretBox } from '../lib/secret-box.ts';
import { insertMail } from '../store/alerting/mails.ts';
import type { Schema } from '../store/database/schema.ts';

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

/** Mails that are sent after the transaction that asked for them, whatever crashes. */
export interface MailQueue {
  /** False without SMTP_URL: nothing may be enqueued then, and links are shown instead. */
  readonly isConfigured: boolean;
  enqueue(tx: Transaction<Schema>, mail: Mail, now: number): Promise<void>;
}

/** What is sealed of a mail: its links are secrets, and its recipient is nobody else's business. */
export type MailContent = Pick<Mail, 'to' | 'subject' | 'text' | 'html'>;

/** Enqueued mails are found and sent by the workers of all processes on the database (see mail-worker.ts). */
export function createMailQueue(deps: { secretBox: SecretBox; isConfigured: boolean }): MailQueue {
  const { secretBox, isConfigured } = deps;
  return {
    isConfigured,
    async enqueue(tx, mail, now) {
      if (!isConfigured) throw new Error('No mail can be sent without SMTP_URL.');
      const { kind, to, subject, text, html, expiresAt } = mail;
      const content: MailContent = { to, subject, text, html };
      await insertMail(tx, {
        kind,
        sealed: secretBox.seal(JSON.stringify(content)),
        expiresAt,
        now,
      });
    },
  };
}

/** Throws SecretUnreadable when no key opens it any more. */
export function openMailContent(secretBox: SecretBox, sealed: string): MailContent {
  return JSON.parse(secretBox.open(sealed)) as MailContent;
}
