import { timesOnlyUptimeOf } from '../../engine/history/stored-uptime.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  incidentsBegun,
  incidentsOpen,
  monitorLabels,
  monitorStandings,
  type MonitorStanding,
} from '../../store/resources/overview.ts';
import { authorize } from '../common/errors.ts';
import { readQuery } from '../common/input.ts';
import { isoTime } from '../common/time.ts';
import { filterOf } from '../monitors/filter.ts';
import { DEFAULT_WORST, SUMMARY_PERIODS, uptimeSummaryQuery } from './input.ts';
import { namedMonitor } from './monitor-name.ts';
import {
  byUptime,
  countStandings,
  meanUptime,
  percentagesOf,
  standingOf,
  type MeasuredMonitor,
} from './uptime-rules.ts';

/** Maximum number of monitors whose uptime is computed, those with the lowest ids, so that an answer takes less than a second. */
const MAX_MEASURED = 20_000;

/** Summarizes the uptime of the monitors that match (contract 47.12). Throws InvalidInput for an invalid query. */
export type GetUptimeSummary = (caller: Caller, query: object) => Promise<object>;

export function createGetUptimeSummary(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
  maxMeasured?: number;
}): GetUptimeSummary {
  const { database, clock, maxMeasured = MAX_MEASURED } = deps;

  return async (caller, query) => {
    authorize(caller, 'read');
    const wanted = readQuery(uptimeSummaryQuery, query);
    const { period: name = 'last_24_hours', limit = DEFAULT_WORST } = wanted;
    const teamId = caller.team.id;
    const filter = await filterOf(database.read, teamId, wanted);
    const now = clock.now();
    const period = { from: now - SUMMARY_PERIODS[name], to: now, now };
    const standings = await monitorStandings(database.scan, teamId, filter);
    const ids = standings.map(({ id }) => id);
    const [uptimes, begun, open] = await Promise.all([
      timesOnlyUptimeOf(database, ids.slice(0, maxMeasured), period),
      incidentsBegun(database.scan, teamId, period),
      incidentsOpen(database.scan, teamId),
    ]);
    const measured = [...uptimes].map(([id, uptime]): MeasuredMonitor => ({
      id,
      uptime,
      incidents: begun.get(id) ?? 0,
    }));
    const mean = meanUptime(measured.map(({ uptime }) => uptime));
    return {
      period: name,
      from: isoTime(period.from),
      to: isoTime(period.to),
      monitors: standings.length,
      monitors_measured: measured.length,
      by_status: countStandings(standings, now),
      incidents: sumOf(ids.map((id) => begun.get(id) ?? 0)),
      open_incidents: sumOf(ids.map((id) => open.get(id) ?? 0)),
      uptime_percent: mean.uptimePercent,
      observed_percent: mean.observedPercent,
      downtime_seconds: mean.downMs / 1_000,
      worst: await viewWorst(measured.toSorted(byUptime).slice(0, limit), standings, now),
    };
  };

  async function viewWorst(
    worst: readonly MeasuredMonitor[],
    standings: readonly MonitorStanding[],
    now: number,
  ) {
    const ids = worst.map(({ id }) => id);
    const labels = await monitorLabels(database.read, ids);
    const shown = new Set(ids);
    const standingsOfShown = standings.filter(({ id }) => shown.has(id));
    const standingById = new Map(standingsOfShown.map((one) => [one.id, standingOf(one, now)]));
    // A monitor whose row was purged in between is left out.
    return worst.flatMap(({ id, uptime, incidents }) => {
      const label = labels.get(id);
      if (label === undefined) return [];
      return {
        monitor: namedMonitor(label),
        status: standingById.get(id)!,
        ...percentagesOf(uptime),
        downtime_seconds: uptime.downMs / 1_000,
        incidents,
      };
    });
  }
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
