import type { Clock } from '../../../src/lib/clock.ts';
import { createSweep } from '../../../src/heartbeat/sweep.ts';
import { leasedOwnership, wholeOwnership } from '../../../src/schedule/shards.ts';
import type { LeaseDependencies, Ownership } from '../../../src/schedule/shards.ts';
import type { LeaseStore } from '../../../src/store/shards.ts';
import type { Doubles } from '../process.ts';

/** Faults that only worlds with two processes show. */
export const PAIR_FAULTS: Record<string, { doubles: Doubles; found: RegExp }> = {
  'a process that counts its leases from the answer': {
    doubles: { createOwnership: (rest) => leasedOwnership(countingFromTheAnswer(rest)) },
    found: /checks it, but its lease/,
  },
  'a process that is certain of leases that ran out': {
    doubles: ownershipOf((own) => (shard) => own.owned.has(shard)),
    found: /checks it, but its lease/,
  },
  'a process that was suspended and doubts no lease': {
    doubles: {
      createOwnership: (rest) => Object.assign(leasedOwnership(rest), { doubt: () => undefined }),
    },
    found: /checks it, but its lease/,
  },
  'a process that ignores leases': {
    doubles: { createOwnership: wholeOwnership },
    found: /checks it, but its lease/,
  },
  'leases of a dead process that never end': {
    doubles: storeOf((store) => ({
      takeShards: async (tx, nodeId, limit) => {
        const taken = await tx
          .selectFrom('shard')
          .select('shard')
          .where('owner', 'is not', null)
          .where('owner', '!=', nodeId)
          .execute();
        const others = new Set(taken.map(({ shard }) => shard));
        const leased = await store.takeShards(tx, nodeId, limit);
        return leased.filter((shard) => !others.has(shard));
      },
    })),
    found: /those of no process|nobody looked|must be|not looked at|has \d+ shards/,
  },
  'a process that keeps more than its share': {
    doubles: storeOf(() => ({ fairShare: () => 256 })),
    found: /and its share is/,
  },
  'a process that judges silence and asks no other one': {
    doubles: {
      createSweep: (rest) => createSweep({ ...rest, heardByOthers: async () => null }),
    },
    found: /accused of (silence|a run)/,
  },
};

function storeOf(change: (store: LeaseStore) => Partial<LeaseStore>): Doubles {
  return {
    createOwnership: ({ store, ...rest }) =>
      leasedOwnership({ ...rest, store: { ...store!, ...change(store!) } }),
  };
}

function ownershipOf(isCertain: (own: Ownership) => Ownership['isCertain']): Doubles {
  return {
    createOwnership(dependencies) {
      const own = leasedOwnership(dependencies);
      return {
        owned: own.owned,
        isCertain: isCertain(own),
        doubt: () => own.doubt(),
        observe: (versions, askedAt) => own.observe(versions, askedAt),
        start: () => own.start(),
        stop: () => own.stop(),
      };
    },
  };
}

/** Its clock is behind by as long as the newest answer took, so that what it counts from the sending ends that much later. */
function countingFromTheAnswer({ database, clock, ...rest }: LeaseDependencies): LeaseDependencies {
  let lateMs = 0;
  const own: Clock = { ...clock, monotonic: () => clock.monotonic() - lateMs };
  return {
    ...rest,
    clock: own,
    database: {
      ...database,
      get read() {
        return database.read;
      },
      get scan() {
        return database.scan;
      },
      async transaction(work) {
        const sentAt = clock.monotonic();
        try {
          return await database.transaction(work);
        } finally {
          lateMs = clock.monotonic() - sentAt;
        }
      },
    },
  };
}
