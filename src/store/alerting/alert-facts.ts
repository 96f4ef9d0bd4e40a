import { sql } from 'kysely';
import { idTable, engineOf, jsonText } from '../database/dialect.ts';
import type { Db, Row, Tx } from '../database/contract.ts';
import { findRows } from '../database/rows.ts';
import type { MonitorType } from '../../monitor-types/registry.ts';
import type { Severity } from '../../model/condition.ts';

export function alertFacts(tx: Tx) {
  const facts = {
    /** Reads why incidents ended: the reason of their event, or the person who resolved them. */
    async endings(incidentIds: readonly number[]) {
      if (incidentIds.length === 0) return new Map();
      const resolutions = await tx
        .selectFrom(idTable(tx, incidentIds).as('wanted'))
        .innerJoin('activity', 'activity.incident_id', 'wanted.id')
        .leftJoin('person', 'person.id', 'activity.person_id')
        .select(['activity.incident_id', 'activity.person_id', 'person.name'])
        .where('activity.type', '=', 'resolved')
        .orderBy('activity.id')
        .execute();
      const events = await tx
        .selectFrom(idTable(tx, incidentIds).as('wanted'))
        .innerJoin('event', 'event.incident_id', 'wanted.id')
        .select(['event.incident_id', 'event.reason'])
        .where('event.kind', '=', 'resolve')
        .orderBy('event.id')
        .execute();
      const reasons = new Map(events.map((event) => [event.incident_id!, event.reason]));
      return new Map(
        resolutions.map((entry) => [
          entry.incident_id,
          entry.person_id === null
            ? { reason: reasons.get(entry.incident_id) ?? null, person: null }
            : { reason: null, person: entry.name },
        ]),
      );
    },
    /**
     * Counts, for each incident, those of its monitor and type that began since a time, or at most `withinMs` before it or
     * later, itself included; with the start of the first.
     */
    async episodes(incidentIds: readonly number[], from: { since: number } | { withinMs: number }) {
      if (incidentIds.length === 0) return new Map();
      const rows = await tx
        .selectFrom(idTable(tx, incidentIds).as('wanted'))
        .innerJoin('incident', 'incident.id', 'wanted.id')
        .innerJoin('incident as other', (join) =>
          join
            .onRef('other.monitor_id', '=', 'incident.monitor_id')
            .onRef('other.type', '=', 'incident.type')
            .on((eb) =>
              'since' in from
                ? eb('other.started_at', '>=', from.since)
                : eb('other.started_at', '>=', eb('incident.started_at', '-', from.withinMs)),
            ),
        )
        .select([
          'incident.id',
          (eb) => eb.fn.countAll<number>().as('incidents'),
          (eb) => eb.fn.min('other.started_at').as('since'),
        ])
        .groupBy('incident.id')
        .execute();
      return new Map(
        rows.map(({ id, incidents, since }) => [
          id,
          { incidents: Number(incidents), since: Number(since) },
        ]),
      );
    },
    /**
     * Reads, for each incident of an error budget, whether its monitor is down, and when the first outage ended since the
     * budget began to burn.
     */
    async outagesOfBudgets(incidentIds: readonly number[]) {
      if (incidentIds.length === 0) return new Map();
      const rows = await tx
        .selectFrom(idTable(tx, incidentIds).as('wanted'))
        .innerJoin('incident as budget', 'budget.id', 'wanted.id')
        .leftJoin('incident as outage', (join) =>
          join
            .onRef('outage.monitor_id', '=', 'budget.monitor_id')
            .on('outage.severity', '=', 'critical')
            .on('outage.type', 'not in', ['manual', 'error_budget'])
            .on((eb) =>
              eb.or([
                eb('outage.ended_at', 'is', null),
                eb('outage.ended_at', '>=', eb.ref('budget.started_at')),
              ]),
            ),
        )
        .select((eb) => [
          'budget.id',
          eb.fn.count<number>('outage.id').filterWhere('outage.ended_at', 'is', null).as('open'),
          eb.fn.min<number | null>('outage.ended_at').as('ended'),
        ])
        .groupBy('budget.id')
        .execute();
      return new Map(
        rows.map(({ id, open, ended }) => [
          id,
          { isDown: Number(open) > 0, firstEndedAt: ended === null ? null : Number(ended) },
        ]),
      );
    },
    /** Reads deleted monitors by id while their rows are kept: messages about their alerts still name them. */
    async deletedMonitors(ids: readonly number[]) {
      const rows =
        ids.length === 0
          ? []
          : await tx
              .selectFrom(idTable(tx, ids).as('wanted'))
              .innerJoin('monitor', 'monitor.id', 'wanted.id')
              .leftJoin('monitor_group', 'monitor_group.id', 'monitor.group_id')
              .where('monitor.deleted_at', 'is not', null)
              .select([
                'monitor.id',
                'monitor.type',
                'monitor.friendly_name as name',
                'monitor.url',
              ])
              .select(['monitor.tags', 'monitor.group_id', 'monitor_group.parent_id'])
              .execute();
      return new Map(
        rows.map(({ id, type, name, url, tags, group_id: groupId, parent_id: parentId }) => {
          const groupIds = [groupId, parentId].filter((group) => group !== null);
          const monitor = { id, type: type as MonitorType, name, url, groupIds };
          return [id, { ...monitor, tags: JSON.parse(tags) as string[] }] as const;
        }),
      );
    },
    async members(alertIds: readonly number[]): Promise<MemberRow[]> {
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
    },
    /** Reads which incidents each destination was notified of, by alert and destination. */
    async notifiedIncidents(alertIds: readonly number[]) {
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
    },
    async recipients(alertIds: readonly number[]) {
      if (alertIds.length === 0) return [];
      return tx
        .selectFrom(idTable(tx, alertIds).as('wanted'))
        .innerJoin('alert_recipient', 'alert_recipient.alert_id', 'wanted.id')
        .selectAll('alert_recipient')
        .execute();
    },
    /** Reads from the log when the ends of these incidents were detected, or when a person ended them. */
    async detectedEnds(incidentIds: readonly number[]): Promise<Map<number, number>> {
      if (incidentIds.length === 0) return new Map();
      const rows = await tx
        .selectFrom(idTable(tx, incidentIds).as('wanted'))
        .innerJoin('activity', 'activity.incident_id', 'wanted.id')
        .select(['activity.incident_id', (eb) => eb.fn.max('activity.created_at').as('at')])
        .where('activity.type', '=', 'resolved')
        .groupBy('activity.incident_id')
        .execute();
      return new Map(rows.map((row) => [row.incident_id, Number(row.at)]));
    },
    /**
     * Finds destinations that another alert has notified of the return of the same problem, by incident of these alerts that
     * is over. Down everywhere and down in some regions count as the same problem.
     */
    async renotifiedDestinations(alertIds: readonly number[]): Promise<Map<number, number[]>> {
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
      const recipients = Map.groupBy(await facts.recipients(others), (row) => row.alert_id);
      const notified = await facts.notifiedIncidents(others);
      const byIncident = Map.groupBy(rows, (row) => row.incident_id);
      return new Map(
        [...byIncident].map(([id, own]) => [
          id,
          own.flatMap((row) =>
            (recipients.get(row.alert_id) ?? []).flatMap(({ destination_id: destinationId }) => {
              const at = notified
                .get(row.alert_id)
                ?.get(destinationId)
                ?.incidents.get(row.again_id);
              return at !== undefined && at >= row.joined_at ? destinationId : [];
            }),
          ),
        ]),
      );
    },
    /** Reads the grouping windows of a team that opened after that time (epoch ms), by destination. */
    async groupingWindows(teamId: number, since: number) {
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
    },
    /**
     * Reads from the evidence of each check what incidents may have in common, without its bulk. `code` is null where the
     * check did not fail, `vantage` where the machine is unknown.
     */
    async seenCauses(incidentIds: readonly number[]) {
      if (incidentIds.length === 0) return [];
      const engine = engineOf(tx);
      const rows = await tx
        .selectFrom(idTable(tx, incidentIds).as('wanted'))
        .innerJoin('incident_evidence', 'incident_evidence.incident_id', 'wanted.id')
        .select((eb) => {
          const text = (...path: [string, ...string[]]) =>
            jsonText(engine, eb.ref('incident_evidence.evidence'), path);
          return [
            'incident_evidence.incident_id',
            text('failure', 'code').as('code'),
            text('vantage').as('vantage'),
            text('remoteAddress').as('address'),
            text('answer', 'tls', 'subject').as('subject'),
            text('answer', 'tls', 'validTo').as('valid_to'),
          ];
        })
        .execute();
      return rows.map(({ incident_id: incidentId, code, vantage, address, ...row }) => {
        const { subject, valid_to: validTo } = row;
        const certificate = subject === null || validTo === null ? null : { subject, validTo };
        return { incidentId, code, vantage, address, certificate };
      });
    },
  };
  return facts;
}

export type AlertIncidentRow = Row<'incident'>;

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
  incident: AlertIncidentRow | null;
}

function notifiedFrom(row: { incidents: string; ends: string }): NotifiedIncidents {
  const times = Object.entries(JSON.parse(row.incidents) as Record<string, number>);
  return {
    incidents: new Map(times.map(([id, at]) => [Number(id), at])),
    ends: new Set(JSON.parse(row.ends) as number[]),
  };
}

/** The incidents of an alert that a destination was notified of. */
export interface NotifiedIncidents {
  /** By incident, the time of the last message that named it. */
  incidents: ReadonlyMap<number, number>;
  /** The incidents that this message named as over. */
  ends: ReadonlySet<number>;
}

export function routesOfTeam(db: Db, teamId: number) {
  return findRows(db, 'alert_route', { team_id: teamId }, 'all', ['sort_order', 'id']);
}
