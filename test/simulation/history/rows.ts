import type { Database } from '../../../src/store/database/contract.ts';
import { createMonitor } from '../../support/monitor-rows.ts';
import { HOUR } from './scenario.ts';
import type { HistoryMonitor } from './ledger.ts';

/** Creates a monitor with one row in each table that refers to monitors. */
export async function addMonitorWithRows(
  database: Database,
  teamId: number,
  now: number,
): Promise<HistoryMonitor> {
  const id = await createMonitor(database, now, { team_id: teamId });
  await database.transaction(async (tx) => {
    const own = { team_id: teamId, monitor_id: id };
    const spans = [
      { ...own, status: 'online', from_at: now - 2 * HOUR, to_at: now - HOUR },
      { ...own, status: 'offline', from_at: now - HOUR, to_at: null },
    ];
    await tx.insertInto('status_span').values(spans).execute();
    const { id: incident } = await tx
      .insertInto('incident')
      .values({
        ...own,
        type: 'uptime',
        severity: 'critical',
        root_cause: null,
        is_regional: 0,
        started_at: now - HOUR,
        ended_at: null,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('incident_evidence')
      .values({ incident_id: incident, region: 'ash', evidence: '{}' })
      .execute();
    await tx
      .insertInto('activity')
      .values({
        team_id: teamId,
        incident_id: incident,
        type: 'created',
        description: 'It began.',
        created_at: now,
      })
      .execute();
    await tx
      .insertInto('monitor_activity')
      .values({ ...own, type: 'dns_changed', description: 'It changed.', created_at: now })
      .execute();
    await tx
      .insertInto('event')
      .values({
        ...own,
        incident_id: incident,
        type: 'monitor.down',
        payload: '{}',
        kind: 'open',
        severity: 'critical',
        reason: null,
        fan_out_at: null,
        created_at: now,
      })
      .execute();
    await tx
      .insertInto('ping')
      .values({
        monitor_id: id,
        number: 1,
        at: now,
        kind: 'success',
        source_address: '192.0.2.1',
        is_body_cut: 0,
      })
      .execute();
  });
  return { id, teamId, createdAt: now, deletedAt: null };
}

export async function addTeam(database: Database, id: number, now: number): Promise<void> {
  const named = { name: `Team ${id}`, slug: `team-${id}`, personal_team: 0, plan: null };
  const times = { deleted_at: null, created_at: now, updated_at: now };
  await database.transaction((tx) =>
    tx
      .insertInto('team')
      .values({ id, ...named, ...times })
      .execute(),
  );
}
