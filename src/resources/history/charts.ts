import {
  mergeIntervals,
  type Merged,
  pausesOf,
  statusIntervals,
  type Outage,
} from '../../engine/history/status-intervals.ts';
import {
  readResponseTimes,
  responsePoints,
  type ResponsePoint,
  MAX_POINTS,
} from '../../engine/history/response-series.ts';
import { timesOnlyAvailabilityIn } from '../../engine/history/availability.ts';
import { readTimes } from '../../engine/history/stored-uptime.ts';
import type { Interval } from '../../engine/history/uptime.ts';
import { PHASE_NAMES } from '../../engine/history/summary.ts';
import { lastDaysOf } from '../../report/period.ts';
import type { Database } from '../../store/database/contract.ts';
import { type ImportedDay, readImportedDays } from '../../store/resources/imported-days.ts';
import type { CollectionDeps } from '../common/collection.ts';
import { Findings, queryNumber, readQuery } from '../common/input.ts';
import { oneOf, timeZone } from '../../lib/schemas.ts';
import { queryTime } from '../common/time-input.ts';
import { isoTime, tenths } from '../common/time.ts';
import { requireMonitor } from '../monitors/find.ts';
import { MAX_DAYS, periodOf } from './period.ts';
import { exampleTimes, times as timesFields } from './uptime.ts';
import { type Call, noun } from '../common/operation.ts';
import { z } from 'zod';
import { time } from '../common/reference-schemas.ts';
import { PUSH } from '../../monitor-types/registry.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Periods until now, ms. */
const CHART_PERIODS = {
  '1h': HOUR_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
} as const;
const PERIOD_NAMES = Object.keys(CHART_PERIODS) as [
  keyof typeof CHART_PERIODS,
  ...(keyof typeof CHART_PERIODS)[],
];

const responseTimesQuery = z.object({
  period: oneOf(PERIOD_NAMES)
    .optional()
    .meta({ description: 'Period until now, in place of from and to; by default 24h.' }),
  from: queryTime('from', 'Start of the period; by default 24 hours before `to`.').optional(),
  to: queryTime(
    'to',
    'End of the period, at most now; a date includes that day. By default now.',
  ).optional(),
});

const DEFAULT_DAYS = 90;

const daysQuery = z.object({
  days: queryNumber(1, 366, 'a whole number')
    .optional()
    .meta({ description: `Number of days, today included; ${DEFAULT_DAYS} by default.` }),
  timezone: timeZone()
    .optional()
    .meta({ description: 'IANA name of the zone whose days they are; UTC by default.' }),
});

/** Returns the period asked for, epoch ms. Throws InvalidInput with all errors. */
function readResponseTimesQuery(query: object, now: number): { from: number; to: number } {
  const findings = new Findings();
  const { period, ...wanted } = readQuery(responseTimesQuery, query, findings);
  if (period !== undefined && (wanted.from !== undefined || wanted.to !== undefined))
    findings.add('period', 'must be left out beside from and to');
  const found = periodOf(wanted, CHART_PERIODS[period ?? '24h'], now, findings);
  if (found.to - found.from > MAX_DAYS * DAY_MS)
    findings.add('from', `must be at most ${MAX_DAYS} days before to`);
  findings.throwIfAny();
  return found;
}

/** Maximum number of times of one kind in an answer: about one for each pixel of a chart. */
const MAX_MARKS = 1_000;

/** Data of a monitor's charts. Throws InvalidInput for wrong queries, and `not_found` for monitors of other teams. */
function createChartService({ database, clock }: CollectionDeps) {
  return {
    /** Response times by region and phase, with what to mark on the time axis. */
    async getMonitorResponseTimes({ caller, id, query }: Call) {
      const monitor = await requireMonitor(database.read, caller, id);
      const now = clock.now();
      const { from, to } = readResponseTimesQuery(query, now);
      const since = Math.min(Math.max(from, monitor.created_at), to);
      const lived = { from: since, to };
      const [{ stored, stepMs }, times, pauses] = await Promise.all([
        readResponseTimes(database, id, { from, to }),
        readTimes(database, [id], { ...lived, now }),
        readPauseChanges(database, caller.team.id, id, since),
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

    /** Figures of each of the last days of a time zone, today included. */
    async getMonitorDays({ caller, id, query }: Call) {
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
      const imported = await readImportedDays(database.read, [id], dayOf(days[0]!.date));
      return {
        monitor_id: id,
        timezone,
        data: figures.map((found, index) => {
          const day = days[index]!;
          const own = { date: day.date, status: worstStatus(found), ...timesFields.view(found) };
          const isBefore = day.to <= monitor.created_at;
          const elsewhere = isBefore ? imported.get(id)?.days.get(dayOf(day.date)) : undefined;
          return { ...own, ...(elsewhere && viewImported(day, elsewhere)), imported: !!elsewhere };
        }),
      };
    },
  };
}

/**
 * Reads when a monitor was paused and resumed since that time (epoch ms), in chronological order, from the audit log:
 * changes older than AUDIT_RETENTION_DAYS are missing.
 */
async function readPauseChanges(
  { scan }: Database,
  teamId: number,
  monitorId: number,
  from: number,
) {
  const rows = await scan
    .selectFrom('audit_entry')
    .select(['action', 'created_at'])
    .where('team_id', '=', teamId)
    .where('created_at', '>=', from)
    .where('target_type', '=', 'monitor')
    .where('target_id', '=', monitorId)
    .where('action', 'in', ['monitor.paused', 'monitor.resumed'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ at: row.created_at, isPaused: row.action === 'monitor.paused' }));
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

const DAY_STATUSES = ['offline', 'degraded', 'maintenance', 'online', 'unobserved'] as const;

/** The worst that happened; `maintenance` when the monitor was down during maintenance alone. */
function worstStatus(found: Figures): (typeof DAY_STATUSES)[number] {
  if (found.downMs > 0) return 'offline';
  if (found.degradedMs > 0) return 'degraded';
  if (found.excludedMs > 0) return 'maintenance';
  return found.upMs > 0 ? 'online' : 'unobserved';
}

/** Days since 1970 of a date. */
const dayOf = (date: string) => Date.parse(date) / DAY_MS;

/** What another service observed of a day, in place of what is unknown here. */
function viewImported({ from, to }: Interval, { upSeconds, downSeconds }: ImportedDay) {
  const seconds = upSeconds + downSeconds;
  return {
    status: downSeconds > 0 ? 'offline' : upSeconds > 0 ? 'online' : 'unobserved',
    from: isoTime(from),
    to: isoTime(to),
    uptime_percent: seconds === 0 ? null : Math.round((100_000 * upSeconds) / seconds) / 1_000,
    up_seconds: upSeconds,
    down_seconds: downSeconds,
  } as const;
}

const column = (description: string) =>
  z.array(z.number().nullable()).max(MAX_POINTS).meta({ description });

const interval = z.object({
  from: time,
  to: time,
  count: z
    .int()
    .min(2)
    .optional()
    .meta({
      description: `Number of times that this one covers, where there are more than ${MAX_MARKS.toLocaleString('en-US')} of a kind.`,
    }),
});

const responseTimes = z
  .object({
    monitor_id: z.int(),
    from: time,
    to: time,
    step_seconds: z.int().min(10).meta({ description: 'Length of a step.' }),
    aggregate: z.enum(['median']).meta({ description: 'What the main value (p50) of a step is.' }),
    phase_aggregate: z.enum(['mean']).meta({
      description: 'What the value of a phase is: a mean, so that the phases of a check add up.',
    }),
    at: z.array(time).max(MAX_POINTS).meta({
      description:
        'Start of each step in which a check ran, in chronological order; the first may lie before `from`. All columns have one value for each. Where nothing was measured for a step or longer, one step without values stands in between.',
    }),
    regions: z
      .record(z.string(), z.object({ p50: column('Median.'), p95: column('95th percentile.') }))
      .meta({
        description:
          'By code of the region, in milliseconds, of the checks that were up; null where none was.',
      }),
    all: z
      .object({
        p50: column('Median.'),
        p95: column('95th percentile.'),
        p99: column('99th percentile.'),
      })
      .meta({ description: 'The same of all regions together.' }),
    phases: z
      .object({
        dns_ms: column('Name resolution.'),
        tcp_ms: column('Connecting.'),
        tls_ms: column('TLS handshake.'),
        ttfb_ms: column('From the end of the request to the first byte of the response.'),
      })
      .meta({ description: 'Mean duration of each phase over all regions, in milliseconds.' }),
    outages: z
      .array(interval.extend({ status: z.enum(['offline', 'degraded']) }))
      .meta({ description: 'Times offline or degraded, with corrections applied.' }),
    maintenance: z.array(interval).meta({
      description: 'Maintenance, and times that corrections exclude.',
    }),
    unobserved: z.array(interval).meta({ description: 'Times with an unknown status.' }),
    paused: z.array(interval).meta({
      description: 'Times in which the monitor was paused, as far as the audit log reaches.',
    }),
  })
  .meta({ id: 'ResponseTimes', description: 'Response times of a monitor, for a chart.' });

const days = z
  .object({
    monitor_id: z.int(),
    timezone: z.string(),
    data: z.array(
      z
        .object({
          date: z.iso.date(),
          status: z.enum(DAY_STATUSES).meta({
            description:
              'The worst of the day. maintenance: down during maintenance only. unobserved: nothing is known of the day.',
          }),
          ...timesFields.shape,
          imported: z.boolean().meta({
            description:
              'True for a day before the monitor existed that another service observed: `up_seconds`, `down_seconds` and `uptime_percent` are those that were imported, and no other figure counts them.',
          }),
        })
        .meta({ id: 'MonitorDay', description: 'One day of a monitor.' }),
    ),
  })
  .meta({ id: 'MonitorDays', description: 'Days of a monitor, in chronological order.' });

const DAY_EXAMPLE = {
  date: '2029-12-31',
  status: 'offline',
  ...exampleTimes({ from: Date.UTC(2029, 11, 31), to: Date.UTC(2030, 0, 1) }, 120_000, 1),
  imported: false,
};

export const charts = noun('Monitors', createChartService, {
  getMonitorResponseTimes: {
    at: 'GET /monitors/:id/response-times',
    isCompressed: true,
    summary: 'Get response times for a chart',
    description: `A series of at most ${MAX_POINTS} steps, as columns of equal length, with the times to mark beside it. The length of a step follows from the period, of at most 400 days, and from what is kept: single results, then hours, and days after 30 days. Values of steps of an hour or longer are accurate to 2.5 %. ${PUSH.and} monitors have no response times.`,
    query: responseTimesQuery,
    answer: responseTimes,
    example: {
      query: 'period=1h',
      answer: {
        monitor_id: 1,
        from: '2029-12-31T23:00:00.000Z',
        to: '2030-01-01T00:00:00.000Z',
        step_seconds: 10,
        aggregate: 'median',
        phase_aggregate: 'mean',
        at: ['2029-12-31T23:58:00.000Z', '2029-12-31T23:59:00.000Z'],
        regions: { ash: { p50: [87.4, null], p95: [87.4, null] } },
        all: { p50: [87.4, null], p95: [87.4, null], p99: [87.4, null] },
        phases: {
          dns_ms: [2.1, null],
          tcp_ms: [9.8, null],
          tls_ms: [21.5, null],
          ttfb_ms: [48.7, null],
        },
        outages: [
          {
            from: '2029-12-31T23:59:00.000Z',
            to: '2030-01-01T00:00:00.000Z',
            status: 'offline',
          },
        ],
        maintenance: [],
        unobserved: [],
        paused: [],
      },
    },
  },
  getMonitorDays: {
    at: 'GET /monitors/:id/days',
    isCompressed: true,
    summary: 'Get the figures of each day',
    description:
      'The figures of `/uptime` for each day of a time zone, today until now included, without response times.',
    query: daysQuery,
    answer: days,
    example: {
      query: 'days=1',
      answer: { monitor_id: 1, timezone: 'UTC', data: [DAY_EXAMPLE] },
    },
  },
});
