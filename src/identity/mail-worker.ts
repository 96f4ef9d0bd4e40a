import type { Transaction } from 'kysely';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createPoller } from '../lib/poller.ts';
import { SecretUnreadable } from '../lib/secret-box.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import { SEND_WITHIN_MS } from '../net/mail.ts';
import type { Mailer, Sent } from '../net/mail.ts';
import type { Database } from '../store/database/contract.ts';
import { isUnavailable } from '../store/database/errors.ts';
import { claimMails, deleteMail, isMailDue, postponeMail } from '../store/alerting/mails.ts';
import type { ClaimedMail } from '../store/alerting/mails.ts';
import { retryWhileAway } from '../store/database/retry-while-away.ts';
import type { Schema } from '../store/database/schema.ts';
import { openMailContent } from './mail-queue.ts';

export interface MailWorkerDependencies {
  database: Database;
  secretBox: SecretBox;
  mailer: Mailer;
  clock: Clock;
  log: Log;
}

export interface MailWorker {
  start(): void;
  /** Gives what is under way a little time, then breaks it off for a later start. Never rejects. */
  stop(): Promise<void>;
  readonly counters: Readonly<MailCounters>;
  /** Mails that are being sent. */
  underWay(): number;
}

/** Mails by what became of them; those that are tried again count each time. */
export interface MailCounters {
  sent: number;
  /** Could not be sent then, and wait for another time. */
  postponed: number;
  /** The mail server refused them for good. */
  refused: number;
  /** Their time was over before they could be sent. */
  expired: number;
  /** No key of SECRET_KEY opens them. */
  unreadable: number;
}

const EVERY_MS = 1_000;
/** At once, so that a recipient whose mail takes long keeps no other waiting. */
const AT_ONCE = 5;
/** A process that has not ended a mail so long after it took it up has died. */
const LEASE_MS = SEND_WITHIN_MS + 30_000;
const DRAIN_MS = 3_000;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** After the first failure, the second, and so on; the last one repeats until the mail expires. */
const BACK_OFF_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 60 * MINUTE_MS];

type Outcome = keyof MailCounters;

/** What to do with a mail, and what to say of it. */
interface Ending {
  outcome: Outcome;
  /** Epoch ms; null for no other time. */
  againAt: number | null;
  reason: string | null;
}

/**
 * Sends what was enqueued, by any process. A mail is taken up with a lease, sent, and only then deleted: a crash
 * between the two sends it twice, with the same Message-ID, by which mail programs know it for one.
 */
export function createMailWorker(dependencies: MailWorkerDependencies): MailWorker {
  const { database, secretBox, mailer, clock, log } = dependencies;
  const counters: MailCounters = { sent: 0, postponed: 0, refused: 0, expired: 0, unreadable: 0 };
  const underWay = new Set<Promise<void>>();
  const ending = new AbortController();

  const poller = createPoller({
    run: takeUp,
    clock,
    intervalMs: EVERY_MS,
    isUnavailable,
    onFailure: (error) => log.error({ error }, 'Mails could not be taken up.'),
  });

  async function takeUp(): Promise<void> {
    const free = AT_ONCE - underWay.size;
    if (free === 0 || !(await isMailDue(database.read, clock.now()))) return;
    const now = clock.now();
    const claimed = await database.transaction((tx) =>
      claimMails(tx, { now, limit: free, leasedUntil: now + LEASE_MS }),
    );
    for (const mail of claimed) {
      const ended = deliver(mail).finally(() => {
        underWay.delete(ended);
        poller.wake();
      });
      underWay.add(ended);
    }
  }

  async function deliver(mail: ClaimedMail): Promise<void> {
    try {
      const { outcome, againAt, reason } = await attempt(mail);
      counters[outcome] += 1;
      if (reason !== null)
        log.warn({ mail: mail.kind, attempt: mail.attempts, reason }, SAID[outcome]);
      await insist(mail, (tx) =>
        againAt === null ? deleteMail(tx, mail.id) : postponeMail(tx, mail, againAt),
      );
    } catch (error) {
      // Its lease runs out, and it is sent again.
      log.error({ error, mail: mail.kind }, 'What became of a mail could not be recorded.');
    }
  }

  async function attempt(mail: ClaimedMail): Promise<Ending> {
    if (mail.expiresAt <= clock.now()) return last('expired', 'its time was over');
    let sent: Sent;
    try {
      const content = openMailContent(secretBox, mail.sealed);
      // The same each time; the time tells apart the rows of a database that was set back.
      const id = `${mail.kind}.${mail.id}.${mail.createdAt}`;
      sent = await mailer.send({ id, ...content }, ending.signal);
    } catch (error) {
      if (error instanceof SecretUnreadable) return last('unreadable', error.message);
      throw error;
    }
    if (sent.outcome === 'sent') return last('sent', null);
    if (sent.outcome === 'refused') return last('refused', sent.reason);
    const againAt = clock.now() + backOff(mail.attempts);
    return {
      outcome: 'postponed',
      againAt: Math.min(againAt, mail.expiresAt),
      reason: sent.reason,
    };
  }

  /** A mail that was sent and stays in the table is sent twice: the database is waited for. */
  async function insist(
    { leasedUntil }: ClaimedMail,
    work: (tx: Transaction<Schema>) => Promise<void>,
  ): Promise<void> {
    const mayRetry = () => !poller.isStopped && clock.now() < leasedUntil;
    await retryWhileAway(clock, () => database.transaction(work), mayRetry);
  }

  return {
    start: () => poller.start(),
    async stop() {
      await poller.stop();
      const drained = clock.after(DRAIN_MS, () => ending.abort());
      await Promise.all(underWay);
      clock.clear(drained);
    },
    counters,
    underWay: () => underWay.size,
  };
}

function last(outcome: Outcome, reason: string | null): Ending {
  return { outcome, againAt: null, reason };
}

const SAID: Record<Outcome, string> = {
  sent: 'A mail was sent.',
  postponed: 'A mail could not be sent now; it is tried again.',
  refused: 'A mail was refused by the mail server, and is dropped.',
  expired: 'A mail could not be sent in time, and is dropped.',
  unreadable: 'A mail can no longer be read, and is dropped.',
};

/** @param attempts those that failed, from 1 */
function backOff(attempts: number): number {
  return BACK_OFF_MS[Math.min(attempts, BACK_OFF_MS.length) - 1]!;
}
