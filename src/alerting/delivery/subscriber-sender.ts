import type { Transaction } from 'kysely';
import type { SecretBox } from '../../lib/secret-box.ts';
import { lockDestination, headOf, releaseDestination } from '../../store/alerting/deliveries.ts';
import type { ClaimedDestination, QueuedDelivery } from '../../store/alerting/deliveries.ts';
import { deleteDestination } from '../../store/alerting/destinations.ts';
import {
  deleteMessage,
  emptyQueue,
  noteDelivery,
  noteFailure,
  postponeMessage,
  readHealth,
} from '../../store/alerting/subscriber-queue.ts';
import type { Schema } from '../../store/database/schema.ts';
import {
  clearRefusals,
  endSubscription,
  findByDestination,
  noteRefusal,
  openAddress,
  updateSubscriber,
  type SubscriberRow,
} from '../../store/resources/subscribers.ts';
import { createPaces } from '../../lib/paces.ts';
import { canonicalHostOf } from '../../lib/url-host.ts';
import { OUTGOING_PACES, SUBSCRIPTION_CHALLENGE } from '../../model/outgoing.ts';
import { isGoneFromSlack } from '../channels/index.ts';
import { ATTEMPT_MS, makeAttempt, withDeadline } from './attempt.ts';
import type { Sender, SenderDependencies, SendOutcome } from './attempt.ts';
import { decideRetry, type Attempted } from './retry.ts';
import { sendWebhook, type WebhookTarget } from './webhook.ts';

export interface SubscriberSenderDependencies extends SenderDependencies {
  secretBox: SecretBox;
  version: string;
  openSignup: boolean;
}

/** Messages to webhooks and Slack channels that are subscribed to status pages, by what became of them. */
export interface SubscriberCounters {
  delivered: number;
  /** Attempts that failed and are repeated later. */
  postponed: number;
  /** Messages that were refused, or could not be sent in time. */
  failed: number;
  /** Subscriptions that ended by themselves. */
  ended: number;
}

const DAY_MS = 24 * 3_600_000;
/** A subscriber that fails for this long is given up. */
const END_AFTER_MS = 7 * DAY_MS;
/** Attempts of one message before a failure ends the subscription: the last failure may be days ago. */
const TRIES_BEFORE_END = 4;

type Result = 'delivered' | 'postponed' | 'failed';

/** Consequences of an attempt. */
interface Recorded {
  result: Result;
  /** Why the subscription ended, a sentence; null while it goes on. */
  endedReason: string | null;
}

/**
 * Sends to webhooks and Slack channels that are subscribed to status pages: one message each time that a queue is claimed,
 * in the order in which they were enqueued, at a pace for each host of a team. A message is retried for 24 hours. The subscription ends with HTTP 410 and
 * with Slack's words for a channel that is gone, after three refusals in a row, or after a week of failures.
 */
export function createSubscriberSender(
  dependencies: SubscriberSenderDependencies,
): Sender & { readonly counters: Readonly<SubscriberCounters> } {
  const { database, leases, secretBox, tools, clock, log, version, openSignup } = dependencies;
  const counters: SubscriberCounters = { delivered: 0, postponed: 0, failed: 0, ended: 0 };

  const timeNow = () => clock.now();
  const paces = createPaces(clock, OUTGOING_PACES.subscriber[openSignup ? 'open' : 'pace']);

  function attempt(subscriber: SubscriberRow, message: QueuedDelivery) {
    const target: WebhookTarget = {
      row: { kind: 'subscriber', owner: subscriber.page_id, urlColumn: 'address' },
      url: subscriber.address,
      authType: 'none',
      authHeaderName: null,
      authToken: null,
      signingSecret: subscriber.signing_secret,
      previousSigningSecret: null,
      previousSecretUntil: null,
    };
    const sending = { http: tools.http, secretBox, userAgent: `Tocsin/${version}`, now: timeNow };
    return withDeadline(dependencies, ATTEMPT_MS.webhook, (signal) =>
      makeAttempt(subscriber.destination_id!, dependencies, signal, async () => {
        const outcome = await sendWebhook(target, message, sending, signal);
        return subscriber.kind === 'slack' ? readBySlack(outcome) : outcome;
      }),
    );
  }

  /** Null when the queue is not ours any more. */
  function record(
    claimed: ClaimedDestination,
    subscriber: SubscriberRow,
    message: QueuedDelivery,
    attempted: Attempted,
  ): Promise<Recorded | null> {
    return leases.retryUntilRecorded(claimed, () =>
      database.transaction(async (tx) => {
        if (!(await lockDestination(tx, claimed))) return null;
        const now = clock.now();
        const recorded = await apply(tx, subscriber, message, attempted, now);
        await releaseDestination(tx, claimed.id, now);
        return recorded;
      }),
    );
  }

  async function apply(
    tx: Transaction<Schema>,
    { id, destination_id: destinationId }: SubscriberRow,
    message: QueuedDelivery,
    attempted: Attempted,
    now: number,
  ): Promise<Recorded> {
    const queue = destinationId!;
    const attempts = message.attempts + 1;
    const reason = attempted.reason ?? 'It could not be reached.';
    if (attempted.outcome === 'delivered') {
      await deleteMessage(tx, message.id);
      await clearRefusals(tx, id);
      await noteDelivery(tx, queue, now);
      if (hasAnswered(message, attempted))
        await updateSubscriber(tx, id, { confirmed_at: now, confirm_until: null }, now);
      return { result: 'delivered', endedReason: null };
    }
    const health = await readHealth(tx, queue);
    const failingSince = Math.min(health.failingSince ?? now, now);
    await noteFailure(tx, queue, { failures: health.failures + 1, failingSince }, reason);
    const isEndless = now - failingSince >= END_AFTER_MS && attempts >= TRIES_BEFORE_END;
    if (attempted.outcome === 'gone' || (attempted.outcome === 'failed' && isEndless)) {
      await endSubscription(tx, id, reason, now);
      await emptyQueue(tx, queue);
      return { result: 'failed', endedReason: reason };
    }
    if (attempted.outcome === 'refused') {
      await deleteMessage(tx, message.id);
      const hasEnded = await noteRefusal(tx, id, reason, now);
      if (hasEnded) await emptyQueue(tx, queue);
      return { result: 'failed', endedReason: hasEnded ? reason : null };
    }
    const { expiresAt } = message;
    const { nextAt } = decideRetry({
      attempted,
      isTest: false,
      attempts,
      expiresAt,
      failingSince: null,
      failures: 0,
      refusals: 0,
      now,
      random: dependencies.random,
    });
    if (nextAt === null || nextAt >= expiresAt) {
      await deleteMessage(tx, message.id);
      return { result: 'failed', endedReason: null };
    }
    await postponeMessage(tx, message.id, { attempts, nextAt });
    return { result: 'postponed', endedReason: null };
  }

  function report(
    { id }: SubscriberRow,
    message: QueuedDelivery,
    { outcome, reason }: Attempted,
    { result, endedReason }: Recorded,
  ): void {
    counters[result] += 1;
    const fields = { subscriber_id: id, attempt: message.attempts + 1 };
    if (outcome === 'delivered')
      // Log: A webhook or Slack channel that is subscribed to a status page took it.
      log.info(fields, 'An update was sent to a subscriber.');
    else
      // Log: A webhook or Slack channel that is subscribed to a status page did not take
      // it. Temporary failures are retried for 24 hours.
      log.warn({ ...fields, reason }, 'An update could not be sent to a subscriber.');
    if (endedReason === null) return;
    counters.ended += 1;
    log.warn({ subscriber_id: id, reason: endedReason }, 'A subscription ended.');
  }

  /**
   * Gives the queue back without an attempt.
   *
   * @param expired a message whose time is over.
   * @param postponed a message that must wait.
   */
  async function release(
    claimed: ClaimedDestination,
    expired: QueuedDelivery | null,
    postponed?: { message: QueuedDelivery; nextAt: number },
  ) {
    await leases.retryUntilRecorded(claimed, () =>
      database.transaction(async (tx) => {
        if (!(await lockDestination(tx, claimed))) return;
        if (expired !== null) await deleteMessage(tx, expired.id);
        if (postponed !== undefined) {
          const { message, nextAt } = postponed;
          await postponeMessage(tx, message.id, { attempts: message.attempts, nextAt });
        }
        await releaseDestination(tx, claimed.id, clock.now());
      }),
    );
    if (expired !== null) counters.failed += 1;
  }

  return {
    async serve(claimed) {
      const found = await leases.retryUntilRecorded(claimed, async () => ({
        subscriber: await findByDestination(database.read, claimed.id),
        message: await headOf(database.read, claimed.id),
      }));
      if (found === null) return;
      const { subscriber, message } = found;
      const now = clock.now();
      if (subscriber === undefined || subscriber.ended_reason !== null) {
        await leases.retryUntilRecorded(claimed, () =>
          database.transaction((tx) => abandon(tx, claimed, subscriber)),
        );
        return;
      }
      const isExpired = message !== null && message.expiresAt <= now;
      if (message === null || isExpired || !leases.lastsFor(claimed, ATTEMPT_MS.webhook))
        return release(claimed, isExpired ? message : null);
      const waitMs = paces.take(`${claimed.owner} ${hostOf(subscriber, secretBox)}`);
      if (waitMs > 0) return release(claimed, null, { message, nextAt: now + waitMs });
      const attempted = await attempt(subscriber, message);
      if (attempted === 'stopped') return release(claimed, null);
      const recorded = await record(claimed, subscriber, message, attempted);
      if (recorded !== null) report(subscriber, message, attempted, recorded);
    },
    counters,
  };
}

/** True when a webhook answered with the challenge that it was sent. */
function hasAnswered({ kind, body }: QueuedDelivery, { response }: Attempted): boolean {
  if (kind !== SUBSCRIPTION_CHALLENGE) return false;
  const { challenge } = JSON.parse(body) as { challenge?: string };
  return challenge !== undefined && (response ?? '').includes(challenge);
}

/** Null for an address that no key opens: the attempt says so. */
function hostOf(subscriber: SubscriberRow, secretBox: SecretBox): string | null {
  const url = openAddress(subscriber, secretBox);
  return url === null ? null : canonicalHostOf(url);
}

/** The outcome of a request to Slack, which answers 403 or 404 with a word where a channel is gone. */
function readBySlack(outcome: SendOutcome): SendOutcome {
  const isGone = outcome.outcome === 'refused' && isGoneFromSlack(outcome.response ?? '');
  const reason = `Slack said that there is no such channel: ${outcome.response?.trim()}.`;
  return isGone ? { ...outcome, outcome: 'gone', reason } : outcome;
}

/** Empties the queue of a subscription that ended, or deletes that of a deleted one. */
async function abandon(
  tx: Transaction<Schema>,
  claimed: ClaimedDestination,
  subscriber: SubscriberRow | undefined,
): Promise<void> {
  if (subscriber === undefined) return deleteDestination(tx, claimed.id);
  if (!(await lockDestination(tx, claimed))) return;
  await emptyQueue(tx, claimed.id);
  await releaseDestination(tx, claimed.id, 0);
}
