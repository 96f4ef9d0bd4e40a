import { sql, type Updateable } from 'kysely';
import { shardOf } from '../../model/monitor.ts';
import { dependencyChanges } from './dependencies.ts';
import type { Row, Schema, Tx } from '../database/contract.ts';
import { engineOf, idList, rowTable } from '../database/dialect.ts';
import { prepareUpdate, updateRow, updateRows } from '../database/rows.ts';
import { lockShards, nextVersions } from '../engine/shards.ts';
import { hostColumn } from './monitor-hosts.ts';

/** The columns that people set. */
export type MonitorColumns = Omit<
  Row<'monitor'>,
  | 'id'
  | 'team_id'
  | 'shard'
  | 'is_paused'
  | 'host'
  | 'version'
  | 'revision'
  | 'deleted_at'
  | 'created_at'
  | 'updated_at'
>;

/** A monitor to insert. */
export interface NewMonitor {
  columns: MonitorColumns;
  /** Time of the first expected ping (epoch ms) of a push monitor; null for others. */
  heartbeatExpectedAt: number | null;
}

/** A monitor that is edited, with the version of the edit. */
export interface Edited {
  id: number;
  version: number;
}

/** Maximum number of monitors in one statement, so that its text and parameters stay small. */
const AT_ONCE = 50;

/** Changes of monitors; each moves the version of its shard. */
export function monitorChanges(tx: Tx) {
  return {
    /**
     * Inserts monitors and their states: due at once, or, for a push monitor, waiting for its first ping.
     *
     * @returns their ids, in the order of the monitors; their shards are known by them.
     */
    async insertAll(teamId: number, monitors: readonly NewMonitor[], now: number) {
      const ids: number[] = [];
      for (let from = 0; from < monitors.length; from += AT_ONCE) {
        const rows = monitors.slice(from, from + AT_ONCE).map(({ columns }) => ({
          ...columns,
          host: hostColumn(columns.url),
          team_id: teamId,
          // The shard follows from the id, which the database gives in this statement.
          shard: 0,
          is_paused: 0,
          version: 0,
          revision: 0,
          created_at: now,
          updated_at: now,
        }));
        const inserted = await tx.insertInto('monitor').values(rows).returning('id').execute();
        // Both engines give ids in the order of the rows, and may return them in another one.
        ids.push(...inserted.map(({ id }) => id).toSorted((one, other) => one - other));
      }
      const versions = await nextVersions(tx, ids.map(shardOf));
      await assignShards(
        tx,
        ids.map((id) => {
          const version = versions.get(shardOf(id));
          return [id, shardOf(id), version, version];
        }),
      );
      const states = monitors.map(({ heartbeatExpectedAt: expectedAt }, index) => ({
        monitor_id: ids[index]!,
        team_id: teamId,
        revision: versions.get(shardOf(ids[index]!))!,
        status: 'pending',
        ...(expectedAt === null ? { run_at: now } : expectedAnew(expectedAt, now)),
        is_paused: 0,
        tracks: '{}',
        newest: '{}',
      }));
      // The two kinds of monitors set different columns.
      for (const kind of Map.groupBy(states, (state) => 'run_at' in state).values()) {
        for (let from = 0; from < kind.length; from += AT_ONCE) {
          const rows = kind.slice(from, from + AT_ONCE);
          await tx.insertInto('monitor_state').values(rows).execute();
        }
      }
      return ids;
    },

    /** Inserts one monitor. @returns its id. */
    async insert(
      teamId: number,
      columns: MonitorColumns,
      now: number,
      heartbeatExpectedAt: number | null = null,
    ) {
      const [id] = await this.insertAll(teamId, [{ columns, heartbeatExpectedAt }], now);
      return id!;
    },

    /** A rename or other change that leaves what a check is: rounds under way still vote. */
    async update(id: number, version: number, columns: Updateable<Schema['monitor']>) {
      await updateRow(tx, 'monitor', id, { ...columns, version });
    },

    /** A change of what a check is: older rounds never vote, and the next one comes now unless it is paused. */
    async revise(id: number, version: number, columns: Updateable<Schema['monitor']>, now: number) {
      const host = columns.url === undefined ? {} : { host: hostColumn(columns.url) };
      await updateRow(tx, 'monitor', id, { ...columns, ...host, version, revision: version });
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
    },

    /**
     * Same as `reviseMonitor`, for a push monitor. Without a new expected time (epoch ms) the stored one stays; one that is
     * only `beforeFirstPing` is for a job that has never called.
     */
    async reviseHeartbeat(
      id: number,
      version: number,
      columns: Updateable<Schema['monitor']>,
      expected: { at: number; beforeFirstPing: boolean } | null,
      now: number,
    ) {
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
    },

    /** Pauses monitors: the time until they are resumed is unobserved. */
    async pauseAll(monitors: readonly Edited[], now: number) {
      await lockStatesOf(tx, monitors);
      await setPaused(
        tx,
        monitors.map(({ id, version }) => [id, 1, version, version, now]),
      );
      await silenceStates(tx, monitors, now);
    },

    pause(id: number, version: number, now: number) {
      return this.pauseAll([{ id, version }], now);
    },

    /** Resumes monitors: they are checked now, or, for push monitors, expected anew. */
    async resumeAll(monitors: readonly Resumed[], now: number) {
      await lockStatesOf(tx, monitors);
      await setPaused(
        tx,
        monitors.map(({ id, version }) => [id, 0, version, version, now]),
      );
      const checked = monitors.filter(({ heartbeatExpectedAt: at }) => at === null);
      const expected = monitors.filter(({ heartbeatExpectedAt: at }) => at !== null);
      await resumeChecks(
        tx,
        checked.map(({ id, version }) => [id, 0, version, now]),
      );
      await resumeExpectations(
        tx,
        expected.map(({ id, version, heartbeatExpectedAt: at }) => {
          const anew = expectedAnew(at!, now);
          // Runs may have finished unheard.
          return [id, 0, version, '[]', ...EXPECTATION_COLUMNS.map((name) => anew[name])];
        }),
      );
    },

    resume(id: number, version: number, now: number, heartbeatExpectedAt: number | null = null) {
      return this.resumeAll([{ id, version, heartbeatExpectedAt }], now);
    },

    /** Leaves tombstones, which retention clears away later; until then nothing shows, checks or depends on the monitors. */
    async markAllDeleted(monitors: readonly Edited[], now: number) {
      await lockStatesOf(tx, monitors);
      await setDeleted(
        tx,
        monitors.map(({ id, version }) => [id, now, version, version, now]),
      );
      await dependencyChanges(tx).removeMonitors(monitors.map(({ id }) => id));
      await silenceStates(tx, monitors, now);
    },

    markDeleted(id: number, version: number, now: number) {
      return this.markAllDeleted([{ id, version }], now);
    },

    /** The next round comes now, and those under way still vote. A paused monitor stays silent. */
    async scheduleNow(id: number, version: number, now: number) {
      await updateRow(tx, 'monitor', id, { version });
      await updateRows(tx, 'monitor_state', { monitor_id: id, is_paused: 0 }, { run_at: now });
    },

    /** Sets the tags of monitors; rounds under way still vote. */
    setTags(monitors: readonly (Edited & { tags: readonly string[] })[], now: number) {
      const rows = monitors.map(({ id, version, tags }) => [
        id,
        JSON.stringify(tags),
        version,
        now,
      ]);
      return writeTags(tx, rows);
    },

    /** Moves monitors to a group, or out of theirs; rounds under way still vote. */
    setGroup(monitors: readonly Edited[], groupId: number | null, now: number) {
      const rows = monitors.map(({ id, version }) => [id, groupId, version, now]);
      return writeGroup(tx, rows);
    },
  };
}

const assignShards = prepareUpdate('monitor', {
  id: 'integer',
  shard: 'integer',
  version: 'integer',
  revision: 'integer',
});

const setPaused = prepareUpdate('monitor', {
  id: 'integer',
  is_paused: 'integer',
  version: 'integer',
  revision: 'integer',
  updated_at: 'integer',
});

/** A monitor that is resumed; the time of the next expected ping (epoch ms) is null for one that we check ourselves. */
export type Resumed = Edited & { heartbeatExpectedAt: number | null };

const EXPECTATION_COLUMNS = [
  'heartbeat_expected_at',
  'armed_at',
  'is_missed',
  'is_postponed',
  'due_at',
] as const;

const resumeChecks = prepareUpdate('monitor_state', {
  monitor_id: 'integer',
  is_paused: 'integer',
  revision: 'integer',
  run_at: 'integer',
});

const resumeExpectations = prepareUpdate('monitor_state', {
  monitor_id: 'integer',
  is_paused: 'integer',
  revision: 'integer',
  runs: 'text',
  heartbeat_expected_at: 'integer',
  armed_at: 'integer',
  is_missed: 'integer',
  is_postponed: 'integer',
  due_at: 'integer',
});

const writeTags = prepareUpdate('monitor', {
  id: 'integer',
  tags: 'text',
  version: 'integer',
  updated_at: 'integer',
});

const writeGroup = prepareUpdate('monitor', {
  id: 'integer',
  group_id: 'integer',
  version: 'integer',
  updated_at: 'integer',
});

const setDeleted = prepareUpdate('monitor', {
  id: 'integer',
  deleted_at: 'integer',
  version: 'integer',
  revision: 'integer',
  updated_at: 'integer',
});

/**
 * Locks what several edits in one transaction would lock one after another, in the order of bulk changes and rounds.
 *
 * @param ids of the monitors that are edited.
 * @param creates whether monitors are created, too: their shards are not known before.
 */
export async function lockMonitors(tx: Tx, ids: readonly number[], creates: boolean) {
  await lockShards(tx, creates ? null : ids.map(shardOf));
  await lockStatesOf(
    tx,
    ids.map((id) => ({ id })),
  );
}

/** Locks states in the order of rounds, which lock several, too: in another order the two could deadlock. */
async function lockStatesOf(tx: Tx, monitors: readonly Pick<Edited, 'id'>[]): Promise<void> {
  if (engineOf(tx) === 'sqlite' || monitors.length < 2) return;
  await tx
    .selectFrom('monitor_state')
    .select('monitor_id')
    .where(
      'monitor_id',
      'in',
      idList(
        tx,
        monitors.map(({ id }) => id),
      ),
    )
    .orderBy('monitor_id')
    .forNoKeyUpdate()
    .execute();
}

async function silenceStates(tx: Tx, monitors: readonly Edited[], now: number): Promise<void> {
  const rows = monitors.map(({ id, version }) => [id, version, now]);
  const silenced = { id: 'integer', revision: 'integer', at: 'integer' } as const;
  await sql`
    update monitor_state set is_paused = 1, revision = v.revision, run_at = null, due_at = null,
      observed_until = case when observed_until > v.at then v.at else observed_until end
    from ${rowTable(tx, rows, silenced)} as v where monitor_state.monitor_id = v.id`.execute(tx);
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
