import { CompiledQuery } from 'kysely';
import type { Database } from './contract.ts';

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
