import type { Transaction } from 'kysely';
import { idTable } from '../database/dialect.ts';
import type { IncidentEvidenceTable, Schema } from '../database/schema.ts';
import type { MonitorType } from '../../monitor-types/registry.ts';

/** Counts, for each incident, the incidents of its monitor and type since then, including itself. */
export async function incidentCounts(
  tx: Transaction<Schema>,
  incidentIds: readonly number[],
  since: number,
): Promise<Map<number, number>> {
  if (incidentIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom(idTable(tx, incidentIds).as('wanted'))
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

/** Reads the evidence of the regions, by incident. */
export async function evidenceOf(
  tx: Transaction<Schema>,
  incidentIds: readonly number[],
): Promise<IncidentEvidenceTable[]> {
  if (incidentIds.length === 0) return [];
  return tx
    .selectFrom(idTable(tx, incidentIds).as('wanted'))
    .innerJoin('incident_evidence', 'incident_evidence.incident_id', 'wanted.id')
    .selectAll('incident_evidence')
    .orderBy('incident_evidence.incident_id')
    .orderBy('incident_evidence.region')
    .execute();
}

/** Reads why incidents ended: the reason of their event, or the person who resolved them. */
export async function endingsOf(
  tx: Transaction<Schema>,
  incidentIds: readonly number[],
): Promise<Map<number, { reason: string | null; person: string | null }>> {
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
}

/** Recent incidents of the same monitor and type. */
interface FlapEpisodes {
  incidents: number;
  /** Start of the first one, epoch milliseconds. */
  since: number;
}

/** Counts, for each incident, those of its monitor and type that began at most `withinMs` before it or later, including itself. */
export async function flapEpisodesOf(
  tx: Transaction<Schema>,
  incidentIds: readonly number[],
  withinMs: number,
): Promise<Map<number, FlapEpisodes>> {
  if (incidentIds.length === 0) return new Map();

  const rows = await tx
    .selectFrom(idTable(tx, incidentIds).as('wanted'))
    .innerJoin('incident', 'incident.id', 'wanted.id')
    .innerJoin('incident as other', (join) =>
      join
        .onRef('other.monitor_id', '=', 'incident.monitor_id')
        .onRef('other.type', '=', 'incident.type')
        .on((eb) => eb('other.started_at', '>=', eb('incident.started_at', '-', withinMs))),
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
}

/**
 * Reads, for each incident of an error budget, whether its monitor is down, and when the first outage ended since the
 * budget began to burn.
 */
export async function outagesOfBudgets(
  tx: Transaction<Schema>,
  incidentIds: readonly number[],
): Promise<Map<number, { isDown: boolean; firstEndedAt: number | null }>> {
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
}

/** A deleted monitor as messages name it. */
interface DeletedMonitor {
  id: number;
  type: MonitorType;
  name: string | null;
  url: string;
  /** Its group and the parent of that group. */
  groupIds: number[];
  tags: string[];
}

/** Reads deleted monitors by id while their rows are kept: messages about their alerts still name them. */
export async function deletedMonitors(
  tx: Transaction<Schema>,
  ids: readonly number[],
): Promise<Map<number, DeletedMonitor>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom(idTable(tx, ids).as('wanted'))
    .innerJoin('monitor', 'monitor.id', 'wanted.id')
    .leftJoin('monitor_group', 'monitor_group.id', 'monitor.group_id')
    .where('monitor.deleted_at', 'is not', null)
    .select(['monitor.id', 'monitor.type', 'monitor.friendly_name as name', 'monitor.url'])
    .select(['monitor.tags', 'monitor.group_id', 'monitor_group.parent_id'])
    .execute();
  return new Map(
    rows.map(({ id, type, name, url, tags, group_id: groupId, parent_id: parentId }) => {
      const groupIds = [groupId, parentId].filter((group) => group !== null);
      const monitor = { id, type: type as MonitorType, name, url, groupIds };
      return [id, { ...monitor, tags: JSON.parse(tags) as string[] }];
    }),
  );
}
