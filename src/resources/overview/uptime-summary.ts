import { z } from 'zod';
import { timesOnlyUptimeOf } from '../../engine/history/stored-uptime.ts';
import { oneOf } from '../../lib/schemas.ts';
import {
  monitorLabels,
  monitorStandings,
  type MonitorStanding,
  monitorCounts,
} from '../../store/resources/overview.ts';
import type { CollectionDeps } from '../common/collection.ts';
import { queryNumber, readQuery } from '../common/input.ts';
import { noun, type Call } from '../common/operation.ts';
import { time } from '../common/reference-schemas.ts';
import { isoTime } from '../common/time.ts';
import { filterOf } from '../monitors/filter.ts';
import { monitorListQuery } from '../monitors/input.ts';
import { BACKUP, monitorName, namedMonitor, SHOP } from './monitor-name.ts';
import {
  byUptime,
  countStandings,
  meanUptime,
  percentagesOf,
  standingCounts,
  standingOf,
  STANDINGS,
  type MeasuredMonitor,
} from './uptime-rules.ts';

/** Maximum number of monitors whose uptime is computed, those with the lowest ids, so that an answer takes less than a second. */
const MAX_MEASURED = 20_000;

const DAY_MS = 24 * 3_600_000;

/** Lengths of the periods of a summary, in milliseconds. They end now. */
const PERIODS = {
  last_24_hours: DAY_MS,
  last_7_days: 7 * DAY_MS,
  last_30_days: 30 * DAY_MS,
} as const;
const PERIOD_NAMES = Object.keys(PERIODS) as [keyof typeof PERIODS, ...(keyof typeof PERIODS)[]];

const DEFAULT_WORST = 10;

const { group_id, tag } = monitorListQuery(null).shape;

const uptimeSummaryQuery = z.object({
  period: oneOf(PERIOD_NAMES)
    .optional()
    .meta({ description: 'Period until now; by default last_24_hours.' }),
  group_id,
  tag,
  limit: queryNumber(1, 50, 'a whole number')
    .optional()
    .meta({ description: `Monitors in \`worst\` at most; by default ${DEFAULT_WORST}.` }),
});

/** Summarizes the uptime of the monitors that match (contract 47.12). */
function createGetUptimeSummary(deps: CollectionDeps & { maxMeasured?: number }) {
  const { database, clock, maxMeasured = MAX_MEASURED } = deps;

  return async ({ caller, query }: Call) => {
    const wanted = readQuery(uptimeSummaryQuery, query);
    const { period: name = 'last_24_hours', limit = DEFAULT_WORST } = wanted;
    const teamId = caller.team.id;
    const filter = await filterOf(database.read, teamId, wanted);
    const now = clock.now();
    const period = { from: now - PERIODS[name], to: now, now };
    const standings = await monitorStandings(database.scan, teamId, filter);
    const ids = standings.map(({ id }) => id);
    const [uptimes, begun, open] = await Promise.all([
      timesOnlyUptimeOf(database, ids.slice(0, maxMeasured), period),
      monitorCounts(database.scan, teamId).begun(period),
      monitorCounts(database.scan, teamId).open(),
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

const count = z.int().min(0);
const percent = (description: string) =>
  z.number().min(0).max(100).nullable().meta({ description });
const seconds = (description: string) => z.number().min(0).meta({ description });

const uptimeOfMonitor = z
  .object({
    monitor: monitorName,
    status: z.enum(STANDINGS).meta({
      description: 'Status now; paused and not_observed as in the counts, whatever its status.',
    }),
    uptime_percent: percent('As in the uptime of the monitor. Null when nothing was observed.'),
    observed_percent: percent('Observed share of the period, since the monitor was created.'),
    downtime_seconds: seconds('Time down outside of maintenance.'),
    incidents: count.meta({ description: 'Incidents of any type that began in the period.' }),
  })
  .meta({ id: 'UptimeOfMonitor', description: 'Uptime of one of several monitors.' });

const uptimeSummary = z
  .object({
    period: z.enum(PERIOD_NAMES),
    from: time,
    to: time,
    monitors: count.meta({ description: 'Number of monitors that match.' }),
    monitors_measured: count.meta({
      description:
        'Number of those whose uptime was computed, on which the percentages, `downtime_seconds` and `worst` rest: all, or the 20,000 with the lowest ids.',
    }),
    by_status: z
      .object(standingCounts)
      .meta({ description: 'Number of monitors by their status now.' }),
    incidents: count.meta({
      description: 'Incidents of any type that began in the period, those of error budgets too.',
    }),
    open_incidents: count.meta({ description: 'Incidents that are open now.' }),
    uptime_percent: percent(
      'Mean of the monitors that were observed, each of the same weight. To 3 decimals, never rounded up: 100 means no downtime at all. Null when none was observed.',
    ),
    observed_percent: percent('Mean observed share of all monitors, never rounded up.'),
    downtime_seconds: seconds('Sum of all monitors.'),
    worst: z.array(uptimeOfMonitor).meta({
      description:
        'By the least uptime, then the most downtime, then the most incidents; monitors that were not observed come last.',
    }),
  })
  .meta({ id: 'UptimeSummary', description: 'Uptime of several monitors during a period.' });

export const getUptimeSummary = noun('Overview', createGetUptimeSummary, {
  getUptimeSummary: {
    at: 'GET /uptime-summary',
    summary: 'Get the uptime of all monitors together',
    description:
      'Of all monitors of the team, or of those in a group or with tags, paused ones too. Uptime is that of each monitor alone: from what was recorded, with maintenance and corrections, since the monitor was created.',
    query: uptimeSummaryQuery,
    answer: uptimeSummary,
    example: {
      answer: {
        period: 'last_24_hours',
        from: '2029-12-31T00:00:00.000Z',
        to: '2030-01-01T00:00:00.000Z',
        monitors: 2,
        monitors_measured: 2,
        by_status: { online: 1, offline: 0, degraded: 0, pending: 0, paused: 1, not_observed: 0 },
        incidents: 1,
        open_incidents: 0,
        uptime_percent: 99.479,
        observed_percent: 100,
        downtime_seconds: 900,
        worst: [
          {
            monitor: SHOP,
            status: 'online',
            uptime_percent: 98.958,
            observed_percent: 100,
            downtime_seconds: 900,
            incidents: 1,
          },
          {
            monitor: BACKUP,
            status: 'paused',
            uptime_percent: 100,
            observed_percent: 100,
            downtime_seconds: 0,
            incidents: 0,
          },
        ],
      },
    },
  },
});
