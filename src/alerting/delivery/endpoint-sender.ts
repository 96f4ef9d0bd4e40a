import type { Transaction } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { createPaces, type Paces } from '../../lib/paces.ts';
import { canonicalHostOf } from '../../lib/url-host.ts';
import { OUTGOING_PACES } from '../../model/outgoing.ts';
import { KeepAliveConnections } from '../../net/keep-alive.ts';
import { lockDestination, loadEndpoint } from '../../store/alerting/deliveries.ts';
import type {
  ClaimedDestination,
  LoadedEndpoint,
  QueuedDelivery,
} from '../../store/alerting/deliveries.ts';
import { releaseEndpoint } from '../../store/alerting/endpoint-queue.ts';
import type { Schema } from '../../store/database/schema.ts';
import { ATTEMPT_MS, makeAttempt, withDeadline } from './attempt.ts';
import type { Sender, SenderDependencies, Stopped } from './attempt.ts';
import { recordBatch } from './endpoint-outcomes.ts';
import { createEndpointQueue, MAX_IN_FLIGHT, type EndpointQueue } from './endpoint-queue.ts';
import type { NextMessage } from './next-message.ts';
import { endUnsendable, isRecorded } from './outcome.ts';
import type { Attempted, EndpointOutcome } from './retry.ts';
import { createExtraSlots } from './slots.ts';
import { sendWebhook, webhookTargetOf } from './webhook.ts';

export interface EndpointSenderDependencies extends SenderDependencies {
  secretBox: SecretBox;
  version: string;
  openSignup: boolean;
}

/** Serves webhook endpoints, and keeps connections to them. */
export interface EndpointSender extends Sender {
  /** Something may have been enqueued. */
  wake(): void;
  closeIdle(): void;
  closeAll(): void;
}

interface ServingTools extends EndpointSenderDependencies {
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
export function createEndpointSender(dependencies: EndpointSenderDependencies): EndpointSender {
  const serving = new Set<Serving>();
  const connections = createEndpointConnections(dependencies.clock);
  const { clock, openSignup } = dependencies;
  const tools = {
    ...dependencies,
    connections,
    enterExtra: createExtraSlots().enter,
    paces: createPaces(clock, OUTGOING_PACES.event[openSignup ? 'open' : 'pace']),
  };

  return {
    async serve(claimed, mayContinue) {
      const one = new Serving(claimed, mayContinue, tools);
      serving.add(one);
      try {
        await one.run();
      } finally {
        serving.delete(one);
      }
    },
    wake() {
      for (const one of serving) one.readOn();
    },
    closeIdle: connections.closeIdle,
    closeAll: connections.closeAll,
  };
}

/** One endpoint, from when it is claimed until it is released. */
class Serving {
  readonly #claimed: ClaimedDestination;
  readonly #mayContinue: () => boolean;
  readonly #tools: ServingTools;
  readonly #queue: EndpointQueue;
  #destination: LoadedEndpoint | null = null;
  /** Requests that may be in flight. */
  #limit = MAX_IN_FLIGHT;
  #heldUntil: number | null = null;
  /** Events of the team to this host wait until then. */
  #pacedUntil = 0;
  /** A request failed: no event is sent until the endpoint is claimed again. */
  #hasFailed = false;
  /** The same, as far as it is recorded. */
  #hasRecordedFailure = false;
  /** The endpoint is not ours any more, or the process stops. */
  #isOver = false;
  #outcomes: Outcome[] = [];
  #committing: Promise<void> | null = null;
  #committingSince = 0;
  #error: { cause: unknown } | null = null;
  #changed = Promise.withResolvers<void>();

  constructor(claimed: ClaimedDestination, mayContinue: () => boolean, tools: ServingTools) {
    this.#claimed = claimed;
    this.#mayContinue = mayContinue;
    this.#tools = tools;
    this.#queue = createEndpointQueue(tools.database.read, claimed.id);
  }

  async run(): Promise<void> {
    const { database } = this.#tools;
    if (this.#mayContinue()) {
      this.#use(
        await this.#retryUntilRecorded(() => loadEndpoint(database.read, this.#claimed.id)),
      );
      if (this.#heldUntil !== null) this.#limit = 1;
    }
    for (;;) {
      this.#changed = Promise.withResolvers();
      await this.#startRequests();
      this.#commitWhenGathered();
      const isIdle = this.#queue.inFlight() === 0 && this.#outcomes.length === 0;
      if (isIdle && this.#committing === null) break;
      await this.#untilChange();
    }
    if (this.#error !== null) throw this.#error.cause;
    await this.#release();
  }

  /** Resolves when a request or commit ended, or outcomes have been gathered for long enough. */
  async #untilChange(): Promise<void> {
    const { clock } = this.#tools;
    if (this.#outcomes.length === 0 || this.#committing !== null) return this.#changed.promise;
    const timer = clock.after(GATHER_MS, () => this.#changed.resolve());
    await this.#changed.promise;
    clock.clear(timer);
  }

  readOn(): void {
    this.#queue.wake();
    this.#changed.resolve();
  }

  #use(destination: LoadedEndpoint | null): void {
    this.#destination = destination;
    if (!this.#hasFailed) this.#heldUntil = destination?.heldUntil ?? null;
  }

  async #startRequests(): Promise<void> {
    const { clock, leases } = this.#tools;
    const destination = this.#destination;
    if (destination === null || this.#isOver || !this.#mayContinue() || this.#isBehind()) return;
    if (!leases.lastsFor(this.#claimed, ATTEMPT_MS.webhook)) return;
    const { isActive, failures } = destination;
    const state = {
      now: clock.now(),
      isActive: isActive && !this.#hasFailed,
      failures,
      heldUntil: this.#heldUntil,
      limit: this.#limit,
    };
    const next = await this.#retryUntilRecorded(() => this.#queue.next(state));
    if (next === null) this.#isOver = true;
    for (const delivery of next ?? []) if (!this.#start(delivery)) return;
  }

  /** Whether outcomes come in faster than they are recorded. */
  #isBehind(): boolean {
    const isSlow =
      this.#committing !== null &&
      this.#tools.clock.monotonic() - this.#committingSince > SLOW_COMMIT_MS;
    return isSlow || this.#outcomes.length >= MAX_UNRECORDED;
  }

  /** @returns false where the request has to wait for others of its owner, or for the pace of its host. */
  #start(delivery: QueuedDelivery): boolean {
    const isFirst = this.#queue.inFlight() === 0;
    const leave = isFirst ? () => undefined : this.#tools.enterExtra(this.#claimed.owner);
    if (leave === null) return false;
    if (!this.#isAtPace(delivery)) {
      leave();
      return false;
    }
    this.#queue.start(delivery);
    void this.#send(delivery, leave);
    return true;
  }

  /** A test has a budget of its own, and never waits. */
  #isAtPace({ kind }: QueuedDelivery): boolean {
    if (kind === 'test') return true;
    const { paces, clock } = this.#tools;
    const host = canonicalHostOf(this.#destination!.endpoint.url_host);
    const waitMs = paces.take(`${this.#claimed.owner} ${host}`);
    this.#pacedUntil = waitMs === 0 ? 0 : clock.now() + waitMs;
    return waitMs === 0;
  }

  async #send(delivery: QueuedDelivery, leave: () => void): Promise<void> {
    const message = this.#messageOf(delivery);
    const attempted = await this.#attempt(message);
    leave();
    this.#queue.end();
    if (attempted === 'stopped') this.#isOver = true;
    else if (this.#error === null) this.#gather({ message, delivery, attempted });
    this.#changed.resolve();
  }

  #messageOf(delivery: QueuedDelivery): NextMessage<LoadedEndpoint> {
    const destination = this.#destination!;
    return { destination, head: delivery, delivery, gapMessage: null, superseded: [] };
  }

  #attempt({ destination, head }: NextMessage<LoadedEndpoint>): Promise<Attempted | Stopped> {
    const { http } = this.#tools.tools;
    const { clock, secretBox, version } = this.#tools;
    const connections = this.#tools.connections.of(destination.id);
    const now = () => clock.now();
    const tools = { http, secretBox, userAgent: `Tocsin/${version}`, connections, now };
    return withDeadline(this.#tools, ATTEMPT_MS.webhook, async (signal) => {
      const attempted = await makeAttempt(destination.id, this.#tools, signal, async () =>
        sendWebhook(webhookTargetOf(destination.endpoint), head, tools, signal),
      );
      // The next attempt resolves the name and asks the guard again, on a new connection.
      if (attempted === 'stopped' || attempted.outcome === 'failed') connections.close();
      return attempted;
    });
  }

  /** A request ended: more may be in flight after an answer, and none after a failure. */
  #gather(outcome: Outcome): void {
    this.#outcomes.push(outcome);
    const { delivery, attempted } = outcome;
    if (delivery.kind === 'test') return;
    if (attempted.outcome === 'failed' || attempted.outcome === 'gone') this.#hasFailed = true;
    if (this.#hasFailed) return;
    this.#heldUntil = null;
    this.#limit = Math.min(MAX_IN_FLIGHT, this.#limit + 1);
  }

  #commitWhenGathered(): void {
    if (this.#committing !== null || this.#outcomes.length === 0) return;
    const now = this.#tools.clock.monotonic();
    const isGathered =
      this.#queue.inFlight() === 0 ||
      this.#outcomes.length >= MAX_GATHERED ||
      now - this.#committingSince >= GATHER_MS;
    if (!isGathered) return;
    this.#committingSince = now;
    this.#committing = this.#commit(this.#outcomes.splice(0))
      .catch((error: unknown) => {
        this.#isOver = true;
        this.#error = { cause: error };
        this.#outcomes = [];
      })
      .finally(() => {
        this.#committing = null;
        this.#changed.resolve();
      });
  }

  async #commit(outcomes: readonly Outcome[]): Promise<void> {
    const { database, onRecorded } = this.#tools;
    let tries = 0;
    const done = await this.#retryUntilRecorded(() => {
      tries += 1;
      return database.transaction((tx) => this.#record(tx, outcomes, tries > 1));
    });
    if (done === null) return void (this.#isOver = true);
    this.#hasRecordedFailure ||= outcomes.some(isFailure);
    this.#queue.recorded(outcomes.map(({ delivery }) => delivery));
    if (done.batch?.isRecovery) this.#queue.restart();
    this.#use(done.destination);
    for (const [index, one] of (done.batch?.recorded ?? []).entries()) {
      const { message, attempted } = outcomes[index]!;
      onRecorded(message, attempted, one);
    }
  }

  /**
   * Null when the endpoint is not ours any more. A batch that is recorded already is not recorded again.
   *
   * @param isRepeated whether an earlier try may have been committed without an answer.
   */
  async #record(tx: Transaction<Schema>, outcomes: readonly Outcome[], isRepeated: boolean) {
    const { clock, random, tools } = this.#tools;
    const { id } = this.#claimed;
    if (!(await lockDestination(tx, this.#claimed))) return null;
    const destination = await loadEndpoint(tx, id);
    if (destination === null || (isRepeated && (await isRecorded(tx, outcomes[0]!.message))))
      return { destination, batch: null };
    const round = { outcomes, hasFailed: this.#hasRecordedFailure };
    const outcomeTools = { now: clock.now(), random, mail: tools.mailer !== null };
    const batch = await recordBatch(tx, destination, round, outcomeTools);
    return { destination: await loadEndpoint(tx, id), batch };
  }

  async #release(): Promise<void> {
    const { database, clock, onExpired } = this.#tools;
    const { id } = this.#claimed;
    const expired = await this.#retryUntilRecorded(() =>
      database.transaction(async (tx) => {
        if (!(await lockDestination(tx, this.#claimed))) return 0;
        const now = clock.now();
        const overdue = await endUnsendable(tx, id, await loadEndpoint(tx, id), now);
        await releaseEndpoint(tx, id, { now, notBefore: this.#pacedUntil });
        return overdue;
      }),
    );
    onExpired(this.#claimed, expired ?? 0);
  }

  #retryUntilRecorded<Result>(work: () => Promise<Result>): Promise<Result | null> {
    return this.#tools.leases.retryUntilRecorded(this.#claimed, work);
  }
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
    /** Forgets endpoints that were not used for a while. */
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
