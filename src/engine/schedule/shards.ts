import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { SHARD_COUNT, SHARD_STEP } from '../../model/monitor.ts';
import type { Database, Tx } from '../../store/database/contract.ts';
import {
  LEASE_MS,
  POSTGRES_LEASES,
  type LeaseStore,
  type ShardVersion,
} from '../../store/engine/shards.ts';

/** Shards whose monitors this process checks. */
export interface Ownership {
  readonly owned: ReadonlySet<number>;
  /** True when this process owns the shard and no other process can have taken it over, so that a round may start. */
  isCertain(shard: number): boolean;
  /** Makes no shard certain until its lease is renewed: the wall clock jumped, as when a machine wakes up. */
  distrustLeases(): void;
  /** Takes over the owners read from the shards' rows; `askedAt` is the monotonic time before they were read. */
  observe(versions: readonly ShardVersion[], askedAt: number): void;
  start(): void;
  /** Releases all shards. Never rejects. */
  stop(): Promise<void>;
}

interface OwnershipEvents {
  onLost(shards: readonly number[]): void;
  onGained(shards: readonly number[]): void;
  /** Called after leases were renewed: uncertain shards may be certain again. */
  onRenewed(): void;
}

export interface LeaseDependencies extends OwnershipEvents {
  database: Database;
  clock: Clock;
  log: Log;
  nodeId: string;
  /** Defaults to the Postgres tables. */
  store?: LeaseStore;
}

const ALL_SHARDS: ReadonlySet<number> = new Set(Array.from({ length: SHARD_COUNT }, (_, i) => i));

/** Ownership of all shards, for SQLite: the lock on its file excludes other processes. */
export function fullOwnership(): Ownership {
  return {
    owned: ALL_SHARDS,
    isCertain: () => true,
    distrustLeases: () => {},
    observe: () => {},
    start: () => {},
    stop: async () => {},
  };
}

/** Sorts shards in the order in which they are taken, so that neighbors are apart. */
const scattered = (shards: Iterable<number>) =>
  [...shards].toSorted((a, b) => placeOf(a) - placeOf(b));

const placeOf = (shard: number) => (shard * SHARD_STEP) % SHARD_COUNT;

const RENEW_EVERY_MS = 2_000;
/** A lease of another node that ends before the next renewal is taken this long after its end. */
const TAKE_AFTER_MS = 10;
/** A shard stops being certain this long before its lease ends by the local clock. */
const CERTAINTY_MARGIN_MS = 1_000;
/** Delay after a failure, or when an edit locked a shard that should have been renewed. */
const RETRY_MS = 500;

/**
 * Ownership by leases, for Postgres. Leases run on the database's clock; certainty is measured on the local monotonic
 * clock from the moment the renewal was sent, so that a frozen or disconnected process stops before another one can take
 * over.
 */
export function leasedOwnership(dependencies: LeaseDependencies): Ownership {
  return new Leases(dependencies);
}

class Leases implements Ownership {
  readonly owned = new Set<number>();
  readonly #dependencies: LeaseDependencies;
  readonly #store: LeaseStore;
  readonly #certainUntil = new Float64Array(SHARD_COUNT).fill(-Infinity);
  readonly #takenAt = new Float64Array(SHARD_COUNT).fill(-Infinity);
  #share = SHARD_COUNT;
  /** Counts calls of `distrustLeases`, so that a renewal sent before one makes nothing certain. */
  #distrusts = 0;
  #timer: Timer | null = null;
  #running: Promise<void> | null = null;
  #isRenewalRequested = false;
  #isStopped = false;
  #isFailing = false;

  constructor(dependencies: LeaseDependencies) {
    this.#dependencies = dependencies;
    this.#store = dependencies.store ?? POSTGRES_LEASES;
  }

  isCertain(shard: number): boolean {
    const until = this.#certainUntil[shard] ?? -Infinity;
    return this.owned.has(shard) && this.#dependencies.clock.monotonic() < until;
  }

  distrustLeases(): void {
    this.#distrusts++;
    this.#certainUntil.fill(-Infinity);
    this.#renewNow();
  }

  observe(versions: readonly ShardVersion[], askedAt: number): void {
    const { nodeId } = this.#dependencies;
    const wasTakenSince = (shard: number) => (this.#takenAt[shard] ?? 0) >= askedAt;
    const lost = versions.filter(
      ({ shard, owner }) => owner !== nodeId && this.owned.has(shard) && !wasTakenSince(shard),
    );
    if (lost.length > 0) this.#lose(lost.map(({ shard }) => shard));
    // Their owner may be gone, which increases the share of the other nodes: renewing recomputes it.
    if (versions.some(({ owner }) => owner === null)) this.#renewNow();
  }

  start(): void {
    this.#renewNow();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const { clock, database, log, nodeId } = this.#dependencies;
    clock.clear(this.#timer);
    await this.#running;
    const shards = [...this.owned];
    this.#lose(shards);
    try {
      await database.transaction(async (tx) => {
        await this.#store.releaseShards(tx, nodeId, shards);
        await this.#store.forgetNode(tx, nodeId);
      });
    } catch (error) {
      // Log: Nothing is lost. Checks may pause for some seconds.
      log.warn(
        { error },
        'Shards could not be released; other processes take them over when the leases end.',
      );
    }
  }

  /** Renews now, or again after a renewal in progress. */
  #renewNow(): void {
    if (this.#isStopped) return;
    if (this.#running) {
      this.#isRenewalRequested = true;
      return;
    }
    const { clock } = this.#dependencies;
    clock.clear(this.#timer);
    this.#isRenewalRequested = false;
    this.#running = this.#renewAndContinue();
  }

  async #renewAndContinue(): Promise<void> {
    const waitMs = await this.#renew();
    this.#running = null;
    if (this.#isRenewalRequested) this.#renewNow();
    else if (!this.#isStopped) {
      this.#timer = this.#dependencies.clock.after(waitMs, () => this.#renewNow());
    }
  }

  /** Renews, releases and takes shards. @returns milliseconds until the next renewal. */
  async #renew(): Promise<number> {
    const { clock, log } = this.#dependencies;
    const beganAt = clock.monotonic();
    const wasFailing = this.#isFailing;
    let untilEndMs: number;
    try {
      const renewal = await this.#renewAndBalance();
      if (wasFailing)
        // Log: The database is back.
        log.info({}, 'Shard leases are renewed again.');
      this.#isFailing = false;
      if (wasFailing || !renewal.isComplete) return RETRY_MS;
      untilEndMs = renewal.untilEndMs ?? Infinity;
    } catch (error) {
      if (!this.#isFailing) {
        // Log: The database is away. Another process that reaches it takes over.
        log.error(
          { error },
          'Shard leases could not be renewed; checks stop when the leases expire.',
        );
      }
      this.#isFailing = true;
      return RETRY_MS;
    }
    const waitMs = Math.min(
      RENEW_EVERY_MS - (clock.monotonic() - beganAt),
      untilEndMs + TAKE_AFTER_MS,
    );
    return Math.max(0, waitMs);
  }

  /** @returns whether all owned shards were renewed, and the time until the first lease of another node ends. */
  async #renewAndBalance(): Promise<{ isComplete: boolean; untilEndMs: number | null }> {
    const { nodeId, onRenewed } = this.#dependencies;
    const store = this.#store;
    let members = 1;
    let untilEndMs: number | null = null;
    // Announced in the same transaction, and before the leases: so the membership of a dead node ends with its leases, and
    // the nodes that take over no longer count it.
    const renewed = await this.#lease(async (tx) => {
      members = await store.announceNode(tx, nodeId);
      untilEndMs = await store.untilNextEnd(tx, nodeId);
      return store.renewShards(tx, nodeId);
    });
    const isComplete = [...this.owned].every((shard) => renewed.has(shard));
    onRenewed();
    this.#share = store.fairShare(members);
    const excess = this.owned.size - this.#share;
    if (excess > 0) await this.#release(scattered(this.owned).slice(-excess));
    // When the database was away, the leases of all nodes have ended. The others get time to renew theirs first.
    else if (excess < 0 && !this.#isStopped && !this.#isFailing) {
      await this.#lease((tx) => store.takeShards(tx, nodeId, -excess));
    }
    return { isComplete, untilEndMs };
  }

  async #release(shards: number[]): Promise<void> {
    const { database, nodeId } = this.#dependencies;
    this.#lose(shards);
    await database.transaction((tx) => this.#store.releaseShards(tx, nodeId, shards));
  }

  /** Runs a statement that leases shards, and records until when they are certain. */
  async #lease(statement: (tx: Tx) => Promise<number[]>): Promise<Set<number>> {
    const { clock, database, onGained } = this.#dependencies;
    const sentAt = clock.monotonic();
    const distrusts = this.#distrusts;
    const leased = await database.transaction(statement);
    const gained = leased.filter((shard) => !this.owned.has(shard));
    for (const shard of leased) {
      this.owned.add(shard);
      if (distrusts === this.#distrusts) {
        this.#certainUntil[shard] = sentAt + LEASE_MS - CERTAINTY_MARGIN_MS;
      }
    }
    for (const shard of gained) this.#takenAt[shard] = clock.monotonic();
    if (gained.length > 0) onGained(gained);
    return new Set(leased);
  }

  #lose(shards: readonly number[]): void {
    for (const shard of shards) {
      this.owned.delete(shard);
      this.#certainUntil[shard] = -Infinity;
    }
    if (shards.length > 0) this.#dependencies.onLost(shards);
  }
}
