import type { Clock } from '../../lib/clock.ts';

/** Which monitors have cost the others too much lately: with evaluations that came to no answer. */
export interface CostTracker {
  add(monitorId: number, milliseconds: number): void;
  isCostly(monitorId: number): boolean;
}

/** Costly is who loses `costlyMs`, and stays so until `forgetMs` after the last of it. */
export function createCostTracker(
  clock: Clock,
  { costlyMs, forgetMs }: { costlyMs: number; forgetMs: number },
): CostTracker {
  const losses = new Map<number, { lostMs: number; until: number }>();
  return {
    add(monitorId, milliseconds) {
      const now = clock.monotonic();
      for (const [id, { until }] of losses) if (until <= now) losses.delete(id);
      const lostMs = (losses.get(monitorId)?.lostMs ?? 0) + milliseconds;
      losses.set(monitorId, { lostMs, until: now + forgetMs });
    },
    isCostly(monitorId) {
      const loss = losses.get(monitorId);
      return loss !== undefined && loss.lostMs >= costlyMs && clock.monotonic() < loss.until;
    },
  };
}
