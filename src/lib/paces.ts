import type { Clock } from './clock.ts';

const MINUTE_MS = 60_000;
/** Keys that are remembered before those that are at rest are forgotten. */
const MAX_KEYS = 1_000;

/** Limits how often something happens for each key: a burst, then evenly. */
export type Paces = ReturnType<typeof createPaces>;

/** @param burst number of events at once after a pause. */
export function createPaces(
  clock: Pick<Clock, 'monotonic'>,
  { burst, perMinute }: { burst: number; perMinute: number },
) {
  const stepMs = MINUTE_MS / perMinute;
  /** When each key is at rest again. */
  const restAt = new Map<string, number>();
  return {
    /** @returns 0 when it may happen now, which counts; else the milliseconds to wait. */
    take(key: string) {
      const now = clock.monotonic();
      const at = Math.max(now, restAt.get(key) ?? 0);
      const waitMs = Math.ceil(at - now - (burst - 1) * stepMs);
      if (waitMs > 0) return waitMs;
      if (restAt.size >= MAX_KEYS)
        for (const [other, end] of restAt) if (end <= now) restAt.delete(other);
      restAt.set(key, at + stepMs);
      return 0;
    },
  };
}
