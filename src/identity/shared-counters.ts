import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Log } from '../lib/log.ts';
import type { Database } from '../store/database/contract.ts';
import {
  rateLimitStore,
  RATE_LIMIT_TABLE,
  type RateLimitStore,
} from '../store/people/rate-limits.ts';
import { inMemory, type CounterFactory } from './rate-limits.ts';

/** Counters that can go down again before their window ends. */
const GIVES_BACK: ReadonlySet<string> = new Set([
  'sign_in',
  'sign_in_hour',
  'sign_in_client',
  'check_host',
  'check_url',
  'monitor_check',
]);

/**
 * Creates counters that all processes on one Postgres share. Each process measures windows by its own clock, and counts
 * alone while the database is unavailable. Rows of people and addresses, whose number is bounded, are reused; those of
 * ended windows are deleted by retention.
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
      // A used-up budget is refused until the window ends without querying the database.
      ...(!GIVES_BACK.has(budget.name) && { inMemoryBlockOnConsumed: budget.points }),
      insuranceLimiter: inMemory(budget),
    });
}

/** Logs when counters stop being shared, and when they are shared again. */
function reporting(store: RateLimitStore, log: Log): RateLimitStore {
  let isAway = false;
  return {
    async query(statement) {
      try {
        const result = await store.query(statement);
        if (isAway)
          // Log: The database is back.
          log.info({}, 'Rate limits are shared with other processes again.');
        isAway = false;
        return result;
      } catch (error) {
        if (!isAway)
          // Log: Each process allows the whole budget until the database is back.
          log.warn(
            { error },
            'Rate limits are counted by this process alone: the database is unavailable.',
          );
        isAway = true;
        throw error;
      }
    },
  };
}
