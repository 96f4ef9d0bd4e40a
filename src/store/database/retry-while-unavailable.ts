import { sleep } from '../../lib/clock.ts';
import type { Clock } from '../../lib/clock.ts';
import { isUnavailable } from './errors.ts';

const AGAIN_MS = 1_000;

/**
 * Does work that must not be given up because the database is away for a while: once a second, while `mayRetry` says
 * so. Rejects with any other error of the work.
 *
 * @returns what the work answered; null when it was given up.
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
      await sleep(clock, AGAIN_MS);
    }
  }
}
