import { sql, type Selectable, type Transaction, type Updateable } from 'kysely';
import { shardOf } from '../../model/monitor.ts';
import { removeFromDependencies } from './dependencies.ts';
import type { MonitorTable, Schema } from '../database/schema.ts';
import { nextVersion } from '../engine/shards.ts';
import { updateRow } from '../database/rows.ts';

/** The columns that people set. */
export type MonitorColumns = Omit<
  Selectable<MonitorTable>,
  | 'id'
  | 'team_id'
  | 'shard'
  | 'is_paused'
  | 'version'
  | 'revision'
  | 'deleted_at'
  | 'created_at'
  | 'updated_at'
>;

/**
 * Inserts a monitor and its state: due at once, or, for a push monitor, waiting for its first ping.
 *
 * @returns its id; its shard is known by it.
 */
export async function insertMonitor(
  tx: Transaction<Schema>,
  teamId: number,
  columns: MonitorColumns,
  now: number,
  heartbeatExpectedAt: number | null = null,
): Promise<number> {
  const { id } = await tx
    .insertInto('monitor')
    .values({
      ...columns,
      team_id: teamId,
      // The shard follows from the id, which the database gives in this statement.
      shard: 0,
      is_paused: 0,
      version: 0,
      revision: 0,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const shard = shardOf(id);
  const version = await nextVersion(tx, shard);
  await updateRow(tx, 'monitor', id, { shard, version, revision: version });
  await tx
    .insertInto('monitor_state')
    .values({
      monitor_id: id,
      team_id: teamId,
      revision: version,
      status: 'pending',
      ...(heartbeatExpectedAt === null ? { run_at: now } : expectedAnew(heartbeatExpectedAt, now)),
      is_paused: 0,
      tracks: '{}',
      newest: '{}',
    })
    .execute();
  return id;
}

/** A rename or other change that leaves what a check is: rounds under way still vote. */
export async function updateMonitor(
  tx: Transaction<Schema>,
  id: number,
  version: number,
  columns: Updateable<MonitorTable>,
): Promise<void> {
  await updateRow(tx, 'monitor', id, { ...columns, version });
}

/** A change of what a check is: older rounds never vote, and the next one comes now unless it is paused. */
export async function reviseMonitor(
  tx: Transaction<Schema>,
  id: number,
  version: number,
  columns: Updateable<MonitorTable>,
  now: number,
): Promise<void> {
  await updateRow(tx, 'monitor', id, { ...columns, version, revision: version });
  await tx
    .updateTable('monitor_state')
    .set((set) => ({
      revision: version,
      // Postgres would take a bare parameter in a CASE without a typed branch for text.
      run_at: set
        .case()
        .when('is_paused', '=', 0)
        .then(sql<number>`cast(${now} as bigint)`)
        .else(null)
        .end(),
    }))
    .where('monitor_id', '=', id)
    .execute();
}

/**
 * Same as `reviseMonitor`, for a push monitor. Without a new expected time (epoch ms) the stored one stays; one that is
 * only `beforeFirstPing` is for a job that has never called.
 */
export async function reviseHeartbeat(
  tx: Transaction<Schema>,
  id: number,
  version: number,
  columns: Updateable<MonitorTable>,
  expected: { at: number; beforeFirstPing: boolean } | null,
  now: number,
): Promise<void> {
  await updateRow(tx, 'monitor', id, { ...columns, version, revision: version });
  await tx
    .updateTable('monitor_state')
    .set({
      revision: version,
      // The next deadline follows from the settings; what looks at silence knows how. Of a paused one it does nothing.
      due_at: now,
    })
    .where('monitor_id', '=', id)
    .execute();
  if (expected === null) return;
  await tx
    .updateTable('monitor_state')
    .set(expectedAnew(expected.at, now))
    .where('monitor_id', '=', id)
    .$if(expected.beforeFirstPing, (update) => update.where('first_ping_at', 'is', null))
    .execute();
}

/** Pauses a monitor: the time until it is resumed is unobserved. */
export async function pauseMonitor(
  tx: Transaction<Schema>,
  id: number,
  version: number,
  now: number,
): Promise<void> {
  await updateRow(tx, 'monitor', id, { is_paused: 1, version, revision: version, updated_at: now });
  await silenceState(tx, id, version, now);
}

/** Looked at again now, or, for a push monitor, expected anew. */
export async function resumeMonitor(
  tx: Transaction<Schema>,
  id: number,
  version: number,
  now: number,
  heartbeatExpectedAt: number | null = null,
): Promise<void> {
  await updateRow(tx, 'monitor', id, { is_paused: 0, version, revision: version, updated_at: now });
  await tx
    .updateTable('monitor_state')
    .set({
      is_paused: 0,
      revision: version,
      ...(heartbeatExpectedAt === null
        ? { run_at: now }
        : // Runs may have finished unheard.
          { ...expectedAnew(heartbeatExpectedAt, now), runs: '[]' }),
    })
    .where('monitor_id', '=', id)
    .execute();
}

/** Leaves a tombstone, which retention clears away later; until then nothing shows it, checks it or depends on it. */
export async function markMonitorDeleted(
  tx: Transaction<Schema>,
  id: number,
  version: number,
  now: number,
): Promise<void> {
  await updateRow(tx, 'monitor', id, {
    deleted_at: now,
    version,
    revision: version,
    updated_at: now,
  });
  await removeFromDependencies(tx, id);
  await silenceState(tx, id, version, now);
}

/** The next round comes now, and those under way still vote. A paused monitor stays silent. */
export async function scheduleNow(
  tx: Transaction<Schema>,
  id: number,
  version: number,
  now: number,
): Promise<void> {
  await updateRow(tx, 'monitor', id, { version });
  await tx
    .updateTable('monitor_state')
    .set({ run_at: now })
    .where('monitor_id', '=', id)
    .where('is_paused', '=', 0)
    .execute();
}

async function silenceState(
  tx: Transaction<Schema>,
  id: number,
  version: number,
  now: number,
): Promise<void> {
  await tx
    .updateTable('monitor_state')
    .set((set) => ({
      is_paused: 1,
      revision: version,
      run_at: null,
      due_at: null,
      observed_until: set
        .case()
        .when('observed_until', '>', now)
        .then(now)
        .else(set.ref('observed_until'))
        .end(),
    }))
    .where('monitor_id', '=', id)
    .execute();
}

/** From `now` on the next ping is waited for, whatever was before. */
function expectedAnew(expectedAt: number, now: number) {
  return {
    heartbeat_expected_at: expectedAt,
    armed_at: now,
    is_missed: 0,
    is_postponed: 0,
    due_at: now,
  };
}
