import type { Database } from '../../src/store/database/contract.ts';
import type { SloRow } from '../../src/store/resources/slos.ts';
import { insertRows } from './rows.ts';

/** Stores an SLO of 99.9 % in 30 days with alerts, due at once. */
export async function insertMonitorSlo(
  database: Database,
  monitorId: number,
  now: number,
  more: Partial<SloRow> = {},
): Promise<void> {
  await insertRows(database, 'monitor_slo', {
    monitor_id: monitorId,
    team_id: 1,
    target_percent: 99.9,
    window_days: 30,
    burn_rate_alerts: 1,
    next_at: now,
    created_at: now,
    updated_at: now,
    ...more,
  });
}
