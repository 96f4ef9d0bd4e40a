/** Time of a sync up to which a disk is quick: handing the sync to another thread would take longer. */
const QUICK_MS = 1;
/** Weight of the newest sync in the average. */
const WEIGHT = 0.1;
/** Syncs in another thread before the disk is tried again. */
const RETRY_AFTER = 200;

/**
 * Creates a function that syncs a file: in this thread while the disk is quick, else in another one, so that a slow disk
 * does not hold this thread up.
 *
 * @param now milliseconds of a monotonic clock.
 */
export function createDiskSync(ways: {
  here(): void;
  elsewhere(): Promise<void>;
  now(): number;
}): () => Promise<void> {
  let averageMs = 0;
  let elsewhere = 0;
  return async () => {
    if (elsewhere > 0) {
      elsewhere -= 1;
      return ways.elsewhere();
    }
    const startedAt = ways.now();
    ways.here();
    averageMs += (ways.now() - startedAt - averageMs) * WEIGHT;
    if (averageMs <= QUICK_MS) return;
    averageMs = 0;
    elsewhere = RETRY_AFTER;
  };
}
