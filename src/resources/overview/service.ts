import { createGetAttention, type AttentionDeps } from './attention.ts';
import { createListExpirations } from './expirations.ts';
import { createMonitorOverview } from './monitor-overview.ts';
import { createGetUptimeSummary } from './uptime-summary.ts';
import { noun } from '../common/operation.ts';
import { z } from 'zod';
import { SEVERITIES } from '../../model/condition.ts';
import { EXPIRING_KINDS } from '../../store/resources/expirations.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { ATTENTION_KINDS } from './attention-rules.ts';
import {
  attentionQuery,
  expirationsQuery,
  SUMMARY_PERIOD_NAMES,
  uptimeSummaryQuery,
} from './input.ts';
import { MONITOR_OVERVIEW } from './monitor-overview-reference.ts';
import { STANDINGS } from './uptime-rules.ts';

type OverviewDeps = AttentionDeps & Parameters<typeof createMonitorOverview>[0];

/** Reads that answer how the monitors of a team are. */
export function createOverviewService(deps: OverviewDeps) {
  return {
    attention: createGetAttention(deps),
    expirations: createListExpirations(deps),
    uptimeSummary: createGetUptimeSummary(deps),
    monitors: createMonitorOverview(deps),
  };
}

const count = z.int().min(0);
const percent = (description: string) =>
  z.number().min(0).max(100).nullable().meta({ description });
const seconds = (description: string) => z.number().min(0).meta({ description });

const namedMonitor = z
  .object({
    id: z.int().min(1),
    name: z.string().meta({ description: '`friendly_name`, else `url`, else `#` and the id.' }),
    url: z.string().nullable().meta({
      description: 'Null for heartbeat and cron monitors, whose ping URL is a secret.',
    }),
  })
  .meta({ id: 'NamedMonitor', description: 'A monitor that an overview is about.' });

/** Number of monitors of each status. A paused one counts as paused alone. */
const standings = {
  online: count,
  degraded: count,
  offline: count,
  pending: count.meta({ description: 'Without a first verdict.' }),
  paused: count.meta({ description: 'Whatever their status; not counted in the others.' }),
  not_observed: count.meta({
    description:
      'Whatever their last status: their checks do not come, or pings are not taken. Not counted in the others.',
  }),
};

const attentionItem = z
  .object({
    kind: z.enum(ATTENTION_KINDS),
    severity: z.enum(SEVERITIES),
    text: z.string().meta({ description: 'What is wrong, for people.' }),
    since: time.nullable().meta({ description: 'Since when; null when unknown.' }),
    monitor: namedMonitor
      .nullable()
      .meta({ description: 'Null for what concerns no single monitor.' }),
    incident_id: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'Id of the incident; null for other kinds.' }),
    acknowledged_at: time
      .nullable()
      .meta({ description: 'When the incident was acknowledged; null when nobody did.' }),
  })
  .meta({ id: 'AttentionItem', description: 'Something that needs the attention of a person.' });

const attention = z
  .object({
    checked_at: time.meta({ description: 'Time of this answer.' }),
    summary: z.object({
      monitors: count.meta({ description: 'Monitors of the team: the sum of the next six.' }),
      ...standings,
      in_maintenance: count.meta({ description: 'Those that a maintenance window covers now.' }),
    }),
    total: count.meta({ description: 'Number of items, including those beyond `limit`.' }),
    data: z.array(attentionItem),
  })
  .meta({ id: 'Attention', description: 'What needs attention now, most urgent first.' });

const expiration = z
  .object({
    type: z.enum(EXPIRING_KINDS).meta({
      description: 'ssl for a certificate, domain for the registration of a domain.',
    }),
    monitor: namedMonitor,
    target: z.string().meta({ description: 'Host and port, or the registered domain.' }),
    expires_at: time,
    days_left: z.int().meta({
      description: 'Whole days, rounded down; negative when it has expired.',
    }),
    issuer: textOrNull.meta({ description: 'Issuer of the certificate.' }),
    registrar: textOrNull.meta({ description: 'Registrar of the domain.' }),
    checked_at: time.meta({ description: 'When this was last found out.' }),
    threshold_days: z.int().meta({
      description: 'Days before the expiry from which on an incident opens.',
    }),
  })
  .meta({ id: 'Expiration', description: 'A certificate or a registration that expires.' });

const uptimeOfMonitor = z
  .object({
    monitor: namedMonitor,
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
    period: z.enum(SUMMARY_PERIOD_NAMES),
    from: time,
    to: time,
    monitors: count.meta({ description: 'Number of monitors that match.' }),
    monitors_measured: count.meta({
      description:
        'Number of those whose uptime was computed, on which the percentages, `downtime_seconds` and `worst` rest: all, or the 20,000 with the lowest ids.',
    }),
    by_status: z.object(standings).meta({ description: 'Number of monitors by their status now.' }),
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

const SHOP = { id: 1, name: 'Shop', url: 'https://shop.example.com' };
const BACKUP = { id: 2, name: 'Backup', url: null };

export const overview = noun('Overview', createOverviewService, {
  getMonitorOverview: {
    ...MONITOR_OVERVIEW,
    at: 'GET /monitors/overview',
    handle: (its, { caller }) => its.monitors(caller),
  },
  getAttention: {
    at: 'GET /attention',
    summary: 'Get what needs attention now',
    description: [
      'Critical before warning before info, then what nobody has acknowledged, then by kind in this order, then the oldest. It looks at:',
      '- `incident`: open incidents, also those of error budgets that burn too fast, and those of monitors in maintenance.',
      '- `region`: regions without a live probe from which monitors are checked; critical when some of these have no other live region.',
      '- `certificate` and `domain`: those that have expired (critical) or are within the threshold of their monitor while no incident about it is open.',
      '- `not_checked`: monitors that have not been checked, or changed, for three intervals.',
      '- `status_page_domain`: custom domains of status pages whose last verification failed.',
      '- `webhook_endpoint`: endpoints that Tocsin deactivated.',
      '- `channel`: your own notification channels, and for admins the alert channels of the team, whose last 3 attempts or more failed.',
      '- `paused`: monitors that have been paused, and not changed, for more than 7 days.',
    ].join('\n'),
    query: attentionQuery,
    answer: attention,
    example: {
      answer: {
        checked_at: '2030-01-01T00:00:00.000Z',
        summary: {
          monitors: 2,
          online: 0,
          offline: 1,
          degraded: 0,
          pending: 0,
          paused: 1,
          not_observed: 0,
          in_maintenance: 0,
        },
        total: 2,
        data: [
          {
            kind: 'incident',
            severity: 'critical',
            text: 'Shop: HTTP 503 Service Unavailable.',
            since: '2029-12-31T23:45:00.000Z',
            monitor: SHOP,
            incident_id: 1,
            acknowledged_at: null,
          },
          {
            kind: 'paused',
            severity: 'info',
            text: 'Backup is paused, and was last changed on 2029-12-01.',
            since: '2029-12-01T09:00:00.000Z',
            monitor: BACKUP,
            incident_id: null,
            acknowledged_at: null,
          },
        ],
      },
    },
    handle: (its, { caller, query }) => its.attention(caller, query),
  },
  listExpirations: {
    at: 'GET /expirations',
    summary: 'List what expires',
    description:
      'Certificates and registrations of domains of the monitors of the team with these check types, soonest first. A certificate stands by its own date, not by those of its authorities. Left out is what was not found out yet, and domains whose registry publishes no date. A target that several monitors share is listed for each.',
    query: expirationsQuery,
    answer: pageSchema(expiration, 'ExpirationPage'),
    example: {
      answer: pageExample('/expirations', [
        {
          type: 'ssl',
          monitor: SHOP,
          target: 'shop.example.com:443',
          expires_at: '2030-01-13T12:00:00.000Z',
          days_left: 12,
          issuer: 'CN=R11, O=Let’s Encrypt, C=US',
          registrar: null,
          checked_at: '2029-12-31T20:00:00.000Z',
          threshold_days: 14,
        },
      ]),
    },
    handle: (its, { caller, query, address }) => its.expirations(caller, query, address),
  },
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
    handle: (its, { caller, query }) => its.uptimeSummary(caller, query),
  },
});
