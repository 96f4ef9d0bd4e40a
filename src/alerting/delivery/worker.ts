/**
 * The one outbox: everything that leaves for webhook endpoints, channels and the mailboxes of people. What is enqueued is a
 * delivery, in the transaction that asks for it, and waits in the queue of its destination. This file claims
 * destinations that are due with a lease (`leases.ts`) as far as there are slots (`slots.ts`), and hands each to the sender
 * of its kind: `endpoint-sender.ts` keeps up to 16 requests in flight and the order per monitor, `channel-sender.ts` sends one
 * message after another and catches up after a gap, `mail-sender.ts` sends the one mail of its destination. An attempt is
 * recorded after it was made; `retry.ts` decides what it means.
 */
import type { Log } from '../../lib/log.ts';
import { createPoller } from '../../lib/poller.ts';
import type { LoadedDestination } from '../../store/alerting/deliveries.ts';
import { leaseStore, type ClaimedDestination } from '../../store/alerting/claims.ts';
import type { DestinationKind } from '../../store/alerting/destinations.ts';
import { isUnavailable } from '../../store/database/errors.ts';
import { channelType as registered } from '../channels/index.ts';
import { ATTEMPT_MS, type DeliveryDependencies, type Sender } from './attempt.ts';
import { createChannelSender } from './channel-sender.ts';
import type { NextMessage } from './next-message.ts';
import { createEndpointSender } from './endpoint-sender.ts';
import { createLeases } from './leases.ts';
import { createMailSender } from './mail-sender.ts';
import type { Recorded } from './outcome.ts';
import type { Attempted } from './retry.ts';
import { createSlots, LIMITS } from './slots.ts';
import { createSubscriberSender } from './subscriber-sender.ts';
import { withoutAddresses } from '../../lib/text.ts';

const INTERVAL_MS = 250;
const DRAIN_MS = 3_000;
/** Maximum time that a destination is sent to before others have a turn. */
const SERVE_MS = 10_000;
const CLAIM_MS = {
  webhook: SERVE_MS + ATTEMPT_MS.webhook + 10_000,
  channel: SERVE_MS + ATTEMPT_MS.channel + 20_000,
  mail: ATTEMPT_MS.mail + 30_000,
  subscriber: ATTEMPT_MS.webhook + 30_000,
  subscriber_mail: ATTEMPT_MS.mail + 30_000,
};

/**
 * Sends what was enqueued, by any number of processes. A destination is claimed with a lease and served by the sender of
 * its kind, which records each attempt after it was made: a crash between the two sends a message twice, with the same
 * id. No destination waits for another one, unless all slots are taken.
 */
export function createDeliveryWorker(dependencies: DeliveryDependencies) {
  const { database, clock, log, tools, channelType = registered } = dependencies;
  /** Attempts at webhook endpoints and channels, deliveries that expired, and destinations that were switched off. */
  const counters = { delivered: 0, postponed: 0, failed: 0, expired: 0, deactivated: 0 };
  const stopping = new AbortController();
  const noMails = tools.mailer === null && { mails: 0, subscriberMails: 0 };
  const slots = createSlots({ ...LIMITS, ...noMails });
  const leases = createLeases({
    database,
    clock,
    maxMs: CLAIM_MS,
    isStopping: () => poller.isStopped,
  });
  const shared = {
    ...dependencies,
    channelType,
    leases,
    stopping: stopping.signal,
    onRecorded,
    onExpired,
  };
  const endpoints = createEndpointSender(shared);
  const mails = createMailSender(shared);
  const subscribers = createSubscriberSender(shared);
  const senders: Record<DestinationKind, Sender> = {
    webhook: endpoints,
    channel: createChannelSender(shared),
    mail: mails,
    subscriber: subscribers,
    subscriber_mail: mails,
  };
  const underWay = new Set<Promise<void>>();
  let hasEndedLeases = database.isShared;

  const poller = createPoller({
    run: claimDue,
    clock,
    intervalMs: dependencies.intervalMs ?? INTERVAL_MS,
    isUnavailable,
    // Log: Messages wait until they can be.
    onFailure: (error) => log.error({ error }, 'Deliveries could not be claimed.'),
  });

  async function claimDue(): Promise<void> {
    if (!hasEndedLeases) {
      await database.transaction((tx) => leaseStore(tx).endAll());
      hasEndedLeases = true;
    }
    await leases.renew();
    endpoints.closeIdle();
    // Another process may have enqueued something for an endpoint that is being sent to.
    if (database.isShared) endpoints.wake();
    const free = slots.free();
    if (free === 0) return;
    const due = { now: clock.now(), limit: free, ...slots.full() };
    const { claimed, leftSome } = await leases.claimDue(due, slots.choose);
    for (const destination of claimed) {
      const leave = slots.enter(destination);
      const ended = serve(destination).finally(() => {
        leave();
        underWay.delete(ended);
        poller.wake();
      });
      underWay.add(ended);
    }
    if (leftSome) poller.wake();
  }

  async function serve(claimed: ClaimedDestination): Promise<void> {
    const until = clock.monotonic() + SERVE_MS;
    const mayContinue = () => !poller.isStopped && clock.monotonic() < until;
    try {
      await senders[claimed.kind].serve(claimed, mayContinue);
      leases.end(claimed);
    } catch (error) {
      // The lease runs out, and what was not recorded is sent again.
      leases.breakOff(claimed);
      const fields = { error, destination_id: claimed.id };
      // Log: The message may be sent a second time, with the same id.
      log.error(fields, 'The outcome of a delivery could not be recorded.');
    }
  }

  function onRecorded(message: NextMessage, attempted: Attempted, recorded: Recorded): void {
    counters[recorded.result] += 1;
    if (recorded.deactivated !== null) counters.deactivated += 1;
    logAttempt(log, message, attempted, recorded, clock.now());
  }

  function onExpired({ id, kind }: ClaimedDestination, count: number): void {
    if (count === 0) return;
    counters.expired += count;
    // Log: They waited for 24 h.
    log.warn({ destination_kind: kind, destination_id: id, count }, 'Messages expired unsent.');
  }

  return {
    start: () => poller.start(),
    /** Polls now: this process enqueued something. */
    wake() {
      endpoints.wake();
      poller.wake();
    },
    /** Gives attempts in progress a little time, then aborts them for a later start. Never rejects. */
    async stop() {
      await poller.stop();
      const drained = clock.after(DRAIN_MS, () => stopping.abort());
      await Promise.all(underWay);
      clock.clear(drained);
      endpoints.closeAll();
    },
    counters,
    mails: mails.counters,
    subscribers: subscribers.counters,
    /** Destinations that are being sent to. */
    underWay: () => underWay.size,
  };
}

export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;

/** Logs an attempt that was recorded, and what it changed for its destination. Never addresses, names or contents. */
function logAttempt(
  log: Log,
  { destination, head, delivery, gapMessage }: NextMessage,
  attempted: Attempted,
  { result, deactivated, turn }: Recorded,
  now: number,
): void {
  const place = destinationFields(destination);
  const sent = delivery ?? head;
  const reason = withoutAddresses(attempted.reason);
  const fields = {
    delivery_id: sent.id,
    alert_id: sent.alertId,
    ...place,
    message_kind: gapMessage?.content.kind ?? sent.kind,
    attempt: sent.attempts + 1,
    status_code: attempted.statusCode,
    duration_ms: attempted.durationMs,
  };
  if (result === 'delivered')
    // Log: A channel or a webhook endpoint took it.
    log.info(fields, 'A message was sent.');
  else
    // Log: `result`: `postponed` is tried again for 24 h, `failed` is not.
    log.warn({ ...fields, result, reason }, 'A message could not be sent.');
  if (deactivated !== null)
    // Log: It failed for 3 days, or is gone. Those responsible are notified. Switch it
    // on once it works again.
    log.warn({ ...place, reason }, 'A destination was disabled.');
  else if (turn?.to === 'failing')
    // Log: The first attempt that failed. What waits is tried again.
    log.warn({ ...place, reason }, 'A destination started to fail.');
  else if (turn?.to === 'healthy') {
    const since = turn.failingSince;
    const failing = since !== null && {
      failing_since: new Date(since).toISOString(),
      duration_seconds: Math.round((now - since) / 1_000),
    };
    // Log: A message arrived after failed ones.
    log.info({ ...place, ...failing }, 'A destination recovered.');
  }
}

function destinationFields(destination: LoadedDestination) {
  const { id } = destination;
  if (destination.kind === 'webhook') {
    const { id: endpointId, team_id: teamId } = destination.endpoint;
    return {
      team_id: teamId,
      destination_kind: 'webhook',
      destination_id: id,
      webhook_endpoint_id: endpointId,
    };
  }
  const { id: channelId, team_id: teamId, type } = destination.channel;
  return {
    team_id: teamId,
    destination_kind: 'channel',
    destination_id: id,
    channel_id: channelId,
    channel_type: type,
  };
}
