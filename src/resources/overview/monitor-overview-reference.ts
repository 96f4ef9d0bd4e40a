import { z } from 'zod';
import { SEVERITIES } from '../../model/condition.ts';
import { CHECK_TYPES, MONITOR_STATUSES } from '../../model/monitor.ts';
import { MONITOR_TYPES } from '../../monitor-types/registry.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { acknowledgedOfOverview } from '../incidents/facts.ts';
import { UPTIME_DAYS } from './monitor-entry.ts';
import { BAR_LETTERS, REGION_LETTERS, SLOT_MINUTES, SLOTS } from './overview-rules.ts';

const id = z.int().min(1);
const instant = (description: string) =>
  z.int().meta({ description: `${description} In Unix seconds.` });
const meaningOf = (letters: Readonly<Record<string, string>>) =>
  Object.entries(letters)
    .map(([letter, meaning]) => `\`${letter}\` ${meaning}`)
    .join(', ');

const group = z.object({
  id,
  name: z.string(),
  parent_id: id.optional().meta({ description: 'Absent for a group without a parent.' }),
});

const schedule = z.object({
  interval: z.int().min(1).optional().meta({ description: 'Seconds; heartbeat monitors only.' }),
  cron: z.string().optional().meta({ description: 'Cron expression; cron monitors only.' }),
  timezone: z.string().optional().meta({ description: 'Time zone of the cron expression.' }),
});

const incident = z.object({
  id,
  severity: z.enum(SEVERITIES),
  cause: textOrNull,
  since: instant('Start of the incident.'),
  ...acknowledgedOfOverview.shape,
  open: z.int().min(1).meta({ description: 'Number of open incidents of the monitor.' }),
});

const monitor = z
  .object({
    id,
    name: z.string().meta({ description: '`friendly_name`, else `target`, else `#` and the id.' }),
    target: z.string().optional().meta({
      description:
        'Host, port and path, without user name, password and query. Absent for heartbeat and cron monitors.',
    }),
    since: instant(
      'Since when it has its status; the time of its creation before a first verdict.',
    ),
    response_ms: z.int().min(0).optional().meta({
      description: 'Median of the newest results that are up; absent without any.',
    }),
    uptime_90d: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .meta({
        description: `Uptime in percent of the last ${UPTIME_DAYS} days, or since its creation, as in the uptime of the monitor. At most a minute old. Absent when nothing was observed.`,
      }),
    observed_90d: z.number().min(0).max(100).optional().meta({
      description: 'Observed share of that period in percent; absent from 99.5 on.',
    }),
    group_id: id.optional().meta({ description: 'Absent without a group.' }),
    tags: z.array(z.string()).optional().meta({ description: 'Absent without tags.' }),
    last_ping_at: instant(
      'Newest ping that reported a success; absent before the first.',
    ).optional(),
    next_expected_at: instant(
      'When the next ping is expected; absent while it is paused or waits for its first ping.',
    ).optional(),
    last_duration: z.number().min(0).optional().meta({
      description: 'Seconds that the last run took; absent when unknown.',
    }),
    schedule: schedule
      .optional()
      .meta({ description: 'Of heartbeat and cron monitors; absent for others.' }),
    type: z.enum(MONITOR_TYPES),
    status: z.enum(MONITOR_STATUSES),
    observed_until: instant(
      'Time until which its status was known. Absent while it is known, pending or paused: only there when checks do not come, or pings are not taken.',
    ).optional(),
    is_paused: z.literal(true).optional().meta({ description: 'Absent when it is not paused.' }),
    maintenance_until: instant(
      'End of the maintenance that covers it now; absent outside of maintenance.',
    ).optional(),
    check_types: z
      .array(z.enum(CHECK_TYPES))
      .optional()
      .meta({ description: 'Absent without any.' }),
    regions: z
      .string()
      .optional()
      .meta({
        description: `Newest result of each region, a letter each, in the order of \`regions\` of the whole answer: ${meaningOf(REGION_LETTERS)}. Absent for heartbeat and cron monitors.`,
      }),
    bar: z
      .string()
      .length(SLOTS)
      .meta({
        description: `The last 24 hours, a letter for each ${SLOT_MINUTES} minutes, the newest one last. The first that applies counts: ${meaningOf(BAR_LETTERS)}.`,
      }),
    incident: incident.optional().meta({
      description:
        'Of its open incidents the one with the greatest severity, then one that nobody acknowledged, then the oldest. Absent without any.',
    }),
  })
  .meta({ id: 'OverviewMonitor', description: 'A monitor in the overview of all.' });

const answer = z
  .object({
    generated_at: time.meta({
      description: 'When this was read. It is sent again for as long as nothing in it changes.',
    }),
    slot_minutes: z.literal(SLOT_MINUTES),
    bar_starts_at: time.meta({ description: 'Beginning of the first slot of the bars.' }),
    regions: z.array(z.string()).meta({ description: 'Codes, in the order of the letters.' }),
    groups: z
      .array(group)
      .meta({ description: 'All groups of the team by `sort_order`, then name.' }),
    monitors: z.array(monitor).meta({ description: 'All monitors of the team by id.' }),
  })
  .meta({ id: 'MonitorOverview', description: 'All monitors of a team in one answer.' });

export const MONITOR_OVERVIEW = {
  summary: 'Get all monitors in one compact answer',
  description:
    'For lists of all monitors: 10,000 are about 300 kB. Fields without a value are left out, and times of monitors are Unix seconds. Status and incidents are at most a second old, changes by people and those that `GET /events` reports show at once, `uptime_90d` and `bar` are at most a minute old. The answer is compressed for clients that accept gzip, and has an `ETag`: with `If-None-Match` it is 304 while nothing changed.',
  answer,
  isPrepared: true,
  example: {
    answer: {
      generated_at: '2030-01-01T00:00:00.000Z',
      slot_minutes: SLOT_MINUTES,
      bar_starts_at: '2029-12-31T00:30:00.000Z',
      regions: ['ash', 'pdx', 'nbg', 'sin'],
      groups: [{ id: 1, name: 'Shop' }],
      monitors: [
        {
          id: 1,
          name: 'Shop',
          target: 'shop.example.com/health',
          since: 1_893_455_100,
          response_ms: 142,
          uptime_90d: 99.988,
          observed_90d: 98.2,
          tags: ['prod'],
          type: 'http',
          status: 'offline',
          maintenance_until: 1_893_459_600,
          check_types: ['ssl'],
          regions: 'ddu-',
          bar: `${'u'.repeat(SLOTS - 1)}m`,
          incident: {
            id: 1,
            severity: 'critical',
            cause: 'HTTP 503 Service Unavailable',
            since: 1_893_455_100,
            open: 1,
          },
        },
        {
          id: 2,
          name: 'Backup',
          since: 1_890_777_600,
          uptime_90d: 100,
          group_id: 1,
          last_ping_at: 1_893_380_400,
          next_expected_at: 1_893_466_800,
          last_duration: 312.4,
          schedule: { cron: '0 3 * * *', timezone: 'UTC' },
          type: 'cron',
          status: 'online',
          bar: 'u'.repeat(SLOTS),
        },
      ],
    },
  },
};
