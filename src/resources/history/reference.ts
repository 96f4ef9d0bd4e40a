import { noun } from '../common/operation.ts';
import { createHistoryService } from './service.ts';
import { z } from 'zod';
import { resultListQuery, uptimeQuery } from './input.ts';
import { responseTimeMs, time, timings } from '../common/reference-schemas.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';

const milliseconds = (description: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `Milliseconds. ${description}` });

const result = z
  .object({
    region: z.string().meta({ description: 'Code of the region.' }),
    checked_at: time,
    kind: z.enum(['voted', 'stale', 'manual']).meta({
      description:
        'voted: it counted for the status. stale: the monitor was changed during the check, so it did not count. manual: a user started it, so it did not count.',
    }),
    is_up: z.boolean().nullable().meta({ description: 'Null when the vote is unknown.' }),
    vote: z.enum(['up', 'down', 'unknown']).meta({
      description:
        'unknown: Tocsin itself could not check, so the result says nothing about the target.',
    }),
    response_time: responseTimeMs,
    status_code: z.int().nullable().meta({ description: 'HTTP status code; null without one.' }),
    error: z.string().nullable().meta({ description: 'Why it is not up, as text.' }),
    failure_code: z.string().nullable().meta({ description: 'The same as a code.' }),
    remote_address: z
      .string()
      .nullable()
      .meta({ description: 'Address of the connection; null for results that are up.' }),
    timings,
  })
  .meta({ id: 'Result', description: 'Result of one check in one region.' });

const seconds = (description: string) => z.number().min(0).meta({ description });
const percent = (description: string) =>
  z.number().min(0).max(100).nullable().meta({ description });

/** Figures of a period without response times. */
export const timesFigures = {
  from: time,
  to: time,
  uptime_percent: percent(
    'Time up, degraded or not, as a share of the observed time that is not excluded. To 3 decimals, never rounded up: 100 means no downtime at all. Null when nothing was observed.',
  ),
  observed_percent: percent('Observed share of the period, never rounded up.'),
  up_seconds: seconds('Time up. The five times add up to the period.'),
  degraded_seconds: seconds('Time up with a warning.'),
  down_seconds: seconds('Time down outside of maintenance.'),
  excluded_seconds: seconds('Time down during maintenance.'),
  unobserved_seconds: seconds(
    'Time with an unknown status: before the first check, paused, or while Tocsin itself was down.',
  ),
  incidents: z.int().min(0).meta({
    description: 'Number of outages in the period, without those during maintenance.',
  }),
  mttr_seconds: z.int().min(0).nullable().meta({
    description:
      'Mean time to recovery: down_seconds divided by incidents. Null without incidents.',
  }),
  mtbf_seconds: z.int().min(0).nullable().meta({
    description:
      'Mean time between failures: time up divided by incidents. Null without incidents.',
  }),
};

const figures = {
  ...timesFigures,
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

const uptime = z
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

export const history = noun('Monitors', createHistoryService, {
  listMonitorResults: {
    at: 'GET /monitors/:id/results',
    summary: 'List results',
    description:
      'Results of each check by region, newest first. They are kept for 3 days unless the operator set RAW_RETENTION_DAYS. heartbeat and cron monitors have none.',
    query: resultListQuery(null),
    answer: pageSchema(result, 'ResultPage'),
    example: {
      answer: pageExample('/monitors/1/results', [
        {
          region: 'ash',
          checked_at: '2030-01-01T00:00:00.000Z',
          kind: 'voted',
          is_up: true,
          vote: 'up',
          response_time: 87.4,
          status_code: 200,
          error: null,
          failure_code: null,
          remote_address: null,
          timings: { dns_ms: 2.1, tcp_ms: 9.8, tls_ms: 21.5, ttfb_ms: 48.7, total_ms: 87.4 },
        },
      ]),
    },
  },
  getMonitorUptime: {
    at: 'GET /monitors/:id/uptime',
    summary: 'Get uptime and response times',
    description:
      'For a period of at most 400 days. Unobserved time counts neither as up nor as down.',
    query: uptimeQuery,
    answer: uptime,
    example: {
      answer: {
        monitor_id: 1,
        from: '2029-12-02T00:00:00.000Z',
        to: '2030-01-01T00:00:00.000Z',
        uptime_percent: 99.995,
        observed_percent: 100,
        up_seconds: 2_591_880,
        degraded_seconds: 0,
        down_seconds: 120,
        excluded_seconds: 0,
        unobserved_seconds: 0,
        incidents: 1,
        mttr_seconds: 120,
        mtbf_seconds: 2_591_880,
        response_time: { p50: 87.6, p95: 120.4, p99: 214.2, count: 345_584 },
        corrected: true,
        uncorrected: {
          from: '2029-12-02T00:00:00.000Z',
          to: '2030-01-01T00:00:00.000Z',
          uptime_percent: 99.937,
          observed_percent: 100,
          up_seconds: 2_590_380,
          degraded_seconds: 0,
          down_seconds: 1_620,
          excluded_seconds: 0,
          unobserved_seconds: 0,
          incidents: 2,
          mttr_seconds: 810,
          mtbf_seconds: 1_295_190,
          response_time: { p50: 87.6, p95: 120.4, p99: 214.2, count: 345_584 },
        },
      },
    },
  },
});
