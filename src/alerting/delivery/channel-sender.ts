import {
  lockDestination,
  loadDestination,
  releaseDestination,
  type ClaimedDestination,
} from '../../store/alerting/deliveries.ts';
import { ATTEMPT_MS, makeAttempt, withDeadline } from './attempt.ts';
import type { Sender, SenderDependencies, Stopped } from './attempt.ts';
import {
  channelMessageOf,
  sendToChannel,
  type ChannelSenderTools,
  type LoadedChannel,
} from './channel-message.ts';
import { nextMessage, type NextMessage } from './next-message.ts';
import { endUnsendable, isRecorded, recordOutcome } from './outcome.ts';
import type { Attempted } from './retry.ts';

/** Maximum number of messages that a channel is sent before other destinations have a turn. */
const MAX_MESSAGES = 50;

/** A message and the outcome of its attempt. */
interface Done {
  message: NextMessage;
  attempted: Attempted;
}

/** Sends to channels: one message after another, each recorded before the next one is chosen. */
export function createChannelSender(
  dependencies: SenderDependencies & Omit<ChannelSenderTools, 'tools'>,
): Sender {
  const { database, leases, tools, clock, random, channelType } = dependencies;

  async function serve(claimed: ClaimedDestination, mayContinue: () => boolean): Promise<void> {
    let count = 0;
    const mayProceed = () => count < MAX_MESSAGES && mayContinue();
    let message = mayContinue()
      ? await leases.retryUntilRecorded(claimed, () => peek(claimed.id))
      : null;
    // Nothing to send: overdue deliveries expire, and what is due then is sent.
    message ??= await proceed(claimed, null, mayProceed);
    while (message !== null) {
      // The process was frozen: another one may have the channel by the time an attempt ends.
      const isOurs = leases.lastsFor(claimed, ATTEMPT_MS.channel);
      const done = isOurs ? await attempt(message) : 'stopped';
      count += 1;
      message =
        done === 'stopped'
          ? await proceed(claimed, null, () => false)
          : await proceed(claimed, done, mayProceed);
    }
  }

  /** Reads without a lock: only the process that claimed the channel changes what is sent next. */
  async function peek(id: number): Promise<NextMessage | null> {
    const destination = await loadDestination(database.read, id);
    if (destination === null) return null;
    return nextMessage(database.read, destination, clock.now(), channelType);
  }

  function attempt(message: NextMessage): Promise<Done | Stopped> {
    return withDeadline(dependencies, ATTEMPT_MS.channel, async (signal) => {
      const send = async (one: NextMessage): Promise<Done | Stopped> => {
        const channel = one.destination as LoadedChannel;
        const attempted = await makeAttempt(channel.id, dependencies, signal, async () =>
          sendToChannel(channel, channelMessageOf(one), dependencies, signal),
        );
        return attempted === 'stopped' ? attempted : { message: one, attempted };
      };
      const done = await send(message);
      const fallback = done === 'stopped' ? null : fallbackMessage(done);
      return fallback === null ? done : send(fallback);
    });
  }

  /** Records what was done, then returns the next message, or releases the channel and returns null. */
  async function proceed(
    claimed: ClaimedDestination,
    done: Done | null,
    mayProceed: () => boolean,
  ): Promise<NextMessage | null> {
    let tries = 0;
    const step = await leases.retryUntilRecorded(claimed, () =>
      database.transaction(async (tx) => {
        tries += 1;
        const now = clock.now();
        if (!(await lockDestination(tx, claimed))) return null;
        // An earlier try may have been committed without an answer.
        const isDone = done === null || (tries > 1 && (await isRecorded(tx, done.message)));
        const outcomeTools = { now, random, mail: tools.mailer !== null };
        const recorded = isDone
          ? null
          : await recordOutcome(tx, done.message, done.attempted, outcomeTools);
        const destination = await loadDestination(tx, claimed.id);
        const expired = await endUnsendable(tx, claimed.id, destination, now);
        const next =
          destination !== null && mayProceed()
            ? await nextMessage(tx, destination, now, channelType)
            : null;
        if (next === null) await releaseDestination(tx, claimed.id, now);
        return { recorded, expired, next };
      }),
    );
    if (step === null) return null;
    dependencies.onExpired(step.expired);
    if (done !== null && step.recorded !== null)
      dependencies.onRecorded(done.message, done.attempted, step.recorded);
    return step.next;
  }

  return { serve };
}

/**
 * The message that is sent at once in place of a gap message that was refused: the delivery that waits behind it. Otherwise
 * one text that a provider does not take would block everything after it. Null when there is none.
 */
function fallbackMessage({ message, attempted }: Done): NextMessage | null {
  const { gapMessage, head } = message;
  if (attempted.outcome !== 'refused' || gapMessage === null) return null;
  if (gapMessage.replaces.includes(head.id)) return null;
  return { ...message, delivery: head, gapMessage: null, superseded: [] };
}
