import type { Mailer, Sent } from '../../net/mail.ts';
import { defineChannel, type ChannelDelivery, type ChannelOutcome } from './contract.ts';

const MOST_ADDRESSES = 20;
/** Connections to the mail server at a time. */
const LANES = 5;
const MOST_REMEMBERED = 1_000;

/** Mails through the installation's mail server (RFC 5321), one to each address. */
export const email = defineChannel({
  type: 'email',
  title: 'E-mail',
  fields: {
    addresses: {
      kind: 'emails',
      maximum: MOST_ADDRESSES,
      secret: false,
      description: `The recipients: 1 to ${MOST_ADDRESSES} addresses. Each gets a mail of its own and sees no other.`,
      example: ['oncall@example.com'],
    },
  },
  async send({ addresses }, delivery, { mailer }, signal) {
    if (mailer === null) return NO_MAIL_SERVER;
    const mails = addresses.map((address, index) => mailOf(delivery, address, index));
    const memory = memoryOf(mailer);
    const sent = await inLanes(mails, async ({ key, ...mail }): Promise<Sent> => {
      const before = memory.get(key);
      if (before !== undefined) return before;
      const now = await mailer.send(mail, signal);
      if (now.outcome !== 'failed') remember(memory, key, now);
      return now;
    });
    const outcome = outcomeOf(sent, delivery);
    if (outcome.outcome !== 'failed') for (const { key } of mails) memory.delete(key);
    return outcome;
  },
});

const NO_MAIL_SERVER: ChannelOutcome = {
  outcome: 'refused',
  reason: 'This installation sends no mail: its operator must set SMTP_URL.',
  statusCode: null,
};

/** Its Message-ID stays the same however often it is sent. */
function mailOf({ id, dedupKey, message }: ChannelDelivery, address: string, index: number) {
  return {
    key: `${id} ${address}`,
    id: `${id}.${index + 1}`,
    to: address,
    subject: message.subject,
    text: message.text,
    html: message.html,
    ...(dedupKey !== null && { thread: dedupKey.replace(/[^\w.-]/g, '-') }),
  };
}

type Memory = Map<string, Sent>;

/**
 * Outcomes of the mails of a delivery that is retried because of others, so that these mails are not repeated. They are
 * kept in memory: after a restart people may get a mail twice.
 */
const memories = new WeakMap<Mailer, Memory>();

function memoryOf(mailer: Mailer): Memory {
  const memory = memories.get(mailer) ?? new Map<string, Sent>();
  memories.set(mailer, memory);
  return memory;
}

function remember(memory: Memory, key: string, sent: Sent): void {
  memory.set(key, sent);
  const [oldest] = memory.keys();
  if (memory.size > MOST_REMEMBERED && oldest !== undefined) memory.delete(oldest);
}

/** A few at a time, in their order. */
async function inLanes<Item, Result>(items: readonly Item[], run: (item: Item) => Promise<Result>) {
  const results: Result[] = [];
  const left = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return results;
}

/** One that may go another time keeps the delivery alive. A test names each address that gets nothing. */
function outcomeOf(sent: readonly Sent[], { content }: ChannelDelivery): ChannelOutcome {
  const failed = sent.filter((one) => one.outcome === 'failed');
  const refused = sent.filter((one) => one.outcome === 'refused');
  if (failed.length > 0)
    return {
      outcome: 'failed',
      reason: reasonOf(failed[0]!.reason, failed.length, sent.length),
      statusCode: null,
      retryAfterMs: null,
    };
  const isAnySent = refused.length < sent.length;
  if (refused.length === 0 || (isAnySent && content.kind !== 'test'))
    return { outcome: 'delivered', statusCode: null };
  return {
    outcome: 'refused',
    reason: reasonOf(refused[0]!.reason, refused.length, sent.length),
    statusCode: null,
  };
}

function reasonOf(reason: string, count: number, total: number): string {
  const what = total === 1 ? 'The mail' : `${count} of ${total} mails`;
  return `${what} could not be sent: ${withoutServer(reason).replace(/\.$/, '')}.`;
}

/** Teams read it, and the address of the mail server is the operator's: `connect ECONNREFUSED 10.0.0.5:25`. */
function withoutServer(reason: string): string {
  return reason.replace(/\b(E[A-Z_]{3,}) \S+/, '$1').replace(/(altnames).*$/s, '$1');
}
