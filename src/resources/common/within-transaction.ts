import type { Database, Tx } from '../../store/database/contract.ts';

/** A database whose transactions are parts of the one that is open, for operations that are called within it. */
export function withinTransaction(database: Database, tx: Tx): Database {
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

/**
 * What work in a transaction answers, whose changes are undone.
 *
 * @param transact does work in a transaction, which an error of it undoes.
 */
export function undone<Scope, Known>(
  transact: (work: (scope: Scope) => Promise<never>) => Promise<never>,
  work: (scope: Scope) => Promise<Known>,
): Promise<Known> {
  const undo = new Error('What was done is undone.');
  let known: Known;
  return transact(async (scope) => {
    known = await work(scope);
    throw undo;
  }).catch((error: unknown) => {
    if (error === undo) return known;
    throw error;
  });
}
