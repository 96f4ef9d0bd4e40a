import { sql, type Insertable, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { Correction, CorrectionKind } from '../../model/correction.ts';
import type { Database } from '../database/contract.ts';
import { jsonTable } from '../database/dialect.ts';
import { countRows, deleteBatch, insertRow, updateRow } from '../database/rows.ts';
import type { CorrectionTable, Schema } from '../database/schema.ts';
import { idsParameter, prepareQuery } from '../database/prepared-statements.ts';

/** Reads the corrections in force that overlap `[from, to)`, by monitor, oldest first. Monitors without any are missing. */
export async function correctionsWithin(
  db: Kysely<Schema>,
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

export type CorrectionRow = Selectable<CorrectionTable> & {
  person_name: string | null;
  removed_by_name: string | null;
};

/** Lists a page of a monitor's corrections, newest first, and counts all. */
export async function listCorrections(
  db: Kysely<Schema>,
  monitorId: number,
  { includeRemoved, limit, offset }: { includeRemoved: boolean; limit: number; offset: number },
): Promise<{ rows: CorrectionRow[]; total: number }> {
  const matching = selectCorrections(db)
    .where('correction.monitor_id', '=', monitorId)
    .$if(!includeRemoved, (query) => query.where('correction.removed_at', 'is', null));
  const rows = await matching
    .orderBy('correction.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, total: await countRows(matching) };
}

/** The next corrections of a team after an id, in ascending order, removed ones too. */
export function correctionsAfter(
  db: Kysely<Schema>,
  teamId: number,
  { after, limit }: { after: number; limit: number },
): Promise<CorrectionRow[]> {
  return selectCorrections(db)
    .where('correction.team_id', '=', teamId)
    .where('correction.id', '>', after)
    .orderBy('correction.id')
    .limit(limit)
    .execute();
}

/** Undefined for an unknown id and for another monitor's. */
export function findCorrection(
  db: Kysely<Schema>,
  monitorId: number,
  id: number,
): Promise<CorrectionRow | undefined> {
  return selectCorrections(db)
    .where('correction.monitor_id', '=', monitorId)
    .where('correction.id', '=', id)
    .executeTakeFirst();
}

export function countCorrections(db: Kysely<Schema>, monitorId: number): Promise<number> {
  return countRows(
    db.selectFrom('correction').where('monitor_id', '=', monitorId).where('removed_at', 'is', null),
  );
}

export function insertCorrection(
  tx: Transaction<Schema>,
  correction: Omit<Insertable<CorrectionTable>, 'id' | 'created_at' | 'updated_at'>,
  now: number,
): Promise<number> {
  return insertRow(tx, 'correction', { ...correction, created_at: now, updated_at: now });
}

/** Takes a correction back. Deletes the oldest of its monitor that were taken back before, but the last `kept`. */
export async function removeCorrection(
  tx: Transaction<Schema>,
  { id, monitor_id: monitorId }: Pick<CorrectionRow, 'id' | 'monitor_id'>,
  { personId, kept }: { personId: number; kept: number },
  now: number,
): Promise<void> {
  const removed = { removed_at: now, removed_by: personId, updated_at: now };
  await updateRow(tx, 'correction', id, removed);
  const old = tx
    .selectFrom('correction')
    .select('id')
    .where('monitor_id', '=', monitorId)
    .where('removed_at', 'is not', null)
    .orderBy('removed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(kept)
    .offset(kept);
  await tx.deleteFrom('correction').where('id', 'in', old).execute();
}

/** Deletes a batch of corrections that ended before that time (epoch ms). @returns whether there may be more. */
export function deleteCorrectionsBefore(database: Database, before: number): Promise<boolean> {
  return deleteBatch(database, 'correction', (rows) => rows.where('to_at', '<', before));
}

function selectCorrections(db: Kysely<Schema>) {
  return db
    .selectFrom('correction')
    .leftJoin('person', 'person.id', 'correction.person_id')
    .leftJoin('person as remover', 'remover.id', 'correction.removed_by')
    .selectAll('correction')
    .select(['person.name as person_name', 'remover.name as removed_by_name']);
}
