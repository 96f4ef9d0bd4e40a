import type { Transaction } from 'kysely';
import type { Database } from '../../store/database/contract.ts';
import type { Schema } from '../../store/database/schema.ts';

/** A database whose transactions are parts of the one that is open, for operations that are called within it. */
export function withinTransaction(database: Database, tx: Transaction<Schema>): Database {
  return {
    engine: database.engine,
    isShared: database.isShared,
    read: tx,
    scan: tx,
    transaction: (work) => work(tx),
    now: () => database.now(tx),
    close: async () => {},
  };
}
