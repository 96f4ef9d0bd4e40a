import { insertRow } from '../../src/store/database/rows.ts';
import type { TestApi } from '../support/api.ts';
import { createMonitor } from '../support/monitor-rows.ts';
import { reviveExpirations } from './overviews.ts';
import type { Pool } from './pool.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Ensures that each team has a monitor with a past, a correction, an SLO and a certificate, whatever was deleted. */
export async function reviveCorrections(api: TestApi, pool: Pool): Promise<void> {
  const now = api.clock.now();
  for (const [{ teamId, personId }, side] of [
    [api.alice, 'ours'],
    [api.mallory, 'theirs'],
  ] as const) {
    const monitorId = await createMonitor(api.database, now - DAY_MS, { team_id: teamId });
    await api.database.transaction(async (tx) => {
      await tx
        .updateTable('monitor_state')
        .set({ team_id: teamId })
        .where('monitor_id', '=', monitorId)
        .execute();
      const columns = {
        team_id: teamId,
        monitor_id: monitorId,
        from_at: now - 2 * HOUR_MS,
        to_at: now - HOUR_MS,
        counts_as: 'excluded',
        reason: 'A test of ours.',
        person_id: personId,
        created_at: now,
        updated_at: now,
      };
      const slo = { target_percent: 99, window_days: 7, burn_rate_alerts: 1, next_at: null };
      const of = { monitor_id: monitorId, team_id: teamId, created_at: now, updated_at: now };
      await tx
        .insertInto('monitor_slo')
        .values({ ...of, ...slo })
        .execute();
      pool.know('corrections', await insertRow(tx, 'correction', columns), side);
    });
    await reviveExpirations(api, [{ id: monitorId }]);
    pool.know('monitors', monitorId, side);
    pool.know('monitors with corrections', monitorId, side);
  }
}
