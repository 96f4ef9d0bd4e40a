import type { Schema } from '../database/schema.ts';
import { deleteBatch } from '../database/rows.ts';
import { deleteSome } from '../database/rows.ts';
import { inBatch } from '../database/rows.ts';
import { BATCH_ROWS } from '../database/rows.ts';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Database } from '../database/contract.ts';
import { removeFromDependencies } from '../resources/dependencies.ts';
import { deletePingsOf } from '../engine/pings.ts';
import { failureTable, listDays, listRetiredDays, roundTable } from '../engine/results.ts';

/** Lists monitors that were deleted before that time (epoch ms), those first that were deleted first. */
export async function listDeletedMonitors(
  database: Database,
  before: number,
  count: number,
): Promise<number[]> {
  const rows = await database.scan
    .selectFrom('monitor')
    .select('id')
    .where('deleted_at', '<', before)
    .orderBy('deleted_at')
    .limit(count)
    .execute();
  return rows.map((row) => row.id);
}

/**
 * Deletes a monitor and all its rows in small transactions, the monitor last: after a crash it is still listed, and the
 * rest follows. Its events have their own, shorter retention.
 */
export async function purgeMonitor(database: Database, monitorId: number): Promise<void> {
  const retired = (await listRetiredDays(database)).map(({ day }) => day);
  for (const day of [...(await listDays(database)), ...retired]) {
    await database.transaction(async (tx) => {
      await sql`delete from ${roundTable(day)} where monitor_id = ${monitorId}`.execute(tx);
      await sql`delete from ${failureTable(day)} where monitor_id = ${monitorId}`.execute(tx);
    });
  }
  for (const deleteRows of inBatches(monitorId)) while (await database.transaction(deleteRows));
  await database.transaction(async (tx) => {
    for (const table of [
      'rollup_hour',
      'rollup_day',
      'rollup_recent_day',
      'monitor_inspection',
      'monitor_state',
    ] as const) {
      await tx.deleteFrom(table).where('monitor_id', '=', monitorId).execute();
    }
    await removeFromDependencies(tx, [monitorId]);
    await tx.deleteFrom('monitor').where('id', '=', monitorId).execute();
  });
}

/** Deletions from tables that may have many rows of a monitor. Each deletes one batch and says whether there may be more. */
function inBatches(monitorId: number): ((tx: Transaction<Schema>) => Promise<boolean>)[] {
  return [
    ...['incident_evidence', 'incident_round'].map((name) => async (tx: Transaction<Schema>) => {
      const table = sql.table(name);
      const batch = sql`(
          select part.incident_id from ${table} as part join incident on incident.id = part.incident_id
          where incident.monitor_id = ${monitorId} limit ${BATCH_ROWS})`;
      const { numAffectedRows = 0n } = await sql`
          delete from ${table} where ${inBatch('incident_id', batch)}`.execute(tx);
      return numAffectedRows >= BATCH_ROWS;
    }),
    (tx) =>
      deleteSome(tx, 'activity', (rows) =>
        rows.where('incident_id', 'in', (eb) =>
          eb.selectFrom('incident').select('incident.id').where('monitor_id', '=', monitorId),
        ),
      ),
    (tx) => deleteSome(tx, 'incident', (rows) => rows.where('monitor_id', '=', monitorId)),
    (tx) => deleteSome(tx, 'status_span', (rows) => rows.where('monitor_id', '=', monitorId)),
    (tx) => deleteSome(tx, 'monitor_activity', (rows) => rows.where('monitor_id', '=', monitorId)),
    async (tx) => (await deletePingsOf(tx, monitorId, BATCH_ROWS)) >= BATCH_ROWS,
  ];
}

/** Deletes a batch of events written before that time (epoch ms) that are fanned out. @returns whether there may be more. */
export function deleteEventsBefore(database: Database, before: number): Promise<boolean> {
  return deleteBatch(database, 'event', (rows) =>
    rows.where('created_at', '<', before).where('fan_out_at', 'is', null).orderBy('created_at'),
  );
}
