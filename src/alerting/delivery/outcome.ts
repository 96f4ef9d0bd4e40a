import type { Transaction } from 'kysely';
import {
  loadChannel,
  queueOf,
  type LoadedChannel,
  type LoadedDestination,
} from '../../store/alerting/deliveries.ts';
import {
  recordAttempts,
  setHealth,
  outcomeStore,
  type NewAttempt,
  type RecordedAttempt,
} from '../../store/alerting/delivery-outcomes.ts';
import type { Schema } from '../../store/database/schema.ts';
import { notifyAdmins, notifyPerson } from '../notify/system-messages.ts';
import {
  DEACTIVATE_AFTER_MS,
  decideRetry,
  TRIES_BEFORE_DEACTIVATION,
  changeHealth,
  type Attempted,
  type RetryDecision,
  type EndpointHealth,
  type EndpointOutcome,
} from './retry.ts';
import { readLostSince, type NextMessage } from './next-message.ts';

export interface Recorded {
  result: 'delivered' | 'postponed' | 'failed';
  /** Why the destination is switched off; null when it isn't. */
  deactivated: string | null;
  turn: Turn | null;
}

/** A destination that started to fail, or works again after having failed since that time (epoch ms). */
type Turn = { to: 'failing' } | { to: 'healthy'; failingSince: number | null };

export function turnOf(
  before: { failures: number; failingSince: number | null },
  after: { failures: number },
): Turn | null {
  if (before.failures === 0 && after.failures > 0) return { to: 'failing' };
  if (before.failures > 0 && after.failures === 0)
    return { to: 'healthy', failingSince: before.failingSince };
  return null;
}

export interface RecordTools {
  now: number;
  random: () => number;
  mail: boolean;
}

/** Records an attempt to send to a channel, and its consequences, in the transaction that holds the destination. */
export async function recordOutcome(
  tx: Transaction<Schema>,
  message: NextMessage<LoadedChannel>,
  attempted: Attempted,
  { now, random, mail }: RecordTools,
): Promise<Recorded> {
  const { head } = message;
  // Read again: somebody may have switched it off or on meanwhile.
  const destination = (await loadChannel(tx, message.destination.id)) ?? message.destination;
  const isTest = head.kind === 'test';
  const decision = decideRetry({
    attempted,
    isTest,
    attempts: head.attempts + 1,
    expiresAt: head.expiresAt,
    failingSince: destination.failingSince,
    failures: destination.failures,
    refusals: await refusalsBefore(tx, destination, attempted, now),
    now,
    random,
  });
  if (decision.status === 'delivered') {
    await recordDelivered(tx, message, attempted, now);
    const isHealthy = !isTest || (await passChannelTest(tx, destination, now));
    if (!isTest) await setHealth(tx, destination.id, { ...HEALTHY, lastDeliveredAt: now });
    const turn = isHealthy ? turnOf(destination, HEALTHY) : null;
    return { result: 'delivered', deactivated: null, turn };
  }
  const { nextAt } = decision;
  await recordAttempts(tx, [recordedAttemptOf(head, attempted, decision, now)]);
  if (!isTest) await recordFailure(tx, destination, decision, attempted.reason);
  if (decision.deactivates) {
    const reason = await deactivate(tx, { destination, attempted, decision, now, mail });
    return { result: 'failed', deactivated: reason, turn: null };
  }
  // Nobody is notified that a notification about a failure failed.
  if (!isTest && head.kind !== 'notice') {
    const failure = { destination, attempted, decision, now, mail };
    if (nextAt === null) await notifyOfRefusal(tx, failure);
    else await notifyOfFailure(tx, failure);
  }
  const turn = isTest ? null : turnOf(destination, decision);
  return { result: nextAt === null ? 'failed' : 'postponed', deactivated: null, turn };
}

/** Counts earlier refusals of a destination that refuses and has failed for long; 0 for any other. */
export async function refusalsBefore(
  tx: Transaction<Schema>,
  { id, failingSince }: Pick<LoadedDestination, 'id' | 'failingSince'>,
  { outcome }: Attempted,
  now: number,
): Promise<number> {
  if (outcome !== 'refused' || failingSince === null) return 0;
  if (now - failingSince < DEACTIVATE_AFTER_MS) return 0;
  return queueOf(tx, id).countRefused({ since: failingSince, limit: TRIES_BEFORE_DEACTIVATION });
}

export function isRecorded(
  tx: Transaction<Schema>,
  { destination, head, delivery, gapMessage }: NextMessage,
): Promise<boolean> {
  const sent = delivery === null ? [head] : [head, delivery];
  return queueOf(tx, destination.id).hasNewerAttempt(sent, gapMessage?.messageId ?? null);
}

const HEALTHY = { failures: 0, failingSince: null, lastError: null };

async function recordDelivered(
  tx: Transaction<Schema>,
  { destination, head, delivery, gapMessage, superseded }: NextMessage,
  attempted: Attempted,
  now: number,
): Promise<void> {
  if (gapMessage === null) {
    const delivered = { status: 'delivered', nextAt: null } as const;
    await recordAttempts(tx, [recordedAttemptOf(delivery ?? head, attempted, delivered, now)]);
  } else {
    const { messageId, content } = gapMessage;
    const body = JSON.stringify(content);
    const sent = { teamId: head.teamId, messageId, kind: content.kind, body };
    await outcomeStore(tx).recordSent(destination.id, sent, attemptOf(attempted), now);
  }
  await outcomeStore(tx).supersede(superseded, now);
}

/**
 * Makes pending deliveries due after a test that arrived: their success, not the test's, ends the failure.
 *
 * @returns whether the channel works again.
 */
async function passChannelTest(tx: Transaction<Schema>, destination: LoadedChannel, now: number) {
  const { id, failingSince } = destination;
  const lost = await readLostSince(tx, destination, now);
  // Lost messages are caught up with by the next one, as long as they came after the last one that arrived,
  if (lost.length === 0) await outcomeStore(tx).setLastDelivered(id, now);
  const [waiting] = await queueOf(tx, id).pending({ after: 0, limit: 1 });
  if (waiting !== undefined) {
    await queueOf(tx, id).makePendingDue(now);
    return false;
  }
  if (failingSince === null) return false;
  // and as long as the channel counts as failing.
  await setHealth(tx, id, { ...HEALTHY, failingSince: lost.length > 0 ? failingSince : null });
  return true;
}

function recordFailure(
  tx: Transaction<Schema>,
  { id }: LoadedDestination,
  { failures, failingSince }: RetryDecision,
  reason: string | null,
): Promise<void> {
  return setHealth(tx, id, { failures, failingSince, lastError: reason });
}

/** Returns an attempt as it is logged, with the new status of its delivery. */
export function recordedAttemptOf(
  delivery: { id: number; attempts: number },
  attempted: Attempted,
  { status, nextAt }: Pick<RetryDecision, 'status' | 'nextAt'>,
  now: number,
): RecordedAttempt {
  return {
    deliveryId: delivery.id,
    number: delivery.attempts + 1,
    attempt: attemptOf(attempted),
    next: status === 'pending' ? { status, nextAt: nextAt ?? now } : { status, at: now },
  };
}

function attemptOf({ at, durationMs, statusCode, reason, response }: Attempted): NewAttempt {
  return { at, durationMs, statusCode, error: reason, response };
}

interface DestinationFailure {
  destination: LoadedDestination;
  attempted: Attempted;
  decision: RetryDecision;
  now: number;
  mail: boolean;
}

/** Notifies those responsible for a channel that refused a message, once until it accepts one. */
async function notifyOfRefusal(tx: Transaction<Schema>, failure: DestinationFailure) {
  const { destination, attempted } = failure;
  if (destination.kind === 'webhook' || destination.failures > 0) return;
  await notifyResponsible(tx, failure, {
    headline: `Channel "${destination.channel.name}" refused a message`,
    text: `${attempted.reason ?? ''} Look at its settings, and try it out with a test.`.trim(),
  });
}

/** The sixth attempt in a row is made about eight minutes after the first. */
const NOTIFY_AT_ATTEMPT = 6;

/** Notifies those responsible for a destination that has not been reached for a while, once until something arrives. */
export async function notifyOfFailure(tx: Transaction<Schema>, failure: DestinationFailure) {
  const { destination, attempted, decision, now } = failure;
  if (destination.failures + 1 !== NOTIFY_AT_ATTEMPT) return;
  const what =
    destination.kind === 'webhook'
      ? `Webhook endpoint "${destination.endpoint.name}"`
      : `Channel "${destination.channel.name}"`;
  const since = minuteOf(decision.failingSince ?? now);
  await notifyResponsible(tx, failure, {
    headline: `${what} can't be reached`,
    text: `Nothing could be delivered since ${since} UTC: ${attempted.reason ?? ''} What waits is tried again for 24 hours.`,
  });
}

async function notifyResponsible(
  tx: Transaction<Schema>,
  { destination, now, mail }: DestinationFailure,
  words: { headline: string; text: string },
): Promise<void> {
  const notice = { severity: 'warning', ...words } as const;
  const owner = destination.kind === 'webhook' ? destination.endpoint : destination.channel;
  if (owner.team_id !== null)
    return notifyAdmins(tx, { teamId: owner.team_id, ...notice }, { now, mail });
  const personId = 'person_id' in owner ? owner.person_id : null;
  if (personId !== null) await notifyPerson(tx, { personId, ...notice }, { now, mail });
}

function minuteOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

/** Switches the destination off and notifies those responsible. @returns the reason, a sentence. */
export async function deactivate(tx: Transaction<Schema>, failure: DestinationFailure) {
  const { destination, attempted, decision, now } = failure;
  const why = attempted.reason ?? 'Nothing could be sent there.';
  const since = minuteOf(decision.failingSince ?? now);
  const reason =
    attempted.outcome === 'gone'
      ? destination.kind === 'webhook'
        ? `${why} It is gone for good.`
        : why
      : `Nothing could be delivered since ${since} UTC. The last attempt: ${why}`;
  await queueOf(tx, destination.id).failPending({ now, withTests: true });
  if (destination.kind === 'webhook') {
    const { endpoint } = destination;
    await outcomeStore(tx).deactivateEndpoint(endpoint.id, reason, now);
    await notifyResponsible(tx, failure, {
      headline: `Webhook endpoint "${endpoint.name}" was switched off`,
      text: `${reason} Events are no longer sent to ${endpoint.url_host}. Once it works again, switch the endpoint on.`,
    });
    return reason;
  }
  const { channel } = destination;
  await outcomeStore(tx).disableChannel(channel.id, now);
  const [whose, who] = channel.team_id === null ? ['Your', 'You are not'] : ['Alert', 'Nobody is'];
  await notifyResponsible(tx, failure, {
    headline: `${whose} channel "${channel.name}" was switched off`,
    text: `${reason} ${who} alerted by it any more. Once it works again, switch the channel on.`,
  });
  return reason;
}

/** Expires overdue deliveries, and fails all that wait for a destination that is off or gone. @returns how many expired. */
export async function endUnsendable(
  tx: Transaction<Schema>,
  id: number,
  destination: LoadedDestination | null,
  now: number,
): Promise<number> {
  const expired = await queueOf(tx, id).expireOverdue(now);
  if (destination?.isActive !== true)
    await queueOf(tx, id).failPending({ now, withTests: destination === null });
  return expired;
}

/**
 * Records a batch of attempts of one webhook endpoint, in the order in which they ended, and their consequences, in the
 * transaction that holds the destination.
 *
 * @param destination as it is in this transaction. @param hasFailed whether a request of this round failed before.
 * @returns results in the order of the outcomes, and whether deliveries that waited for their next attempt are due now.
 */
export async function recordBatch(
  tx: Transaction<Schema>,
  destination: LoadedDestination,
  { outcomes, hasFailed }: { outcomes: readonly EndpointOutcome[]; hasFailed: boolean },
  tools: RecordTools,
) {
  const { now } = tools;
  const changes = await changesOf(tx, destination, { outcomes, hasFailed }, tools);
  const attempts = changes.map(({ outcome, decision }) =>
    recordedAttemptOf(outcome.delivery, outcome.attempted, decision, now),
  );
  await recordAttempts(tx, attempts);
  const { after: health } = changes.at(-1)!;
  await setHealth(tx, destination.id, health);
  const isRecovery = changes.some((change) => change.isRecovery);
  if (isRecovery) await queueOf(tx, destination.id).makePendingDue(now);
  const hasPassedTest = outcomes.some(
    ({ delivery, attempted }) => delivery.kind === 'test' && attempted.outcome === 'delivered',
  );
  const isHealthy = hasPassedTest && (await passEndpointTest(tx, destination.id, health, now));
  const recorded: Recorded[] = [];
  let { isActive } = destination;
  for (const change of changes) {
    // An endpoint is switched off once, whatever the requests that were in flight end with.
    const one = await announce(tx, { ...destination, isActive }, change, tools);
    if (one.deactivated !== null) isActive = false;
    recorded.push(one);
  }
  const last = recorded.at(-1)!;
  if (isHealthy) last.turn ??= turnOf(health, { failures: 0 });
  return { recorded, isRecovery: isRecovery || hasPassedTest };
}

/** Applies the outcomes to the endpoint's health one after another. */
async function changesOf(
  tx: Transaction<Schema>,
  destination: LoadedDestination,
  { outcomes, hasFailed }: { outcomes: readonly EndpointOutcome[]; hasFailed: boolean },
  { now, random }: RecordTools,
) {
  const { id } = destination;
  const fails = outcomes.some(({ attempted }) => attempted.outcome === 'failed');
  const attemptsBefore = fails ? await queueOf(tx, id).attemptsOfPending() : 0;
  let before: EndpointHealth = destination;
  let hasRoundFailed = hasFailed;
  let refusals = 0;
  const changes = [];
  for (const outcome of outcomes) {
    const { delivery, attempted } = outcome;
    const { failingSince } = before;
    const { health, decision, isRecovery } = changeHealth(before, {
      outcome,
      hasFailed: hasRoundFailed,
      refusals: refusals + (await refusalsBefore(tx, { id, failingSince }, attempted, now)),
      pendingAttempts: attemptsBefore + 1,
      now,
      random,
    });
    const isFailure = delivery.kind !== 'test' && attempted.outcome === 'failed';
    const isFailedRound = isFailure && !hasRoundFailed;
    changes.push({ outcome, before, after: health, decision, isRecovery, isFailedRound });
    hasRoundFailed ||= isFailure;
    if (delivery.kind !== 'test' && attempted.outcome === 'refused') refusals += 1;
    before = health;
  }
  return changes;
}

type Change = Awaited<ReturnType<typeof changesOf>>[number];

/** Switches the endpoint off, or notifies those responsible, where the change calls for that. */
async function announce(
  tx: Transaction<Schema>,
  destination: LoadedDestination,
  { outcome: { attempted }, before, after, decision, isFailedRound }: Change,
  { now, mail }: RecordTools,
): Promise<Recorded> {
  const { failures, failingSince } = before;
  const state = { ...destination, failures, failingSince };
  const failure = { destination: state, attempted, decision, now, mail };
  if (destination.isActive && decision.deactivates)
    return { result: 'failed', deactivated: await deactivate(tx, failure), turn: null };
  if (destination.isActive && isFailedRound) await notifyOfFailure(tx, failure);
  const result = decision.status === 'pending' ? 'postponed' : decision.status;
  return { result, deactivated: null, turn: turnOf(before, after) };
}

/**
 * Makes pending deliveries due after a test that arrived: their success, not the test's, ends the failure.
 *
 * @returns whether the endpoint works again.
 */
async function passEndpointTest(
  tx: Transaction<Schema>,
  id: number,
  health: EndpointHealth,
  now: number,
) {
  const [waiting] = await queueOf(tx, id).pending({ after: 0, limit: 1 });
  if (waiting === undefined) {
    const works = { failures: 0, failingSince: null, lastError: null, heldUntil: null };
    await setHealth(tx, id, { ...works, lastDeliveredAt: now });
    return true;
  }
  await queueOf(tx, id).makePendingDue(now);
  const heldUntil = health.heldUntil === null ? null : Math.min(now, health.heldUntil);
  await setHealth(tx, id, { ...health, lastDeliveredAt: now, heldUntil });
  return false;
}
