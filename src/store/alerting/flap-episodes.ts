import type { Transaction } from 'kysely';
import { engineOf, jsonTable } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';

/** Times are epoch milliseconds. */
export interface FlapEpisodes {
  incidents: number;
  /** When the first of them began. */
  since: number;
}

/**
 * By incident: those of its monitor and its type that began at most `withinMs` before it or later, itself among them.
 */
export async function flapEpisodesOf(
  tx: Transaction<Schema>,
  incidentIds: readonly number[],
  withinMs: number,
): Promise<Map<number, FlapEpisodes>> {
  if (incidentIds.length === 0) return new Map();
  const ids = JSON.stringify(incidentIds.map((id) => [id]));
  const rows = await tx
    .selectFrom(jsonTable(engineOf(tx), ids, { id: 'integer' }).as('wanted'))
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
