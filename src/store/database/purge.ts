import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Database } from './contract.ts';
import { removeFromDependencies } from '../resources/dependencies.ts';
import { deletePingsOf } from '../engine/ping-history.ts';
import { failureTable, listDays, listRetiredDays, roundTable } from '../engine/results.ts';
import type { Schema } from './schema.ts';

/** Rows that go in one transaction: a few milliseconds of the writer. */
const AT_ONCE = 500;

/** Monitors that were deleted before that time (epoch ms). Goes over all monitors, hence on the scanning connection. */
export async function listDeletedMonitors(
  database: Database,
  before: number,
  count: number,
): Promise<number[]> {
  const rows = await database.scan
    .selectFrom('monitor')
    .select('id')
    .where('deleted_at', '<', before)
    .orderBy('id')
    .limit(count)
    .execute();
  return rows.map((row) => row.id);
}

type Delete = (tx: Transaction<Schema>) => Promise<bigint | undefined>;

/**
 * Removes a deleted monitor and all that belongs to it, in small transactions, the monitor itself last: after a crash
 * it is still listed, and the rest follows. Its events are left to their own, shorter end.
 */
export async function purgeMonitor(database: Database, monitorId: number): Promise<void> {
  const retired = (await listRetiredDays(database)).map(({ day }) => day);
  for (const day of [...(await listDays(database)), ...retired]) {
    await database.transaction(async (tx) => {
      await sql`delete from ${roundTable(day)} where monitor_id = ${monitorId}`.execute(tx);
      await sql`delete from ${failureTable(day)} where monitor_id = ${monitorId}`.execute(tx);
    });
  }
  for (const remove of inSlices(monitorId)) {
    while (((await database.transaction(remove)) ?? 0n) >= AT_ONCE);
  }
  await database.transaction(async (tx) => {
    for (const table of [
      'rollup_hour',
      'rollup_day',
      'monitor_inspection',
      'monitor_state',
    ] as const) {
      await tx.deleteFrom(table).where('monitor_id', '=', monitorId).execute();
    }
    await removeFromDependencies(tx, monitorId);
    await tx.deleteFrom('monitor').where('id', '=', monitorId).execute();
  });
}

/** Tables of which a monitor can have any number of rows; each call takes one slice and answers how many went. */
function inSlices(monitorId: number): Delete[] {
  return [
    async (tx) => {
      const { numAffectedRows } = await sql`delete from incident_evidence where incident_id in (
        select evidence.incident_id from incident_evidence as evidence
        join incident on incident.id = evidence.incident_id
        where incident.monitor_id = ${monitorId} limit ${AT_ONCE})`.execute(tx);
      return numAffectedRows;
    },
    async (tx) => {
      const { numAffectedRows } = await sql`delete from activity where id in (
        select activity.id from activity join incident on incident.id = activity.incident_id
        where incident.monitor_id = ${monitorId} limit ${AT_ONCE})`.execute(tx);
      return numAffectedRows;
    },
    (tx) => deleteRowsOf(tx, 'incident', monitorId),
    (tx) => deleteRowsOf(tx, 'status_span', monitorId),
    (tx) => deleteRowsOf(tx, 'monitor_activity', monitorId),
    (tx) => deletePingsOf(tx, monitorId, AT_ONCE),
  ];
}

async function deleteRowsOf(
  tx: Transaction<Schema>,
  table: 'incident' | 'status_span' | 'monitor_activity',
  monitorId: number,
): Promise<bigint> {
  const slice = tx
    .selectFrom(table)
    .select('id')
    .where('monitor_id', '=', monitorId)
    .limit(AT_ONCE);
  const { numDeletedRows } = await tx
    .deleteFrom(table)
    .where('id', 'in', slice)
    .executeTakeFirstOrThrow();
  return numDeletedRows;
}

/** Deletes a slice of the events written before that time (epoch ms) that wait for nothing; whether there may be more. */
export async function deleteEventsBefore(database: Database, before: number): Promise<boolean> {
  return await database.transaction(async (tx) => {
    const slice = tx
      .selectFrom('event')
      .select('id')
      .where('created_at', '<', before)
      .where('fan_out_at', 'is', null)
      .orderBy('created_at')
      .limit(AT_ONCE);
    const { numDeletedRows } = await tx
      .deleteFrom('event')
      .where('id', 'in', slice)
      .executeTakeFirstOrThrow();
    return numDeletedRows >= AT_ONCE;
  });
}
