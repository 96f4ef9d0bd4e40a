import type { MonitorStatus } from '../../model/monitor.ts';
import type { Observation } from '../../model/observation.ts';
import { idList } from '../database/dialect.ts';
import type { Db } from '../database/contract.ts';
import { ALIVE_AT, observationOf } from '../engine/process-marks.ts';
import { searchPath } from './monitor-path.ts';
import { matchMonitors } from './monitor-query.ts';
import type { MonitorFilter } from './monitors.ts';

/** A monitor as lists about several kinds of things name it. */
export interface MonitorLabel {
  id: number;
  name: string | null;
  url: string;
  type: string;
}

/** State of a monitor in an overview. Times are epoch milliseconds. */
export interface MonitorStanding extends Observation {
  id: number;
  status: MonitorStatus;
  /** List of its regions, as stored: JSON. */
  regions: string;
  /** Null when it never was. */
  lastCheckedAt: number | null;
  createdAt: number;
  updatedAt: number;
}

/** Reads all monitors of a team that match, without deleted ones, by ascending ids. */
export async function monitorStandings(
  db: Db,
  teamId: number,
  filter: MonitorFilter,
): Promise<MonitorStanding[]> {
  // The order by status is not used: it joins the state.
  const path = { ...searchPath(filter), sort: 'status' } as const;
  const rows = await matchMonitors(db, teamId, filter, path)
    .select(['monitor.id', 'monitor.monitored_regions as regions'])
    .select(['monitor.is_paused', 'monitor.check_interval', 'monitor_state.status'])
    .select(['monitor_state.observed_until', ALIVE_AT])
    .select(['monitor_state.last_checked_at as lastCheckedAt'])
    .select(['monitor.created_at as createdAt', 'monitor.updated_at as updatedAt'])
    .execute();
  return rows
    .map((row) => ({
      id: row.id,
      regions: row.regions,
      lastCheckedAt: row.lastCheckedAt,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      ...observationOf(row),
      status: row.status as MonitorStatus,
    }))
    .toSorted((one, other) => one.id - other.id);
}

/** Reads how monitors are named, by id. */
export async function monitorLabels(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, MonitorLabel>> {
  const rows = await db
    .selectFrom('monitor')
    .select(['id', 'friendly_name as name', 'url', 'type'])
    .where('id', 'in', idList(db, ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Incidents of a team by monitor. */
export function monitorCounts(db: Db, teamId: number) {
  return {
    /** Counts the incidents of each monitor of a team that began in `[from, to)`. Monitors without any are missing. */
    async begun({ from, to }: { from: number; to: number }): Promise<Map<number, number>> {
      return byMonitor(
        await countedIncidents(db, teamId)
          .where('started_at', '>=', from)
          .where('started_at', '<', to)
          .execute(),
      );
    },

    /** Counts the open incidents of each monitor of a team. Monitors without any are missing. */
    async open(): Promise<Map<number, number>> {
      return byMonitor(await countedIncidents(db, teamId).where('ended_at', 'is', null).execute());
    },
  };
}

function countedIncidents(db: Db, teamId: number) {
  return db
    .selectFrom('incident')
    .select(({ fn }) => ['monitor_id as monitorId', fn.countAll<number>().as('total')])
    .where('team_id', '=', teamId)
    .groupBy('monitor_id');
}

function byMonitor(rows: readonly { monitorId: number; total: number }[]): Map<number, number> {
  return new Map(rows.map(({ monitorId, total }) => [monitorId, Number(total)]));
}
