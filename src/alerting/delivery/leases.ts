import type { Clock } from '../../lib/clock.ts';
import type { DestinationKind } from '../../store/alerting/destinations.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  claimDestinations,
  isDestinationDue,
  renewLeases,
} from '../../store/alerting/deliveries.ts';
import type {
  ClaimedDestination,
  DueDestinations,
  FoundDestination,
} from '../../store/alerting/deliveries.ts';
import { isAway } from '../../store/database/errors.ts';

/** So long after a process died, or was cut off from the database, others send what it was sending. */
const LEASE_MS = 10_000;
const RENEW_EVERY_MS = 3_000;
/** While the database was away nobody could renew: so long those who hold something have to say so once it is back. */
const SETTLE_MS = 5_000;

/** A destination that we send to; times are milliseconds of the monotonic clock. */
interface Held {
  claim: number;
  /** Until then nobody else has it, for certain. */
  until: number;
  /** It is not held for longer. */
  endsAt: number;
  /** What was sent could not be recorded: if it is free all the same, anybody may have it. */
  isBrokenOff: boolean;
}

export interface LeasesOptions {
  database: Database;
  clock: Clock;
  /** How long a turn may take at most, in milliseconds. */
  turnMs: Record<DestinationKind, number>;
}

/**
 * What this process sends to, and no other. On a shared database a lease is short and renewed until the turn is over, by
 * the clock of the database: those of several machines may differ. On SQLite there is nobody else.
 */
export function createLeases({ database, clock, turnMs }: LeasesOptions) {
  const { isShared } = database;
  const leaseMs = isShared ? { webhook: LEASE_MS, channel: LEASE_MS, mail: LEASE_MS } : turnMs;
  const held = new Map<number, Held>();
  /** Until then leases that ran out may yet be renewed. */
  let unsettledUntil = -Infinity;

  async function takeUp(
    due: Pick<DueDestinations, 'now' | 'limit' | 'exceptOwners' | 'exceptFailing' | 'exceptKinds'>,
    choose: (found: FoundDestination[]) => Set<number>,
  ): Promise<{ claimed: ClaimedDestination[]; leftSome: boolean }> {
    const since = clock.monotonic();
    const leaseNow = isShared ? await database.now() : due.now;
    // A lease of our own that is over by the clock, as after a step of it, is still ours.
    const exceptIds = [...held].flatMap(([id, { isBrokenOff }]) => (isBrokenOff ? [] : [id]));
    const question = { ...due, leaseNow, exceptIds, onlyFree: since < unsettledUntil };
    if (!(await isDestinationDue(database.read, question))) return { claimed: [], leftSome: false };
    const taken = await database.transaction((tx) =>
      claimDestinations(tx, question, leaseMs, choose),
    );
    for (const { id, claim, kind } of taken.claimed) {
      const [until, endsAt] = [since + leaseMs[kind], since + turnMs[kind]];
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
    const renewed = await database.transaction((tx) => renewLeases(tx, ours, leasedUntil));
    for (const id of renewed) {
      const lease = held.get(id);
      if (lease !== undefined) lease.until = since + LEASE_MS;
    }
  }

  /** Notes that the database is away. */
  async function noticing<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (isShared && isAway(error)) unsettledUntil = clock.monotonic() + SETTLE_MS;
      throw error;
    }
  }

  return {
    takeUp: (...due: Parameters<typeof takeUp>) => noticing(() => takeUp(...due)),
    /** To be called often. */
    renew: () => noticing(renew),
    /** Whether it is ours for certain, and for long enough for something that takes so many milliseconds. */
    lastsFor({ id, claim }: ClaimedDestination, milliseconds: number): boolean {
      const lease = held.get(id);
      const now = clock.monotonic();
      return lease?.claim === claim && now < lease.until && now + milliseconds < lease.endsAt;
    },
    /** Whether its turn may go on, if it is ours: who holds it for certain is up to the database. */
    isInTime: ({ id, claim }: ClaimedDestination): boolean =>
      held.get(id)?.claim === claim && clock.monotonic() < held.get(id)!.endsAt,
    /** The turn is over. */
    end({ id, claim }: ClaimedDestination): void {
      if (held.get(id)?.claim === claim) held.delete(id);
    },
    /** It is over without an end: what is still leased is kept from others for the time that a turn may take. */
    breakOff({ id, claim }: ClaimedDestination): void {
      const lease = held.get(id);
      if (lease?.claim === claim) lease.isBrokenOff = true;
    },
  };
}
