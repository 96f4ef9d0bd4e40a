import { z } from 'zod';
import { CORRECTION_KINDS } from '../../model/correction.ts';
import { SEVERITIES } from '../../model/condition.ts';

/** Schemas and example of a report's data. */

const percent = (description: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${description} In percent, rounded down to three decimals.` });
const seconds = (description: string) => z.number().meta({ description });

const durations = {
  up_seconds: z.number(),
  degraded_seconds: seconds('Up, but slow or with a warning; counts as up.'),
  down_seconds: seconds('Without excluded downtime.'),
  excluded_seconds: seconds('Downtime in maintenance windows, or excluded by a correction.'),
  unobserved_seconds: seconds('Time that nobody measured, the future included.'),
};

const otherFigures = z
  .object({
    uptime_percent: z.number().nullable(),
    observed_percent: z.number().nullable(),
    down_seconds: z.number(),
    excluded_seconds: z.number(),
  })
  .meta({ id: 'ComparedFigures', description: 'The figures that corrections may change.' });

const figures = {
  uptime_percent: percent('Time up divided by time up and down; null when nothing was observed.'),
  observed_percent: percent('Share of the period that was measured; null for an empty period.'),
  ...durations,
  incidents: z.int().meta({ description: 'Number of outages.' }),
  mttr_seconds: z.int().nullable().meta({ description: 'Downtime divided by outages.' }),
  mtbf_seconds: z.int().nullable().meta({ description: 'Time up divided by outages.' }),
  response_time: z
    .object({
      p50: z.number().nullable(),
      p95: z.number().nullable(),
      p99: z.number().nullable(),
      count: z.int(),
    })
    .meta({
      id: 'ResponseTimePercentiles',
      description: 'Milliseconds of successful checks, within 2.5 %.',
    }),
  compared: z
    .object({ corrected: otherFigures, uncorrected: otherFigures })
    .nullable()
    .meta({ description: 'Both choices about corrections, where they differ; else null.' }),
};

const part = { name: z.string(), monitors_count: z.int(), ...figures };

export const reportData = z
  .object({
    report_id: z.int().nullable().meta({ description: 'Null for an ad hoc report.' }),
    name: z.string().nullable(),
    team: z.string(),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    timezone: z.string(),
    corrected: z.boolean(),
    generated_at: z.iso.datetime(),
    total: z.object({ monitors_count: z.int(), ...figures }),
    groups: z.array(z.object({ id: z.int(), ...part })).meta({
      description: 'A group includes the monitors of its subgroups.',
    }),
    tags: z.array(z.object(part)),
    monitors: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        group_id: z.int().nullable(),
        tags: z.array(z.string()),
        ...figures,
        slo: z
          .object({
            target_percent: z.number(),
            window_days: z.int(),
            budget_seconds: z.int(),
            budget_left_seconds: z.int(),
            budget_left_percent: z.number().nullable(),
          })
          .nullable()
          .meta({
            description:
              'Error budget over the days of the objective until the end of the report; negative when it is exceeded. Null without an objective.',
          }),
        days: z
          .array(z.object({ from: z.iso.datetime(), ...durations }))
          .meta({ description: 'Days of the time zone since the monitor was created.' }),
      }),
    ),
    incidents_total: z.int(),
    incidents: z
      .array(
        z.object({
          id: z.int(),
          monitor_id: z.int(),
          monitor: z.string(),
          type: z.string(),
          severity: z.enum(SEVERITIES),
          root_cause: z.string().nullable().meta({
            description: 'Cause without addresses and regions: customers read reports.',
          }),
          started_at: z.iso.datetime(),
          ended_at: z.iso.datetime().nullable(),
          seconds_in_period: z.number().meta({
            description: 'Its part of the period, without time in which nothing was observed.',
          }),
        }),
      )
      .meta({ description: 'Newest first, at most 1,000.' }),
    exclusions_total: z.int(),
    exclusions: z
      .array(
        z.object({
          kind: z.enum(CORRECTION_KINDS),
          reason: z.string(),
          author: z.string().nullable(),
          from: z.iso.datetime(),
          to: z.iso.datetime(),
          monitors: z.array(z.string()),
        }),
      )
      .meta({
        description:
          'Maintenance windows and corrections in the period, oldest first, at most 1,000.',
      }),
  })
  .meta({ id: 'ReportData', description: 'Figures of monitors, groups, tags and all together.' });

const nothing = {
  uptime_percent: null,
  observed_percent: null,
  up_seconds: 0,
  degraded_seconds: 0,
  down_seconds: 0,
  excluded_seconds: 0,
  unobserved_seconds: 0,
  incidents: 0,
  mttr_seconds: null,
  mtbf_seconds: null,
  response_time: { p50: null, p95: null, p99: null, count: 0 },
  compared: null,
};

const figuresExample = {
  ...nothing,
  uptime_percent: 99.991,
  observed_percent: 99.884,
  up_seconds: 2_588_760,
  down_seconds: 240,
  unobserved_seconds: 3_000,
  incidents: 1,
  mttr_seconds: 240,
  mtbf_seconds: 2_588_760,
  response_time: { p50: 118.2, p95: 302.4, p99: 690.1, count: 172_584 },
};

export const dataExample = {
  report_id: 1,
  name: 'Shop, monthly',
  team: 'Team ours',
  from: '2029-12-02T00:00:00.000Z',
  to: '2030-01-01T00:00:00.000Z',
  timezone: 'UTC',
  corrected: true,
  generated_at: '2030-01-01T00:00:01.000Z',
  total: { monitors_count: 1, ...figuresExample },
  groups: [],
  tags: [],
  monitors: [
    {
      id: 1,
      name: 'Shop',
      group_id: null,
      tags: [],
      ...figuresExample,
      slo: null,
      days: [],
    },
  ],
  incidents_total: 0,
  incidents: [],
  exclusions_total: 0,
  exclusions: [],
};

export const CSV_EXAMPLE = [
  'kind,id,name,monitors_count,from,to,uptime_percent,observed_percent',
  '"total",,"Shop, monthly",1,"2029-12-02T00:00:00.000Z","2030-01-01T00:00:00.000Z",99.991,99.884',
  '',
].join('\r\n');

/** Files that the data of a report may be instead. */
export const FILES = [
  { type: 'text/csv', example: CSV_EXAMPLE },
  { type: 'application/pdf' },
] as const;
