import { createGetAttention, type AttentionDeps } from './attention.ts';
import { createListExpirations } from './expirations.ts';
import { createMonitorOverview } from './monitor-overview.ts';
import { createGetUptimeSummary } from './uptime-summary.ts';
type OverviewDeps = AttentionDeps & Parameters<typeof createMonitorOverview>[0];

/** Reads that answer how the monitors of a team are. */
export function createOverviewService(deps: OverviewDeps) {
  return {
    attention: createGetAttention(deps),
    expirations: createListExpirations(deps),
    uptimeSummary: createGetUptimeSummary(deps),
    monitors: createMonitorOverview(deps),
  };
}
