import type { Clock } from '../../lib/clock.ts';
import { createPaces, type Paces } from '../../lib/paces.ts';
import { canonicalHostOf } from '../../lib/url-host.ts';
import { OUTGOING_PACES } from '../../model/outgoing.ts';
import { KeepAliveConnections } from '../../net/keep-alive.ts';
import {
  loadEndpoint,
  type LoadedEndpoint,
  type QueuedDelivery,
} from '../../store/alerting/deliveries.ts';
import type { ClaimedDestination } from '../../store/alerting/claims.ts';
import {
  ATTEMPT_MS,
  makeAttempt,
  whileClaimed,
  withDeadline,
  type SenderDependencies,
  type Stopped,
} from './attempt.ts';
import { outcomeRecorder, endUnsendable, isRecorded } from './outcome.ts';
import { createEndpointQueue, MAX_IN_FLIGHT } from './endpoint-queue.ts';
import type { NextMessage } from './next-message.ts';
import type { Attempted, EndpointOutcome } from './retry.ts';
import { createExtraSlots } from './slots.ts';
import { sendWebhook, webhookTargetOf, type WebhookTarget } from './webhook.ts';

interface ServingTools extends SenderDependencies {
  connections: EndpointConnections;
  /** Takes a slot for one more request of this owner beside the first of the endpoint; null where none is free. */
  enterExtra(owner: number): (() => void) | null;
  /** Paces of events of a team to one host. */
  paces: Paces;
}

/** Time for which outcomes are gathered for one commit while other requests are in flight. */
const GATHER_MS = 50;
const MAX_GATHERED = 200;
/** No request begins while a commit takes longer, or more outcomes wait: a crash would send these events again. */
const SLOW_COMMIT_MS = 1_000;
const MAX_UNRECORDED = 500;

interface Outcome extends EndpointOutcome {
  message: NextMessage<LoadedEndpoint>;
  delivery: QueuedDelivery;
}

/**
 * Sends to webhook endpoints: up to 16 requests at once, the events of a monitor one after another, and outcomes recorded
 * in batches. A request that fails ends the sending until the hold of the endpoint is over, when one probe goes first.
 */
export function createEndpointSender(dependencies: SenderDependencies) {
  const serving = new Set<ReturnType<typeof createServing>>();
  const connections = createEndpointConnections(dependencies.clock);
  const { clock, openSignup } = dependencies;
  const tools = {
    ...dependencies,
    connections,
    enterExtra: createExtraSlots().enter,
    paces: createPaces(clock, OUTGOING_PACES.event[openSignup ? 'open' : 'pace']),
  };

  return {
    async serve(claimed: ClaimedDestination, mayContinue: () => boolean): Promise<void> {
      const one = createServing(claimed, mayContinue, tools);
      serving.add(one);
      try {
        await one.run();
      } finally {
        serving.delete(one);
      }
    },
    wake(): void {
      for (const one of serving) one.readOn();
    },
    closeIdle: connections.closeIdle,
    closeAll: connections.closeAll,
  };
}

/** Serves one endpoint, from when it is claimed until it is released. */
function createServing(
  claimed: ClaimedDestination,
  mayContinue: () => boolean,
  dependencies: ServingTools,
) {
  const { database, clock, leases, random, tools, secretBox, version } = dependencies;
  const { onRecorded, onExpired, connections, enterExtra, paces } = dependencies;
  const { id } = claimed;
  const queue = createEndpointQueue(database.read, id);
  let destination: LoadedEndpoint | null = null;
  /** One and the same for all messages of the endpoint as it was loaded: its secrets are opened once. */
  let target: WebhookTarget | null = null;
  let limit = MAX_IN_FLIGHT;
  let heldUntil: number | null = null;
  /** Events of the team to this host wait until then. */
  let pacedUntil = 0;
  /** A request failed: no event is sent until the endpoint is claimed again. */
  let hasFailed = false;
  /** The same, as far as it is recorded. */
  let hasRecordedFailure = false;
  /** The endpoint is not ours any more, or the process stops. */
  let isOver = false;
  let outcomes: Outcome[] = [];
  let committing: Promise<void> | null = null;
  let committingSince = 0;
  let error: { cause: unknown } | null = null;
  let changed = Promise.withResolvers<void>();

  async function run(): Promise<void> {
    if (mayContinue()) {
      use(await retryUntilRecorded(() => loadEndpoint(database.read, id)));
      if (heldUntil !== null) limit = 1;
    }
    for (;;) {
      changed = Promise.withResolvers();
      await startRequests();
      commitWhenGathered();
      const isIdle = queue.inFlight() === 0 && outcomes.length === 0;
      if (isIdle && committing === null) break;
      await untilChange();
    }
    if (error !== null) throw error.cause;
    await release();
  }

  /** Resolves when a request or commit ended, or outcomes have been gathered for long enough. */
  async function untilChange(): Promise<void> {
    if (outcomes.length === 0 || committing !== null) return changed.promise;
    const timer = clock.after(GATHER_MS, () => changed.resolve());
    await changed.promise;
    clock.clear(timer);
  }

  function readOn(): void {
    queue.wake();
    changed.resolve();
  }

  function use(loaded: LoadedEndpoint | null): void {
    destination = loaded;
    target = loaded && webhookTargetOf(loaded.endpoint);
    if (!hasFailed) heldUntil = loaded?.heldUntil ?? null;
  }

  async function startRequests(): Promise<void> {
    if (destination === null || isOver || !mayContinue() || isBehind()) return;
    if (!leases.lastsFor(claimed, ATTEMPT_MS.webhook)) return;
    const { isActive, failures } = destination;
    const state = {
      now: clock.now(),
      isActive: isActive && !hasFailed,
      failures,
      heldUntil,
      limit,
    };
    const next = await retryUntilRecorded(() => queue.next(state));
    if (next === null) isOver = true;
    for (const delivery of next ?? []) if (!start(delivery)) return;
  }

  /** Whether outcomes come in faster than they are recorded. */
  function isBehind(): boolean {
    const isSlow = committing !== null && clock.monotonic() - committingSince > SLOW_COMMIT_MS;
    return isSlow || outcomes.length >= MAX_UNRECORDED;
  }

  /** @returns false where the request has to wait for others of its owner, or for the pace of its host. */
  function start(delivery: QueuedDelivery): boolean {
    const isFirst = queue.inFlight() === 0;
    const leave = isFirst ? () => undefined : enterExtra(claimed.owner);
    if (leave === null) return false;
    if (!isAtPace(delivery)) {
      leave();
      return false;
    }
    queue.start(delivery);
    void send(delivery, leave);
    return true;
  }

  /** A test has a budget of its own, and never waits. */
  function isAtPace({ kind }: QueuedDelivery): boolean {
    if (kind === 'test') return true;
    const host = canonicalHostOf(destination!.endpoint.url_host);
    const waitMs = paces.take(`${claimed.owner} ${host}`);
    pacedUntil = waitMs === 0 ? 0 : clock.now() + waitMs;
    return waitMs === 0;
  }

  async function send(delivery: QueuedDelivery, leave: () => void): Promise<void> {
    const message = {
      destination: destination!,
      head: delivery,
      delivery,
      gapMessage: null,
      superseded: [],
    };
    const attempted = await attempt(message);
    leave();
    queue.end();
    if (attempted === 'stopped') isOver = true;
    else if (error === null) gather({ message, delivery, attempted });
    changed.resolve();
  }

  function attempt({ head }: NextMessage<LoadedEndpoint>): Promise<Attempted | Stopped> {
    const { http } = tools;
    const kept = connections.of(id);
    const userAgent = `Tocsin/${version}`;
    const sending = { http, secretBox, userAgent, connections: kept, now: () => clock.now() };
    const to = target!;
    return withDeadline(dependencies, ATTEMPT_MS.webhook, async (signal) => {
      const attempted = await makeAttempt(id, dependencies, signal, async () =>
        sendWebhook(to, head, sending, signal),
      );
      // The next attempt resolves the name and asks the guard again, on a new connection.
      if (attempted === 'stopped' || attempted.outcome === 'failed') kept.close();
      return attempted;
    });
  }

  /** A request ended: more may be in flight after an answer, and none after a failure. */
  function gather(outcome: Outcome): void {
    outcomes.push(outcome);
    const { delivery, attempted } = outcome;
    if (delivery.kind === 'test') return;
    if (attempted.outcome === 'failed' || attempted.outcome === 'gone') hasFailed = true;
    if (hasFailed) return;
    heldUntil = null;
    limit = Math.min(MAX_IN_FLIGHT, limit + 1);
  }

  function commitWhenGathered(): void {
    if (committing !== null || outcomes.length === 0) return;
    const now = clock.monotonic();
    const isGathered =
      queue.inFlight() === 0 ||
      outcomes.length >= MAX_GATHERED ||
      now - committingSince >= GATHER_MS;
    if (!isGathered) return;
    committingSince = now;
    committing = commit(outcomes.splice(0))
      .catch((cause: unknown) => {
        isOver = true;
        error = { cause };
        outcomes = [];
      })
      .finally(() => {
        committing = null;
        changed.resolve();
      });
  }

  async function commit(ended: readonly Outcome[]): Promise<void> {
    const round = { outcomes: ended, hasFailed: hasRecordedFailure };
    let tries = 0;
    const done = await whileClaimed(dependencies, claimed, async (tx) => {
      tries += 1;
      const loaded = await loadEndpoint(tx, id);
      // An earlier try may have been committed without an answer.
      if (loaded === null || (tries > 1 && (await isRecorded(tx, ended[0]!.message))))
        return { loaded, batch: null };
      const outcomeTools = { now: clock.now(), random, mail: tools.mailer !== null };
      const batch = await outcomeRecorder(tx, outcomeTools).recordOfEndpoint(loaded, round);
      return { loaded: await loadEndpoint(tx, id), batch };
    });
    if (done === null) return void (isOver = true);
    hasRecordedFailure ||= ended.some(isFailure);
    queue.recorded(ended.map(({ delivery }) => delivery));
    if (done.batch?.isRecovery) queue.restart();
    use(done.loaded);
    for (const [index, one] of (done.batch?.recorded ?? []).entries()) {
      const { message, attempted } = ended[index]!;
      onRecorded(message, attempted, one);
    }
  }

  async function release(): Promise<void> {
    const expired = await whileClaimed(dependencies, claimed, async (tx, deliveries) => {
      const now = clock.now();
      const overdue = await endUnsendable(tx, id, await loadEndpoint(tx, id), now);
      await deliveries.releaseEndpoint({ now, notBefore: pacedUntil });
      return overdue;
    });
    onExpired(claimed, expired ?? 0);
  }

  function retryUntilRecorded<Result>(work: () => Promise<Result>): Promise<Result | null> {
    return leases.retryUntilRecorded(claimed, work);
  }

  return { run, readOn };
}

function isFailure({ delivery, attempted }: EndpointOutcome): boolean {
  return delivery.kind !== 'test' && attempted.outcome === 'failed';
}

/** Endpoints unused for this long are forgotten; idle connections close earlier. */
const FORGET_MS = 10_000;

/** Connections of webhook endpoints, by destination: no two endpoints ever share one. */
function createEndpointConnections(clock: Pick<Clock, 'monotonic'>) {
  const kept = new Map<number, { connections: KeepAliveConnections; usedAt: number }>();

  return {
    of(destinationId: number): KeepAliveConnections {
      const { connections } = kept.get(destinationId) ?? {
        connections: new KeepAliveConnections(),
      };
      // Moves the endpoint to the end of the map: those used longest ago come first.
      kept.delete(destinationId);
      kept.set(destinationId, { connections, usedAt: clock.monotonic() });
      return connections;
    },
    closeIdle(): void {
      const before = clock.monotonic() - FORGET_MS;
      for (const [id, { connections, usedAt }] of kept) {
        if (usedAt > before) return;
        connections.close();
        kept.delete(id);
      }
    },
    closeAll(): void {
      for (const { connections } of kept.values()) connections.close();
      kept.clear();
    },
  };
}

type EndpointConnections = ReturnType<typeof createEndpointConnections>;
