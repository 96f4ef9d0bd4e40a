import { sql } from 'kysely';
import type { Selectable, Transaction } from 'kysely';
import type { Severity } from '../model/condition.ts';
import { idTable, jsonTable, type Engine } from './dialect.ts';
import type { AlertRecipientTable, AlertRouteTable } from './schema-alerts.ts';
import type { IncidentTable, Schema } from './schema.ts';

export type AlertIncidentRow = Selectable<IncidentTable>;

export interface MemberRow {
  alertId: number;
  incidentId: number;
  monitorId: number;
  joinedAt: number;
  hasSuccessor: boolean;
  /** Null when it was deleted. */
  incident: AlertIncidentRow | null;
}

export async function membersOf(
  tx: Transaction<Schema>,
  engine: Engine,
  alertIds: readonly number[],
): Promise<MemberRow[]> {
  if (alertIds.length === 0) return [];
  const rows = await tx
    .selectFrom(idTable(engine, alertIds).as('wanted'))
    .innerJoin('alert_incident', 'alert_incident.alert_id', 'wanted.id')
    .leftJoin('incident', 'incident.id', 'alert_incident.incident_id')
    .selectAll('incident')
    .select([
      'alert_incident.alert_id as alert_id',
      'alert_incident.incident_id as member_incident_id',
      'alert_incident.monitor_id as member_monitor_id',
      'alert_incident.joined_at as joined_at',
      'alert_incident.has_successor as has_successor',
    ])
    .orderBy('alert_incident.incident_id')
    .execute();
  return rows.map((row) => ({
    alertId: row.alert_id,
    incidentId: row.member_incident_id,
    monitorId: row.member_monitor_id,
    joinedAt: row.joined_at,
    hasSuccessor: row.has_successor === 1,
    incident: row.id === null ? null : (row as AlertIncidentRow),
  }));
}

export async function recipientsOf(
  tx: Transaction<Schema>,
  alertIds: readonly number[],
): Promise<Selectable<AlertRecipientTable>[]> {
  if (alertIds.length === 0) return [];
  return tx.selectFrom('alert_recipient').selectAll().where('alert_id', 'in', alertIds).execute();
}

/** What a step makes of an alert. */
export interface AlertChange {
  id: number;
  kind: string;
  severity: Severity;
  toldAt: number | null;
  toldCount: number;
  overAt: number | null;
  nextAt: number | null;
}

export async function writeAlerts(
  tx: Transaction<Schema>,
  engine: Engine,
  changes: readonly AlertChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const values = changes.map((one) => [
    one.id,
    one.kind,
    one.severity,
    one.toldAt,
    one.toldCount,
    one.overAt,
    one.nextAt,
  ]);
  const rows = jsonTable(engine, JSON.stringify(values), {
    id: 'integer',
    kind: 'text',
    severity: 'text',
    told_at: 'integer',
    told_count: 'integer',
    over_at: 'integer',
    next_at: 'integer',
  });
  await tx
    .updateTable('alert')
    .from(rows.as('step'))
    .set((eb) => ({
      kind: eb.ref('step.kind'),
      severity: eb.ref('step.severity'),
      told_at: eb.ref('step.told_at'),
      told_count: eb.ref('step.told_count'),
      over_at: eb.ref('step.over_at'),
      next_at: eb.ref('step.next_at'),
    }))
    .whereRef('alert.id', '=', 'step.id')
    .execute();
}

/** They were told now, and that it is as severe as this. */
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
        told_at: now,
        last_told_at: now,
        severity: one.severity,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['alert_id', 'destination_id']).doUpdateSet((eb) => ({
        last_told_at: now,
        severity: eb.ref('excluded.severity'),
      })),
    )
    .execute();
}

/** They know that it is over. */
export async function deleteRecipients(
  tx: Transaction<Schema>,
  engine: Engine,
  recipients: readonly { alertId: number; destinationId: number }[],
): Promise<void> {
  if (recipients.length === 0) return;
  const pairs = recipients.map(({ alertId, destinationId }) => [alertId, destinationId]);
  const gone = jsonTable(engine, JSON.stringify(pairs), {
    alert_id: 'integer',
    destination_id: 'integer',
  });
  await sql`delete from alert_recipient where (alert_id, destination_id) in
    (select alert_id, destination_id from ${gone} as gone)`.execute(tx);
}

/** Nobody was told of these when others of their alert were: they count as joining it then. */
export async function deferMembers(
  tx: Transaction<Schema>,
  engine: Engine,
  members: readonly { alertId: number; incidentId: number }[],
  at: number,
): Promise<void> {
  if (members.length === 0) return;
  const pairs = members.map(({ alertId, incidentId }) => [alertId, incidentId]);
  const held = jsonTable(engine, JSON.stringify(pairs), {
    alert_id: 'integer',
    incident_id: 'integer',
  });
  await sql`update alert_incident set joined_at = ${at} where (alert_id, incident_id) in
    (select alert_id, incident_id from ${held} as held)`.execute(tx);
}

/** A team's routes, in their order. */
export function routesOfTeam(
  tx: Transaction<Schema>,
  teamId: number,
): Promise<Selectable<AlertRouteTable>[]> {
  return tx
    .selectFrom('alert_route')
    .selectAll()
    .where('team_id', '=', teamId)
    .orderBy('sort_order')
    .orderBy('id')
    .execute();
}
