import { sql } from 'kysely';
import type { Severity } from '../../model/condition.ts';
import { idList } from '../database/dialect.ts';
import { eventQueue } from '../engine/events.ts';
import type { Db, Row, Tx } from '../database/contract.ts';
import { alertFacts, type AlertIncidentRow } from './alert-facts.ts';
import { updateRow, hasRow, BATCH_ROWS, claimRows, insertRows } from '../database/rows.ts';

export type AlertRow = Row<'alert'>;

export interface NewAlert {
  teamId: number;
  kind: 'single' | 'flapping';
  severity: Severity;
  monitorId: number;
  incidentId: number;
  incidentType: string;
  /** Whether it may be merged into another alert before people are notified of it. */
  isGroupable: boolean;
}

export function alertStore(tx: Tx) {
  const store = {
    async insert(alerts: readonly NewAlert[], now: number) {
      for (let from = 0; from < alerts.length; from += BATCH_ROWS) {
        const slice = alerts.slice(from, from + BATCH_ROWS);
        const rows = await tx
          .insertInto('alert')
          .values(
            slice.map((alert) => ({
              team_id: alert.teamId,
              kind: alert.kind,
              severity: alert.severity,
              monitor_id: alert.monitorId,
              incident_type: alert.incidentType,
              opened_at: now,
              groupable_until: alert.isGroupable ? now : null,
              notified_count: 0,
              next_at: now,
            })),
          )
          .returning('id')
          .execute();
        // Rows of one statement get their ids in their order.
        const ids = rows.map(({ id }) => id).toSorted((a, b) => a - b);
        await store.join(
          slice.map(({ incidentId, monitorId }, index) => ({
            alertId: ids[index]!,
            incidentId,
            monitorId,
          })),
          now,
        );
      }
    },
    async join(
      joining: readonly { alertId: number; incidentId: number; monitorId: number }[],
      now: number,
    ) {
      const rows = joining.map((one) => ({
        alert_id: one.alertId,
        incident_id: one.incidentId,
        monitor_id: one.monitorId,
        joined_at: now,
        has_successor: 0,
      }));
      await insertRows(tx, 'alert_incident', rows, 'skip');
    },
    /** Reads the open alerts of these monitors; an alert of several monitors is listed once for each. */
    async openOf(monitorIds: readonly number[]): Promise<OpenAlert[]> {
      if (monitorIds.length === 0) return [];
      const rows = await tx
        .selectFrom('alert_incident')
        .innerJoin('alert', 'alert.id', 'alert_incident.alert_id')
        .leftJoin('event', 'event.incident_id', 'alert_incident.incident_id')
        .select(['alert.id', 'alert.kind', 'alert_incident.monitor_id', 'alert.incident_type'])
        .select([
          sql<number | null>`max(case when event.kind = 'open' then event.id end)`.as('opened_by'),
          sql<number | null>`max(case when event.kind = 'resolve' and event.reason = 'changed_over'
        and alert_incident.has_successor = 1 then event.id end)`.as('handed_over_by'),
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
        // An incident that began later has joined. `has_successor` stays set.
        handedOverBy:
          Number(row.handed_over_by ?? 0) > Number(row.opened_by ?? 0)
            ? Number(row.handed_over_by)
            : null,
      }));
    },
    /** Records that incidents changed into others: their end is no recovery. */
    async markSucceeded(incidentIds: readonly number[]) {
      if (incidentIds.length === 0) return;
      await tx
        .updateTable('alert_incident')
        .set({ has_successor: 1 })
        .where('incident_id', 'in', incidentIds)
        .execute();
    },
    /** Makes alerts due at that time, unless they are due earlier. */
    async schedule(alertIds: readonly number[], at: number) {
      if (alertIds.length > 0) await scheduling(tx, at).where('id', 'in', alertIds).execute();
    },
    /**
     * Locks alerts that are due, the longest due first. Skips what another session has locked. A session that makes one of them
     * due meanwhile waits until the transaction ends, so that another step follows.
     */
    due(now: number, limit: number) {
      return claimRows(tx, 'alert', { next_at: ['<=', now] }, 'all', ['next_at', 'id'], limit);
    },
    /** Postpones an alert whose step failed, so that the others go on. */
    async postpone(id: number, until: number) {
      await updateRow(tx, 'alert', id, { next_at: until });
    },
    /** Finds the alerts of these incidents that are not over, each with its incident. */
    async openWith(incidentIds: readonly number[]) {
      if (incidentIds.length === 0) return [];
      return tx
        .selectFrom('alert_incident')
        .innerJoin('alert', 'alert.id', 'alert_incident.alert_id')
        .select(['alert_incident.alert_id as alertId', 'alert_incident.incident_id as incidentId'])
        .where('alert_incident.incident_id', 'in', incidentIds)
        .where('alert.over_at', 'is', null)
        .execute();
    },
    /** Makes incidents news of their alerts again, and makes the alerts due. */
    async joinAgain(members: readonly { alertId: number; incidentId: number }[], now: number) {
      if (members.length === 0) return;
      const alertIds = [...new Set(members.map(({ alertId }) => alertId))];
      const incidentIds = members.map(({ incidentId }) => incidentId);
      await tx
        .updateTable('alert_incident')
        .set({ joined_at: now, has_successor: 0 })
        .where('alert_id', 'in', alertIds)
        .where('incident_id', 'in', incidentIds)
        .execute();
      await store.schedule(alertIds, now);
    },
  };
  return store;
}

export interface OpenAlert {
  id: number;
  kind: string;
  monitorId: number;
  incidentType: string | null;
  /**
   * Event by which an incident of the alert changed into another one that has not joined yet; a later event has a higher
   * id. Null when no incident is expected to join.
   */
  handedOverBy: number | null;
}

/** Makes the alerts of these incidents due at that time, unless they are due earlier. */
export async function scheduleAlertsOfIncidents(
  tx: Tx,
  incidentIds: readonly number[],
  at: number,
): Promise<void> {
  if (incidentIds.length === 0) return;
  const alerts = membership(tx).where('incident_id', 'in', incidentIds);
  await scheduling(tx, at).where('id', 'in', alerts).execute();
}

/** Does the same for all alerts of monitors. */
export async function scheduleAlertsOfMonitors(tx: Tx, monitorIds: readonly number[], at: number) {
  const alerts = membership(tx).where('monitor_id', 'in', idList(tx, monitorIds));
  await scheduling(tx, at).where('id', 'in', alerts).execute();
}

/** Does the same for all alerts of a team. Takes the fan-out lock first, so that it and an alert step never deadlock. */
export async function scheduleAlertsOfTeam(tx: Tx, teamId: number, at: number) {
  await eventQueue(tx).lock();
  await scheduling(tx, at).where('team_id', '=', teamId).execute();
}

function membership(tx: Tx) {
  return tx.selectFrom('alert_incident').select('alert_id');
}

function scheduling(tx: Tx, at: number) {
  return tx
    .updateTable('alert')
    .set({
      next_at: sql<number>`case when next_at is null or next_at > ${at} then ${at} else next_at end`,
    })
    .where('over_at', 'is', null);
}

export async function isAlertDue(db: Db, now: number): Promise<boolean> {
  return hasRow(db.selectFrom('alert').where('next_at', '<=', now));
}

/**
 * Notifies people again of an incident that a person reopened: it joins its alert now, or a new alert when that is over.
 * Manual incidents notify nobody, and a pending opening event notifies by itself. Waits for a lock: the transaction must
 * not have changed an alert before.
 */
export async function notifyReopened(
  tx: Tx,
  incident: Pick<AlertIncidentRow, 'id' | 'team_id' | 'monitor_id' | 'type' | 'severity'>,
  now: number,
): Promise<void> {
  const { id: incidentId, monitor_id: monitorId } = incident;
  if (incident.type === 'manual') return;
  await eventQueue(tx).lock();
  if ((await eventQueue(tx).pendingOpenings([incidentId])).length > 0) return;
  const alerts = alertStore(tx);
  const known = await alerts.openWith([incidentId]);
  if (known.length > 0) return alerts.joinAgain(known, now);
  const alert = {
    teamId: incident.team_id,
    kind: 'single' as const,
    severity: incident.severity as Severity,
    monitorId,
    incidentId,
    incidentType: incident.type,
    isGroupable: false,
  };
  await alerts.insert([alert], now);
}

/**
 * Records in the alerts of an incident that it is about to be deleted, and makes them due. Call it before the incident is
 * deleted: an incident that is over keeps the time at which its end was detected.
 */
export async function markIncidentRemoved(
  tx: Tx,
  incident: { id: number; severity: string; ended_at: number | null },
  now: number,
): Promise<void> {
  const { id, severity, ended_at: endedAt } = incident;
  const seen =
    endedAt === null ? now : ((await alertFacts(tx).detectedEnds([id])).get(id) ?? endedAt);
  await scheduleAlertsOfIncidents(tx, [id], now);
  await tx
    .updateTable('alert_incident')
    .set({ removed_at: Math.max(seen, endedAt ?? 0), removed_severity: severity })
    .where('incident_id', '=', id)
    .where('removed_at', 'is', null)
    .execute();
}

/** Does the same for the open incidents of monitors that are deleted. */
export async function markMonitorsRemoved(tx: Tx, monitorIds: readonly number[], now: number) {
  await scheduleAlertsOfMonitors(tx, monitorIds, now);
  await tx
    .updateTable('alert_incident')
    .set({ removed_at: now })
    .where('incident_id', 'in', (eb) =>
      eb
        .selectFrom('incident')
        .select('id')
        .where('monitor_id', 'in', idList(tx, monitorIds))
        .where('ended_at', 'is', null),
    )
    .where('removed_at', 'is', null)
    .execute();
}
