import type { SecretBox } from '../../lib/secret-box.ts';
import { loadState, queueOf, type QueuedDelivery } from '../../store/alerting/deliveries.ts';
import type { ClaimedDestination } from '../../store/alerting/claims.ts';
import { destinationStore } from '../../store/alerting/destinations.ts';
import { queueChanges } from '../../store/alerting/delivery-outcomes.ts';
import type { Tx } from '../../store/database/contract.ts';
import {
  openAddress,
  type SubscriberRow,
  subscriberChanges,
  subscriberRows,
} from '../../store/resources/subscribers.ts';
import { smsChannelOf } from '../../store/resources/alert-channels.ts';
import { channelOwner } from '../../store/database/sealed-columns.ts';
import { createPaces } from '../../lib/paces.ts';
import { canonicalHostOf } from '../../lib/url-host.ts';
import {
  OUTGOING_PACES,
  SUBSCRIPTION_CHALLENGE,
  SUBSCRIPTION_TOKEN,
} from '../../model/outgoing.ts';
import {
  isGoneFromSlack,
  isGoneFromTeams,
  sendTextTo,
  type ChannelSettings,
} from '../channels/index.ts';
import {
  ATTEMPT_MS,
  sendOutcomeOf,
  unsent,
  makeAttempt,
  whileClaimed,
  withDeadline,
  type SenderDependencies,
  type SendOutcome,
} from './attempt.ts';
import { decideRetry, type Attempted } from './retry.ts';
import { sendWebhook, type WebhookTarget } from './webhook.ts';

/** A subscriber that fails for this long is given up. */
const END_AFTER_MS = 7 * 24 * 3_600_000;
/** Attempts of one message before a failure ends the subscription: the last failure may be days ago. */
const TRIES_BEFORE_END = 4;

type Result = 'delivered' | 'postponed' | 'failed';

const HEALTHY = { failures: 0, failingSince: null, lastError: null };

interface Recorded {
  result: Result;
  /** Why the subscription ended, a sentence; null while it goes on. */
  endedReason: string | null;
}

/**
 * Sends to webhooks, channels and phones that are subscribed to status pages: one message each time that a queue is claimed,
 * in the order in which they were enqueued, at a pace for each host of a team. A message is retried for 24 hours. The
 * subscription ends with HTTP 410 and with the words of Slack and Teams for a channel that is gone, after three refusals in a row, or after
 * a week of failures.
 */
export function createSubscriberSender(dependencies: SenderDependencies) {
  const { database, leases, secretBox, tools, clock, log, version, openSignup } = dependencies;
  const { subscriptionToken } = dependencies;
  /** Messages by what became of them, and subscriptions that ended by themselves. */
  const counters = { delivered: 0, postponed: 0, failed: 0, ended: 0 };

  const timeNow = () => clock.now();
  const paces = createPaces(clock, OUTGOING_PACES.subscriber[openSignup ? 'open' : 'pace']);

  /** Sends a text by the account of the team's channel that the page has chosen. */
  async function sendSms(subscriber: SubscriberRow, text: string, signal: AbortSignal) {
    const channel = await smsChannelOf(database.read, subscriber.page_id);
    if (channel === undefined || channel.settings === null)
      return unsent('failed', 'The status page has no channel that sends text messages.');
    const to = secretBox.of('subscriber', subscriber.page_id).open(subscriber.address, 'address');
    const settings = secretBox
      .of('alert_channel', channelOwner(channel))
      .open(channel.settings, 'settings');
    const sending = { http: tools.http, now: timeNow };
    return sendOutcomeOf(
      await sendTextTo(to, text, JSON.parse(settings) as ChannelSettings, sending, signal),
    );
  }

  function attempt(subscriber: SubscriberRow, queued: QueuedDelivery) {
    const body = queued.body.replaceAll(SUBSCRIPTION_TOKEN, subscriptionToken(subscriber.id));
    const message = { ...queued, body };
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
        if (subscriber.kind === 'sms') return sendSms(subscriber, body, signal);
        return readByKind(subscriber.kind, await sendWebhook(target, message, sending, signal));
      }),
    );
  }

  async function apply(
    tx: Tx,
    { id, kind, destination_id: destinationId }: SubscriberRow,
    message: QueuedDelivery,
    attempted: Attempted,
    now: number,
  ): Promise<Recorded> {
    const queue = queueOf(tx, destinationId!);
    const attempts = message.attempts + 1;
    const reason = attempted.reason ?? 'It could not be reached.';
    if (attempted.outcome === 'delivered') {
      await queue.delete(message.id);
      await subscriberChanges(tx).clearRefusals(id);
      await queueChanges(tx).setHealth(destinationId!, { ...HEALTHY, lastDeliveredAt: now });
      if (kind === 'webhook' && hasAnswered(message, attempted))
        await subscriberChanges(tx).confirm(id, now);
      return { result: 'delivered', endedReason: null };
    }
    const health = (await loadState(tx, destinationId!)) ?? HEALTHY;
    const failingSince = Math.min(health.failingSince ?? now, now);
    await queueChanges(tx).setHealth(destinationId!, {
      failures: health.failures + 1,
      failingSince,
      lastError: reason,
    });
    const isEndless = now - failingSince >= END_AFTER_MS && attempts >= TRIES_BEFORE_END;
    if (attempted.outcome === 'gone' || (attempted.outcome === 'failed' && isEndless)) {
      await subscriberChanges(tx).end(id, reason, now);
      await queue.empty();
      return { result: 'failed', endedReason: reason };
    }
    if (attempted.outcome === 'refused') {
      await queue.delete(message.id);
      const hasEnded = await subscriberChanges(tx).noteRefusal(id, reason, now);
      if (hasEnded) await queue.empty();
      return { result: 'failed', endedReason: hasEnded ? reason : null };
    }
    const { expiresAt } = message;
    const state = { isTest: false, attempts, expiresAt, failures: 0, refusals: 0 };
    const { nextAt } = decideRetry({
      ...state,
      attempted,
      failingSince: null,
      now,
      random: dependencies.random,
    });
    if (nextAt === null || nextAt >= expiresAt) {
      await queue.delete(message.id);
      return { result: 'failed', endedReason: null };
    }
    await queue.postpone(message.id, { attempts, nextAt });
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
      // Log: A webhook, channel or phone that is subscribed to a status page took it.
      log.info(fields, 'An update was sent to a subscriber.');
    else
      // Log: A webhook, channel or phone that is subscribed to a status page did not take
      // it. Temporary failures are retried for 24 hours.
      log.warn({ ...fields, reason }, 'An update could not be sent to a subscriber.');
    if (endedReason === null) return;
    counters.ended += 1;
    log.warn({ subscriber_id: id, reason: endedReason }, 'A subscription ended.');
  }

  /** Gives the queue back without an attempt. @param before what to do with the message that waits first. */
  async function release(
    claimed: ClaimedDestination,
    before: (queue: ReturnType<typeof queueOf>) => Promise<void> = async () => {},
  ): Promise<void> {
    await whileClaimed(dependencies, claimed, async (_tx, queue) => {
      await before(queue);
      await queue.release(clock.now());
    });
  }

  return {
    async serve(claimed: ClaimedDestination): Promise<void> {
      const found = await leases.retryUntilRecorded(claimed, async () => ({
        subscriber: await subscriberRows(database.read).findByDestination(claimed.id),
        message: await queueOf(database.read, claimed.id).head(),
      }));
      if (found === null) return;
      const { subscriber, message } = found;
      const now = clock.now();
      if (subscriber === undefined) {
        const remove = () => database.transaction((tx) => destinationStore(tx).delete(claimed.id));
        return void (await leases.retryUntilRecorded(claimed, remove));
      }
      if (message === null) return release(claimed);
      // Of a draft, nothing is sent.
      if (subscriber.draft === 1) return release(claimed, (queue) => queue.empty());
      // One that has ended may be asked to confirm again.
      if (subscriber.ended_reason !== null && message.kind !== SUBSCRIPTION_CHALLENGE)
        return release(claimed, (queue) => queue.empty());
      if (message.expiresAt <= now) {
        await release(claimed, (queue) => queue.delete(message.id));
        counters.failed += 1;
        return;
      }
      if (!leases.lastsFor(claimed, ATTEMPT_MS.webhook)) return release(claimed);
      const waitMs = paces.take(`${claimed.owner} ${hostOf(subscriber, secretBox)}`);
      const { attempts } = message;
      if (waitMs > 0)
        return release(claimed, (queue) =>
          queue.postpone(message.id, { attempts, nextAt: now + waitMs }),
        );
      const attempted = await attempt(subscriber, message);
      if (attempted === 'stopped') return release(claimed);
      const recorded = await whileClaimed(dependencies, claimed, async (tx, queue) => {
        const at = clock.now();
        const applied = await apply(tx, subscriber, message, attempted, at);
        await queue.release(at);
        return applied;
      });
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

/** The outcome of a request to Slack or Teams, which answer with a word of their own where a channel is gone. */
function readByKind(kind: string, outcome: SendOutcome): SendOutcome {
  const said = outcome.response ?? '';
  if (outcome.outcome !== 'refused') return outcome;
  if (kind === 'slack' && isGoneFromSlack(said))
    return {
      ...outcome,
      outcome: 'gone',
      reason: `Slack said that there is no such channel: ${said.trim()}.`,
    };
  if (kind === 'microsoft_teams' && isGoneFromTeams(said))
    return { ...outcome, outcome: 'gone', reason: 'The workflow in Microsoft Teams was deleted.' };
  return outcome;
}
