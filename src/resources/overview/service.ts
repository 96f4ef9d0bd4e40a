import { createGetAttention, type AttentionDeps, type GetAttention } from './attention.ts';
import { createListExpirations, type ListExpirations } from './expirations.ts';
import { createMonitorOverview, type GetMonitorOverview } from './monitor-overview.ts';
import { createGetUptimeSummary, type GetUptimeSummary } from './uptime-summary.ts';

/** Reads that answer how the monitors of a team are. */
interface OverviewService {
  attention: GetAttention;
  expirations: ListExpirations;
  uptimeSummary: GetUptimeSummary;
  monitors: GetMonitorOverview;
}

type OverviewDeps = AttentionDeps & Parameters<typeof createMonitorOverview>[0];

export function createOverviewService(deps: OverviewDeps): OverviewService {
  return {
    attention: createGetAttention(deps),
    expirations: createListExpirations(deps),
    uptimeSummary: createGetUptimeSummary(deps),
    monitors: createMonitorOverview(deps),
  };
}
