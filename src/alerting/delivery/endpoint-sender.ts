import type { Transaction } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../store/database/contract.ts';
import { holdDestination, loadDestination } from '../../store/alerting/deliveries.ts';
import type {
  ClaimedDestination,
  LoadedDestination,
  QueuedDelivery,
} from '../../store/alerting/deliveries.ts';
import { releaseEndpoint } from '../../store/alerting/endpoint-queue.ts';
import type { Schema } from '../../store/database/schema.ts';
import type { Stopped } from './attempt.ts';
import type { EndpointOutcome } from './endpoint-health.ts';
import { recordBatch } from './endpoint-outcomes.ts';
import { createEndpointQueue } from './endpoint-queue.ts';
import type { EndpointQueue } from './endpoint-queue.ts';
import { MOST_IN_FLIGHT } from './next-sends.ts';
import { clearAway, isRecorded } from './outcome.ts';
import type { Recorded } from './outcome.ts';
import type { Attempted } from './retry.ts';
import type { Turn } from './turn.ts';

export interface EndpointSenderDependencies {
  database: Database;
  clock: Clock;
  random: () => number;
  /** Whether mail can be sent. */
  mail: boolean;
  attempt(turn: Turn): Promise<Attempted | Stopped>;
  /** One more request of this owner beside the first of the endpoint. @returns what ends it; null where it has to wait. */
  enterExtra(owner: number): (() => void) | null;
  /** Repeats database work while the database is away; null when it is given up. */
  insist<Result>(claimed: ClaimedDestination, work: () => Promise<Result>): Promise<Result | null>;
  /** Whether the endpoint is ours for certain until an attempt that begins now has ended. */
  isOurs(claimed: ClaimedDestination): boolean;
  onRecorded(turn: Turn, attempted: Attempted, recorded: Recorded): void;
  onExpired(count: number): void;
}

/** Outcomes are gathered for one commit as long as other requests are in flight. */
const GATHER_MS = 50;
const MOST_GATHERED = 200;
/** No request begins while a commit takes longer, or as many outcomes wait: a crash would send these again. */
const SLOW_COMMIT_MS = 1_000;
const MOST_UNRECORDED = 500;

interface Outcome extends EndpointOutcome {
  turn: Turn;
  delivery: QueuedDelivery;
}

/**
 * Sends to webhook endpoints: up to 16 requests at once, the events of a monitor one after another, and outcomes recorded
 * in batches. A request that fails ends the sending until the hold of the endpoint is over, when one probe goes first.
 */
export function createEndpointSender(dependencies: EndpointSenderDependencies) {
  const serving = new Set<Serving>();

  return {
    /** Sends what is due to a claimed endpoint, as long as `mayGoOn` allows, and releases it. */
    async serve(claimed: ClaimedDestination, mayGoOn: () => boolean): Promise<void> {
      const one = new Serving(claimed, mayGoOn, dependencies);
      serving.add(one);
      try {
        await one.run();
      } finally {
        serving.delete(one);
      }
    },
    /** Something was enqueued. */
    wake(): void {
      for (const one of serving) one.noticeEnqueued();
    },
  };
}

/** One endpoint, from when it is claimed until it is released. */
class Serving {
  readonly #claimed: ClaimedDestination;
  readonly #mayGoOn: () => boolean;
  readonly #tools: EndpointSenderDependencies;
  readonly #queue: EndpointQueue;
  #destination: LoadedDestination | null = null;
  /** Requests that may be in flight. */
  #limit = MOST_IN_FLIGHT;
  #heldUntil: number | null = null;
  /** A request failed: no event is sent until the endpoint is taken up again. */
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

  constructor(
    claimed: ClaimedDestination,
    mayGoOn: () => boolean,
    dependencies: EndpointSenderDependencies,
  ) {
    this.#claimed = claimed;
    this.#mayGoOn = mayGoOn;
    this.#tools = dependencies;
    this.#queue = createEndpointQueue(dependencies.database.read, claimed.id);
  }

  async run(): Promise<void> {
    const { database, insist } = this.#tools;
    if (this.#mayGoOn()) {
      this.#use(
        await insist(this.#claimed, () => loadDestination(database.read, this.#claimed.id)),
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

  /** Something ended, or outcomes have been gathered for long enough. */
  async #untilChange(): Promise<void> {
    const { clock } = this.#tools;
    if (this.#outcomes.length === 0 || this.#committing !== null) return this.#changed.promise;
    const timer = clock.after(GATHER_MS, () => this.#changed.resolve());
    await this.#changed.promise;
    clock.clear(timer);
  }

  noticeEnqueued(): void {
    this.#queue.wake();
    this.#changed.resolve();
  }

  #use(destination: LoadedDestination | null): void {
    this.#destination = destination;
    if (!this.#hasFailed) this.#heldUntil = destination?.heldUntil ?? null;
  }

  async #startRequests(): Promise<void> {
    const { clock, insist } = this.#tools;
    const destination = this.#destination;
    if (destination === null || this.#isOver || !this.#mayGoOn() || this.#isBehind()) return;
    if (!this.#tools.isOurs(this.#claimed)) return;
    const { isActive, failures } = destination;
    const state = {
      now: clock.now(),
      isActive: isActive && !this.#hasFailed,
      failures,
      heldUntil: this.#heldUntil,
      limit: this.#limit,
    };
    const next = await insist(this.#claimed, () => this.#queue.next(state));
    if (next === null) this.#isOver = true;
    for (const delivery of next ?? []) if (!this.#start(delivery)) return;
  }

  /** Whether outcomes come in faster than they are recorded. */
  #isBehind(): boolean {
    const isSlow =
      this.#committing !== null &&
      this.#tools.clock.monotonic() - this.#committingSince > SLOW_COMMIT_MS;
    return isSlow || this.#outcomes.length >= MOST_UNRECORDED;
  }

  /** @returns false where the request has to wait for others of its owner. */
  #start(delivery: QueuedDelivery): boolean {
    const isFirst = this.#queue.inFlight() === 0;
    const leave = isFirst ? () => undefined : this.#tools.enterExtra(this.#claimed.owner);
    if (leave === null) return false;
    this.#queue.start(delivery);
    void this.#send(delivery, leave);
    return true;
  }

  async #send(delivery: QueuedDelivery, leave: () => void): Promise<void> {
    const turn = this.#turnOf(delivery);
    const attempted = await this.#tools.attempt(turn);
    leave();
    this.#queue.end();
    if (attempted === 'stopped') this.#isOver = true;
    else if (this.#error === null) this.#notice({ turn, delivery, attempted });
    this.#changed.resolve();
  }

  #turnOf(delivery: QueuedDelivery): Turn {
    const destination = this.#destination!;
    return { destination, head: delivery, delivery, blindSpot: null, told: [] };
  }

  /** A request ended: more may be in flight after an answer, and none after a failure. */
  #notice(outcome: Outcome): void {
    this.#outcomes.push(outcome);
    const { delivery, attempted } = outcome;
    if (delivery.kind === 'test') return;
    if (attempted.outcome === 'failed' || attempted.outcome === 'gone') this.#hasFailed = true;
    if (this.#hasFailed) return;
    this.#heldUntil = null;
    this.#limit = Math.min(MOST_IN_FLIGHT, this.#limit + 1);
  }

  #commitWhenGathered(): void {
    if (this.#committing !== null || this.#outcomes.length === 0) return;
    const now = this.#tools.clock.monotonic();
    const isGathered =
      this.#queue.inFlight() === 0 ||
      this.#outcomes.length >= MOST_GATHERED ||
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
    const { database, insist, onRecorded } = this.#tools;
    let tries = 0;
    const done = await insist(this.#claimed, () => {
      tries += 1;
      return database.transaction((tx) => this.#record(tx, outcomes, tries > 1));
    });
    if (done === null) return void (this.#isOver = true);
    this.#hasRecordedFailure ||= outcomes.some(isFailure);
    this.#queue.recorded(outcomes.map(({ delivery }) => delivery));
    if (done.batch?.isRecovery) this.#queue.restart();
    this.#use(done.destination);
    for (const [index, one] of (done.batch?.recorded ?? []).entries()) {
      const { turn, attempted } = outcomes[index]!;
      onRecorded(turn, attempted, one);
    }
  }

  /**
   * Null when the endpoint is not ours any more. A batch that is recorded already is not recorded again.
   *
   * @param isRepeated whether an earlier try may have been committed without an answer.
   */
  async #record(tx: Transaction<Schema>, outcomes: readonly Outcome[], isRepeated: boolean) {
    const { clock, random, mail } = this.#tools;
    const { id } = this.#claimed;
    if (!(await holdDestination(tx, this.#claimed))) return null;
    const destination = await loadDestination(tx, id);
    if (destination === null || (isRepeated && (await isRecorded(tx, outcomes[0]!.turn))))
      return { destination, batch: null };
    const round = { outcomes, hasFailed: this.#hasRecordedFailure };
    const tools = { now: clock.now(), random, mail };
    const batch = await recordBatch(tx, destination, round, tools);
    return { destination: await loadDestination(tx, id), batch };
  }

  async #release(): Promise<void> {
    const { database, clock, insist, onExpired } = this.#tools;
    const { id } = this.#claimed;
    const expired = await insist(this.#claimed, () =>
      database.transaction(async (tx) => {
        if (!(await holdDestination(tx, this.#claimed))) return 0;
        const now = clock.now();
        const overdue = await clearAway(tx, id, await loadDestination(tx, id), now);
        await releaseEndpoint(tx, id, now);
        return overdue;
      }),
    );
    onExpired(expired ?? 0);
  }
}

function isFailure({ delivery, attempted }: EndpointOutcome): boolean {
  return delivery.kind !== 'test' && attempted.outcome === 'failed';
}
