import { updateRows, insertRows } from './rows.ts';
import type { TestApi } from './api.ts';
import { domainFacts, sslFacts } from './target-facts.ts';

/** Stores what an inspection of a monitor's target found; null for a registry without a date. */
export async function storeExpiry(
  api: Pick<TestApi, 'database' | 'clock'>,
  kind: 'ssl' | 'domain',
  target: string,
  expiresAt: number | null,
): Promise<void> {
  const facts = kind === 'ssl' ? sslFacts(expiresAt!) : domainFacts(expiresAt);
  const found = { facts: JSON.stringify(facts), known_at: api.clock.now() };
  await updateRows(api.database, 'inspection', found, { kind, target });
}

/** Stores an incident of Alice's team, open unless `ended_at` is given. */
export async function storeIncident(
  { alice, database }: Pick<TestApi, 'alice' | 'database'>,
  monitorId: number,
  startedAt: number,
  more: {
    team_id?: number;
    type?: string;
    severity?: string;
    root_cause?: string;
    ended_at?: number;
    acknowledged_at?: number;
  } = {},
): Promise<void> {
  await insertRows(database, 'incident', {
    team_id: alice.teamId,
    monitor_id: monitorId,
    type: 'uptime',
    severity: 'critical',
    root_cause: 'HTTP 503 Service Unavailable',
    is_regional: 0,
    started_at: startedAt,
    created_at: startedAt,
    updated_at: startedAt,
    ...more,
  });
}
