import type { Transaction } from 'kysely';
import {
  makePendingDue,
  recordAttempts,
  setHealth,
} from '../../store/alerting/delivery-outcomes.ts';
import { readPending } from '../../store/alerting/deliveries.ts';
import type { LoadedDestination } from '../../store/alerting/deliveries.ts';
import { attemptsOfPending } from '../../store/alerting/endpoint-queue.ts';
import type { Schema } from '../../store/database/schema.ts';
import { changeHealth } from './retry.ts';
import {
  deactivate,
  notifyOfFailure,
  recordedAttemptOf,
  refusalsBefore,
  turnOf,
} from './outcome.ts';
import type { Recorded, RecordTools } from './outcome.ts';
import type { EndpointHealth, EndpointOutcome, RetryDecision } from './retry.ts';

export interface RecordedBatch {
  /** Results in the order of the outcomes. */
  recorded: Recorded[];
  /** Whether deliveries that waited for their next attempt are due now. */
  isRecovery: boolean;
}

/**
 * Records a batch of attempts of one webhook endpoint, in the order in which they ended, and their consequences, in the
 * transaction that holds the destination.
 *
 * @param destination as it is in this transaction. @param hasFailed whether a request of this round failed before.
 */
export async function recordBatch(
  tx: Transaction<Schema>,
  destination: LoadedDestination,
  { outcomes, hasFailed }: { outcomes: readonly EndpointOutcome[]; hasFailed: boolean },
  tools: RecordTools,
): Promise<RecordedBatch> {
  const { now } = tools;
  const changes = await changesOf(tx, destination, { outcomes, hasFailed }, tools);
  const attempts = changes.map(({ outcome, decision }) =>
    recordedAttemptOf(outcome.delivery, outcome.attempted, decision, now),
  );
  await recordAttempts(tx, attempts);
  const { after: health } = changes.at(-1)!;
  await setEndpointHealth(tx, destination.id, health);
  const isRecovery = changes.some((change) => change.isRecovery);
  if (isRecovery) await makePendingDue(tx, destination.id, now);
  const hasPassedTest = outcomes.some(
    ({ delivery, attempted }) => delivery.kind === 'test' && attempted.outcome === 'delivered',
  );
  const isHealthy = hasPassedTest && (await passTest(tx, destination.id, health, now));
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

interface Change {
  outcome: EndpointOutcome;
  before: EndpointHealth;
  after: EndpointHealth;
  decision: RetryDecision;
  isRecovery: boolean;
  /** Whether it is a failure that counts as one more failed round. */
  isFailedRound: boolean;
}

/** Applies the outcomes to the endpoint's health one after another. */
async function changesOf(
  tx: Transaction<Schema>,
  destination: LoadedDestination,
  { outcomes, hasFailed }: { outcomes: readonly EndpointOutcome[]; hasFailed: boolean },
  { now, random }: RecordTools,
): Promise<Change[]> {
  const { id } = destination;
  const fails = outcomes.some(({ attempted }) => attempted.outcome === 'failed');
  const attemptsBefore = fails ? await attemptsOfPending(tx, id) : 0;
  let before: EndpointHealth = destination;
  let hasRoundFailed = hasFailed;
  let refusals = 0;
  const changes: Change[] = [];
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
  return { result: resultOf(decision), deactivated: null, turn: turnOf(before, after) };
}

function setEndpointHealth(
  tx: Transaction<Schema>,
  id: number,
  { lastDeliveredAt, ...health }: EndpointHealth,
): Promise<void> {
  const { failures, failingSince, lastError, heldUntil } = health;
  const delivered = lastDeliveredAt === null ? {} : { lastDeliveredAt };
  return setHealth(tx, id, { failures, failingSince, lastError, heldUntil, ...delivered });
}

function resultOf({ status }: RetryDecision): Recorded['result'] {
  return status === 'pending' ? 'postponed' : status;
}

/**
 * Makes pending deliveries due after a test that arrived: their success, not the test's, ends the failure.
 *
 * @returns whether the endpoint works again.
 */
async function passTest(
  tx: Transaction<Schema>,
  id: number,
  health: EndpointHealth,
  now: number,
): Promise<boolean> {
  const [waiting] = await readPending(tx, id, { after: 0, limit: 1 });
  if (waiting === undefined) {
    const works = { failures: 0, failingSince: null, lastError: null, heldUntil: null };
    await setEndpointHealth(tx, id, { ...works, lastDeliveredAt: now });
    return true;
  }
  await makePendingDue(tx, id, now);
  const heldUntil = health.heldUntil === null ? null : Math.min(now, health.heldUntil);
  await setEndpointHealth(tx, id, { ...health, lastDeliveredAt: now, heldUntil });
  return false;
}
