import { CompiledQuery } from 'kysely';
import type { Database } from '../database/contract.ts';
import { BATCH_ROWS, inBatch } from '../database/rows.ts';

export const RATE_LIMIT_TABLE = 'rate_limit';

/** The part of a Postgres client that rate-limiter-flexible uses. */
export interface RateLimitStore {
  query(statement: { text: string; values: unknown[] }): Promise<{
    rows: unknown[];
    rowCount: number;
  }>;
}

/** Runs the statements of rate-limiter-flexible. Each is complete by itself and needs no transaction. */
export function rateLimitStore(database: Database): RateLimitStore {
  return {
    async query({ text, values }) {
      const { rows } = await database.read.executeQuery(CompiledQuery.raw(text, values));
      return { rows, rowCount: rows.length };
    },
  };
}

/** Deletes a batch of windows that ended before that time (epoch ms). @returns whether there may be more. */
export async function deleteWindowsBefore(database: Database, before: number): Promise<boolean> {
  return await database.transaction(async (tx) => {
    const slice = tx
      .selectFrom('rate_limit')
      .select('key')
      .where('expire', '<', before)
      .limit(BATCH_ROWS);
    const { numDeletedRows } = await tx
      .deleteFrom('rate_limit')
      .where(inBatch('key', slice))
      .where('expire', '<', before)
      .executeTakeFirstOrThrow();
    return numDeletedRows >= BATCH_ROWS;
  });
}
