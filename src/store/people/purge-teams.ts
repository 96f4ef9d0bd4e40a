import { shardOf } from '../../model/monitor.ts';
import type { Database } from '../database/contract.ts';
import { unindexed } from '../database/dialect.ts';
import { inspectionAssignments } from '../engine/inspection-assignments.ts';
import { monitorChanges } from '../resources/monitor-changes.ts';
import { nextVersion } from '../engine/shards.ts';
import { deleteBatch, BATCH_ROWS, findRows, unreferred } from '../database/rows.ts';

/**
 * Marks a batch of the monitors of a deleted team as deleted, as a person would: schedulers stop and ping URLs become
 * unknown. Each transaction locks one shard. After a crash the remaining monitors are found again.
 *
 * @returns whether there may be more.
 */
export async function deleteMonitorsOfDeletedTeams(database: Database, now: number) {
  const team = await database.scan
    .selectFrom('team')
    .select('id')
    .where('deleted_at', 'is not', null)
    .where((its) =>
      its.exists(
        its
          .selectFrom('monitor')
          .select('monitor.id')
          .whereRef('monitor.team_id', '=', 'team.id')
          .where('monitor.deleted_at', 'is', null),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  if (team === undefined) return false;
  const rows = await database.scan
    .selectFrom('monitor')
    .select('id')
    .where('team_id', '=', team.id)
    .where('deleted_at', 'is', null)
    // Along the index of the team: in the order of ids, all monitors would be read.
    .orderBy((monitor) => unindexed(database.engine, monitor.ref('id')))
    .limit(BATCH_ROWS)
    .execute();
  const shards = Map.groupBy(rows, ({ id }) => shardOf(id));
  for (const [shard, monitors] of shards) {
    const ids = monitors.map(({ id }) => id);
    await database.transaction(async (tx) => {
      const version = await nextVersion(tx, shard);
      const left = await findRows(
        tx,
        'monitor',
        { id: ['in', ids], deleted_at: null },
        ['id'],
        ['id'],
      );
      await monitorChanges(tx).markAllDeleted(
        left.map(({ id }) => ({ id, version })),
        now,
      );
      await inspectionAssignments(tx).unassign(left.map(({ id }) => id));
    });
  }
  return true;
}

/**
 * Deletes a batch of the rows of a team that was deleted before that time (epoch ms) and has no monitor any more, the team
 * last: after a crash it is still listed, and the rest follows.
 *
 * @returns whether there may be more.
 */
export async function purgeDeletedTeams(database: Database, before: number): Promise<boolean> {
  const team = await database.scan
    .selectFrom('team')
    .select('id')
    .where('deleted_at', '<', before)
    .where(unreferred('monitor', 'team_id', 'team.id'))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (team === undefined) return false;
  for (const table of ['audit_entry', 'event', 'monitor_group'] as const) {
    if (await deleteBatch(database, table, { team_id: team.id })) return true;
  }
  if (await deleteDestinations(database, team.id)) return true;
  await database.transaction(async (tx) => {
    await tx.deleteFrom('incident_team_day').where('team_id', '=', team.id).execute();
    await tx.deleteFrom('team').where('id', '=', team.id).execute();
  });
  return true;
}

/** Deletes a batch of a team's deliveries; after the last one its queues and the rows of its alerts. */
async function deleteDestinations(database: Database, teamId: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    const deliveries = tx
      .selectFrom('delivery')
      .innerJoin('destination', 'destination.id', 'delivery.destination_id')
      .select('delivery.id')
      .where('destination.team_id', '=', teamId)
      .limit(BATCH_ROWS);
    await tx.deleteFrom('delivery_attempt').where('delivery_id', 'in', deliveries).execute();
    const { numDeletedRows } = await tx
      .deleteFrom('delivery')
      .where('id', 'in', deliveries)
      .executeTakeFirstOrThrow();
    if (numDeletedRows >= BATCH_ROWS) return true;
    await tx.deleteFrom('destination').where('team_id', '=', teamId).execute();
    const alerts = tx.selectFrom('alert').select('id').where('team_id', '=', teamId);
    await tx.deleteFrom('alert_incident').where('alert_id', 'in', alerts).execute();
    await tx.deleteFrom('alert_recipient').where('alert_id', 'in', alerts).execute();
    await tx.deleteFrom('alert_recipient_incidents').where('alert_id', 'in', alerts).execute();
    await tx.deleteFrom('grouping_window').where('team_id', '=', teamId).execute();
    return false;
  });
}
