import { sql } from 'kysely';
import type { Severity } from '../../model/condition.ts';
import { idList, rowTable, engineOf, forUpdate, idTable, unindexed } from '../database/dialect.ts';
import type { Tx } from '../database/contract.ts';
import { prepareUpdate, updateRow, putRows } from '../database/rows.ts';
import type { NotifiedIncidents } from './alert-facts.ts';

export interface AlertChange {
  id: number;
  kind: string;
  severity: Severity;
  notifiedAt: number | null;
  notifiedCount: number;
  overAt: number | null;
  nextAt: number | null;
}

/** Writes what a step makes of alerts, and finds and merges those that become one. */
export function alertSteps(tx: Tx) {
  return {
    async writeAlerts(changes: readonly AlertChange[]) {
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
    },
    /** Excludes alerts from grouping: people were notified of them, or they are over. */
    async endGrouping(alertIds: readonly number[]) {
      if (alertIds.length === 0) return;
      await tx
        .updateTable('alert')
        .set({ groupable_until: null })
        .where('id', 'in', idList(tx, alertIds))
        .execute();
    },
    /** Records that these destinations are notified now, with the severity. */
    async writeRecipients(
      recipients: readonly { alertId: number; destinationId: number; severity: Severity }[],
      now: number,
    ) {
      const rows = recipients.map((one) => ({
        alert_id: one.alertId,
        destination_id: one.destinationId,
        notified_at: now,
        last_notified_at: now,
        severity: one.severity,
      }));
      await putRows(tx, 'alert_recipient', RECIPIENT, rows, ['notified_at']);
    },
    /** Deletes recipients that were notified of the recovery. */
    async deleteRecipients(recipients: readonly { alertId: number; destinationId: number }[]) {
      if (recipients.length === 0) return;
      const pairs = recipients.map(({ alertId, destinationId }) => [alertId, destinationId]);
      const gone = rowTable(tx, pairs, { alert_id: 'integer', destination_id: 'integer' });
      await sql`delete from alert_recipient where (alert_id, destination_id) in
    (select alert_id, destination_id from ${gone} as gone)`.execute(tx);
    },
    /** Replaces the record of which incidents these destinations were notified of. */
    async writeNotifiedIncidents(
      notified: readonly (NotifiedIncidents & { alertId: number; destinationId: number })[],
    ) {
      const rows = notified.map(({ alertId, destinationId, incidents, ends }) => ({
        alert_id: alertId,
        destination_id: destinationId,
        incidents: JSON.stringify(Object.fromEntries(incidents)),
        ends: JSON.stringify([...ends]),
      }));
      await putRows(tx, 'alert_recipient_incidents', RECIPIENT, rows);
    },
    /** Opens a grouping window for channels that are notified of something new now. Each destination is listed once. */
    async openGroupingWindows(
      teamId: number,
      opened: readonly { destinationId: number; severity: Severity }[],
      now: number,
    ) {
      const rows = opened.map(({ destinationId, severity }) => ({
        team_id: teamId,
        destination_id: destinationId,
        opened_at: now,
        severity,
      }));
      await putRows(tx, 'grouping_window', ['team_id', 'destination_id'], rows);
    },
    /** Locks the alerts of a team that nobody was notified of and that can still be grouped with others. */
    async waitingAlerts(teamId: number) {
      const engine = engineOf(tx);
      return (
        tx
          .selectFrom('alert')
          .selectAll()
          // Along the index of pending alerts, which are few.
          .where((eb) => eb(unindexed(engine, eb.ref('team_id')), '=', teamId))
          .where('next_at', 'is not', null)
          .where('groupable_until', 'is not', null)
          .where('notified_at', 'is', null)
          .orderBy('id')
          .$call(forUpdate(engine))
          .execute()
      );
    },
    /** Reads the newest open alerts of a team that people were notified of since then, with few incidents and no known cause. */
    async recentlyNotifiedAlerts(
      teamId: number,
      since: { notified: number; opened: number },
      limit: number,
    ) {
      return tx
        .selectFrom('alert')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('opened_at', '>', since.opened)
        .where('notified_at', '>', since.notified)
        .where('kind', 'in', ['single', 'storm'])
        .where('shared_cause', 'is', null)
        .where('notified_count', '<=', limit)
        .where('over_at', 'is', null)
        .orderBy('opened_at', 'desc')
        .limit(limit)
        .execute();
    },
    async alertsById(ids: readonly number[]) {
      if (ids.length === 0) return [];
      return tx
        .selectFrom(idTable(tx, ids).as('wanted'))
        .innerJoin('alert', 'alert.id', 'wanted.id')
        .selectAll('alert')
        .orderBy('alert.id')
        .execute();
    },
    /** Reads the open storms of a team that began since then and that people were notified of. */
    async openStorms(teamId: number, since: number) {
      const rows = await tx
        .selectFrom('alert')
        .select(['id', 'shared_cause'])
        .where('team_id', '=', teamId)
        .where('kind', '=', 'storm')
        .where('opened_at', '>=', since)
        .where('over_at', 'is', null)
        .where('notified_at', 'is not', null)
        .execute();
      return rows.flatMap(({ id, shared_cause: sharedCause }) =>
        sharedCause === null ? [] : [{ id, sharedCause }],
      );
    },
    /**
     * Merges alerts into a storm: the first one takes over the incidents of the others, which are deleted. `joiningAt` is set
     * when people were notified of the first one before.
     */
    async mergeAlerts(
      into: { id: number } & Parameters<typeof stormOf>[0],
      others: readonly number[],
      joiningAt: number | null,
    ) {
      await updateRow(tx, 'alert', into.id, stormOf(into));
      if (others.length === 0) return;
      const merged = idList(tx, others);
      await tx
        .updateTable('alert_incident')
        .set({ alert_id: into.id, ...(joiningAt !== null && { joined_at: joiningAt }) })
        .where('alert_id', 'in', merged)
        .execute();
      await tx.deleteFrom('alert').where('id', 'in', merged).execute();
    },
  };
}

const RECIPIENT = ['alert_id', 'destination_id'] as const;

/** What an alert has become that took over the incidents of others. */
export const stormOf = (into: { sharedCause: string | null; severity: Severity }) => ({
  kind: 'storm',
  shared_cause: into.sharedCause,
  severity: into.severity,
  monitor_id: null,
  incident_type: null,
});

const updateAlerts = prepareUpdate('alert', {
  id: 'integer',
  kind: 'text',
  severity: 'text',
  notified_at: 'integer',
  notified_count: 'integer',
  over_at: 'integer',
  next_at: 'integer',
});
