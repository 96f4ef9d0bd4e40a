import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { createPoller } from '../../lib/poller.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { endLeases, type ClaimedDestination } from '../../store/alerting/deliveries.ts';
import type { DestinationKind } from '../../store/alerting/destinations.ts';
import type { Database } from '../../store/database/contract.ts';
import { isUnavailable } from '../../store/database/errors.ts';
import {
  type ChannelTools,
  type ChannelType,
  channelType as registered,
} from '../channels/index.ts';
import type { AlertLinks } from '../message/index.ts';
import { ATTEMPT_MS, type Sender } from './attempt.ts';
import { createChannelSender } from './channel-sender.ts';
import { createEndpointSender } from './endpoint-sender.ts';
import { createLeases } from './leases.ts';
import { createMailSender, type MailCounters } from './mail-sender.ts';
import type { NextMessage } from './next-message.ts';
import type { Recorded } from './outcome.ts';
import { logAttempt } from './report.ts';
import type { Attempted } from './retry.ts';
import { createSlots, LIMITS } from './slots.ts';
import { createSubscriberSender, type SubscriberCounters } from './subscriber-sender.ts';

export interface DeliveryWorkerDependencies {
  database: Database;
  secretBox: SecretBox;
  /** Its `http` also sends to webhook endpoints, and its `mailer` mails to people. */
  tools: ChannelTools;
  links: AlertLinks;
  clock: Clock;
  log: Log;
  /** From 0 to below 1. */
  random: () => number;
  /** Version of this program, for the `User-Agent` of webhooks. */
  version: string;
  /** OPEN_SIGNUP: mails of teams go only to members then. */
  openSignup: boolean;
  /** Looks up the type of a channel; the registry unless given. */
  channelType?: (type: string) => ChannelType | undefined;
  /** Milliseconds between two polls. */
  intervalMs?: number;
}

export interface DeliveryWorker {
  start(): void;
  /** Polls now: this process enqueued something. */
  wake(): void;
  /** Gives attempts in progress a little time, then aborts them for a later start. Never rejects. */
  stop(): Promise<void>;
  /** Deliveries to webhook endpoints and channels. */
  readonly counters: Readonly<DeliveryCounters>;
  readonly mails: Readonly<MailCounters>;
  /** Messages to webhooks and Slack channels that are subscribed to status pages. */
  readonly subscribers: Readonly<SubscriberCounters>;
  /** Destinations that are being sent to. */
  underWay(): number;
}

export interface DeliveryCounters {
  delivered: number;
  /** Attempts that failed and are repeated later. */
  postponed: number;
  /** Attempts that failed for good. */
  failed: number;
  /** Deliveries that could not be sent in time. */
  expired: number;
  /** Endpoints and channels that were switched off. */
  deactivated: number;
}

const INTERVAL_MS = 250;
const DRAIN_MS = 3_000;
/** Maximum time that a destination is sent to before others have a turn. */
const SERVE_MS = 10_000;
/** Maximum time between a claim and its release: all of the above, and some. */
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
export function createDeliveryWorker(dependencies: DeliveryWorkerDependencies): DeliveryWorker {
  const { database, clock, log, tools, channelType = registered } = dependencies;
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
      await database.transaction(endLeases);
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
    wake() {
      endpoints.wake();
      poller.wake();
    },
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
    underWay: () => underWay.size,
  };
}
