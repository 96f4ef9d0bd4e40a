import { sql } from 'kysely';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Severity } from '../model/condition.ts';
import type { Database } from './contract.ts';
import { forUpdate, jsonTable, jsonText, unindexed } from './dialect.ts';
import type { AlertRecipientTable, AlertRouteTable, AlertTable } from './schema-alerts.ts';
import type { IncidentEvidenceTable, IncidentTable, Schema } from './schema.ts';

type Engine = Database['engine'];
export type AlertRow = Selectable<AlertTable>;
export type AlertIncidentRow = Selectable<IncidentTable>;

/** An alert in the making, of one incident. Times are epoch milliseconds. */
export interface NewAlert {
  teamId: number;
  kind: 'single' | 'flapping';
  severity: Severity;
  monitorId: number;
  incidentId: number;
  incidentType: string;
  gatherUntil: number | null;
}

/** Due at once, or when the gathering ends. */
export async function insertAlerts(
  tx: Transaction<Schema>,
  alerts: readonly NewAlert[],
  now: number,
): Promise<void> {
  for (let from = 0; from < alerts.length; from += AT_ONCE) {
    const slice = alerts.slice(from, from + AT_ONCE);
    const rows = await tx
      .insertInto('alert')
      .values(
        slice.map((alert) => ({
          team_id: alert.teamId,
          kind: alert.kind,
          severity: alert.severity,
          monitor_id: alert.monitorId,
          incident_type: alert.incidentType,
          shared_cause: null,
          opened_at: now,
          gather_until: alert.gatherUntil,
          told_at: null,
          told_count: 0,
          over_at: null,
          next_at: alert.gatherUntil ?? now,
        })),
      )
      .returning('id')
      .execute();
    // Rows of one statement get their ids in their order.
    const ids = rows.map(({ id }) => id).toSorted((a, b) => a - b);
    await joinAlerts(
      tx,
      slice.map(({ incidentId, monitorId }, index) => ({
        alertId: ids[index]!,
        incidentId,
        monitorId,
      })),
      now,
    );
  }
}

const AT_ONCE = 500;

/** Incidents become part of alerts that are there. */
export async function joinAlerts(
  tx: Transaction<Schema>,
  joining: readonly { alertId: number; incidentId: number; monitorId: number }[],
  now: number,
): Promise<void> {
  for (let from = 0; from < joining.length; from += AT_ONCE) {
    await tx
      .insertInto('alert_incident')
      .values(
        joining.slice(from, from + AT_ONCE).map((one) => ({
          alert_id: one.alertId,
          incident_id: one.incidentId,
          monitor_id: one.monitorId,
          joined_at: now,
          has_successor: 0,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** What a monitor's alerts are, of those that are not over. */
export interface OpenAlert {
  id: number;
  kind: string;
  monitorId: number;
  incidentType: string | null;
  /** An incident of it became another one, which follows. */
  awaitsSuccessor: boolean;
}

/** Of these monitors; alerts of several monitors are named once for each. */
export async function openAlertsOf(
  tx: Transaction<Schema>,
  monitorIds: readonly number[],
): Promise<OpenAlert[]> {
  if (monitorIds.length === 0) return [];
  const rows = await tx
    .selectFrom('alert_incident')
    .innerJoin('alert', 'alert.id', 'alert_incident.alert_id')
    .select([
      'alert.id',
      'alert.kind',
      'alert_incident.monitor_id',
      'alert.incident_type',
      (eb) => eb.fn.max('alert_incident.has_successor').as('awaits'),
    ])
    .where('alert_incident.monitor_id', 'in', monitorIds)
    .where('alert.over_at', 'is', null)
    .groupBy(['alert.id', 'alert.kind', 'alert_incident.monitor_id', 'alert.incident_type'])
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    monitorId: row.monitor_id,
    incidentType: row.incident_type,
    awaitsSuccessor: Number(row.awaits) === 1,
  }));
}

/** These incidents became others: their end is no recovery. */
export async function markSucceeded(
  tx: Transaction<Schema>,
  incidentIds: readonly number[],
  isSucceeded: boolean,
): Promise<void> {
  if (incidentIds.length === 0) return;
  await tx
    .updateTable('alert_incident')
    .set({ has_successor: isSucceeded ? 1 : 0 })
    .where('incident_id', 'in', incidentIds)
    .execute();
}

/** Something happened to these incidents: their alerts are looked at at that time, unless they are before. */
export async function wakeAlertsOfIncidents(
  tx: Transaction<Schema>,
  incidentIds: readonly number[],
  at: number,
): Promise<void> {
  if (incidentIds.length === 0) return;
  const alerts = tx
    .selectFrom('alert_incident')
    .select('alert_id')
    .where('incident_id', 'in', incidentIds);
  await tx
    .updateTable('alert')
    .set({ next_at: soonerThan(at) })
    .where('id', 'in', alerts)
    .where('over_at', 'is', null)
    .execute();
}

/** The same for all alerts of a monitor. */
export async function wakeAlertsOfMonitor(
  tx: Transaction<Schema>,
  monitorId: number,
  at: number,
): Promise<void> {
  const alerts = tx
    .selectFrom('alert_incident')
    .select('alert_id')
    .where('monitor_id', '=', monitorId);
  await tx
    .updateTable('alert')
    .set({ next_at: soonerThan(at) })
    .where('id', 'in', alerts)
    .where('over_at', 'is', null)
    .execute();
}

export async function wakeAlerts(
  tx: Transaction<Schema>,
  alertIds: readonly number[],
  at: number,
): Promise<void> {
  if (alertIds.length === 0) return;
  await tx
    .updateTable('alert')
    .set({ next_at: soonerThan(at) })
    .where('id', 'in', alertIds)
    .where('over_at', 'is', null)
    .execute();
}

function soonerThan(at: number) {
  return sql<number>`case when next_at is null or next_at > ${at} then ${at} else next_at end`;
}

/** How often each of these incidents' monitors had an incident of its type since then, itself counted. */
export async function incidentCounts(
  tx: Transaction<Schema>,
  engine: Engine,
  incidentIds: readonly number[],
  since: number,
): Promise<Map<number, number>> {
  if (incidentIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom(idTable(engine, incidentIds).as('wanted'))
    .innerJoin('incident', 'incident.id', 'wanted.id')
    .innerJoin('incident as other', (join) =>
      join
        .onRef('other.monitor_id', '=', 'incident.monitor_id')
        .onRef('other.type', '=', 'incident.type')
        .on('other.started_at', '>=', since),
    )
    .select(['incident.id', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy('incident.id')
    .execute();
  return new Map(rows.map((row) => [row.id, Number(row.count)]));
}

/** What else there is about a team's alerts, for those that arise. */
export async function alertsAround(
  tx: Transaction<Schema>,
  engine: Engine,
  teamId: number,
  now: number,
): Promise<{ gatheringUntil: number | null; newestAt: number | null }> {
  const newest = await tx
    .selectFrom('alert')
    .select('opened_at')
    .where('team_id', '=', teamId)
    .orderBy('opened_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const gathering = await tx
    .selectFrom('alert')
    .select((eb) => eb.fn.min('gather_until').as('until'))
    // Few alerts wait, of however many there were.
    .where((eb) => eb(unindexed(engine, eb.ref('team_id')), '=', teamId))
    .where('next_at', 'is not', null)
    .where('gather_until', '>', now)
    .executeTakeFirst();
  return { gatheringUntil: gathering?.until ?? null, newestAt: newest?.opened_at ?? null };
}

/** Whether a monitor of the team beside these fails, and that is being confirmed: a look at it was asked for. */
export async function isAnotherSuspected(
  db: Kysely<Schema>,
  teamId: number,
  monitorIds: readonly number[],
): Promise<boolean> {
  const row = await db
    .selectFrom('monitor_state')
    .select('monitor_id')
    .where('team_id', '=', teamId)
    .where('status', 'in', ['online', 'degraded'])
    .where('run_at', 'is not', null)
    .where('is_paused', '=', 0)
    .where('monitor_id', 'not in', [...monitorIds, 0])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function isAlertDue(db: Kysely<Schema>, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('alert')
    .select('id')
    .where('next_at', '<=', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The alerts that are to be looked at, the longest due first. Whoever wakes one of them meanwhile waits until the
 * transaction ends, so that it is looked at again.
 */
export async function dueAlerts(
  tx: Transaction<Schema>,
  engine: Engine,
  now: number,
  limit: number,
): Promise<AlertRow[]> {
  return tx
    .selectFrom('alert')
    .selectAll()
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .orderBy('id')
    .limit(limit)
    .$call(forUpdate(engine))
    .execute();
}

/** One that can't be looked at is left for later, so that the others go on. */
export async function postponeAlert(
  tx: Transaction<Schema>,
  id: number,
  until: number,
): Promise<void> {
  await tx.updateTable('alert').set({ next_at: until }).where('id', '=', id).execute();
}

/** All alerts of a team whose gathering ended and of which nobody was told. */
export async function gatheredAlerts(
  tx: Transaction<Schema>,
  engine: Engine,
  teamId: number,
  now: number,
): Promise<AlertRow[]> {
  return tx
    .selectFrom('alert')
    .selectAll()
    .where((eb) => eb(unindexed(engine, eb.ref('team_id')), '=', teamId))
    .where('next_at', 'is not', null)
    .where('gather_until', '<=', now)
    .where('told_at', 'is', null)
    .orderBy('id')
    .$call(forUpdate(engine))
    .execute();
}

/** It was seen whether others share the cause of these. */
export async function endGathering(
  tx: Transaction<Schema>,
  engine: Engine,
  alertIds: readonly number[],
): Promise<void> {
  if (alertIds.length === 0) return;
  await tx
    .updateTable('alert')
    .set({ gather_until: null })
    .where('id', 'in', (eb) => eb.selectFrom(idTable(engine, alertIds).as('seen')).select('id'))
    .execute();
}

/** The storms of a team that people were told of since then, and that are not over. */
export async function openStorms(
  tx: Transaction<Schema>,
  teamId: number,
  since: number,
): Promise<{ id: number; sharedCause: string }[]> {
  const rows = await tx
    .selectFrom('alert')
    .select(['id', 'shared_cause'])
    .where('team_id', '=', teamId)
    .where('kind', '=', 'storm')
    .where('opened_at', '>=', since)
    .where('over_at', 'is', null)
    .where('told_at', 'is not', null)
    .execute();
  return rows.flatMap(({ id, shared_cause: sharedCause }) =>
    sharedCause === null ? [] : [{ id, sharedCause }],
  );
}

/**
 * Makes one alert of several: the first takes in what belongs to the others, which are gone. Where people were told of
 * the first before, what it takes in joins it now.
 */
export async function mergeAlerts(
  tx: Transaction<Schema>,
  into: { id: number; sharedCause: string | null; severity: Severity },
  others: readonly number[],
  joiningAt: number | null,
): Promise<void> {
  await tx
    .updateTable('alert')
    .set({
      kind: 'storm',
      shared_cause: into.sharedCause,
      severity: into.severity,
      monitor_id: null,
      incident_type: null,
    })
    .where('id', '=', into.id)
    .execute();
  for (let from = 0; from < others.length; from += AT_ONCE) {
    const slice = others.slice(from, from + AT_ONCE);
    await tx
      .updateTable('alert_incident')
      .set({ alert_id: into.id, ...(joiningAt !== null && { joined_at: joiningAt }) })
      .where('alert_id', 'in', slice)
      .execute();
    await tx.deleteFrom('alert').where('id', 'in', slice).execute();
  }
}

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

/** What the regions saw, by incident. */
export async function evidenceOf(
  tx: Transaction<Schema>,
  engine: Engine,
  incidentIds: readonly number[],
): Promise<IncidentEvidenceTable[]> {
  if (incidentIds.length === 0) return [];
  return tx
    .selectFrom(idTable(engine, incidentIds).as('wanted'))
    .innerJoin('incident_evidence', 'incident_evidence.incident_id', 'wanted.id')
    .selectAll('incident_evidence')
    .orderBy('incident_evidence.incident_id')
    .orderBy('incident_evidence.region')
    .execute();
}

function idTable(engine: Engine, ids: readonly number[]) {
  return jsonTable(engine, JSON.stringify(ids.map((id) => [id])), { id: 'integer' });
}

/** What incidents may share with others, of what the regions saw that failed. */
export interface SeenCause {
  incidentId: number;
  code: string;
  address: string | null;
  certificate: { subject: string; validTo: string } | null;
}

/** Of any number of incidents, without the bulk of their evidence. */
export async function seenCauses(
  tx: Transaction<Schema>,
  engine: Engine,
  incidentIds: readonly number[],
): Promise<SeenCause[]> {
  if (incidentIds.length === 0) return [];
  const rows = await tx
    .selectFrom(idTable(engine, incidentIds).as('wanted'))
    .innerJoin('incident_evidence', 'incident_evidence.incident_id', 'wanted.id')
    .select((eb) => {
      const text = (...path: [string, ...string[]]) =>
        jsonText(engine, eb.ref('incident_evidence.evidence'), path);
      return [
        'incident_evidence.incident_id',
        text('failure', 'code').as('code'),
        text('remoteAddress').as('address'),
        text('answer', 'tls', 'subject').as('subject'),
        text('answer', 'tls', 'validTo').as('valid_to'),
      ];
    })
    .execute();
  return rows.flatMap(({ incident_id: incidentId, code, address, subject, valid_to: validTo }) => {
    if (code === null) return [];
    const certificate = subject === null || validTo === null ? null : { subject, validTo };
    return [{ incidentId, code, address, certificate }];
  });
}

/** Why incidents ended: the reason of their event, or who resolved them by hand. */
export async function endingsOf(
  tx: Transaction<Schema>,
  engine: Engine,
  incidentIds: readonly number[],
): Promise<Map<number, { reason: string | null; person: string | null }>> {
  if (incidentIds.length === 0) return new Map();
  const deeds = await tx
    .selectFrom(idTable(engine, incidentIds).as('wanted'))
    .innerJoin('activity', 'activity.incident_id', 'wanted.id')
    .leftJoin('person', 'person.id', 'activity.person_id')
    .select(['activity.incident_id', 'activity.person_id', 'person.name'])
    .where('activity.type', '=', 'resolved')
    .orderBy('activity.id')
    .execute();
  const events = await tx
    .selectFrom(idTable(engine, incidentIds).as('wanted'))
    .innerJoin('event', 'event.incident_id', 'wanted.id')
    .select(['event.incident_id', 'event.reason'])
    .where('event.kind', '=', 'resolve')
    .orderBy('event.id')
    .execute();
  const reasons = new Map(events.map((event) => [event.incident_id!, event.reason]));
  return new Map(
    deeds.map((deed) => [
      deed.incident_id,
      deed.person_id === null
        ? { reason: reasons.get(deed.incident_id) ?? null, person: null }
        : { reason: null, person: deed.name },
    ]),
  );
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

/** Alerts that have been over since before then, a slice with all that belongs to them. @returns whether there may be more. */
export async function deleteAlertsBefore(database: Database, before: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    const rows = await tx
      .selectFrom('alert')
      .select('id')
      .where('over_at', '<', before)
      .limit(AT_ONCE)
      .execute();
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return false;
    await tx.deleteFrom('alert_incident').where('alert_id', 'in', ids).execute();
    await tx.deleteFrom('alert_recipient').where('alert_id', 'in', ids).execute();
    await tx.deleteFrom('alert').where('id', 'in', ids).execute();
    return ids.length === AT_ONCE;
  });
}
