import { sql } from 'kysely';
import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Severity } from '../../model/condition.ts';
import type { MonitorType } from '../../monitor-types/registry.ts';
import { engineOf, forUpdate, jsonTable, idTable } from '../database/dialect.ts';
import type { EventTable, Schema } from '../database/schema.ts';

/** An event, and of its incident: */
export interface EventRow extends Selectable<EventTable> {
  /** As model/condition.ts names it; empty when the incident was deleted. */
  incident_type: string;
  /** Severity with which it began; null when no incident is concerned, or nothing is known of a deleted one. */
  incident_severity: string | null;
}

/** Whether there is an event to hand on (epoch ms). */
export async function isEventDue(db: Kysely<Schema>, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('event')
    .select('id')
    .where('fan_out_at', '<=', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const TURN = 'notify';

/** Those who hand events on do so one after another: what one destination is sent stays in order. */
export async function lockFanOut(tx: Transaction<Schema>): Promise<void> {
  const engine = engineOf(tx);
  if (engine === 'sqlite') return;
  await tx
    .insertInto('progress')
    .values({ name: TURN, position: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx
    .selectFrom('progress')
    .select('position')
    .where('name', '=', TURN)
    .$call(forUpdate(engine))
    .execute();
}

/** What is to be handed on, in order and locked, without what another session holds. */
export async function dueEvents(
  tx: Transaction<Schema>,
  now: number,
  limit: number,
): Promise<EventRow[]> {
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
}

/** Of these incidents, the events of their beginning that wait to be handed on. */
export async function pendingOpenings(
  tx: Transaction<Schema>,
  incidentIds: readonly number[],
): Promise<{ id: number; incidentId: number }[]> {
  if (incidentIds.length === 0) return [];
  const rows = await tx
    .selectFrom('event')
    .select(['id', 'incident_id'])
    .where('incident_id', 'in', incidentIds)
    .where('kind', '=', 'open')
    .where('fan_out_at', 'is not', null)
    .execute();
  return rows.map((row) => ({ id: row.id, incidentId: row.incident_id! }));
}

/** Those of these monitors one of whose incidents became another one, whose event was not fanned out yet. */
export async function monitorsWithPendingSuccessor(
  tx: Transaction<Schema>,
  monitorIds: readonly number[],
): Promise<Set<number>> {
  if (monitorIds.length === 0) return new Set();
  const rows = await tx
    .selectFrom('event')
    .select('monitor_id')
    .where('fan_out_at', 'is not', null)
    .where('kind', '=', 'open')
    .where('reason', '=', 'changed_over')
    .where('monitor_id', 'in', [...new Set(monitorIds)])
    .execute();
  return new Set(rows.map((row) => row.monitor_id));
}

/**
 * Of these incidents, those that are over and of whose end no event waits: a person resolved or deleted them.
 */
export async function endedManually(
  tx: Transaction<Schema>,
  incidentIds: readonly number[],
): Promise<Set<number>> {
  if (incidentIds.length === 0) return new Set();
  const wanted = idTable(tx, incidentIds);
  const rows = await tx
    .selectFrom(wanted.as('wanted'))
    .leftJoin('incident', 'incident.id', 'wanted.id')
    .select('wanted.id')
    .where((eb) => eb.or([eb('incident.id', 'is', null), eb('incident.ended_at', 'is not', null)]))
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
}

/** The kind of an event that was sent to nobody. */
const DROPPED = 'dropped';

/**
 * Of these events of ends, those of incidents whose beginning is not known to webhook endpoints: it was dropped, or its
 * end was sent before. An incident whose events are gone by their age began long ago, and was sent.
 */
export async function unannouncedEnds(
  tx: Transaction<Schema>,
  eventIds: readonly number[],
): Promise<Set<number>> {
  if (eventIds.length === 0) return new Set();
  const wanted = idTable(tx, eventIds);
  const rows = await tx
    .selectFrom(wanted.as('wanted'))
    .innerJoin('event', 'event.id', 'wanted.id')
    .select('event.id')
    .select((eb) =>
      eb
        .selectFrom('event as before')
        .select('before.kind')
        .whereRef('before.incident_id', '=', 'event.incident_id')
        .whereRef('before.id', '<', 'event.id')
        // What was dropped changed nothing about what they know.
        .orderBy(sql`case when before.kind = ${DROPPED} then 1 else 0 end`)
        .orderBy('before.id', 'desc')
        .limit(1)
        .as('before'),
    )
    .execute();
  return new Set(
    rows.flatMap(({ id, before }) => (before === 'resolve' || before === DROPPED ? [id] : [])),
  );
}

/** It is sent to nobody, and its incident's end is not sent to webhook endpoints either. */
export async function dropEvents(tx: Transaction<Schema>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .updateTable('event')
    .set({ fan_out_at: null, kind: DROPPED })
    .where('id', 'in', ids)
    .execute();
}

/** Handed on. */
export async function finishEvents(tx: Transaction<Schema>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.updateTable('event').set({ fan_out_at: null }).where('id', 'in', ids).execute();
}

/** Held until then (epoch ms). */
export async function holdEvents(
  tx: Transaction<Schema>,
  held: readonly { id: number; until: number }[],
): Promise<void> {
  if (held.length === 0) return;
  const rows = jsonTable(engineOf(tx), JSON.stringify(held.map(({ id, until }) => [id, until])), {
    id: 'integer',
    until: 'integer',
  });
  await tx
    .updateTable('event')
    .from(rows.as('held'))
    .set((eb) => ({ fan_out_at: eb.ref('held.until') }))
    .whereRef('event.id', '=', 'held.id')
    .execute();
}

/** The first that is due and free, locked; null when none is. */
export async function firstDueEvent(tx: Transaction<Schema>, now: number): Promise<number | null> {
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
}

/** A monitor as messages, routes and holds read it. */
export interface AlertedMonitor {
  id: number;
  teamId: number;
  type: MonitorType;
  name: string | null;
  url: string;
  tags: string[];
  groupName: string | null;
  /** Its group and that one's parent; empty when it lies in none. */
  groupIds: number[];
  isPaused: boolean;
  lastCheckedAt: number | null;
}

/** By id; those that were deleted are missing. */
export async function alertedMonitors(
  db: Kysely<Schema>,
  ids: readonly number[],
): Promise<Map<number, AlertedMonitor>> {
  if (ids.length === 0) return new Map();
  const wanted = idTable(db, new Set(ids));
  const rows = await db
    .selectFrom(wanted.as('wanted'))
    .innerJoin('monitor', 'monitor.id', 'wanted.id')
    .leftJoin('monitor_state', 'monitor_state.monitor_id', 'monitor.id')
    .leftJoin('monitor_group', 'monitor_group.id', 'monitor.group_id')
    .select([
      'monitor.id',
      'monitor.team_id',
      'monitor.type',
      'monitor.friendly_name',
      'monitor.url',
      'monitor.tags',
      'monitor.group_id',
      'monitor.is_paused',
      'monitor_state.last_checked_at',
      'monitor_group.name as group_name',
      'monitor_group.parent_id as group_parent_id',
    ])
    .where('monitor.deleted_at', 'is', null)
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        teamId: row.team_id,
        type: row.type as MonitorType,
        name: row.friendly_name,
        url: row.url,
        tags: JSON.parse(row.tags) as string[],
        groupName: row.group_name,
        groupIds: [row.group_id, row.group_parent_id].filter((id) => id !== null),
        isPaused: row.is_paused === 1,
        lastCheckedAt: row.last_checked_at,
      },
    ]),
  );
}

/** A webhook endpoint that receives events. */
export interface NotifiedEndpoint {
  teamId: number;
  destinationId: number;
  severities: readonly Severity[];
}

export async function activeEndpoints(
  tx: Transaction<Schema>,
  teamIds: readonly number[],
): Promise<NotifiedEndpoint[]> {
  if (teamIds.length === 0) return [];
  const rows = await tx
    .selectFrom('webhook_endpoint')
    .select(['team_id', 'destination_id', 'severities'])
    .where('team_id', 'in', teamIds)
    .where('is_active', '=', 1)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    teamId: row.team_id,
    destinationId: row.destination_id,
    severities: JSON.parse(row.severities) as Severity[],
  }));
}
