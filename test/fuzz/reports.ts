import { insertRow } from '../../src/store/database/rows.ts';
import type { TestApi } from '../support/api.ts';
import { storeReportRun } from '../support/report-runs.ts';
import type { Pool } from './pool.ts';

/** Ids of the sample would be those of any team. */
const NO_IDS = { monitors: [], groups: [], tags: [], incidents: [], incidentsTotal: 0 };

/** Ensures that each team has a report with a run that is done, whatever was deleted. */
export async function reviveReports(api: TestApi, pool: Pool): Promise<void> {
  const now = api.clock.now();
  for (const [{ teamId }, side] of [
    [api.alice, 'ours'],
    [api.mallory, 'theirs'],
  ] as const) {
    const reportId = await api.database.transaction((tx) =>
      insertRow(tx, 'report', {
        team_id: teamId,
        name: 'Revived',
        monitors: '[]',
        tags: '[]',
        period: 'last_7_days',
        frequency: 'none',
        recipients: '[]',
        timezone: 'UTC',
        language: 'en',
        created_at: now,
        updated_at: now,
      }),
    );
    pool.know('reports', reportId, side);
    const run = await storeReportRun(api.database, { reportId, teamId, now, more: NO_IDS });
    pool.know('report-runs', run, side);
  }
}
