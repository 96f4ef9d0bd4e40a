import { z } from 'zod';
import type { Availability, TimesOnlyAvailability } from '../../engine/history/availability.ts';
import { uptimeOf } from '../../engine/history/stored-uptime.ts';
import { percentile } from '../../engine/history/summary.ts';
import { oneOf } from '../../lib/schemas.ts';
import { shownAs } from '../common/answer.ts';
import type { CollectionDeps } from '../common/collection.ts';
import { Findings, readQuery } from '../common/input.ts';
import { noun, type Call } from '../common/operation.ts';
import { time } from '../common/reference-schemas.ts';
import { queryTime } from '../common/time-input.ts';
import { isoTime, tenths } from '../common/time.ts';
import { wholeSeconds } from '../incidents/facts.ts';
import { requireMonitorId } from '../monitors/find.ts';
import { MAX_DAYS, periodOf } from './period.ts';

const DAY_MS = 24 * 3_600_000;
const DEFAULT_MS = 30 * DAY_MS;
/** Longest period with figures for each hour. */
const MAX_HOURLY_DAYS = 31;

const uptimeQuery = z.object({
  from: queryTime('from', 'Start of the period; by default 30 days before `to`.').optional(),
  to: queryTime(
    'to',
    'End of the period, at most now; a date includes that day. By default now.',
  ).optional(),
  interval: oneOf(['hour', 'day'])
    .optional()
    .meta({
      description: `Adds \`data\`, the same figures for each UTC hour (in a period of at most ${MAX_HOURLY_DAYS} days) or day.`,
    }),
  corrected: oneOf(['true', 'false']).optional().meta({
    description: 'false for the figures as recorded, without corrections. By default true.',
  }),
});

/** Throws InvalidInput with all errors. */
function readUptimeQuery(query: object, now: number) {
  const findings = new Findings();
  const wanted = readQuery(uptimeQuery, query, findings);
  const period = periodOf(wanted, DEFAULT_MS, now, findings);
  const days = wanted.interval === 'hour' ? MAX_HOURLY_DAYS : MAX_DAYS;
  if (period.to - period.from > days * DAY_MS) {
    const reason = wanted.interval === 'hour' ? ' with interval=hour' : '';
    findings.add('from', `must be at most ${days} days before to${reason}`);
  }
  findings.throwIfAny();
  return { ...wanted, ...period };
}

function createGetUptime({ database, clock }: CollectionDeps) {
  return async ({ caller, id, query }: Call) => {
    await requireMonitorId(database.read, caller, id);
    const now = clock.now();
    const wanted = readUptimeQuery(query, now);
    const { from, to, interval = null } = wanted;
    const corrected = wanted.corrected !== 'false';
    const period = { from, to, now };
    const [found] = await uptimeOf(database, [id], period, interval, { corrected });
    const { whole, pieces, uncorrected } = found!;
    return {
      monitor_id: id,
      ...viewFigures(whole),
      corrected,
      uncorrected: uncorrected && viewFigures(uncorrected.whole),
      ...(pieces && { data: pieces.map(viewFigures) }),
    };
  };
}

const seconds = (description: string) => z.number().min(0).meta({ description });
const percent = (description: string) =>
  z.number().min(0).max(100).nullable().meta({ description });
const milliseconds = (description: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `Milliseconds. ${description}` });

/** Percentage to three decimals, never rounded up, so that 100 is exact; null when `whole` is 0. */
function flooredPercent(part: number, whole: number): number | null {
  return whole > 0 ? Math.floor((part * 100_000) / whole) / 1_000 : null;
}

const upOf = ({ upMs, degradedMs }: Pick<Availability, 'upMs' | 'degradedMs'>) => upMs + degradedMs;

/** Figures of a period without response times. Percentages are made anew, as they are not rounded up. */
export const times = shownAs<Omit<TimesOnlyAvailability, 'uptimePercent' | 'observedPercent'>>()({
  from: [time, ({ from }) => isoTime(from)],
  to: [time, ({ to }) => isoTime(to)],
  uptime_percent: [
    percent(
      'Time up, degraded or not, as a share of the observed time that is not excluded. To 3 decimals, never rounded up: 100 means no downtime at all. Null when nothing was observed.',
    ),
    (of) => flooredPercent(upOf(of), upOf(of) + of.downMs),
  ],
  observed_percent: [
    percent('Observed share of the period, never rounded up.'),
    ({ from, to, unobservedMs }) => flooredPercent(to - from - unobservedMs, to - from),
  ],
  up_seconds: [
    seconds('Time up. The five times add up to the period.'),
    ({ upMs }) => upMs / 1_000,
  ],
  degraded_seconds: [seconds('Time up with a warning.'), ({ degradedMs }) => degradedMs / 1_000],
  down_seconds: [seconds('Time down outside of maintenance.'), ({ downMs }) => downMs / 1_000],
  excluded_seconds: [
    seconds('Time down during maintenance.'),
    ({ excludedMs }) => excludedMs / 1_000,
  ],
  unobserved_seconds: [
    seconds(
      'Time with an unknown status: before the first check, paused, or while Tocsin itself was down.',
    ),
    ({ unobservedMs }) => unobservedMs / 1_000,
  ],
  incidents: [
    z.int().min(0).meta({
      description: 'Number of outages in the period, without those during maintenance.',
    }),
    ({ outages }) => outages,
  ],
  mttr_seconds: [
    z.int().min(0).nullable().meta({
      description:
        'Mean time to recovery: down_seconds divided by incidents. Null without incidents.',
    }),
    ({ mttrMs }) => wholeSeconds(mttrMs),
  ],
  mtbf_seconds: [
    z.int().min(0).nullable().meta({
      description:
        'Mean time between failures: time up divided by incidents. Null without incidents.',
    }),
    ({ mtbfMs }) => wholeSeconds(mtbfMs),
  ],
});

/** Figures of a period that was observed throughout, for the reference. */
export function exampleTimes(
  period: { from: number; to: number },
  downMs: number,
  outages: number,
) {
  const upMs = period.to - period.from - downMs;
  const none = { degradedMs: 0, excludedMs: 0, unobservedMs: 0 };
  const means = { mttrMs: downMs / outages, mtbfMs: upMs / outages };
  return times.view({ ...period, upMs, downMs, ...none, outages, ...means });
}

const DECEMBER = { from: Date.UTC(2029, 11, 2), to: Date.UTC(2030, 0, 1) };
const EXAMPLE_RESPONSES = { p50: 87.6, p95: 120.4, p99: 214.2, count: 345_584 };

const figures = {
  ...times.shape,
  response_time: z
    .object({
      p50: milliseconds('Median.'),
      p95: milliseconds('95th percentile.'),
      p99: milliseconds('99th percentile.'),
      count: z
        .int()
        .min(0)
        .meta({ description: 'Number of checks that were up and have a response time.' }),
    })
    .meta({
      description:
        'Of all regions together, accurate to 2.5 %. Data is kept by hour, and by day after 30 days: an hour or day that the period covers in part counts as a whole.',
    }),
};

/** Figures of a period. */
function viewFigures(found: Availability) {
  const { responseTimes } = found;
  const at = (rank: number) => tenths(percentile(responseTimes, rank));
  const responseTime = { p50: at(50), p95: at(95), p99: at(99), count: responseTimes.count };
  return { ...times.view(found), response_time: responseTime };
}

const answer = z
  .object({
    monitor_id: z.int(),
    ...figures,
    corrected: z.boolean().meta({ description: 'Whether corrections apply to the figures.' }),
    uncorrected: z.object(figures).nullable().meta({
      id: 'UncorrectedUptime',
      description:
        'The figures as recorded, where corrections of the period apply; null where there are none.',
    }),
    data: z
      .array(
        z.object(figures).meta({ id: 'UptimePart', description: 'One hour or day of the period.' }),
      )
      .optional()
      .meta({
        description:
          'With `interval`: the same figures for each UTC hour or day, the first and last limited to the period. Response times by hour are kept for 30 days.',
      }),
  })
  .meta({ id: 'Uptime', description: 'Uptime and response times of a monitor during a period.' });

export const uptime = noun('Monitors', createGetUptime, {
  getMonitorUptime: {
    at: 'GET /monitors/:id/uptime',
    summary: 'Get uptime and response times',
    description:
      'For a period of at most 400 days. Unobserved time counts neither as up nor as down.',
    query: uptimeQuery,
    answer,
    example: {
      answer: {
        monitor_id: 1,
        ...exampleTimes(DECEMBER, 120_000, 1),
        response_time: EXAMPLE_RESPONSES,
        corrected: true,
        uncorrected: {
          ...exampleTimes(DECEMBER, 1_620_000, 2),
          response_time: EXAMPLE_RESPONSES,
        },
      },
    },
  },
});
