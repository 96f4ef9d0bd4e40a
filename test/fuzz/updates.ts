import { insertManualIncident } from '../../src/store/resources/incidents.ts';
import type { TestApi } from '../support/api.ts';
import { createMonitor } from '../support/monitor-rows.ts';
import { insertAnnouncement, insertPage, insertUpdate } from '../support/status-pages.ts';
import type { Pool } from './pool.ts';

let made = 0;

/** Ensures that each team has an incident with updates on a page, of which one may be deleted. */
export async function reviveUpdates(api: TestApi, pool: Pool): Promise<void> {
  const now = api.clock.now();
  const { database } = api;
  for (const [{ teamId }, side] of [
    [api.alice, 'ours'],
    [api.mallory, 'theirs'],
  ] as const) {
    made += 1;
    const monitorId = await createMonitor(database, now, { team_id: teamId });
    const page = await insertPage(database, { team_id: teamId, slug: `updates-${made}` });
    const announcement = await insertAnnouncement(
      database,
      { team_id: teamId, started_at: now },
      { pages: [page], monitors: [monitorId] },
    );
    const incident = await database.transaction(async (tx) => {
      const id = await insertManualIncident(
        tx,
        { team_id: teamId, monitor_id: monitorId, severity: 'critical', started_at: now },
        now,
      );
      await tx
        .insertInto('announcement_incident')
        .values({ incident_id: id, announcement_id: announcement })
        .execute();
      return id;
    });
    pool.know('incidents', incident, side);
    for (const body of ['A', 'B', 'C']) {
      const update = await insertUpdate(database, announcement, { pages: [page], at: now, body });
      pool.know('incidents with updates', incident, side);
      pool.know('updates of incidents', update, side);
    }
  }
}
