import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Log } from '../lib/log.ts';
import type { Database } from '../store/database/contract.ts';
import {
  rateLimitStore,
  RATE_LIMIT_TABLE,
  type RateLimitStore,
} from '../store/people/rate-limits.ts';
import { inMemory, type CounterFactory } from './rate-limits.ts';

/**
 * Counters that all processes on one Postgres share. Each measures the windows by its own clock. While the database is
 * away, a process counts by itself. Rows of persons and of addresses, whose number is bounded, are used again; those of
 * sessions that ended are cleared away by retention.
 */
export function sharedCounters(deps: { database: Database; log: Log }): CounterFactory {
  const storeClient = reporting(rateLimitStore(deps.database), deps.log);
  return (budget) =>
    new RateLimiterPostgres({
      keyPrefix: budget.name,
      points: budget.points,
      duration: budget.duration,
      storeClient,
      storeType: 'client',
      tableName: RATE_LIMIT_TABLE,
      tableCreated: true,
      clearExpiredByTimeout: false,
      // Once a budget is used up, all is refused until the window ends without a question to the database.
      inMemoryBlockOnConsumed: budget.points,
      insuranceLimiter: inMemory(budget),
    });
}

/** Says when the counters stop being shared, and when they are again. */
function reporting(store: RateLimitStore, log: Log): RateLimitStore {
  let isAway = false;
  return {
    async query(statement) {
      try {
        const result = await store.query(statement);
        if (isAway) log.info({}, 'Requests are counted together with the other processes again.');
        isAway = false;
        return result;
      } catch (error) {
        if (!isAway) log.warn({ error }, 'Requests are counted by this process alone for now.');
        isAway = true;
        throw error;
      }
    },
  };
}
