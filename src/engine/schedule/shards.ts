import type { Transaction } from 'kysely';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { SHARD_COUNT } from '../../model/monitor.ts';
import type { Database } from '../../store/database/contract.ts';
import { LEASE_MS, POSTGRES_LEASES } from '../../store/engine/shards.ts';
import type { LeaseStore, ShardVersion } from '../../store/engine/shards.ts';
import type { Schema } from '../../store/database/schema.ts';
import { spread } from './grid.ts';

/** Which shards' monitors this process looks at. */
export interface Ownership {
  readonly owned: ReadonlySet<number>;
  /** Whether a round of that shard may start now: the shard is ours, and nobody else can have taken it. */
  isCertain(shard: number): boolean;
  /** The wall clock jumped, as it does when a machine wakes up: nothing is certain until it is renewed. */
  doubt(): void;
  /** What the shards' rows say about owners; `askedAt` is the monotonic instant before they were read. */
  observe(versions: readonly ShardVersion[], askedAt: number): void;
  start(): void;
  /** Gives everything back at once. Never rejects. */
  stop(): Promise<void>;
}

export interface OwnershipEvents {
  onLost(shards: readonly number[]): void;
  onGained(shards: readonly number[]): void;
  /** Leases were renewed: what was not certain may be again. */
  onRenewed(): void;
}

export interface LeaseDependencies extends OwnershipEvents {
  database: Database;
  clock: Clock;
  log: Log;
  /** Unique to this process. */
  nodeId: string;
  /** The tables of Postgres unless given. */
  store?: LeaseStore;
}

const ALL_SHARDS: ReadonlySet<number> = new Set(Array.from({ length: SHARD_COUNT }, (_, i) => i));

/** SQLite: the lock on its file proves that there is no other process, so all shards are ours for ever. */
export function wholeOwnership(): Ownership {
  return {
    owned: ALL_SHARDS,
    isCertain: () => true,
    doubt: () => {},
    observe: () => {},
    start: () => {},
    stop: async () => {},
  };
}

/** In an order that leaves no runs: monitors created one after another lie in shards that follow each other. */
const scattered = (shards: Iterable<number>): number[] =>
  [...shards].toSorted((a, b) => spread(a) - spread(b));

const RENEW_EVERY_MS = 3_000;
/** So much before a lease's end by our own clock its shard counts as no longer ours. */
const CERTAINTY_MARGIN_MS = 1_000;
/** After a failure, or when an edit held a shard that should have been renewed. */
const RETRY_MS = 500;

/**
 * Postgres: shards are leased by the database's clock. Certainty is measured on our monotonic clock from the moment
 * at which the renewal was sent, so that a process that stood still, or was cut off, stops by itself before
 * another one may take over.
 */
export function leasedOwnership(dependencies: LeaseDependencies): Ownership {
  return new Leases(dependencies);
}

class Leases implements Ownership {
  readonly owned = new Set<number>();
  readonly #dependencies: LeaseDependencies;
  readonly #store: LeaseStore;
  /** By shard, monotonic milliseconds. */
  readonly #certainUntil = new Float64Array(SHARD_COUNT).fill(-Infinity);
  readonly #takenAt = new Float64Array(SHARD_COUNT).fill(-Infinity);
  #share = SHARD_COUNT;
  #doubts = 0;
  #timer: Timer | null = null;
  #running: Promise<void> | null = null;
  #isWanted = false;
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

  doubt(): void {
    this.#doubts++;
    this.#certainUntil.fill(-Infinity);
    this.#renewNow();
  }

  observe(versions: readonly ShardVersion[], askedAt: number): void {
    const { nodeId } = this.#dependencies;
    const isFromBefore = (shard: number) => (this.#takenAt[shard] ?? 0) >= askedAt;
    const lost = versions.filter(
      ({ shard, owner }) => owner !== nodeId && this.owned.has(shard) && !isFromBefore(shard),
    );
    if (lost.length > 0) this.#lose(lost.map(({ shard }) => shard));
    // Whose they were may be gone: then the share of each other node has grown, which a renewal finds out.
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
      log.warn(
        { error },
        'The shards could not be given back; others take them when the leases end.',
      );
    }
  }

  /** Renews now, or once more when it is at it. */
  #renewNow(): void {
    if (this.#isStopped) return;
    if (this.#running) {
      this.#isWanted = true;
      return;
    }
    const { clock } = this.#dependencies;
    clock.clear(this.#timer);
    this.#isWanted = false;
    this.#running = this.#renewAndGoOn();
  }

  async #renewAndGoOn(): Promise<void> {
    const waitMs = await this.#renew();
    this.#running = null;
    if (this.#isWanted) this.#renewNow();
    else if (!this.#isStopped) {
      this.#timer = this.#dependencies.clock.after(waitMs, () => this.#renewNow());
    }
  }

  /** One round of renewing, releasing and taking. Answers after how many milliseconds the next one is due. */
  async #renew(): Promise<number> {
    const { clock, log } = this.#dependencies;
    const beganAt = clock.monotonic();
    try {
      const isWhole = await this.#renewAndBalance();
      if (this.#isFailing) log.info({}, 'Shard leases are renewed again.');
      this.#isFailing = false;
      if (!isWhole) return RETRY_MS;
    } catch (error) {
      if (!this.#isFailing) {
        log.error({ error }, 'Shard leases can not be renewed; checks stop when they end.');
      }
      this.#isFailing = true;
      return RETRY_MS;
    }
    return Math.max(0, RENEW_EVERY_MS - (clock.monotonic() - beganAt));
  }

  /** Answers whether all that is ours was renewed. */
  async #renewAndBalance(): Promise<boolean> {
    const { database, nodeId, onRenewed } = this.#dependencies;
    // Before the leases are renewed: a node that dies then stops being a member before its leases end, and
    // whoever takes them over counts without it.
    const members = await database.transaction((tx) => this.#store.announceNode(tx, nodeId));
    const renewed = await this.#lease((tx) => this.#store.renewShards(tx, nodeId));
    const isWhole = [...this.owned].every((shard) => renewed.has(shard));
    onRenewed();
    this.#share = this.#store.fairShare(members);
    const excess = this.owned.size - this.#share;
    if (excess > 0) await this.#release(scattered(this.owned).slice(-excess));
    else if (excess < 0 && !this.#isStopped) {
      await this.#lease((tx) => this.#store.takeShards(tx, nodeId, -excess));
    }
    return isWhole;
  }

  async #release(shards: number[]): Promise<void> {
    const { database, nodeId } = this.#dependencies;
    this.#lose(shards);
    await database.transaction((tx) => this.#store.releaseShards(tx, nodeId, shards));
  }

  /** Runs a statement that leases shards, and notes that they are ours for as long as it is certain. */
  async #lease(statement: (tx: Transaction<Schema>) => Promise<number[]>): Promise<Set<number>> {
    const { clock, database, onGained } = this.#dependencies;
    const sentAt = clock.monotonic();
    const doubts = this.#doubts;
    const leased = await database.transaction(statement);
    const gained = leased.filter((shard) => !this.owned.has(shard));
    for (const shard of leased) {
      this.owned.add(shard);
      if (doubts === this.#doubts) {
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
