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

/** Thrown in a transaction to undo what it did, with what is known by then. */
export class Undo<Known> extends Error {
  readonly known: Known;

  constructor(known: Known) {
    super('What was done is undone.');
    this.known = known;
  }
}
