import type { Transaction } from 'kysely';
import type { Database } from '../store/contract.ts';
import { loadDestination, pendingOf } from '../store/deliveries.ts';
import type { LoadedDestination } from '../store/deliveries.ts';
import {
  deactivateEndpoint,
  disableChannel,
  failPending,
  hastenPending,
  recordAttempt,
  recordSent,
  setHealth,
  supersede,
} from '../store/delivery-outcomes.ts';
import type { NewAttempt } from '../store/delivery-outcomes.ts';
import type { Schema } from '../store/schema.ts';
import { tellAdmins, tellPerson } from './admins.ts';
import { ruleOn } from './retry.ts';
import type { Attempted, Ruling } from './retry.ts';
import { lostSince } from './turn.ts';
import type { Turn } from './turn.ts';

/** What became of an attempt, for counters and the log. */
export interface Recorded {
  result: 'delivered' | 'postponed' | 'failed';
  /** Why the destination is switched off; null when it isn't. */
  deactivated: string | null;
}

interface RecordTools {
  engine: Database['engine'];
  now: number;
  random: () => number;
  /** Whether mail can be sent. */
  mail: boolean;
}

/** Writes down what came of an attempt, and all that follows from it. In the transaction that holds the destination. */
export async function recordOutcome(
  tx: Transaction<Schema>,
  turn: Turn,
  attempted: Attempted,
  { engine, now, random, mail }: RecordTools,
): Promise<Recorded> {
  const { head } = turn;
  // As it is now: somebody may have switched it off or on again meanwhile.
  const destination = (await loadDestination(tx, turn.destination.id)) ?? turn.destination;
  const isTest = head.kind === 'test';
  const ruling = ruleOn({
    attempted,
    isTest,
    attempts: head.attempts + 1,
    expiresAt: head.expiresAt,
    failingSince: destination.failingSince,
    failures: destination.failures,
    now,
    random,
  });
  const attempt = attemptOf(attempted);
  if (ruling.status === 'delivered') {
    await recordDelivered(tx, turn, attempt, now);
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
    const reason = await deactivate(tx, { engine, destination, attempted, ruling, now, mail });
    return { result: 'failed', deactivated: reason };
  }
  const isFirst = destination.failures === 0 && head.kind !== 'notice' && !isTest;
  if (againAt === null && isFirst)
    await tellOfRefusal(tx, { engine, destination, attempted, now, mail });
  return { result: againAt === null ? 'failed' : 'postponed', deactivated: null };
}

const HEALTHY = { failures: 0, failingSince: null, lastError: null };

async function recordDelivered(
  tx: Transaction<Schema>,
  { destination, head, delivery, blindSpot, told }: Turn,
  attempt: NewAttempt,
  now: number,
): Promise<void> {
  if (blindSpot === null) {
    await recordAttempt(tx, delivery ?? head, attempt, { status: 'delivered', at: now });
  } else {
    const { messageId, notice } = blindSpot;
    const body = JSON.stringify(notice);
    const sent = { teamId: head.teamId, messageId, kind: notice.kind, body };
    await recordSent(tx, destination.id, sent, attempt, now);
  }
  await supersede(tx, told, now);
}

/** What waits follows a test that came through at once; its success, not the test's, ends the trouble. */
async function passTest(
  tx: Transaction<Schema>,
  destination: LoadedDestination,
  now: number,
): Promise<void> {
  const { id, failingSince } = destination;
  const [waiting] = await pendingOf(tx, id, 1);
  if (waiting !== undefined) return hastenPending(tx, id, now);
  if (failingSince === null) return;
  const lost = destination.kind === 'channel' ? await lostSince(tx, destination, now) : [];
  // What was lost is told with the next message, as long as the channel counts as failing.
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

function attemptOf(attempted: Attempted): NewAttempt {
  const { at, durationMs, statusCode, reason, response } = attempted;
  return { at, durationMs, statusCode, error: reason, response };
}

interface Deactivation {
  engine: Database['engine'];
  destination: LoadedDestination;
  attempted: Attempted;
  ruling: Ruling;
  now: number;
  mail: boolean;
}

/** A channel took no alarm, and may take none: who can mend it hears so at once, and once until it takes one. */
async function tellOfRefusal(
  tx: Transaction<Schema>,
  { engine, destination, attempted, now, mail }: Omit<Deactivation, 'ruling'>,
): Promise<void> {
  if (destination.kind === 'webhook') return;
  const { channel } = destination;
  const headline = `Channel "${channel.name}" refused a message`;
  const text = `${attempted.reason ?? ''} Look at its settings, and try it out with a test.`.trim();
  const notice = { severity: 'warning', headline, text } as const;
  const { team_id: teamId, person_id: personId } = channel;
  if (teamId !== null) await tellAdmins(tx, engine, { teamId, ...notice }, { now, mail });
  if (personId !== null) await tellPerson(tx, engine, { personId, ...notice }, { now, mail });
}

/** Nothing is sent there any more, and the team's admins are told, or whose own it was. @returns why, a sentence. */
async function deactivate(
  tx: Transaction<Schema>,
  { engine, destination, attempted, ruling, now, mail }: Deactivation,
): Promise<string> {
  const why = attempted.reason ?? 'Nothing could be sent there.';
  const since = new Date(ruling.failingSince ?? now).toISOString().slice(0, 16).replace('T', ' ');
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
    const headline = `Webhook endpoint "${endpoint.name}" was switched off`;
    const text = `${reason} Events are no longer sent to ${endpoint.url_host}. Once it works again, switch the endpoint on.`;
    await tellAdmins(
      tx,
      engine,
      { teamId: endpoint.team_id, severity: 'warning', headline, text },
      { now, mail },
    );
    return reason;
  }
  const { channel } = destination;
  await disableChannel(tx, channel.id, now);
  if (channel.team_id !== null) {
    const headline = `Alert channel "${channel.name}" was switched off`;
    const text = `${reason} Nobody is alerted by it any more. Once it works again, switch the channel on.`;
    await tellAdmins(
      tx,
      engine,
      { teamId: channel.team_id, severity: 'warning', headline, text },
      { now, mail },
    );
  } else if (channel.person_id !== null) {
    const headline = `Your channel "${channel.name}" was switched off`;
    const text = `${reason} You are not alerted by it any more. Once it works again, switch it on.`;
    const personId = channel.person_id;
    await tellPerson(tx, engine, { personId, severity: 'warning', headline, text }, { now, mail });
  }
  return reason;
}
