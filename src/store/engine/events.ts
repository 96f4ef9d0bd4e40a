import { sql, type Selectable } from 'kysely';
import type { Severity } from '../../model/condition.ts';
import type { NotificationSettings } from '../../monitor-types/notification-settings.ts';
import type { MonitorType } from '../../monitor-types/registry.ts';
import { engineOf, forUpdate, idTable, rowTable } from '../database/dialect.ts';
import { hasRow, updateRows, lockRows, insertRows } from '../database/rows.ts';
import type { Db, Schema, Tx } from '../database/contract.ts';

/** An event with the type and severity of its incident. */
export interface EventRow extends Selectable<Schema['event']> {
  /** The incident's type (model/condition.ts); empty when the incident was deleted. */
  incident_type: string;
  /** Severity of the incident at its beginning; null without an incident, or when nothing is known of a deleted one. */
  incident_severity: string | null;
}

/** Whether an event waits for its fan-out (`now` in epoch ms). */
export function isEventDue(db: Db, now: number): Promise<boolean> {
  return hasRow(db.selectFrom('event').where('fan_out_at', '<=', now));
}

/** Row of the table of progress that serves as a lock. */
const FAN_OUT_LOCK = 'notify';

/** Events that are not fanned out yet, and what their incidents have become. */
export function eventQueue(tx: Tx) {
  return {
    /** Lets one transaction at a time fan out events, so that each destination receives them in order. */
    async lock() {
      const engine = engineOf(tx);
      if (engine === 'sqlite') return;
      await insertRows(tx, 'progress', [{ name: FAN_OUT_LOCK, position: 0 }], 'skip');
      await lockRows(tx, 'progress', { name: FAN_OUT_LOCK }, ['position']);
    },

    /** Locks due events in order. Skips what another session has locked. */
    async due(now: number, limit: number): Promise<EventRow[]> {
      const rows = await tx
        .selectFrom('event')
        .leftJoin('incident', 'incident.id', 'event.incident_id')
        .selectAll('event')
        .select('incident.type as incident_type')
        .select((eb) =>
          eb.fn
            .coalesce(
              'incident.severity',
              eb
                .selectFrom('event as opening')
                .select('opening.severity')
                .whereRef('opening.incident_id', '=', 'event.incident_id')
                .where('opening.kind', '=', 'open')
                .orderBy('opening.id')
                .limit(1),
            )
            .as('incident_severity'),
        )
        .where('event.fan_out_at', '<=', now)
        .orderBy('event.fan_out_at')
        .orderBy('event.id')
        .limit(limit)
        .$if(engineOf(tx) === 'postgres', (query) => query.forNoKeyUpdate('event').skipLocked())
        .execute();
      return rows.map((row) => ({ ...row, incident_type: row.incident_type ?? '' }));
    },

    /** Finds the opening events of these incidents that wait for their fan-out. */
    async pendingOpenings(incidentIds: readonly number[]) {
      if (incidentIds.length === 0) return [];
      const rows = await selectPendingOpenings(tx)
        .select(['id', 'incident_id'])
        .where('incident_id', 'in', incidentIds)
        .execute();
      return rows.map((row) => ({ id: row.id, incidentId: row.incident_id! }));
    },

    /** Finds which of these monitors have an incident that followed another one and waits for its fan-out. */
    async monitorsWithSuccessor(monitorIds: readonly number[]): Promise<Set<number>> {
      if (monitorIds.length === 0) return new Set();
      const rows = await selectPendingOpenings(tx)
        .select('monitor_id')
        .where('reason', '=', 'changed_over')
        .where('monitor_id', 'in', [...new Set(monitorIds)])
        .execute();
      return new Set(rows.map((row) => row.monitor_id));
    },

    /** Finds which of these incidents are over without a pending event: a person resolved or deleted them. */
    async endedManually(incidentIds: readonly number[]): Promise<Set<number>> {
      if (incidentIds.length === 0) return new Set();
      const rows = await tx
        .selectFrom(idTable(tx, incidentIds).as('wanted'))
        .leftJoin('incident', 'incident.id', 'wanted.id')
        .select('wanted.id')
        .where((eb) =>
          eb.or([eb('incident.id', 'is', null), eb('incident.ended_at', 'is not', null)]),
        )
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('event')
                .select('event.id')
                .whereRef('event.incident_id', '=', 'wanted.id')
                .where('event.kind', '=', 'resolve')
                .where('event.fan_out_at', 'is not', null),
            ),
          ),
        )
        .execute();
      return new Set(rows.map((row) => row.id));
    },

    /**
     * Finds which of these ends belong to incidents that webhook endpoints do not know as open: the opening was dropped, or
     * the end was sent before. An incident whose events were deleted by age began long ago, and was sent.
     */
    async unannouncedEnds(eventIds: readonly number[]): Promise<Set<number>> {
      if (eventIds.length === 0) return new Set();
      const rows = await tx
        .selectFrom(idTable(tx, eventIds).as('wanted'))
        .innerJoin('event', 'event.id', 'wanted.id')
        .select('event.id')
        .select((eb) =>
          eb
            .selectFrom('event as before')
            .select('before.kind')
            .whereRef('before.incident_id', '=', 'event.incident_id')
            .whereRef('before.id', '<', 'event.id')
            // Dropped events changed nothing for endpoints.
            .orderBy(sql`case when before.kind = ${DROPPED} then 1 else 0 end`)
            .orderBy('before.id', 'desc')
            .limit(1)
            .as('before'),
        )
        .execute();
      return new Set(
        rows.flatMap(({ id, before }) => (before === 'resolve' || before === DROPPED ? [id] : [])),
      );
    },

    /** Drops events: they are sent to nobody, and the ends of their incidents are not sent to webhook endpoints either. */
    async drop(ids: readonly number[]) {
      if (ids.length === 0) return;
      await updateRows(tx, 'event', { id: ['in', ids] }, { fan_out_at: null, kind: DROPPED });
    },

    async finish(ids: readonly number[]) {
      if (ids.length === 0) return;
      await tx.updateTable('event').set({ fan_out_at: null }).where('id', 'in', ids).execute();
    },

    /** Postpones the fan-out of each event until a time (epoch ms). */
    async hold(held: readonly { id: number; until: number }[]) {
      if (held.length === 0) return;
      const values = held.map(({ id, until }) => [id, until]);
      await tx
        .updateTable('event')
        .from(rowTable(tx, values, { id: 'integer', until: 'integer' }).as('held'))
        .set((eb) => ({ fan_out_at: eb.ref('held.until') }))
        .whereRef('event.id', '=', 'held.id')
        .execute();
    },

    /** Locks the first due event that no other session has locked. @returns its id; null without one. */
    async firstDue(now: number): Promise<number | null> {
      const row = await tx
        .selectFrom('event')
        .select('id')
        .where('fan_out_at', '<=', now)
        .orderBy('fan_out_at')
        .orderBy('id')
        .limit(1)
        .$call(forUpdate(engineOf(tx), 'skipLocked'))
        .executeTakeFirst();
      return row?.id ?? null;
    },

    async activeEndpoints(teamIds: readonly number[]) {
      if (teamIds.length === 0) return [];
      const rows = await tx
        .selectFrom('webhook_endpoint')
        .select(['team_id as teamId', 'destination_id as destinationId', 'severities'])
        .where('team_id', 'in', teamIds)
        .where('is_active', '=', 1)
        .orderBy('id')
        .execute();
      return rows.map((row) => ({ ...row, severities: JSON.parse(row.severities) as Severity[] }));
    },
  };
}

function selectPendingOpenings(tx: Tx) {
  return tx.selectFrom('event').where('kind', '=', 'open').where('fan_out_at', 'is not', null);
}

/** Kind of an event that was sent to nobody. */
const DROPPED = 'dropped';

/** A monitor as messages, routes and holds read it. */
export interface AlertedMonitor {
  id: number;
  teamId: number;
  type: MonitorType;
  name: string | null;
  url: string;
  tags: string[];
  groupName: string | null;
  /** Its group and the parent of that group; empty without a group. */
  groupIds: number[];
  isPaused: boolean;
  lastCheckedAt: number | null;
  notificationSettings: NotificationSettings | null;
}

/** Reads monitors by id; deleted ones are missing. */
export async function alertedMonitors(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, AlertedMonitor>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom(idTable(db, new Set(ids)).as('wanted'))
    .innerJoin('monitor', 'monitor.id', 'wanted.id')
    .leftJoin('monitor_state', 'monitor_state.monitor_id', 'monitor.id')
    .leftJoin('monitor_group', 'monitor_group.id', 'monitor.group_id')
    .select([
      'monitor.id',
      'monitor.team_id as teamId',
      'monitor.type',
      'monitor.friendly_name as name',
      'monitor.url',
      'monitor.tags',
      'monitor.group_id',
      'monitor.is_paused',
      'monitor.notification_settings',
      'monitor_state.last_checked_at as lastCheckedAt',
      'monitor_group.name as groupName',
      'monitor_group.parent_id',
    ])
    .where('monitor.deleted_at', 'is', null)
    .execute();
  return new Map(
    rows.map(({ group_id, parent_id, is_paused, notification_settings: settings, ...row }) => [
      row.id,
      {
        ...row,
        type: row.type as MonitorType,
        tags: JSON.parse(row.tags) as string[],
        groupIds: [group_id, parent_id].filter((id) => id !== null),
        isPaused: is_paused === 1,
        notificationSettings:
          settings === null ? null : (JSON.parse(settings) as NotificationSettings),
      },
    ]),
  );
}
