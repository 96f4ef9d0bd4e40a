import type { Transaction } from 'kysely';
import { loadDestination, readPending } from '../../store/alerting/deliveries.ts';
import type { LoadedDestination } from '../../store/alerting/deliveries.ts';
import {
  deactivateEndpoint,
  disableChannel,
  countRefused,
  expireOverdue,
  failPending,
  hasNewerAttempt,
  hastenPending,
  recordAttempt,
  recordSent,
  setHealth,
  setLastDelivered,
  supersede,
} from '../../store/alerting/delivery-outcomes.ts';
import type { NewAttempt } from '../../store/alerting/delivery-outcomes.ts';
import type { Schema } from '../../store/database/schema.ts';
import { notifyAdmins, notifyPerson } from '../notify/system-messages.ts';
import { DEACTIVATE_AFTER_MS, ruleOn, TRIES_BEFORE_DEACTIVATION } from './retry.ts';
import type { Attempted, Ruling } from './retry.ts';
import { readLostSince, type NextMessage } from './next-message.ts';

/** What became of an attempt, for counters and the log. */
export interface Recorded {
  result: 'delivered' | 'postponed' | 'failed';
  /** Why the destination is switched off; null when it isn't. */
  deactivated: string | null;
}

export interface RecordTools {
  now: number;
  random: () => number;
  /** Whether mail can be sent. */
  mail: boolean;
}

/** Writes down what came of an attempt, and all that follows from it. In the transaction that holds the destination. */
export async function recordOutcome(
  tx: Transaction<Schema>,
  message: NextMessage,
  attempted: Attempted,
  { now, random, mail }: RecordTools,
): Promise<Recorded> {
  const { head } = message;
  // As it is now: somebody may have switched it off or on again meanwhile.
  const destination = (await loadDestination(tx, message.destination.id)) ?? message.destination;
  const isTest = head.kind === 'test';
  const ruling = ruleOn({
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
  const attempt = attemptOf(attempted);
  if (ruling.status === 'delivered') {
    await recordDelivered(tx, message, attempt, now);
    if (isTest) await passTest(tx, destination, now);
    else await setHealth(tx, destination.id, { ...HEALTHY, lastDeliveredAt: now });
    return { result: 'delivered', deactivated: null };
  }
  const { againAt } = ruling;
  const then =
    againAt === null
      ? ({ status: 'failed', at: now } as const)
      : ({ status: 'pending', nextAt: againAt } as const);
  await recordAttempt(tx, head, attempt, then);
  if (!isTest) await recordFailure(tx, destination, ruling, attempted.reason);
  if (ruling.deactivates) {
    const reason = await deactivate(tx, { destination, attempted, ruling, now, mail });
    return { result: 'failed', deactivated: reason };
  }
  // What tells of trouble, and fails itself, is no news.
  if (!isTest && head.kind !== 'notice') {
    const trouble = { destination, attempted, ruling, now, mail };
    if (againAt === null) await tellOfRefusal(tx, trouble);
    else await tellOfSilence(tx, trouble);
  }
  return { result: againAt === null ? 'failed' : 'postponed', deactivated: null };
}

/** They matter to one that refuses, and has failed for long. */
export async function refusalsBefore(
  tx: Transaction<Schema>,
  { id, failingSince }: Pick<LoadedDestination, 'id' | 'failingSince'>,
  { outcome }: Attempted,
  now: number,
): Promise<number> {
  if (outcome !== 'refused' || failingSince === null) return 0;
  if (now - failingSince < DEACTIVATE_AFTER_MS) return 0;
  return countRefused(tx, id, { since: failingSince, limit: TRIES_BEFORE_DEACTIVATION });
}

/** Whether the outcome of a message is recorded already. */
export function isRecorded(
  tx: Transaction<Schema>,
  { destination, head, delivery, gapMessage }: NextMessage,
): Promise<boolean> {
  const sent = delivery === null ? [head] : [head, delivery];
  return hasNewerAttempt(tx, destination.id, sent, gapMessage?.messageId ?? null);
}

const HEALTHY = { failures: 0, failingSince: null, lastError: null };

async function recordDelivered(
  tx: Transaction<Schema>,
  { destination, head, delivery, gapMessage, superseded }: NextMessage,
  attempt: NewAttempt,
  now: number,
): Promise<void> {
  if (gapMessage === null) {
    await recordAttempt(tx, delivery ?? head, attempt, { status: 'delivered', at: now });
  } else {
    const { messageId, content } = gapMessage;
    const body = JSON.stringify(content);
    const sent = { teamId: head.teamId, messageId, kind: content.kind, body };
    await recordSent(tx, destination.id, sent, attempt, now);
  }
  await supersede(tx, superseded, now);
}

/** What waits follows a test that came through at once; its success, not the test's, ends the trouble. */
async function passTest(
  tx: Transaction<Schema>,
  destination: LoadedDestination,
  now: number,
): Promise<void> {
  const { id, failingSince } = destination;
  const lost = destination.kind === 'channel' ? await readLostSince(tx, destination, now) : [];
  // What was lost is told with the next message, as long as it came after the last one that arrived.
  if (lost.length === 0) await setLastDelivered(tx, id, now);
  const [waiting] = await readPending(tx, id, { after: 0, limit: 1 });
  if (waiting !== undefined) return hastenPending(tx, id, now);
  if (failingSince === null) return;
  // And as long as the channel counts as failing.
  await setHealth(tx, id, { ...HEALTHY, failingSince: lost.length > 0 ? failingSince : null });
}

function recordFailure(
  tx: Transaction<Schema>,
  { id }: LoadedDestination,
  { failures, failingSince }: Ruling,
  reason: string | null,
): Promise<void> {
  return setHealth(tx, id, { failures, failingSince, lastError: reason });
}

export function attemptOf(attempted: Attempted): NewAttempt {
  const { at, durationMs, statusCode, reason, response } = attempted;
  return { at, durationMs, statusCode, error: reason, response };
}

interface Deactivation {
  destination: LoadedDestination;
  attempted: Attempted;
  ruling: Ruling;
  now: number;
  mail: boolean;
}

/** A channel took no alarm, and may take none: who can mend it hears so at once, and once until it takes one. */
async function tellOfRefusal(tx: Transaction<Schema>, trouble: Deactivation): Promise<void> {
  const { destination, attempted } = trouble;
  if (destination.kind === 'webhook' || destination.failures > 0) return;
  await tellWhoCanMend(tx, trouble, {
    headline: `Channel "${destination.channel.name}" refused a message`,
    text: `${attempted.reason ?? ''} Look at its settings, and try it out with a test.`.trim(),
  });
}

/** The so-manyth attempt in a row is made some eight minutes after the first. */
const TELL_AT_ATTEMPT = 6;

/** Nothing could be sent for a while: who can mend it hears so once until something arrives. */
export async function tellOfSilence(tx: Transaction<Schema>, trouble: Deactivation): Promise<void> {
  const { destination, attempted, ruling, now } = trouble;
  if (destination.failures + 1 !== TELL_AT_ATTEMPT) return;
  const what =
    destination.kind === 'webhook'
      ? `Webhook endpoint "${destination.endpoint.name}"`
      : `Channel "${destination.channel.name}"`;
  const since = minuteOf(ruling.failingSince ?? now);
  await tellWhoCanMend(tx, trouble, {
    headline: `${what} can't be reached`,
    text: `Nothing could be delivered since ${since} UTC: ${attempted.reason ?? ''} What waits is tried again for 24 hours.`,
  });
}

/** The team's admins, or whose own channel it is. */
async function tellWhoCanMend(
  tx: Transaction<Schema>,
  { destination, now, mail }: Deactivation,
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

/** Nothing is sent there any more, and the team's admins are told, or whose own it was. @returns why, a sentence. */
export async function deactivate(tx: Transaction<Schema>, trouble: Deactivation): Promise<string> {
  const { destination, attempted, ruling, now } = trouble;
  const why = attempted.reason ?? 'Nothing could be sent there.';
  const since = minuteOf(ruling.failingSince ?? now);
  const reason =
    attempted.outcome === 'gone'
      ? destination.kind === 'webhook'
        ? `${why} It is gone for good.`
        : why
      : `Nothing could be delivered since ${since} UTC. The last attempt: ${why}`;
  await failPending(tx, destination.id, { now, withTests: true });
  if (destination.kind === 'webhook') {
    const { endpoint } = destination;
    await deactivateEndpoint(tx, endpoint.id, reason, now);
    await tellWhoCanMend(tx, trouble, {
      headline: `Webhook endpoint "${endpoint.name}" was switched off`,
      text: `${reason} Events are no longer sent to ${endpoint.url_host}. Once it works again, switch the endpoint on.`,
    });
    return reason;
  }
  const { channel } = destination;
  await disableChannel(tx, channel.id, now);
  const [whose, who] = channel.team_id === null ? ['Your', 'You are not'] : ['Alert', 'Nobody is'];
  await tellWhoCanMend(tx, trouble, {
    headline: `${whose} channel "${channel.name}" was switched off`,
    text: `${reason} ${who} alerted by it any more. Once it works again, switch the channel on.`,
  });
  return reason;
}

/** Ends what is overdue, and all that nobody is to be sent any more. @returns how many expired. */
export async function clearAway(
  tx: Transaction<Schema>,
  id: number,
  destination: LoadedDestination | null,
  now: number,
): Promise<number> {
  const expired = await expireOverdue(tx, id, now);
  if (destination?.isActive !== true)
    await failPending(tx, id, { now, withTests: destination === null });
  return expired;
}
