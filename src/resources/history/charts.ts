import { timesOnlyAvailabilityIn } from '../../engine/history/availability.ts';
import {
  mergeIntervals,
  pausesOf,
  statusIntervals,
  type Merged,
  type Outage,
} from '../../engine/history/status-intervals.ts';
import {
  responsePoints,
  readResponseTimes,
  type ResponsePoint,
} from '../../engine/history/response-series.ts';
import { readTimes } from '../../engine/history/stored-uptime.ts';
import type { Interval } from '../../engine/history/uptime.ts';
import { PHASE_NAMES } from '../../engine/history/summary.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { lastDaysOf } from '../../report/period.ts';
import type { Database } from '../../store/database/contract.ts';
import { listPauseChanges } from '../../store/resources/pause-changes.ts';
import { authorize } from '../common/errors.ts';
import { readQuery } from '../common/input.ts';
import { isoTime, tenths } from '../common/time.ts';
import { requireMonitor } from '../monitors/find.ts';
import { daysQuery, DEFAULT_DAYS, readResponseTimesQuery } from './chart-input.ts';
import { viewTimes } from './service.ts';

/** Maximum number of times of one kind in an answer: about one for each pixel of a chart. */
export const MAX_MARKS = 1_000;

/** Data of a monitor's charts. Throws InvalidInput for wrong queries, and `not_found` for monitors of other teams. */
interface ChartService {
  /** Response times by region and phase, with what to mark on the time axis. */
  responseTimes(caller: Caller, id: number, query: object): Promise<object>;
  /** Figures of each of the last days of a time zone, today included. */
  days(caller: Caller, id: number, query: object): Promise<object>;
}

export function createChartService(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
}): ChartService {
  const { database, clock } = deps;

  return {
    async responseTimes(caller, id, query) {
      authorize(caller, 'read');
      const monitor = await requireMonitor(database.read, caller, id);
      const now = clock.now();
      const { from, to } = readResponseTimesQuery(query, now);
      const since = Math.min(Math.max(from, monitor.created_at), to);
      const lived = { from: since, to };
      const [{ stored, stepMs }, times, pauses] = await Promise.all([
        readResponseTimes(database, id, { from, to }),
        readTimes(database, [id], { ...lived, now }),
        listPauseChanges(database, caller.team.id, id, since),
      ]);
      const marks = statusIntervals({ ...times.get(id)!, ...lived, now });
      const points = responsePoints(stored, stepMs, marks.unobserved);
      return {
        monitor_id: id,
        from: isoTime(from),
        to: isoTime(to),
        step_seconds: stepMs / 1_000,
        aggregate: 'median',
        phase_aggregate: 'mean',
        ...viewColumns(points, JSON.parse(monitor.monitored_regions) as string[]),
        outages: viewOutages(marks.outages, lived),
        maintenance: viewIntervals(marks.excluded, lived),
        unobserved: viewIntervals(marks.unobserved, lived),
        paused: viewIntervals(pausesOf(pauses, monitor.is_paused === 1, lived), lived),
      };
    },

    async days(caller, id, query) {
      authorize(caller, 'read');
      const monitor = await requireMonitor(database.read, caller, id);
      const { days: count = DEFAULT_DAYS, timezone = 'UTC' } = readQuery(daysQuery, query);
      const now = clock.now();
      const days = lastDaysOf(timezone, count, now);
      const period = { from: days[0]!.from, to: now, now };
      const times = (await readTimes(database, [id], period)).get(id)!;
      const lived = days.map(({ from, to }) => ({
        from: Math.min(Math.max(from, monitor.created_at), to),
        to,
      }));
      const figures = timesOnlyAvailabilityIn(lived, times, now);
      return {
        monitor_id: id,
        timezone,
        data: figures.map((found, index) => ({
          date: days[index]!.date,
          status: worstStatus(found),
          ...viewTimes(found),
        })),
      };
    },
  };
}

/** The points as columns, which are half as large as objects. */
function viewColumns(points: readonly ResponsePoint[], monitored: readonly string[]) {
  const column = (of: (point: ResponsePoint) => number | null | undefined) =>
    points.map((point) => tenths(of(point) ?? null));
  const measured = new Set(points.flatMap(({ regions }) => [...regions.keys()]));
  const current = monitored.filter((region) => measured.has(region));
  const former = [...measured].filter((region) => !monitored.includes(region)).toSorted();
  const regions = [...current, ...former].map((region) => [
    region,
    {
      p50: column((point) => point.regions.get(region)?.p50),
      p95: column((point) => point.regions.get(region)?.p95),
    },
  ]);
  return {
    at: points.map(({ at }) => isoTime(at)),
    regions: Object.fromEntries(regions) as Record<string, object>,
    all: {
      p50: column(({ all }) => all.p50),
      p95: column(({ all }) => all.p95),
      p99: column(({ all }) => all.p99),
    },
    phases: Object.fromEntries(
      PHASE_NAMES.map((name) => [`${name}_ms`, column(({ phases }) => phases[name])]),
    ) as Record<string, object>,
  };
}

/** Each status by itself: a long time degraded does not become one offline. */
function viewOutages(outages: readonly Outage[], period: Interval) {
  return [...Map.groupBy(outages, ({ status }) => status)]
    .flatMap(([, of]) => mergeIntervals(of, period, MAX_MARKS))
    .toSorted((one, other) => one.from - other.from)
    .map((outage) => ({ ...viewInterval(outage), status: outage.status }));
}

function viewIntervals(intervals: readonly Interval[], period: Interval) {
  return mergeIntervals(intervals, period, MAX_MARKS).map(viewInterval);
}

function viewInterval({ from, to, count }: Merged<Interval>) {
  return { from: isoTime(from), to: isoTime(to), ...(count > 1 && { count }) };
}

type Figures = ReturnType<typeof timesOnlyAvailabilityIn>[number];

export const DAY_STATUSES = ['offline', 'degraded', 'maintenance', 'online', 'unobserved'] as const;

/** The worst that happened; `maintenance` when the monitor was down during maintenance alone. */
function worstStatus(found: Figures): (typeof DAY_STATUSES)[number] {
  if (found.downMs > 0) return 'offline';
  if (found.degradedMs > 0) return 'degraded';
  if (found.excludedMs > 0) return 'maintenance';
  return found.upMs > 0 ? 'online' : 'unobserved';
}
