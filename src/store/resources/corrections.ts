import { sql } from 'kysely';
import type { Correction, CorrectionKind } from '../../model/correction.ts';
import { jsonTable } from '../database/dialect.ts';
import type { Db } from '../database/contract.ts';
import { idsParameter, prepareQuery } from '../database/prepared-statements.ts';

/** Reads the corrections in force that overlap `[from, to)`, by monitor, oldest first. Monitors without any are missing. */
export async function correctionsWithin(
  db: Db,
  monitorIds: readonly number[],
  from: number,
  to: number,
): Promise<Map<number, Correction[]>> {
  if (monitorIds.length === 0) return new Map();
  const rows = await correctionsInForce(db, { ids: idsParameter(monitorIds), from, to });
  const found = new Map<number, Correction[]>();
  for (const { monitorId, ...one } of rows) {
    const correction = { ...one, as: one.as as CorrectionKind };
    found.set(monitorId, [...(found.get(monitorId) ?? []), correction]);
  }
  return found;
}

const correctionsInForce = prepareQuery<Correction & { monitorId: number }, 'ids' | 'from' | 'to'>(
  ['ids', 'from', 'to'],
  ({ ids, from, to }, engine) => sql`
    select monitor_id as "monitorId", id, from_at as "from", to_at as "to", counts_as as "as" from correction
    where monitor_id in (select id from ${jsonTable(engine, ids, { id: 'integer' })} as listed)
      and to_at > ${from} and from_at < ${to} and removed_at is null
    order by monitor_id, id`,
);
