import { leasedOwnership, fullOwnership } from '../../../src/engine/schedule/shards.ts';
import type { LeaseStore } from '../../../src/store/engine/shards.ts';
import type { Doubles } from '../process.ts';

/** Faults that only worlds with two processes can detect. */
export const PAIR_FAULTS: Record<string, { doubles: Doubles; found: RegExp }> = {
  'a process that ignores leases': {
    doubles: { createOwnership: fullOwnership },
    found: /checks it, but its lease/,
  },
  'a process that owns more than its share': {
    doubles: storeOf(() => ({ fairShare: () => 256 })),
    found: /but its share is/,
  },
};

function storeOf(change: (store: LeaseStore) => Partial<LeaseStore>): Doubles {
  return {
    createOwnership: ({ store, ...rest }) =>
      leasedOwnership({ ...rest, store: { ...store!, ...change(store!) } }),
  };
}
