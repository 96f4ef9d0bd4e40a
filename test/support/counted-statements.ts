import type { KyselyPlugin } from 'kysely';
import type { Database } from '../../src/store/database/contract.ts';

/** The same database; `during` returns the number of statements of each transaction, such as `12` or `3 + 1`. */
export function countStatements(real: Database) {
  let transactions: number[] = [];
  const database: Database = {
    ...real,
    get read() {
      return real.read;
    },
    transaction: (work) =>
      real.transaction(async (tx) => {
        let statements = 0;
        const counting: KyselyPlugin = {
          transformQuery: ({ node }) => node,
          transformResult: async ({ result }) => {
            statements += 1;
            return result;
          },
        };
        try {
          return await work(tx.withPlugin(counting));
        } finally {
          transactions.push(statements);
        }
      }),
  };
  return {
    database,
    async during(work: () => Promise<unknown>): Promise<string> {
      transactions = [];
      await work();
      return transactions.join(' + ');
    },
  };
}
