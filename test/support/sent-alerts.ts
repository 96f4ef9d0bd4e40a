import type { Database } from '../../src/store/database/contract.ts';
import { NO_TIMINGS } from '../../src/model/check.ts';
import type { RegionEvidence } from '../../src/model/incident.ts';
import { destinationStore } from '../../src/store/alerting/destinations.ts';
import { alertSteps } from '../../src/store/alerting/alert-steps.ts';

/** Stores a channel of a team or a person. @returns the id of its destination. */
export async function storeChannel(
  database: Database,
  owner: { teamId: number } | { personId: number },
  { now, name = '#ops', type = 'slack' }: { now: number; name?: string; type?: string },
): Promise<number> {
  const teamId = 'teamId' in owner ? owner.teamId : null;
  const personId = 'personId' in owner ? owner.personId : null;
  return await database.transaction(async (tx) => {
    const id = await destinationStore(tx).insert({ kind: 'channel', teamId, now });
    const columns = { type, name, enabled: 1, is_default: 0, settings: null, quiet_hours: null };
    const row = { ...columns, severities: '["critical"]', timezone: null };
    await tx
      .insertInto('alert_channel')
      .values({
        ...row,
        team_id: teamId,
        person_id: personId,
        destination_id: id,
        created_at: now,
        updated_at: now,
      })
      .execute();
    return id;
  });
}

/** Stores an alert of existing incidents. @returns its id. */
export async function storeAlert(
  database: Database,
  { teamId, incidents, now }: { teamId: number; incidents: number[]; now: number },
): Promise<number> {
  return await database.transaction(async (tx) => {
    const { id } = await tx
      .insertInto('alert')
      .values({
        team_id: teamId,
        kind: incidents.length > 1 ? 'storm' : 'single',
        severity: 'critical',
        shared_cause: incidents.length > 1 ? 'the address 203.0.113.7' : null,
        opened_at: now,
        notified_at: now,
        notified_count: incidents.length,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (const incident of incidents) {
      const { monitor_id } = await tx
        .selectFrom('incident')
        .select('monitor_id')
        .where('id', '=', incident)
        .executeTakeFirstOrThrow();
      const joined = { alert_id: id, incident_id: incident, joined_at: now, has_successor: 0 };
      await tx
        .insertInto('alert_incident')
        .values({ ...joined, monitor_id })
        .execute();
    }
    return id;
  });
}

/** Stores that a destination was notified of incidents of an alert. */
export async function storeNotified(
  database: Database,
  {
    alertId,
    destinationId,
    incidents,
  }: { alertId: number; destinationId: number; incidents: number[] },
  now: number,
): Promise<void> {
  const times = new Map(incidents.map((id) => [id, now]));
  const notified = { alertId, destinationId, incidents: times, ends: new Set<number>() };
  await database.transaction((tx) => alertSteps(tx).writeNotifiedIncidents([notified]));
}

/** Stores Ashburn's evidence of an incident: a page that is out of service. */
export async function storeEvidence(database: Database, incidentId: number): Promise<void> {
  const seen: RegionEvidence = {
    region: 'ash',
    failure: { code: 'http_status', text: 'HTTP 503 Service Unavailable' },
    checkedAt: Date.UTC(2030, 0, 1),
    attempts: [],
    timings: { ...NO_TIMINGS, totalMs: 120 },
    statusCode: 503,
    remoteAddress: '203.0.113.7',
    answer: null,
  };
  const row = { incident_id: incidentId, region: 'ash', evidence: JSON.stringify(seen) };
  await database.transaction((tx) => tx.insertInto('incident_evidence').values(row).execute());
}
