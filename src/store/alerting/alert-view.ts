import { sql } from 'kysely';
import { idList, idTable } from '../database/dialect.ts';
import { acknowledgement, ACKNOWLEDGER, INCIDENT_CONTEXT } from '../resources/incidents.ts';
import { selectRecipients } from '../resources/alert-channels.ts';
import type { Db, Tx } from '../database/contract.ts';

/** Reads an alert with a channel that was notified of it; undefined when the alert or its team is deleted, or it was not. */
export async function findSentAlert(db: Db, alertId: number, destinationId: number) {
  const alert = await db
    .selectFrom('alert')
    .innerJoin('team', 'team.id', 'alert.team_id')
    .innerJoin('alert_recipient_incidents as notified', (join) =>
      join
        .onRef('notified.alert_id', '=', 'alert.id')
        .on('notified.destination_id', '=', destinationId),
    )
    .where('alert.id', '=', alertId)
    .where('team.deleted_at', 'is', null)
    .selectAll('alert')
    .select(['team.name as team_name', 'notified.incidents'])
    .executeTakeFirst();
  if (alert === undefined) return undefined;
  const { team_name: name, incidents, ...columns } = alert;
  const team = { id: alert.team_id, name };
  const notifiedIncidents = Object.keys(JSON.parse(incidents) as object).map(Number);
  if (notifiedIncidents.length === 0) return undefined;
  const channel = await findChannel(db, team.id, destinationId);
  return { alert: columns, notifiedIncidents, team, channel };
}

/** Incidents of sent alerts, as the pages behind their links show them. */
export function sentAlerts(db: Db) {
  return {
    /** Lists the incidents of a sent alert, open ones first, then the newest first; without those of deleted monitors. */
    incidents(sent: SentAlert, limit: number) {
      return selectAlertIncidents(db, sent)
        .selectAll('incident')
        .select(INCIDENT_CONTEXT)
        .select(['monitor.type as monitor_type', ACKNOWLEDGER])
        .orderBy((eb) => eb.case().when('incident.ended_at', 'is', null).then(0).else(1).end())
        .orderBy('incident.started_at', 'desc')
        .orderBy('incident.id', 'desc')
        .limit(limit)
        .execute();
    },

    /**
     * Counts the incidents of a sent alert: all, open ones, and open ones that nobody has acknowledged. `worst` is the place of
     * the worst severity in SEVERITIES.
     */
    async countIncidents(sent: SentAlert) {
      const row = await selectAlertIncidents(db, sent)
        .select((eb) => [
          sql<number | null>`min(case incident.severity when 'critical' then 0 when 'warning' then 1
        else 2 end)`.as('worst'),
          eb.fn.countAll<number>().as('total'),
          eb.fn
            .count<number>('incident.id')
            .filterWhere('incident.ended_at', 'is', null)
            .as('open'),
          eb.fn
            .count<number>('incident.id')
            .filterWhere('incident.ended_at', 'is', null)
            .filterWhere('incident.acknowledged_at', 'is', null)
            .as('waiting'),
        ])
        .executeTakeFirstOrThrow();
      const { total, open, waiting, worst } = row;
      return { total: Number(total), open: Number(open), waiting: Number(waiting), worst };
    },

    /** Reads the evidence of incidents as JSON of `RegionEvidence`, in the order of the regions. */
    evidenceOf(ids: readonly number[]) {
      if (ids.length === 0) return Promise.resolve([]);
      return db
        .selectFrom(idTable(db, ids).as('wanted'))
        .innerJoin('incident_evidence', 'incident_evidence.incident_id', 'wanted.id')
        .select(['incident_evidence.incident_id', 'incident_evidence.evidence'])
        .orderBy('incident_evidence.incident_id')
        .orderBy('incident_evidence.region')
        .execute();
    },
  };
}

export type SentAlert = NonNullable<Awaited<ReturnType<typeof findSentAlert>>>;

/** Reads a channel of the team, or of an active member; null when it is deleted, disabled, or no longer serves the team. */
async function findChannel(db: Db, teamId: number, destinationId: number) {
  const row = await selectRecipients(db, teamId)
    .where('alert_channel.destination_id', '=', destinationId)
    .select(['alert_channel.timezone as own_timezone', 'person.timezone as person_timezone'])
    .select(['person.name as person_name', 'person.email', 'member.role'])
    .executeTakeFirst();
  if (row === undefined) return null;
  const { id, type, name, person_id: personId, person_name: personName, email, role } = row;
  const person =
    personId === null ? null : { id: personId, name: personName!, email: email!, role: role! };
  return { id, type, name, timezone: row.own_timezone ?? row.person_timezone, person };
}

/** An incident of an alert, with the person who acknowledged it. */
export type AlertIncidentRow = Awaited<
  ReturnType<ReturnType<typeof sentAlerts>['incidents']>
>[number];

/** Reads the open incidents of a sent alert that nobody has acknowledged. */
export function unacknowledgedIncidents(tx: Tx, sent: SentAlert) {
  return selectAlertIncidents(tx, sent)
    .where('incident.ended_at', 'is', null)
    .where('incident.acknowledged_at', 'is', null)
    .selectAll('incident')
    .select(INCIDENT_CONTEXT)
    .orderBy('incident.id')
    .execute();
}

/** Acknowledges incidents with one statement. @param by null for an unknown person. */
export async function acknowledgeIncidents(
  tx: Tx,
  ids: readonly number[],
  by: number | null,
  now: number,
): Promise<void> {
  await tx
    .updateTable('incident')
    .set({ ...acknowledgement(by, now), updated_at: now })
    .where('id', 'in', idList(tx, ids))
    .execute();
}

/** Incidents of the alert of those monitors of which the channel was notified: of a flapping one it gets no later ones. */
function selectAlertIncidents(db: Db, { alert, notifiedIncidents }: SentAlert) {
  const { id: alertId, team_id: teamId } = alert;
  return db
    .selectFrom('alert_incident')
    .innerJoin('incident', 'incident.id', 'alert_incident.incident_id')
    .innerJoin('monitor', 'monitor.id', 'incident.monitor_id')
    .where('alert_incident.alert_id', '=', alertId)
    .where('alert_incident.monitor_id', 'in', (eb) =>
      eb
        .selectFrom('alert_incident as named')
        .select('named.monitor_id')
        .where('named.alert_id', '=', alertId)
        .where('named.incident_id', 'in', idList(db, notifiedIncidents)),
    )
    .where('incident.team_id', '=', teamId)
    .where('monitor.deleted_at', 'is', null);
}
