import { sql } from 'kysely';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Severity } from '../../model/condition.ts';
import { idTable, idList, rowTable } from '../database/dialect.ts';
import type { AlertRecipientTable, AlertRouteTable } from '../database/schema-alerts.ts';
import type { IncidentTable, Schema } from '../database/schema.ts';
import { prepareUpdate } from '../database/rows.ts';

export type AlertIncidentRow = Selectable<IncidentTable>;

/** An incident of an alert. */
export interface MemberRow {
  alertId: number;
  incidentId: number;
  monitorId: number;
  joinedAt: number;
  hasSuccessor: boolean;
  /** When the incident or its monitor was deleted; for an incident that was over before, when its end was detected. */
  removedAt: number | null;
  /** Severity of a deleted incident; null for existing ones. */
  removedSeverity: Severity | null;
  /** Null when it was deleted. */
  incident: AlertIncidentRow | null;
}

export async function membersOf(
  tx: Transaction<Schema>,
  alertIds: readonly number[],
): Promise<MemberRow[]> {
  if (alertIds.length === 0) return [];
  const rows = await tx
    .selectFrom(idTable(tx, alertIds).as('wanted'))
    .innerJoin('alert_incident', 'alert_incident.alert_id', 'wanted.id')
    .leftJoin('incident', 'incident.id', 'alert_incident.incident_id')
    .selectAll('incident')
    .select([
      'alert_incident.alert_id as alert_id',
      'alert_incident.incident_id as member_incident_id',
      'alert_incident.monitor_id as member_monitor_id',
      'alert_incident.joined_at as joined_at',
      'alert_incident.has_successor as has_successor',
      'alert_incident.removed_at as removed_at',
      'alert_incident.removed_severity as removed_severity',
    ])
    .orderBy('alert_incident.incident_id')
    .execute();
  return rows.map((row) => ({
    alertId: row.alert_id,
    incidentId: row.member_incident_id,
    monitorId: row.member_monitor_id,
    joinedAt: row.joined_at,
    hasSuccessor: row.has_successor === 1,
    removedAt: row.removed_at,
    removedSeverity: row.removed_severity as Severity | null,
    incident: row.id === null ? null : (row as AlertIncidentRow),
  }));
}

/** Reads which incidents each destination was notified of, by alert and destination. */
export async function notifiedIncidentsOf(
  tx: Transaction<Schema>,
  alertIds: readonly number[],
): Promise<Map<number, Map<number, NotifiedIncidents>>> {
  if (alertIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom(idTable(tx, alertIds).as('wanted'))
    .innerJoin('alert_recipient_incidents as notified', 'notified.alert_id', 'wanted.id')
    .selectAll('notified')
    .execute();
  return new Map(
    [...Map.groupBy(rows, (row) => row.alert_id)].map(([id, own]) => [
      id,
      new Map(own.map((row) => [row.destination_id, notifiedFrom(row)])),
    ]),
  );
}

function notifiedFrom(row: { incidents: string; ends: string }): NotifiedIncidents {
  const times = Object.entries(JSON.parse(row.incidents) as Record<string, number>);
  return {
    incidents: new Map(times.map(([id, at]) => [Number(id), at])),
    ends: new Set(JSON.parse(row.ends) as number[]),
  };
}

export async function recipientsOf(
  tx: Transaction<Schema>,
  alertIds: readonly number[],
): Promise<Selectable<AlertRecipientTable>[]> {
  if (alertIds.length === 0) return [];
  return tx
    .selectFrom(idTable(tx, alertIds).as('wanted'))
    .innerJoin('alert_recipient', 'alert_recipient.alert_id', 'wanted.id')
    .selectAll('alert_recipient')
    .execute();
}

/** Reads from the log when the ends of these incidents were detected, or when a person ended them. */
export async function detectedEnds(
  tx: Transaction<Schema>,
  incidentIds: readonly number[],
): Promise<Map<number, number>> {
  if (incidentIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom(idTable(tx, incidentIds).as('wanted'))
    .innerJoin('activity', 'activity.incident_id', 'wanted.id')
    .select(['activity.incident_id', (eb) => eb.fn.max('activity.created_at').as('at')])
    .where('activity.type', '=', 'resolved')
    .groupBy('activity.incident_id')
    .execute();
  return new Map(rows.map((row) => [row.incident_id, Number(row.at)]));
}

/**
 * Finds destinations that another alert has notified of the return of the same problem, by incident of these alerts that
 * is over. Down everywhere and down in some regions count as the same problem.
 */
export async function renotifiedDestinations(
  tx: Transaction<Schema>,
  alertIds: readonly number[],
): Promise<Map<number, number[]>> {
  if (alertIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom(idTable(tx, alertIds).as('wanted'))
    .innerJoin('alert_incident as own', 'own.alert_id', 'wanted.id')
    .innerJoin('incident as over', 'over.id', 'own.incident_id')
    .innerJoin('incident as again', (join) =>
      join
        .onRef('again.monitor_id', '=', 'over.monitor_id')
        .onRef('again.started_at', '>=', 'over.ended_at')
        .on('again.ended_at', 'is', null)
        // Spelled out: with a parameter the engines would not recognize the index.
        .on(sql<boolean>`again.type <> 'manual'`)
        .on(
          sql<boolean>`(again.type = over.type
            or (again.type in ('uptime', 'regional') and over.type in ('uptime', 'regional')))`,
        ),
    )
    .innerJoin('alert_incident as other', 'other.incident_id', 'again.id')
    .innerJoin('alert', 'alert.id', 'other.alert_id')
    .whereRef('other.alert_id', '<>', 'own.alert_id')
    .where('alert.over_at', 'is', null)
    .select(['own.incident_id', 'other.alert_id', 'other.incident_id as again_id'])
    .select('other.joined_at')
    .execute();
  const others = [...new Set(rows.map((row) => row.alert_id))];
  const recipients = Map.groupBy(await recipientsOf(tx, others), (row) => row.alert_id);
  const notified = await notifiedIncidentsOf(tx, others);
  const byIncident = Map.groupBy(rows, (row) => row.incident_id);
  return new Map(
    [...byIncident].map(([id, own]) => [
      id,
      own.flatMap((row) =>
        (recipients.get(row.alert_id) ?? []).flatMap(({ destination_id: destinationId }) => {
          const at = notified.get(row.alert_id)?.get(destinationId)?.incidents.get(row.again_id);
          return at !== undefined && at >= row.joined_at ? destinationId : [];
        }),
      ),
    ]),
  );
}

/** The state of an alert after a step. */
export interface AlertChange {
  id: number;
  kind: string;
  severity: Severity;
  notifiedAt: number | null;
  notifiedCount: number;
  overAt: number | null;
  nextAt: number | null;
}

export async function writeAlerts(
  tx: Transaction<Schema>,
  changes: readonly AlertChange[],
): Promise<void> {
  const values = changes.map((one) => [
    one.id,
    one.kind,
    one.severity,
    one.notifiedAt,
    one.notifiedCount,
    one.overAt,
    one.nextAt,
  ]);
  await updateAlerts(tx, values);
}

const updateAlerts = prepareUpdate('alert', {
  id: 'integer',
  kind: 'text',
  severity: 'text',
  notified_at: 'integer',
  notified_count: 'integer',
  over_at: 'integer',
  next_at: 'integer',
});

/** Excludes alerts from grouping: people were notified of them, or they are over. */
export async function endGrouping(
  tx: Transaction<Schema>,
  alertIds: readonly number[],
): Promise<void> {
  if (alertIds.length === 0) return;
  await tx
    .updateTable('alert')
    .set({ groupable_until: null })
    .where('id', 'in', idList(tx, alertIds))
    .execute();
}

/** Records that these destinations are notified now, with the severity. */
export async function writeRecipients(
  tx: Transaction<Schema>,
  recipients: readonly { alertId: number; destinationId: number; severity: Severity }[],
  now: number,
): Promise<void> {
  if (recipients.length === 0) return;
  await tx
    .insertInto('alert_recipient')
    .values(
      recipients.map((one) => ({
        alert_id: one.alertId,
        destination_id: one.destinationId,
        notified_at: now,
        last_notified_at: now,
        severity: one.severity,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['alert_id', 'destination_id']).doUpdateSet((eb) => ({
        last_notified_at: now,
        severity: eb.ref('excluded.severity'),
      })),
    )
    .execute();
}

/** Deletes recipients that were notified of the recovery. */
export async function deleteRecipients(
  tx: Transaction<Schema>,
  recipients: readonly { alertId: number; destinationId: number }[],
): Promise<void> {
  if (recipients.length === 0) return;
  const pairs = recipients.map(({ alertId, destinationId }) => [alertId, destinationId]);
  const gone = rowTable(tx, pairs, { alert_id: 'integer', destination_id: 'integer' });
  await sql`delete from alert_recipient where (alert_id, destination_id) in
    (select alert_id, destination_id from ${gone} as gone)`.execute(tx);
}

/** The incidents of an alert that a destination was notified of. */
export interface NotifiedIncidents {
  /** By incident, the time of the last message that named it. */
  incidents: ReadonlyMap<number, number>;
  /** The incidents that this message named as over. */
  ends: ReadonlySet<number>;
}

/** Replaces the record of which incidents these destinations were notified of. */
export async function writeNotifiedIncidents(
  tx: Transaction<Schema>,
  notified: readonly (NotifiedIncidents & { alertId: number; destinationId: number })[],
): Promise<void> {
  if (notified.length === 0) return;
  await tx
    .insertInto('alert_recipient_incidents')
    .values(
      notified.map(({ alertId, destinationId, incidents, ends }) => ({
        alert_id: alertId,
        destination_id: destinationId,
        incidents: JSON.stringify(Object.fromEntries(incidents)),
        ends: JSON.stringify([...ends]),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['alert_id', 'destination_id']).doUpdateSet((eb) => ({
        incidents: eb.ref('excluded.incidents'),
        ends: eb.ref('excluded.ends'),
      })),
    )
    .execute();
}

/** Reads a team's routes in their order. */
export function routesOfTeam(
  db: Kysely<Schema>,
  teamId: number,
): Promise<Selectable<AlertRouteTable>[]> {
  return db
    .selectFrom('alert_route')
    .selectAll()
    .where('team_id', '=', teamId)
    .orderBy('sort_order')
    .orderBy('id')
    .execute();
}

/** Reads the grouping windows of a team that opened after that time (epoch ms), by destination. */
export async function groupingWindowsOf(
  tx: Transaction<Schema>,
  teamId: number,
  since: number,
): Promise<Map<number, { openedAt: number; severity: Severity }>> {
  const rows = await tx
    .selectFrom('grouping_window')
    .select(['destination_id', 'opened_at', 'severity'])
    .where('team_id', '=', teamId)
    .where('opened_at', '>', since)
    .execute();
  return new Map(
    rows.map((row) => [
      row.destination_id,
      { openedAt: row.opened_at, severity: row.severity as Severity },
    ]),
  );
}

/** Opens a grouping window for channels that are notified of something new now. Each destination is listed once. */
export async function openGroupingWindows(
  tx: Transaction<Schema>,
  teamId: number,
  opened: readonly { destinationId: number; severity: Severity }[],
  now: number,
): Promise<void> {
  if (opened.length === 0) return;
  await tx
    .insertInto('grouping_window')
    .values(
      opened.map(({ destinationId, severity }) => ({
        team_id: teamId,
        destination_id: destinationId,
        opened_at: now,
        severity,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['team_id', 'destination_id']).doUpdateSet((eb) => ({
        opened_at: eb.ref('excluded.opened_at'),
        severity: eb.ref('excluded.severity'),
      })),
    )
    .execute();
}
