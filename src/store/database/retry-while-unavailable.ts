import { sleep } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import { isUnavailable } from './errors.ts';

const RETRY_MS = 1_000;

/**
 * Runs work and retries it once a second while the database is unavailable and `mayRetry` allows. Rejects with any other
 * error of the work.
 *
 * @returns the result of the work; null when it gave up.
 */
export async function retryWhileUnavailable<Result>(
  clock: Clock,
  work: () => Promise<Result>,
  mayRetry: () => boolean,
): Promise<Result | null> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (!mayRetry()) return null;
      await sleep(clock, RETRY_MS);
    }
  }
}
