import type { Database } from '../../src/store/database/contract.ts';
import type { FakeClock } from '../support/fake-clock.ts';

/** The database of a world, whose transactions are counted whoever makes them. */
export interface CountedDatabase {
  database: Database;
  /** Grows with each transaction, before it and after it, so that nothing that was read meanwhile is kept. */
  writes(): number;
}

/** Transactions at one instant. */
const MAX_TRANSACTIONS_PER_INSTANT = 2_000;

/** @param neverRests called when one instant has too many: what never ends at one instant would never let time pass. */
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

  const database: Database = {
    engine: real.engine,
    isShared: real.isShared,
    get read() {
      return real.read;
    },
    get scan() {
      return real.scan;
    },
    async transaction(work) {
      detectLivelock();
      writes += 1;
      try {
        return await real.transaction(work);
      } finally {
        writes += 1;
      }
    },
    now: (tx) => real.now(tx),
    close: () => real.close(),
  };
  return { database, writes: () => writes };
}
