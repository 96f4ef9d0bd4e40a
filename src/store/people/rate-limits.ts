import { CompiledQuery } from 'kysely';
import type { Database } from '../database/contract.ts';

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
