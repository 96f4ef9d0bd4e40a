import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { createPoller } from '../../lib/poller.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { KeepAliveConnections } from '../../net/keep-alive.ts';
import { SEND_WITHIN_MS } from '../../net/mail.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  endLeases,
  holdDestination,
  loadDestination,
  releaseDestination,
  type ClaimedDestination,
} from '../../store/alerting/deliveries.ts';
import { isUnavailable } from '../../store/database/errors.ts';
import { retryWhileAway } from '../../store/database/retry-while-away.ts';
import type { AlertLinks } from '../message/index.ts';
import { makeAttempt, type AttemptTools, type Stopped } from './attempt.ts';
import {
  type ChannelTools,
  type ChannelType,
  channelType as registered,
} from '../channels/index.ts';
import { createEndpointConnections } from './endpoint-connections.ts';
import { createEndpointSender } from './endpoint-sender.ts';
import { createLeases } from './leases.ts';
import { createMailSender, type MailCounters } from './mail-sender.ts';
import { clearAway, isRecorded, recordOutcome, type Recorded } from './outcome.ts';
import type { Attempted } from './retry.ts';
import { createExtraSlots, createSlots, LIMITS } from './slots.ts';
import { nextTurn, type Turn } from './turn.ts';

export interface DeliveryWorkerDependencies {
  database: Database;
  secretBox: SecretBox;
  /** Its `http` also sends to webhook endpoints. */
  tools: ChannelTools;
  links: AlertLinks;
  clock: Clock;
  log: Log;
  /** From 0 to below 1. */
  random: () => number;
  /** Of this program, for the `User-Agent` of webhooks. */
  version: string;
  /** All that are registered, unless given. */
  channelType?: (type: string) => ChannelType | undefined;
  /** Milliseconds between two looks, unless the usual ones. */
  everyMs?: number;
}

export interface DeliveryWorker {
  start(): void;
  /** Something was enqueued in this process: looks now. */
  nudge(): void;
  /** Gives what is under way a little time, then breaks it off for a later start. Never rejects. */
  stop(): Promise<void>;
  /** Without mails. */
  readonly counters: Readonly<DeliveryCounters>;
  readonly mails: Readonly<MailCounters>;
  /** Destinations that are being sent to. */
  underWay(): number;
}

export interface DeliveryCounters {
  /** Attempts by what became of them. */
  delivered: number;
  /** Failed, and are made again later. */
  postponed: number;
  /** Failed for good. */
  failed: number;
  /** Deliveries whose time was over. */
  expired: number;
  /** Endpoints and channels that were switched off. */
  deactivated: number;
}

const EVERY_MS = 250;
const DRAIN_MS = 3_000;
/** One attempt, whatever a provider takes: 20 mails to a slow server are more than one request. */
const ATTEMPT_MS = { webhook: 15_000, channel: 60_000, mail: SEND_WITHIN_MS };
/** Maximum time and, of a channel, messages that a destination is served before others are. */
const STAY_MS = 10_000;
const STAY_COUNT = 50;
/** No turn takes longer: all of the above, and some. */
const TURN_MS = {
  webhook: STAY_MS + ATTEMPT_MS.webhook + 10_000,
  channel: STAY_MS + ATTEMPT_MS.channel + 20_000,
  mail: ATTEMPT_MS.mail + 30_000,
};

/** What was attempted; null for nothing yet. */
type Done = { turn: Turn; attempted: Attempted } | null;

/**
 * Sends what was enqueued, by any number of processes. A destination is taken up with a lease; what waits for a channel
 * is sent one after another, events for a webhook endpoint up to 16 at once (endpoint-sender.ts); a mail is a destination
 * of its own (mail-sender.ts). Each attempt is recorded
 * after it was made: a crash between the two sends a message twice, with the same id. No destination waits for another
 * one, unless all slots are taken (slots.ts).
 */
export function createDeliveryWorker(dependencies: DeliveryWorkerDependencies): DeliveryWorker {
  const { database, clock, log, random, tools } = dependencies;
  const { channelType = registered, everyMs = EVERY_MS } = dependencies;
  const attemptTools: AttemptTools = {
    tools: dependencies.tools,
    links: dependencies.links,
    secretBox: dependencies.secretBox,
    channelType,
    clock,
    log,
    userAgent: `Tocsin/${dependencies.version}`,
  };
  const counters = { delivered: 0, postponed: 0, failed: 0, expired: 0, deactivated: 0 };
  const ending = new AbortController();
  const slots = createSlots({ ...LIMITS, mails: tools.mailer === null ? 0 : LIMITS.mails });
  const leases = createLeases({ database, clock, turnMs: TURN_MS });
  const connections = createEndpointConnections(clock);
  const endpoints = createEndpointSender({
    database,
    clock,
    random,
    mail: tools.mailer !== null,
    attempt: async (turn) => {
      const done = await attempt(turn);
      return done === 'stopped' ? done : done.attempted;
    },
    enterExtra: createExtraSlots().enter,
    insist,
    isOurs: (claimed) => leases.lastsFor(claimed, ATTEMPT_MS.webhook),
    onRecorded: (turn, attempted, recorded) => tell({ turn, attempted }, recorded),
    onExpired: (count) => (counters.expired += count),
  });
  const mails = createMailSender({
    database,
    secretBox: dependencies.secretBox,
    mailer: tools.mailer,
    clock,
    log,
    insist,
    isOurs: (claimed) => leases.lastsFor(claimed, ATTEMPT_MS.mail),
    signal: ending.signal,
  });
  const underWay = new Set<Promise<void>>();
  let hasEndedLeases = database.isShared;

  const poller = createPoller({
    run: takeUp,
    clock,
    intervalMs: everyMs,
    isUnavailable,
    onFailure: (error) => log.error({ error }, 'Deliveries could not be taken up.'),
  });

  async function takeUp(): Promise<void> {
    if (!hasEndedLeases) {
      await database.transaction(endLeases);
      hasEndedLeases = true;
    }
    await leases.renew();
    connections.closeIdle();
    // Another process may have enqueued something for an endpoint that is being served.
    if (database.isShared) endpoints.wake();
    const free = slots.free();
    if (free === 0) return;
    const due = { now: clock.now(), limit: free, ...slots.full() };
    const { claimed, leftSome } = await leases.takeUp(due, slots.choose);
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
    try {
      if (claimed.kind === 'webhook') await endpoints.serve(claimed, mayStay());
      else if (claimed.kind === 'mail') await mails.serve(claimed);
      else await sendInTurn(claimed);
      leases.end(claimed);
    } catch (error) {
      // Its lease runs out, and what was not recorded is sent again.
      leases.breakOff(claimed);
      const fields = { error, destination: claimed.id };
      log.error(fields, 'What became of a delivery could not be recorded.');
    }
  }

  function mayStay(): () => boolean {
    const until = clock.monotonic() + STAY_MS;
    return () => !poller.isStopped && clock.monotonic() < until;
  }

  async function sendInTurn(claimed: ClaimedDestination): Promise<void> {
    let count = 0;
    const mayStayLonger = mayStay();
    const mayGoOn = () => count < STAY_COUNT && mayStayLonger();
    let turn = poller.isStopped ? null : await insist(claimed, () => peek(claimed.id));
    // Nothing to send: what is overdue ends, and what is then due has its turn.
    turn ??= await proceed(claimed, null, mayGoOn);
    while (turn !== null) {
      // We were frozen: somebody else may have it by the time an attempt ends.
      const isOurs = leases.lastsFor(claimed, ATTEMPT_MS[claimed.kind]);
      if (!isOurs) return void (await proceed(claimed, null, () => false));
      const done = await attempt(turn);
      count += 1;
      turn =
        done === 'stopped'
          ? await proceed(claimed, null, () => false)
          : await proceed(claimed, done, mayGoOn);
    }
  }

  /** Without holding it: of what we took up, only we say what becomes of it. */
  async function peek(id: number): Promise<Turn | null> {
    const destination = await loadDestination(database.read, id);
    if (destination === null) return null;
    return nextTurn(database.read, destination, clock.now(), channelType);
  }

  async function attempt(turn: Turn): Promise<NonNullable<Done> | Stopped> {
    const end = new AbortController();
    const stop = (): void => end.abort('shutdown');
    ending.signal.addEventListener('abort', stop, { once: true });
    if (ending.signal.aborted) stop();
    const limit = clock.after(ATTEMPT_MS[turn.destination.kind], () => end.abort('deadline'));
    try {
      const { kind, id } = turn.destination;
      const kept: { connections?: KeepAliveConnections } =
        kind === 'webhook' ? { connections: connections.of(id) } : {};
      const attempted = await makeAttempt(turn, { ...attemptTools, ...kept }, end.signal);
      // The next attempt asks the name servers and the guard again, and trusts no connection of before.
      if (attempted === 'stopped' || attempted.outcome === 'failed') kept.connections?.close();
      const other = instead(turn, attempted);
      if (other === null) return attempted === 'stopped' ? attempted : { turn, attempted };
      const again = await makeAttempt(other, attemptTools, end.signal);
      return again === 'stopped' ? again : { turn: other, attempted: again };
    } finally {
      clock.clear(limit);
      ending.signal.removeEventListener('abort', stop);
    }
  }

  /** Records what was done; then answers what is next, or releases the destination and answers null. */
  async function proceed(
    claimed: ClaimedDestination,
    done: Done,
    mayGoOn: () => boolean,
  ): Promise<Turn | null> {
    let tries = 0;
    const step = await insist(claimed, () =>
      database.transaction(async (tx) => {
        tries += 1;
        const now = clock.now();
        if (!(await holdDestination(tx, claimed))) return null;
        // A try whose commit nobody heard of may have done it.
        const isDone = done === null || (tries > 1 && (await isRecorded(tx, done.turn)));
        const recorded =
          done === null || isDone
            ? null
            : await recordOutcome(tx, done.turn, done.attempted, {
                now,
                random,
                mail: tools.mailer !== null,
              });
        const destination = await loadDestination(tx, claimed.id);
        const expired = await clearAway(tx, claimed.id, destination, now);
        const next =
          destination !== null && mayGoOn()
            ? await nextTurn(tx, destination, now, channelType)
            : null;
        if (next === null) await releaseDestination(tx, claimed.id, now);
        return { recorded, expired, next };
      }),
    );
    if (step === null) return null;
    counters.expired += step.expired;
    if (done !== null && step.recorded !== null) tell(done, step.recorded);
    return step.next;
  }

  function tell({ turn, attempted }: NonNullable<Done>, { result, deactivated }: Recorded): void {
    counters[result] += 1;
    const { id, kind } = turn.destination;
    const fields = { destination: id, kind, reason: attempted.reason };
    if (deactivated !== null) {
      counters.deactivated += 1;
      log.warn(fields, 'Nothing is sent there any more: it failed for too long, or is gone.');
    } else if (result !== 'delivered') {
      log.debug(fields, 'A delivery failed.');
    }
  }

  /** What was sent and is not recorded is sent again: the database is waited for. Null when it takes too long. */
  function insist<Result>(
    claimed: ClaimedDestination,
    work: () => Promise<Result>,
  ): Promise<Result | null> {
    return retryWhileAway(clock, work, () => !poller.isStopped && leases.isInTime(claimed));
  }

  return {
    start: () => poller.start(),
    nudge() {
      endpoints.wake();
      poller.wake();
    },
    async stop() {
      await poller.stop();
      const drained = clock.after(DRAIN_MS, () => ending.abort());
      await Promise.all(underWay);
      clock.clear(drained);
      connections.closeAll();
    },
    counters,
    mails: mails.counters,
    underWay: () => underWay.size,
  };
}

/**
 * What is sent at once in place of a blind spot that was refused: what waits behind it. Else one text that a provider
 * does not take would keep all that comes later from it. Null when there is nothing else.
 */
function instead(turn: Turn, attempted: Attempted | Stopped): Turn | null {
  if (attempted === 'stopped' || attempted.outcome !== 'refused') return null;
  const { blindSpot, head } = turn;
  if (blindSpot === null || blindSpot.replaces.includes(head.id)) return null;
  return { ...turn, delivery: head, blindSpot: null, told: [] };
}
