import type { Database } from '../../src/store/database/contract.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { wrapDatabase } from '../support/wrapped-database.ts';

/** The database of a world; counts all transactions. */
export interface CountedDatabase {
  database: Database;
  /** Number of transaction starts and ends so far. Anything cached at another count is stale. */
  writes(): number;
}

/** More transactions than this at one virtual instant mean a livelock. */
const MAX_TRANSACTIONS_PER_INSTANT = 2_000;

/** @param onLivelock called when one instant has too many transactions, since virtual time would then never advance. */
export function countedDatabase(
  real: Database,
  clock: FakeClock,
  onLivelock: () => void,
): CountedDatabase {
  let writes = 0;
  let busy = { at: 0, transactions: 0 };

  function detectLivelock(): void {
    const at = clock.monotonic();
    busy = { at, transactions: at === busy.at ? busy.transactions + 1 : 1 };
    if (busy.transactions > MAX_TRANSACTIONS_PER_INSTANT) onLivelock();
  }

  const database = wrapDatabase(real, {
    async transaction(work) {
      detectLivelock();
      writes += 1;
      try {
        return await real.transaction(work);
      } finally {
        writes += 1;
      }
    },
  });
  return { database, writes: () => writes };
}
