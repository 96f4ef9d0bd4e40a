import { loadChannel, type LoadedChannel } from '../../store/alerting/deliveries.ts';
import type { ClaimedDestination } from '../../store/alerting/claims.ts';
import {
  ATTEMPT_MS,
  makeAttempt,
  sendOutcomeOf,
  unsent,
  whileClaimed,
  withDeadline,
  type Sender,
  type SenderDependencies,
  type Stopped,
  type SendOutcome,
} from './attempt.ts';
import { endUnsendable, isRecorded, outcomeRecorder } from './outcome.ts';
import type { Attempted } from './retry.ts';
import { openIfPossible } from '../../lib/columns.ts';
import { createPaces } from '../../lib/paces.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { OUTGOING_PACES } from '../../model/outgoing.ts';
import { hostOfChannel, type ChannelDelivery, type ChannelSettings } from '../channels/index.ts';
import { channelOwner } from '../../store/database/sealed-columns.ts';
import { render } from '../message/render.ts';
import type { AlertLinks } from '../message/alert-link.ts';
import type { MessageContent } from '../message/content.ts';
import type { Database } from '../../store/database/contract.ts';
import { accountStore } from '../../store/people/accounts.ts';
import { nextMessage, contentOf, type NextMessage } from './next-message.ts';

/** Maximum number of messages that a channel is sent before other destinations have a turn. */
const MAX_MESSAGES = 50;

interface Done {
  message: NextMessage<LoadedChannel>;
  attempted: Attempted;
}

/** Sends to channels: one message after another, each recorded before the next one is chosen. */
export function createChannelSender(dependencies: SenderDependencies): Sender {
  const { database, leases, tools, clock, random, channelType, openSignup } = dependencies;
  const paces = createPaces(clock, OUTGOING_PACES.alert[openSignup ? 'open' : 'pace']);

  async function serve(claimed: ClaimedDestination, mayContinue: () => boolean): Promise<void> {
    let count = 0;
    const mayProceed = () => count < MAX_MESSAGES && mayContinue();
    let message = mayContinue()
      ? await leases.retryUntilRecorded(claimed, () => peek(claimed.id))
      : null;
    // Nothing to send: overdue deliveries expire, and what is due then is sent.
    message ??= await proceed(claimed, null, mayProceed);
    while (message !== null) {
      const waitMs = waitFor(claimed, message);
      if (waitMs > 0) {
        await proceed(claimed, null, () => false, clock.now() + waitMs);
        return;
      }
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

  /** Milliseconds that a message waits for the pace of its host; a test never does. */
  function waitFor({ owner }: ClaimedDestination, message: NextMessage<LoadedChannel>): number {
    const { channel } = message.destination;
    const { type, settings } = channel;
    const secrets = dependencies.secretBox.of('alert_channel', channelOwner(channel));
    const text = settings === null ? undefined : openIfPossible(secrets)(settings, 'settings');
    const host = text === undefined ? null : hostOfChannel(type, JSON.parse(text));
    return host === null || message.head.kind === 'test' ? 0 : paces.take(`${owner} ${host}`);
  }

  /** Reads without a lock: only the process that claimed the channel changes what is sent next. */
  async function peek(id: number): Promise<NextMessage<LoadedChannel> | null> {
    const destination = await loadChannel(database.read, id);
    if (destination === null) return null;
    return nextMessage(database.read, destination, clock.now(), channelType);
  }

  function attempt(message: NextMessage<LoadedChannel>): Promise<Done | Stopped> {
    return withDeadline(dependencies, ATTEMPT_MS.channel, async (signal) => {
      const send = async (one: NextMessage<LoadedChannel>): Promise<Done | Stopped> => {
        const channel = one.destination;
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

  /**
   * Records what was done, then returns the next message, or releases the channel and returns null.
   *
   * @param notBefore epoch ms until which the channel waits.
   */
  async function proceed(
    claimed: ClaimedDestination,
    done: Done | null,
    mayProceed: () => boolean,
    notBefore = 0,
  ): Promise<NextMessage<LoadedChannel> | null> {
    let tries = 0;
    const step = await whileClaimed(dependencies, claimed, async (tx, queue) => {
      tries += 1;
      const now = clock.now();
      // An earlier try may have been committed without an answer.
      const isDone = done === null || (tries > 1 && (await isRecorded(tx, done.message)));
      const outcomeTools = { now, random, mail: tools.mailer !== null };
      const recorder = outcomeRecorder(tx, outcomeTools);
      const recorded = isDone ? null : await recorder.recordOfChannel(done.message, done.attempted);
      const destination = await loadChannel(tx, claimed.id);
      const expired = await endUnsendable(tx, claimed.id, destination, now);
      const next =
        destination !== null && mayProceed()
          ? await nextMessage(tx, destination, now, channelType)
          : null;
      if (next === null) await queue.release(now, notBefore);
      return { recorded, expired, next };
    });
    if (step === null) return null;
    dependencies.onExpired(claimed, step.expired);
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
function fallbackMessage({ message, attempted }: Done): NextMessage<LoadedChannel> | null {
  const { gapMessage, head } = message;
  if (attempted.outcome !== 'refused' || gapMessage === null) return null;
  if (gapMessage.replaces.includes(head.id)) return null;
  return { ...message, delivery: head, gapMessage: null, superseded: [] };
}

export interface ChannelMessage {
  messageId: string;
  content: MessageContent;
  alertId: number | null;
  /** When that alert began, epoch ms; null where it is gone. */
  alertOpenedAt: number | null;
}

/** Returns null for a delivery whose stored body is no message. */
function channelMessageOf({
  head,
  delivery,
  gapMessage,
}: Pick<NextMessage, 'head' | 'delivery' | 'gapMessage'>): ChannelMessage | null {
  if (gapMessage !== null) {
    const { messageId, content } = gapMessage;
    return { messageId, content, alertId: null, alertOpenedAt: null };
  }
  const { messageId, body, alertId, alertOpenedAt } = delivery ?? head;
  const content = contentOf(body);
  return content === null ? null : { messageId, content, alertId, alertOpenedAt };
}

/** Makes one attempt: renders the message in the reader's time zone and hands it to the provider. Throws SecretUnreadable. */
export async function sendToChannel(
  destination: LoadedChannel,
  message: ChannelMessage | null,
  dependencies: Pick<
    SenderDependencies,
    'tools' | 'links' | 'secretBox' | 'channelType' | 'database' | 'openSignup'
  >,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const { tools, links, secretBox, channelType, database, openSignup } = dependencies;
  if (message === null) return unsent('refused', 'The stored message can not be read.');
  const { channel } = destination;
  const type = channelType(channel.type);
  // While processes are upgraded, one of the newer release sends it.
  if (type === undefined)
    return unsent('failed', `This version of Tocsin has no channel of type ${channel.type}.`);
  const stored = settingsOf(destination, secretBox);
  const settings =
    openSignup && typeof stored !== 'string'
      ? await onlyMemberAddresses(database, channel, stored)
      : stored;
  if (typeof settings === 'string') return unsent('refused', settings);
  const delivery = deliveryOf(destination, message, links, tools.now());
  return sendOutcomeOf(await type.send(settings, delivery, tools, signal));
}

/** Returns the settings, or a sentence that says why there are none. E-mail goes to the person's own address by default. */
function settingsOf({ channel, person }: LoadedChannel, secretBox: SecretBox) {
  if (channel.settings !== null) {
    const settings: unknown = JSON.parse(
      secretBox.of('alert_channel', channelOwner(channel)).open(channel.settings, 'settings'),
    );
    return settings as ChannelSettings;
  }
  if (channel.type !== 'email' || person === null) return 'The channel is not set up.';
  if (!person.emailVerified)
    return 'The e-mail address of this person is not confirmed: nothing is sent there until it is.';
  return { addresses: [person.email] };
}

function deliveryOf(
  { id, timezone }: LoadedChannel,
  { messageId, content, alertId, alertOpenedAt }: ChannelMessage,
  links: AlertLinks,
  now: number,
): ChannelDelivery {
  const message = render(content, { timezone, links: linksOf(alertId, id, links, now) });
  return {
    id: messageId,
    dedupKey: alertId === null ? null : dedupKey(alertId, alertOpenedAt),
    action: ACTIONS[content.kind] ?? 'inform',
    content,
    message,
  };
}

function linksOf(alertId: number | null, destinationId: number, links: AlertLinks, now: number) {
  if (alertId === null) return { details: null, acknowledge: null };
  return {
    details: links.detailsUrl(alertId, destinationId, now),
    acknowledge: links.acknowledgeUrl(alertId, destinationId, now),
  };
}

/** Contains the time, since a database that was restored from a backup assigns ids again. */
function dedupKey(alertId: number, openedAt: number | null): string {
  return openedAt === null ? `tocsin-alert-${alertId}` : `tocsin-alert-${alertId}-${openedAt}`;
}

const ACTIONS: Partial<Record<MessageContent['kind'], ChannelDelivery['action']>> = {
  alarm: 'trigger',
  update: 'trigger',
  reminder: 'trigger',
  escalation: 'trigger',
  recovery: 'resolve',
};

/**
 * Leaves out the addresses of a team's e-mail channel that no active member has confirmed. With open sign-up anybody can
 * make a team, and its alerts must not be mailed to people who never agreed to it.
 *
 * @returns the settings, or a sentence that says why nothing is sent.
 */
async function onlyMemberAddresses(
  database: Pick<Database, 'read'>,
  channel: LoadedChannel['channel'],
  settings: ChannelSettings,
): Promise<ChannelSettings | string> {
  const { addresses } = settings;
  if (channel.type !== 'email' || channel.team_id === null || !Array.isArray(addresses))
    return settings;
  const confirmed = await accountStore(database.read).confirmedAddresses({
    personId: null,
    teamId: channel.team_id,
  });
  const members = addresses.filter((address) => confirmed.has(address.toLowerCase()));
  if (members.length > 0) return { ...settings, addresses: members };
  return 'No address of this channel is the confirmed address of a member of the team: nothing is sent there until it is.';
}
