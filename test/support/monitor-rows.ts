import type { Selectable } from 'kysely';
import { shardOf } from '../../src/model/monitor.ts';
import { http } from '../../src/monitor-types/http.ts';
import { columnsOf, defaultSettings } from '../../src/monitor-types/settings.ts';
import type { Database, Schema } from '../../src/store/database/contract.ts';
import { nextVersion } from '../../src/store/engine/shards.ts';

export type MonitorFields = Partial<Omit<Selectable<Schema['monitor']>, 'id'>>;

/** Stores a monitor as the service does, with its version and a round at once. Returns its id. */
export async function createMonitor(
  database: Database,
  now: number,
  fields: MonitorFields = {},
): Promise<number> {
  return database.transaction(async (tx) => {
    const { id } = await tx
      .insertInto('monitor')
      .values({ ...MONITOR_COLUMNS, ...fields, created_at: now, updated_at: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    const shard = shardOf(id);
    const version = await nextVersion(tx, shard);
    await tx
      .updateTable('monitor')
      .set({ shard, version, revision: version })
      .where('id', '=', id)
      .execute();
    await tx
      .insertInto('monitor_state')
      .values({ ...STATE_COLUMNS, monitor_id: id, revision: version, run_at: now })
      .execute();
    return id;
  });
}

/** The ids 1 to `count`. */
export const firstIds = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Stores many monitors in one transaction; they were checked before, so that they are on the grid. */
export async function importMonitors(
  database: Database,
  ids: readonly number[],
  lastSlot: number,
  fields: MonitorFields = {},
): Promise<void> {
  await database.transaction(async (tx) => {
    for (let from = 0; from < ids.length; from += 500) {
      const page = ids.slice(from, from + 500);
      await tx
        .insertInto('monitor')
        .values(page.map((id) => ({ ...MONITOR_COLUMNS, ...fields, id, shard: shardOf(id) })))
        .execute();
      const state = {
        ...STATE_COLUMNS,
        last_slot: lastSlot,
        last_checked_at: lastSlot,
        run_at: null,
      };
      await tx
        .insertInto('monitor_state')
        .values(page.map((id) => ({ ...state, monitor_id: id, revision: 0 })))
        .execute();
    }
  });
}

/** Edits a monitor as the service does. `runAt` makes it a change of the check: a new revision, and a round then. */
export async function editMonitor(
  database: Database,
  id: number,
  fields: MonitorFields,
  runAt?: number | null,
): Promise<void> {
  await database.transaction(async (tx) => {
    const version = await nextVersion(tx, shardOf(id));
    const revision = runAt === undefined ? {} : { revision: version };
    await tx
      .updateTable('monitor')
      .set({ ...fields, ...revision, version })
      .where('id', '=', id)
      .execute();
    if (runAt === undefined) return;
    const paused = fields.is_paused === undefined ? {} : { is_paused: fields.is_paused };
    await tx
      .updateTable('monitor_state')
      .set({ ...paused, revision: version, run_at: runAt })
      .where('monitor_id', '=', id)
      .execute();
  });
}

const DEFAULTS = defaultSettings(http, { regions: ['ash'], checkInterval: 0.5 });

/** Columns that most monitors leave unset. */
export const UNSET_COLUMNS = {
  ...columnsOf(DEFAULTS, (text) => text),
  ping_token: null,
  ping_token_hash: null,
};

/** The columns of an http monitor of team 1, every 30 s from one region. */
export const MONITOR_COLUMNS: Omit<Selectable<Schema['monitor']>, 'id'> = {
  team_id: 1,
  shard: 0,
  type: 'http',
  ...UNSET_COLUMNS,
  url: 'http://target.example/',
  host: 'target.example',
  is_paused: 0,
  version: 0,
  revision: 0,
  deleted_at: null,
  created_at: 0,
  updated_at: 0,
};

/** The state of a monitor without a verdict. */
export const STATE_COLUMNS = {
  team_id: 1,
  status: 'pending',
  last_slot: null,
  last_checked_at: null,
  observed_until: null,
  is_paused: 0,
  evaluated_revision: null,
  tracks: '{}',
  newest: '{}',
};
