import type { Transaction } from 'kysely';
import { idTable } from '../database/dialect.ts';
import type { IncidentEvidenceTable, Schema } from '../database/schema.ts';

/** How often each of these incidents' monitors had an incident of its type since then, itself counted. */
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

/** What the regions saw, by incident. */
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

/** Why incidents ended: the reason of their event, or who resolved them by hand. */
export async function endingsOf(
  tx: Transaction<Schema>,
  incidentIds: readonly number[],
): Promise<Map<number, { reason: string | null; person: string | null }>> {
  if (incidentIds.length === 0) return new Map();
  const deeds = await tx
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
    deeds.map((deed) => [
      deed.incident_id,
      deed.person_id === null
        ? { reason: reasons.get(deed.incident_id) ?? null, person: null }
        : { reason: null, person: deed.name },
    ]),
  );
}
