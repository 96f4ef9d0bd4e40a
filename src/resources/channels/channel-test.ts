import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type {
  ChannelOutcome,
  ChannelSettings,
  ChannelTools,
  ChannelType,
} from '../../alerting/channels/index.ts';
import type { Message, MessageContent } from '../../alerting/message/index.ts';
import type { MailQueue } from '../../store/alerting/mails.ts';
import type { Database } from '../../store/database/contract.ts';
import { accountStore } from '../../store/people/accounts.ts';
import { spendingsOfAction } from '../../model/budgets.ts';
import { spendBudgets } from '../../store/people/budgets.ts';

/** The caller waits for the answer. */
const TEST_WITHIN_MS = 10_000;

/** Channel to test. */
interface ChannelTestSubject {
  type: ChannelType;
  /** Null when no key of SECRET_KEY opens them. */
  settings: ChannelSettings | null;
  /** IANA name of the times in the message. */
  timezone: string;
  team: { id: number; name: string } | null;
  /** Who asks for the test. */
  personId: number;
}

export const channelTest = z
  .object({
    success: z.boolean(),
    message: z.string().meta({ description: 'The result in words.' }),
  })
  .meta({ id: 'ChannelTest', description: 'Result of a test message.' });
type ChannelTestAnswer = z.output<typeof channelTest>;

export type ChannelTest = (subject: ChannelTestSubject) => Promise<ChannelTestAnswer>;

/**
 * Sends a message to a channel at once, past its queue, and returns the result within 10 s. Throws BudgetExceeded when it
 * would be one too many.
 */
export function createChannelTest(deps: {
  clock: Clock;
  database: Database;
  mailQueue: MailQueue;
  tools: ChannelTools;
  openSignup: boolean;
  render(content: MessageContent, how: { timezone: string; links: Message['links'] }): Message;
}): ChannelTest {
  const { clock, database, mailQueue, tools, render } = deps;

  /** Spends the budgets of a test. Members with a confirmed address can be sent more mails than others. */
  async function spend(
    { type, fields }: ChannelType,
    { addresses }: ChannelSettings,
    personId: number,
    teamId: number | null,
  ): Promise<void> {
    const sender = { personId, teamId };
    if (Object.values(fields).some(({ kind }) => kind === 'url')) {
      const spendings = spendingsOfAction('channel_test', sender, deps);
      return database.transaction((tx) => spendBudgets(tx, spendings, clock.now()));
    }
    if (type !== 'email' || !Array.isArray(addresses) || tools.mailer === null) return;
    await database.transaction(async (tx) => {
      const confirmed = await accountStore(tx).confirmedAddresses(sender);
      const isOwn = (address: string) => confirmed.has(address.toLowerCase());
      const own = addresses.filter(isOwn);
      const others = addresses.filter((address) => !isOwn(address));
      const now = clock.now();
      if (others.length > 0)
        await mailQueue.spend(tx, { kind: 'channel_test', recipients: others, sender }, now);
      if (own.length > 0)
        await mailQueue.spend(tx, { kind: 'own_channel_test', recipients: own, sender }, now);
    });
  }

  return async ({ type, settings, timezone, team, personId }) => {
    if (settings === null) {
      const message =
        'The stored settings can not be read with the present SECRET_KEY: enter them again.';
      return { success: false, message };
    }
    await spend(type, settings, personId, team?.id ?? null);
    const content = testContent(team, clock.now());
    const message = render(content, { timezone, links: { details: null, acknowledge: null } });
    const id = `msg_${randomUUID()}`;
    const deadline = new AbortController();
    const timer = clock.after(TEST_WITHIN_MS, () => deadline.abort('deadline'));
    try {
      const delivery = { id, dedupKey: null, action: 'inform', content, message } as const;
      const sent = type.send(settings, delivery, tools, deadline.signal);
      return answerOf(type, await Promise.race([sent, tooLate(type, deadline.signal, clock)]));
    } catch {
      return { success: false, message: `${type.title} could not be tried out: try again.` };
    } finally {
      clock.clear(timer);
    }
  };
}

function testContent(team: ChannelTestSubject['team'], now: number): MessageContent {
  return {
    kind: 'test',
    team,
    severity: 'info',
    at: now,
    alert: null,
    troubles: [],
    troubleCount: 0,
    headline: null,
    text: null,
    silence: null,
  };
}

/** Resolves at the deadline, even when the channel ignores the signal. */
function tooLate(
  { title }: ChannelType,
  signal: AbortSignal,
  clock: Clock,
): Promise<ChannelOutcome> {
  return new Promise((resolve) => {
    const reason = `${title} did not answer within ${TEST_WITHIN_MS / 1_000} seconds.`;
    const outcome = { outcome: 'failed', reason, statusCode: null, retryAfterMs: null } as const;
    // The channel's own reason is better, if it comes at once.
    signal.addEventListener('abort', () => clock.soon(() => resolve(outcome)), { once: true });
  });
}

/** Status codes that most providers answer to a wrong key or address. */
const ACCESS_REFUSED = [401, 403, 404];

function answerOf({ type, title }: ChannelType, sent: ChannelOutcome): ChannelTestAnswer {
  if (sent.outcome !== 'delivered') {
    const isRefused = sent.outcome === 'refused' && ACCESS_REFUSED.includes(sent.statusCode ?? 0);
    const advice = isRefused ? ' See whether the settings of the channel are right.' : '';
    return { success: false, message: `${sent.reason}${advice}` };
  }
  const message =
    type === 'email'
      ? 'The mail server took the test message: look into the inbox whether it came.'
      : `${title} took the test message: look there whether it came.`;
  return { success: true, message };
}
