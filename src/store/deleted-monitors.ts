import type { Transaction } from 'kysely';
import type { MonitorType } from '../model/monitor.ts';
import type { Database } from './contract.ts';
import { jsonTable } from './dialect.ts';
import type { Schema } from './schema.ts';

/** What deleted monitors were, by id, as long as their rows are kept: those who were alarmed know them by name. */
export async function deletedMonitors(
  tx: Transaction<Schema>,
  engine: Database['engine'],
  ids: readonly number[],
): Promise<Map<number, { type: MonitorType; name: string | null; url: string }>> {
  if (ids.length === 0) return new Map();
  const wanted = jsonTable(engine, JSON.stringify(ids.map((id) => [id])), { id: 'integer' });
  const rows = await tx
    .selectFrom(wanted.as('wanted'))
    .innerJoin('monitor', 'monitor.id', 'wanted.id')
    .where('monitor.deleted_at', 'is not', null)
    .select(['monitor.id', 'monitor.type', 'monitor.friendly_name as name', 'monitor.url'])
    .execute();
  return new Map(
    rows.map(({ id, type, name, url }) => [id, { type: type as MonitorType, name, url }]),
  );
}
