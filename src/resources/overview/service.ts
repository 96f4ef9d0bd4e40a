import { createGetAttention, type AttentionDeps, type GetAttention } from './attention.ts';
import { createListExpirations, type ListExpirations } from './expirations.ts';
import { createGetUptimeSummary, type GetUptimeSummary } from './uptime-summary.ts';

/** Reads that answer how the monitors of a team are. */
interface OverviewService {
  attention: GetAttention;
  expirations: ListExpirations;
  uptimeSummary: GetUptimeSummary;
}

export function createOverviewService(deps: AttentionDeps): OverviewService {
  return {
    attention: createGetAttention(deps),
    expirations: createListExpirations(deps),
    uptimeSummary: createGetUptimeSummary(deps),
  };
}
