import { z } from 'zod';
import { resultListQuery, uptimeQuery } from './input.ts';
import type { Operation } from '../common/operation.ts';
import { pageExample, pageOf } from '../common/page-reference.ts';

const milliseconds = (description: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `Milliseconds. ${description}` });

const result = z
  .object({
    region: z.string().meta({ description: 'Code of the region that looked.' }),
    checked_at: z.iso.datetime(),
    kind: z.enum(['voted', 'stale', 'manual']).meta({
      description:
        'voted: it counted for the status. stale: the monitor was changed while it ran, so it did not count. manual: it was asked for by hand, and did not count.',
    }),
    is_up: z.boolean().nullable().meta({ description: 'Null where nobody can tell.' }),
    vote: z.enum(['up', 'down', 'unknown']).meta({
      description: 'unknown: our own side could not look, so it says nothing of the target.',
    }),
    response_time: milliseconds('Null unless the target answered.'),
    status_code: z.int().nullable().meta({ description: 'Of HTTP; null when there was none.' }),
    error: z.string().nullable().meta({ description: 'Why it is not up, for people.' }),
    failure_code: z.string().nullable().meta({ description: 'The same, for programs.' }),
    remote_address: z
      .string()
      .nullable()
      .meta({ description: 'The address that was spoken to; kept where it is not up.' }),
    timings: z
      .object({
        dns_ms: milliseconds('Looking up the name.'),
        tcp_ms: milliseconds('Connecting.'),
        tls_ms: milliseconds('The TLS handshake.'),
        ttfb_ms: milliseconds('From the request to the first byte of the answer.'),
        total_ms: milliseconds('From the beginning to the end.'),
      })
      .meta({ description: 'Phases that did not happen are null.' }),
  })
  .meta({ id: 'Result', description: 'What one region saw in one check.' });

const seconds = (description: string) => z.number().min(0).meta({ description });
const percent = (description: string) =>
  z.number().min(0).max(100).nullable().meta({ description });

const figures = {
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  uptime_percent: percent(
    'Share of the time up (degraded too) in the time that was observed, without what is excluded. To 3 decimals, never rounded up: 100 means no downtime at all. Null when nothing was observed.',
  ),
  observed_percent: percent('Share of the period that was really measured, never rounded up.'),
  up_seconds: seconds('Time online. The five times add up to the period.'),
  degraded_seconds: seconds('Time up, but with a warning.'),
  down_seconds: seconds('Time offline, outside of maintenance.'),
  excluded_seconds: seconds('Time offline inside of maintenance.'),
  unobserved_seconds: seconds(
    'Time of which nobody can tell: before the first check, paused, or this service itself was away.',
  ),
  incidents: z.int().min(0).meta({
    description: 'Times it was offline in the period, those within maintenance left out.',
  }),
  mttr_seconds: z.int().min(0).nullable().meta({
    description: 'Mean time to recovery: down_seconds for each of them. Null without any.',
  }),
  mtbf_seconds: z.int().min(0).nullable().meta({
    description: 'Mean time between failures: time up for each of them. Null without any.',
  }),
  response_time: z
    .object({
      p50: milliseconds('Half of the checks took at most so long.'),
      p95: milliseconds('19 of 20 did.'),
      p99: milliseconds('99 of 100 did.'),
      count: z.int().min(0).meta({ description: 'Checks that were up and timed.' }),
    })
    .meta({
      description:
        'Of all regions together, each within 2.5 %. Hours, and days after 30 days, are kept as a whole: one that the period only touches is counted whole.',
    }),
};

const uptime = z
  .object({
    monitor_id: z.int(),
    ...figures,
    data: z
      .array(z.object(figures).meta({ id: 'UptimePart', description: 'One part of the period.' }))
      .optional()
      .meta({
        description:
          'With `interval`: the same figures for each UTC hour or day, the first and the last cut off at the edges of the period. Response times of single hours are kept for 30 days.',
      }),
  })
  .meta({ id: 'Uptime', description: 'How a monitor fared during a period.' });

export const HISTORY_OPERATIONS = {
  listMonitorResults: {
    tag: 'Monitors',
    summary: 'List results',
    description:
      'What each region saw in each check, the newest first. Single results are kept for 3 days unless the operator set RAW_RETENTION_DAYS. heartbeat and cron monitors have none.',
    query: resultListQuery(null),
    answer: pageOf(result, 'ResultPage'),
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
    tag: 'Monitors',
    summary: 'Get uptime and response times',
    description:
      'Of a period of at most 400 days. Time that nobody observed counts neither as up nor as down.',
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
      },
    },
  },
} satisfies Record<string, Operation>;
