import { minuteOf } from '../../lib/time-zone.ts';
import {
  loadChannel,
  queueOf,
  type LoadedChannel,
  type LoadedDestination,
} from '../../store/alerting/deliveries.ts';
import {
  outcomeStore,
  type RecordedAttempt,
  queueChanges,
} from '../../store/alerting/delivery-outcomes.ts';
import type { Tx } from '../../store/database/contract.ts';
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

function turnOf(
  before: { failures: number; failingSince: number | null },
  after: { failures: number },
): Turn | null {
  if (before.failures === 0 && after.failures > 0) return { to: 'failing' };
  if (before.failures > 0 && after.failures === 0)
    return { to: 'healthy', failingSince: before.failingSince };
  return null;
}

const HEALTHY = { failures: 0, failingSince: null, lastError: null };
/** The sixth attempt in a row is made about eight minutes after the first. */
const NOTIFY_AT_ATTEMPT = 6;

interface DestinationFailure {
  destination: LoadedDestination;
  attempted: Attempted;
  decision: RetryDecision;
}

/** Records attempts and their consequences, in the transaction that holds the destination. */
export function outcomeRecorder(
  tx: Tx,
  { now, random, mail }: { now: number; random: () => number; mail: boolean },
) {
  const store = outcomeStore(tx);

  async function recordOfChannel(
    message: NextMessage<LoadedChannel>,
    attempted: Attempted,
  ): Promise<Recorded> {
    const { head } = message;
    // Read again: somebody may have switched it off or on meanwhile.
    const destination = (await loadChannel(tx, message.destination.id)) ?? message.destination;
    const { id, failingSince, failures } = destination;
    const isTest = head.kind === 'test';
    const refusals = await refusalsBefore(destination, attempted);
    const attempts = head.attempts + 1;
    const { expiresAt } = head;
    const state = { isTest, attempts, expiresAt, failingSince, failures, refusals };
    const decision = decideRetry({ ...state, attempted, now, random });
    if (decision.status === 'delivered') {
      await recordDelivered(message, attempted);
      const isHealthy = !isTest || (await passChannelTest(destination));
      if (!isTest) await queueChanges(tx).setHealth(id, { ...HEALTHY, lastDeliveredAt: now });
      const turn = isHealthy ? turnOf(destination, HEALTHY) : null;
      return { result: 'delivered', deactivated: null, turn };
    }
    const failure = { destination, attempted, decision };
    await queueChanges(tx).recordAttempts([recordedAttemptOf(head, attempted, decision)]);
    if (!isTest) await queueChanges(tx).setHealth(id, { ...decision, lastError: attempted.reason });
    if (decision.deactivates)
      return { result: 'failed', deactivated: await deactivate(failure), turn: null };
    const isRefused = decision.nextAt === null;
    // Nobody is notified that a notification about a failure failed.
    if (!isTest && head.kind !== 'notice')
      await (isRefused ? notifyOfRefusal(failure) : notifyOfFailure(failure));
    const turn = isTest ? null : turnOf(destination, decision);
    return { result: isRefused ? 'failed' : 'postponed', deactivated: null, turn };
  }

  /** Counts earlier refusals of a destination that refuses and has failed for long; 0 for any other. */
  async function refusalsBefore(
    { id, failingSince }: Pick<LoadedDestination, 'id' | 'failingSince'>,
    { outcome }: Attempted,
  ): Promise<number> {
    if (outcome !== 'refused' || failingSince === null) return 0;
    if (now - failingSince < DEACTIVATE_AFTER_MS) return 0;
    return queueOf(tx, id).countRefused({ since: failingSince, limit: TRIES_BEFORE_DEACTIVATION });
  }

  async function recordDelivered(message: NextMessage, attempted: Attempted): Promise<void> {
    const { destination, head, delivery, gapMessage, superseded } = message;
    if (gapMessage === null) {
      const delivered = { status: 'delivered', nextAt: null } as const;
      await queueChanges(tx).recordAttempts([
        recordedAttemptOf(delivery ?? head, attempted, delivered),
      ]);
    } else {
      const { messageId, content } = gapMessage;
      const body = JSON.stringify(content);
      const sent = { teamId: head.teamId, messageId, kind: content.kind, body };
      const attempt = { ...attempted, error: attempted.reason };
      await store.recordSent(destination.id, sent, attempt, now);
    }
    await store.supersede(superseded, now);
  }

  /**
   * Makes pending deliveries due after a test that arrived: their success, not the test's, ends the failure.
   *
   * @returns whether the channel works again.
   */
  async function passChannelTest(destination: LoadedChannel): Promise<boolean> {
    const { id, failingSince } = destination;
    const lost = await readLostSince(tx, destination, now);
    // Lost messages are caught up with by the next one, as long as they came after the last one that arrived,
    if (lost.length === 0) await store.setLastDelivered(id, now);
    const [waiting] = await queueOf(tx, id).pending({ after: 0, limit: 1 });
    if (waiting !== undefined) {
      await queueOf(tx, id).makePendingDue(now);
      return false;
    }
    if (failingSince === null) return false;
    // and as long as the channel counts as failing.
    await queueChanges(tx).setHealth(id, {
      ...HEALTHY,
      failingSince: lost.length > 0 ? failingSince : null,
    });
    return true;
  }

  /** An attempt as it is logged, with the new status of its delivery. */
  function recordedAttemptOf(
    delivery: { id: number; attempts: number },
    attempted: Attempted,
    { status, nextAt }: Pick<RetryDecision, 'status' | 'nextAt'>,
  ): RecordedAttempt {
    return {
      deliveryId: delivery.id,
      number: delivery.attempts + 1,
      attempt: { ...attempted, error: attempted.reason },
      next: status === 'pending' ? { status, nextAt: nextAt ?? now } : { status, at: now },
    };
  }

  /** Notifies those responsible for a channel that refused a message, once until it accepts one. */
  async function notifyOfRefusal(failure: DestinationFailure): Promise<void> {
    const { destination, attempted } = failure;
    if (destination.kind === 'webhook' || destination.failures > 0) return;
    await notifyResponsible(failure, {
      headline: `Channel "${destination.channel.name}" refused a message`,
      text: `${attempted.reason ?? ''} Look at its settings, and try it out with a test.`.trim(),
    });
  }

  /** Notifies those responsible for a destination that has not been reached for a while, once until something arrives. */
  async function notifyOfFailure(failure: DestinationFailure): Promise<void> {
    const { destination, attempted, decision } = failure;
    if (destination.failures + 1 !== NOTIFY_AT_ATTEMPT) return;
    const what =
      destination.kind === 'webhook'
        ? `Webhook endpoint "${destination.endpoint.name}"`
        : `Channel "${destination.channel.name}"`;
    const since = minuteOf(decision.failingSince ?? now);
    await notifyResponsible(failure, {
      headline: `${what} can't be reached`,
      text: `Nothing could be delivered since ${since}: ${attempted.reason ?? ''} What waits is tried again for 24 hours.`,
    });
  }

  async function notifyResponsible(
    { destination }: DestinationFailure,
    words: { headline: string; text: string },
  ): Promise<void> {
    const notice = { severity: 'warning', ...words } as const;
    const owner = destination.kind === 'webhook' ? destination.endpoint : destination.channel;
    if (owner.team_id !== null)
      return notifyAdmins(tx, { teamId: owner.team_id, ...notice }, { now, mail });
    const personId = 'person_id' in owner ? owner.person_id : null;
    if (personId !== null) await notifyPerson(tx, { personId, ...notice }, { now, mail });
  }

  /** Switches the destination off and notifies those responsible. @returns the reason, a sentence. */
  async function deactivate(failure: DestinationFailure): Promise<string> {
    const { destination, attempted, decision } = failure;
    const why = attempted.reason ?? 'Nothing could be sent there.';
    const since = minuteOf(decision.failingSince ?? now);
    const reason =
      attempted.outcome === 'gone'
        ? destination.kind === 'webhook'
          ? `${why} It is gone for good.`
          : why
        : `Nothing could be delivered since ${since}. The last attempt: ${why}`;
    await queueOf(tx, destination.id).failPending({ now, withTests: true });
    if (destination.kind === 'webhook') {
      const { endpoint } = destination;
      await store.deactivateEndpoint(endpoint.id, reason, now);
      await notifyResponsible(failure, {
        headline: `Webhook endpoint "${endpoint.name}" was switched off`,
        text: `${reason} Events are no longer sent to ${endpoint.url_host}. Once it works again, switch the endpoint on.`,
      });
      return reason;
    }
    const { channel } = destination;
    await store.disableChannel(channel.id, now);
    const [whose, who] =
      channel.team_id === null ? ['Your', 'You are not'] : ['Alert', 'Nobody is'];
    await notifyResponsible(failure, {
      headline: `${whose} channel "${channel.name}" was switched off`,
      text: `${reason} ${who} alerted by it any more. Once it works again, switch the channel on.`,
    });
    return reason;
  }

  /**
   * Records a batch of attempts of one webhook endpoint, in the order in which they ended.
   *
   * @param destination as it is in this transaction. @param hasFailed whether a request of this round failed before.
   * @returns results in the order of the outcomes, and whether deliveries that waited for their next attempt are due now.
   */
  async function recordOfEndpoint(
    destination: LoadedDestination,
    { outcomes, hasFailed }: { outcomes: readonly EndpointOutcome[]; hasFailed: boolean },
  ) {
    const { id } = destination;
    const changes = await changesOf(destination, outcomes, hasFailed);
    const attempts = changes.map(({ outcome, decision }) =>
      recordedAttemptOf(outcome.delivery, outcome.attempted, decision),
    );
    await queueChanges(tx).recordAttempts(attempts);
    const { after: health } = changes.at(-1)!;
    await queueChanges(tx).setHealth(id, health);
    const isRecovery = changes.some((change) => change.isRecovery);
    if (isRecovery) await queueOf(tx, id).makePendingDue(now);
    const hasPassedTest = outcomes.some(
      ({ delivery, attempted }) => delivery.kind === 'test' && attempted.outcome === 'delivered',
    );
    const isHealthy = hasPassedTest && (await passEndpointTest(id, health));
    const recorded: Recorded[] = [];
    let { isActive } = destination;
    for (const change of changes) {
      // An endpoint is switched off once, whatever the requests that were in flight end with.
      const one = await announce({ ...destination, isActive }, change);
      if (one.deactivated !== null) isActive = false;
      recorded.push(one);
    }
    const last = recorded.at(-1)!;
    if (isHealthy) last.turn ??= turnOf(health, { failures: 0 });
    return { recorded, isRecovery: isRecovery || hasPassedTest };
  }

  /** Applies the outcomes to the endpoint's health one after another. */
  async function changesOf(
    destination: LoadedDestination,
    outcomes: readonly EndpointOutcome[],
    hasFailedBefore: boolean,
  ) {
    const { id } = destination;
    const fails = outcomes.some(({ attempted }) => attempted.outcome === 'failed');
    const attemptsBefore = fails ? await queueOf(tx, id).attemptsOfPending() : 0;
    const pendingAttempts = attemptsBefore + 1;
    let before: EndpointHealth = destination;
    let hasFailed = hasFailedBefore;
    let refused = 0;
    const changes = [];
    for (const outcome of outcomes) {
      const { delivery, attempted } = outcome;
      const { failingSince } = before;
      const refusals = refused + (await refusalsBefore({ id, failingSince }, attempted));
      const round = { outcome, hasFailed, refusals, pendingAttempts, now, random };
      const { health, decision, isRecovery } = changeHealth(before, round);
      const isFailure = delivery.kind !== 'test' && attempted.outcome === 'failed';
      const isFailedRound = isFailure && !hasFailed;
      changes.push({ outcome, before, after: health, decision, isRecovery, isFailedRound });
      hasFailed ||= isFailure;
      if (delivery.kind !== 'test' && attempted.outcome === 'refused') refused += 1;
      before = health;
    }
    return changes;
  }

  /** Switches the endpoint off, or notifies those responsible, where the change calls for that. */
  async function announce(
    destination: LoadedDestination,
    change: Awaited<ReturnType<typeof changesOf>>[number],
  ): Promise<Recorded> {
    const { outcome, before, after, decision, isFailedRound } = change;
    const { failures, failingSince } = before;
    const { attempted } = outcome;
    const failure = {
      destination: { ...destination, failures, failingSince },
      attempted,
      decision,
    };
    if (destination.isActive && decision.deactivates)
      return { result: 'failed', deactivated: await deactivate(failure), turn: null };
    if (destination.isActive && isFailedRound) await notifyOfFailure(failure);
    const result = decision.status === 'pending' ? 'postponed' : decision.status;
    return { result, deactivated: null, turn: turnOf(before, after) };
  }

  /** Does for an endpoint what `passChannelTest` does for a channel. */
  async function passEndpointTest(id: number, health: EndpointHealth): Promise<boolean> {
    const [waiting] = await queueOf(tx, id).pending({ after: 0, limit: 1 });
    if (waiting === undefined) {
      await queueChanges(tx).setHealth(id, { ...HEALTHY, heldUntil: null, lastDeliveredAt: now });
      return true;
    }
    await queueOf(tx, id).makePendingDue(now);
    const heldUntil = health.heldUntil === null ? null : Math.min(now, health.heldUntil);
    await queueChanges(tx).setHealth(id, { ...health, lastDeliveredAt: now, heldUntil });
    return false;
  }

  return { recordOfChannel, recordOfEndpoint };
}

export function isRecorded(tx: Tx, { destination, head, delivery, gapMessage }: NextMessage) {
  const sent = delivery === null ? [head] : [head, delivery];
  return queueOf(tx, destination.id).hasNewerAttempt(sent, gapMessage?.messageId ?? null);
}

/** Expires overdue deliveries, and fails all that wait for a destination that is off or gone. @returns how many expired. */
export async function endUnsendable(
  tx: Tx,
  id: number,
  destination: LoadedDestination | null,
  now: number,
): Promise<number> {
  const expired = await queueOf(tx, id).expireOverdue(now);
  if (destination?.isActive !== true)
    await queueOf(tx, id).failPending({ now, withTests: destination === null });
  return expired;
}
