import { PULL_TYPES } from '../../monitor-types/registry.ts';
import type { Selectable } from 'kysely';
import type { Database } from '../database/contract.ts';
import type { MonitorStateTable, MonitorTable } from '../database/schema.ts';

/** A monitor with the state that the scheduler needs, as stored. */
export type ScheduledMonitorRow = Selectable<MonitorTable> &
  Pick<MonitorStateTable, 'run_at' | 'last_slot' | 'last_checked_at'>;

/** Whether the monitor is checked periodically now. */
export function isScheduled(row: ScheduledMonitorRow): boolean {
  const isPull = (PULL_TYPES as readonly string[]).includes(row.type);
  return isPull && row.is_paused === 0 && row.deleted_at === null && row.check_interval !== null;
}

/** Reads a page of the scheduled monitors of one shard, by id; `afterId` is the last id of the previous page, or 0. */
export function scheduledMonitorsOfShard(
  database: Database,
  shard: number,
  afterId: number,
  limit: number,
): Promise<ScheduledMonitorRow[]> {
  return selectScheduled(database.scan)
    .where('monitor.shard', '=', shard)
    .where('monitor.id', '>', afterId)
    .where('monitor.type', 'in', [...PULL_TYPES])
    .where('monitor.is_paused', '=', 0)
    .where('monitor.deleted_at', 'is', null)
    .orderBy('monitor.id')
    .limit(limit)
    .execute();
}

/** Reads monitors edited since the given version of their shard, by shard; paused and deleted ones are included. */
export function editedMonitors(
  database: Database,
  since: ReadonlyMap<number, number>,
): Promise<ScheduledMonitorRow[]> {
  return selectScheduled(database.read)
    .where((eb) =>
      eb.or(
        [...since].map(([shard, version]) =>
          eb('monitor.shard', '=', shard).and('monitor.version', '>', version),
        ),
      ),
    )
    .execute();
}

function selectScheduled(db: Database['read']) {
  return db
    .selectFrom('monitor')
    .innerJoin('monitor_state', 'monitor_state.monitor_id', 'monitor.id')
    .selectAll('monitor')
    .select(['monitor_state.run_at', 'monitor_state.last_slot', 'monitor_state.last_checked_at']);
}
