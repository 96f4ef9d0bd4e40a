import { isUnavailable, isAway } from '../../store/database/errors.ts';
import { type Clock, sleep } from '../../lib/clock.ts';
import type { DestinationKind } from '../../store/alerting/destinations.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  leaseStore,
  type ClaimedDestination,
  type DueDestinations,
  type FoundDestination,
} from '../../store/alerting/claims.ts';

/** Others take over this long after a process died, or was cut off from the database. */
const LEASE_MS = 10_000;
const RENEW_EVERY_MS = 3_000;
/** Nobody could renew while the database was away: time that holders of leases have to do so once it is back. */
const SETTLE_MS = 5_000;

/** A destination that this process has claimed; times are milliseconds of the monotonic clock. */
interface Held {
  claim: number;
  /** Nobody else can have it before then. */
  until: number;
  /** The lease is not renewed beyond. */
  endsAt: number;
  /** An outcome could not be recorded: the destination may be claimed again once its lease is over. */
  isBrokenOff: boolean;
}

/**
 * Leases of destinations: only one process sends to each. On a shared database a lease is short and renewed until the
 * destination is released, by the clock of the database, as those of machines may differ. On SQLite no other process exists.
 */
export function createLeases(options: {
  database: Database;
  clock: Clock;
  maxMs: Record<DestinationKind, number>;
  isStopping(): boolean;
}) {
  const { database, clock, maxMs, isStopping } = options;
  const { isShared } = database;
  const leaseMs = (kind: DestinationKind) => (isShared ? LEASE_MS : maxMs[kind]);
  const held = new Map<number, Held>();
  /** Leases that ran out may yet be renewed until then. */
  let unsettledUntil = -Infinity;

  async function claimDue(
    due: Pick<DueDestinations, 'now' | 'limit' | 'exceptOwners' | 'exceptFailing' | 'exceptKinds'>,
    choose: (found: FoundDestination[]) => Set<number>,
  ): Promise<{ claimed: ClaimedDestination[]; leftSome: boolean }> {
    const since = clock.monotonic();
    const leaseNow = isShared ? await database.now() : due.now;
    // A lease of this process that is over by the clock, as after a step of it, still holds.
    const exceptIds = [...held].flatMap(([id, { isBrokenOff }]) => (isBrokenOff ? [] : [id]));
    const question = { ...due, leaseNow, exceptIds, onlyFree: since < unsettledUntil };
    if (!(await leaseStore(database.read).isAnyDue(question)))
      return { claimed: [], leftSome: false };
    const taken = await database.transaction((tx) =>
      leaseStore(tx).claim(question, leaseMs, choose),
    );
    for (const { id, claim, kind } of taken.claimed) {
      const [until, endsAt] = [since + leaseMs(kind), since + maxMs[kind]];
      held.set(id, { claim, until, endsAt, isBrokenOff: false });
    }
    return taken;
  }

  async function renew(): Promise<void> {
    const since = clock.monotonic();
    for (const [id, { endsAt }] of held) if (endsAt <= since) held.delete(id);
    if (!isShared) return;
    const late = [...held].filter(([, { until }]) => until <= since + LEASE_MS - RENEW_EVERY_MS);
    if (late.length === 0) return;
    const leasedUntil = (await database.now()) + LEASE_MS;
    const ours = late.map(([id, { claim }]) => ({ id, claim }));
    const renewed = await database.transaction((tx) => leaseStore(tx).renew(ours, leasedUntil));
    for (const id of renewed) {
      const lease = held.get(id);
      if (lease !== undefined) lease.until = since + LEASE_MS;
    }
  }

  /** Notes that the database is away. */
  async function watching<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (isShared && isAway(error)) unsettledUntil = clock.monotonic() + SETTLE_MS;
      throw error;
    }
  }

  return {
    claimDue: (...due: Parameters<typeof claimDue>) => watching(() => claimDue(...due)),
    /** Renews leases that end soon; called at every poll. */
    renew: () => watching(renew),
    /** Whether it is certainly ours, and remains so for that many milliseconds. */
    lastsFor({ id, claim }: ClaimedDestination, milliseconds: number): boolean {
      const lease = held.get(id);
      const now = clock.monotonic();
      return lease?.claim === claim && now < lease.until && now + milliseconds < lease.endsAt;
    },
    /**
     * Repeats database work while the database is away: what was sent and is not recorded would be sent again. Whether the
     * destination is still ours is up to the database. Null once the claim has taken too long, or the process stops.
     */
    retryUntilRecorded<Result>({ id, claim }: ClaimedDestination, work: () => Promise<Result>) {
      const isInTime = () =>
        held.get(id)?.claim === claim && clock.monotonic() < held.get(id)!.endsAt;
      return retryWhileUnavailable(clock, work, () => !isStopping() && isInTime());
    },
    end({ id, claim }: ClaimedDestination): void {
      if (held.get(id)?.claim === claim) held.delete(id);
    },
    /** Sending ended without a release: the lease keeps the destination from others until it runs out. */
    breakOff({ id, claim }: ClaimedDestination): void {
      const lease = held.get(id);
      if (lease?.claim === claim) lease.isBrokenOff = true;
    },
  };
}

export type Leases = ReturnType<typeof createLeases>;

const RETRY_MS = 1_000;

/**
 * Runs work and retries it once a second while the database is unavailable and `mayRetry` allows. Rejects with any other
 * error of the work.
 *
 * @returns the result of the work; null when it gave up.
 */
export async function retryWhileUnavailable<Result>(
  clock: Clock,
  work: () => Promise<Result>,
  mayRetry: () => boolean,
): Promise<Result | null> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (!mayRetry()) return null;
      await sleep(clock, RETRY_MS);
    }
  }
}
