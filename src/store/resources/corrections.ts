import { sql, type Kysely } from 'kysely';
import type { Correction, CorrectionKind } from '../../model/correction.ts';
import { idList } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';

/** Reads the corrections in force that overlap `[from, to)`, by monitor, oldest first. Monitors without any are missing. */
export async function correctionsWithin(
  db: Kysely<Schema>,
  monitorIds: readonly number[],
  from: number,
  to: number,
): Promise<Map<number, Correction[]>> {
  if (monitorIds.length === 0) return new Map();
  const { rows } = await sql<Correction & { monitorId: number }>`
    select monitor_id as "monitorId", id, from_at as "from", to_at as "to", counts_as as "as" from correction
    where monitor_id in ${idList(db, monitorIds)} and to_at > ${from} and from_at < ${to} and removed_at is null
    order by monitor_id, id`.execute(db);
  const found = new Map<number, Correction[]>();
  for (const { monitorId, ...one } of rows) {
    const correction = { ...one, as: one.as as CorrectionKind };
    found.set(monitorId, [...(found.get(monitorId) ?? []), correction]);
  }
  return found;
}
