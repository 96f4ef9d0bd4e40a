import { CompiledQuery } from 'kysely';
import type { Database } from '../database/contract.ts';

/** Rows that go in one transaction. */
const AT_ONCE = 500;

export const RATE_LIMIT_TABLE = 'rate_limit';

/** What rate-limiter-flexible asks of a Postgres client. */
export interface RateLimitStore {
  query(statement: { text: string; values: unknown[] }): Promise<{
    rows: unknown[];
    rowCount: number;
  }>;
}

/** The statements are those of rate-limiter-flexible. Each stands alone, and so needs no transaction around it. */
export function rateLimitStore(database: Database): RateLimitStore {
  return {
    async query({ text, values }) {
      const { rows } = await database.read.executeQuery(CompiledQuery.raw(text, values));
      return { rows, rowCount: rows.length };
    },
  };
}

/** Deletes a slice of the windows that were over before that time (epoch ms); whether there may be more. */
export async function deleteWindowsBefore(database: Database, before: number): Promise<boolean> {
  return await database.transaction(async (tx) => {
    const slice = tx
      .selectFrom('rate_limit')
      .select('key')
      .where('expire', '<', before)
      .limit(AT_ONCE);
    const { numDeletedRows } = await tx
      .deleteFrom('rate_limit')
      .where('key', 'in', slice)
      .where('expire', '<', before)
      .executeTakeFirstOrThrow();
    return numDeletedRows >= AT_ONCE;
  });
}
