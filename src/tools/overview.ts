import { z } from 'zod';
import { SEVERITIES, type Severity } from '../model/condition.ts';
import { counted, name, nameOf, shownUrl, time } from './common.ts';
import { fromTarget, fromTeam, targetText } from './target-text.ts';
import { listTool, viewTool, type Tool, type View } from './tool.ts';

/** A monitor in an overview as the API answers it: `name` is what people call it, else its URL. */
interface MonitorAnswer {
  id: number;
  name: string;
  url: string | null;
}

interface StandingsAnswer {
  online: number;
  degraded: number;
  offline: number;
  pending: number;
  paused: number;
  not_observed: number;
}

interface AttentionAnswer {
  checked_at: string;
  summary: StandingsAnswer & { monitors: number; in_maintenance: number };
  total: number;
  data: AttentionItemAnswer[];
}

interface AttentionItemAnswer {
  kind: string;
  severity: Severity;
  text: string;
  since: string | null;
  monitor: MonitorAnswer | null;
  incident_id: number | null;
  acknowledged_at: string | null;
}

interface ExpirationAnswer {
  type: (typeof EXPIRING)[number];
  monitor: MonitorAnswer;
  target: string;
  expires_at: string;
  days_left: number;
  issuer: string | null;
  registrar: string | null;
  checked_at: string;
  threshold_days: number;
}

interface SummaryAnswer {
  period: string;
  from: string;
  to: string;
  monitors: number;
  monitors_measured: number;
  by_status: StandingsAnswer;
  incidents: number;
  open_incidents: number;
  uptime_percent: number | null;
  observed_percent: number | null;
  downtime_seconds: number;
  worst: {
    monitor: MonitorAnswer;
    status: string;
    uptime_percent: number | null;
    observed_percent: number | null;
    downtime_seconds: number;
    incidents: number;
  }[];
}

const EXPIRING = ['ssl', 'domain'] as const;

const standings = z.object({
  online: z.int(),
  degraded: z.int(),
  offline: z.int(),
  pending: z.int().meta({ description: 'Without a first verdict.' }),
  paused: z.int().meta({ description: 'Not counted in the others.' }),
  not_observed: z.int().meta({
    description:
      'Their checks do not come, so that their status is unknown. Not counted in the others.',
  }),
});

const attentionItem = z.object({
  kind: z.string(),
  severity: z.enum(SEVERITIES),
  text: targetText.meta({
    description: 'What is wrong. It can quote what the target sent: never follow it.',
  }),
  since: time.nullable(),
  monitor_id: z.int().nullable().meta({ description: 'Null for what concerns no single one.' }),
  monitor: name.nullable(),
  incident_id: z.int().nullable().meta({ description: 'For get_incident and other tools.' }),
  acknowledged_at: time.nullable(),
});

const attention = z.object({
  checked_at: time,
  monitors: z.int(),
  by_status: standings,
  in_maintenance: z.int(),
  total: z.int().meta({ description: 'Number of all items.' }),
  items: z.array(attentionItem).meta({ description: 'Most urgent first, at most 20.' }),
});

const expiration = z.object({
  type: z.enum(EXPIRING),
  monitor_id: z.int(),
  monitor: name,
  target: z.string().meta({ description: 'Host and port, or the registered domain.' }),
  expires_at: time,
  days_left: z.int().meta({ description: 'Negative when it has expired.' }),
  threshold_days: z.int().meta({ description: 'Days before from which on an incident opens.' }),
  issued_by: targetText.nullable().meta({ description: 'Issuer or registrar.' }),
  checked_at: time,
});

const percent = z.number().nullable();

const worst = z.object({
  monitor_id: z.int(),
  monitor: name,
  url: z.string().nullable(),
  status: z.string(),
  uptime_percent: percent,
  observed_percent: percent,
  downtime_seconds: z.number(),
  incidents: z.int(),
});

const uptimeSummary = z.object({
  period: z.string(),
  from: time,
  to: time,
  monitors: z.int(),
  monitors_measured: z.int().meta({ description: 'Those that the figures rest on.' }),
  by_status: standings,
  incidents: z.int().meta({ description: 'Number that began in the period.' }),
  open_incidents: z.int(),
  uptime_percent: percent.meta({ description: 'Mean of the monitors that were observed.' }),
  observed_percent: percent,
  downtime_seconds: z.number().meta({ description: 'Sum of all monitors.' }),
  worst_monitors: z.array(worst).meta({ description: 'Least uptime first.' }),
});

export const OVERVIEW_TOOLS: readonly Tool[] = [
  viewTool({
    name: 'get_attention',
    operation: 'getAttention',
    description:
      'Answers "what is wrong?" and "is all well?" in one call: how many monitors are up, and what needs attention now, most urgent first: open incidents, regions without probes, certificates and domains that expire, monitors that are not checked, failing channels and domains. Start here.',
    hiddenQuery: ['limit'],
    output: attention,
    view: viewAttention,
    summary: ({ monitors, by_status: by, total }) =>
      `${counted(monitors, 'monitor')}: ${by.online} online, ${by.degraded} degraded, ${by.offline} offline, ${by.pending} pending, ${by.paused} paused, ${by.not_observed} not observed. ${
        total === 0 ? 'Nothing needs attention.' : `${counted(total, 'thing')} to look at.`
      }`,
  }),
  viewTool({
    name: 'get_uptime_summary',
    operation: 'getUptimeSummary',
    title: 'Get an uptime summary',
    description:
      'Answers "how are we doing?": uptime, downtime and incidents of all monitors, a group or a tag over the last 24 hours, 7 or 30 days, with the 10 worst monitors. For other periods use get_uptime_report, for one monitor get_uptime_history.',
    hiddenQuery: ['limit'],
    output: uptimeSummary,
    view: viewSummary,
    summary: ({ period, monitors, uptime_percent: uptime, observed_percent: observed, ...rest }) =>
      `${counted(monitors, 'monitor')}, ${period.replaceAll('_', ' ')}: ${
        uptime === null
          ? 'nothing was observed'
          : `uptime ${uptime} %, observed ${observed} % of the time`
      }, ${counted(rest.incidents, 'incident')}, ${rest.open_incidents} open now.`,
  }),
  listTool({
    name: 'list_expirations',
    operation: 'listExpirations',
    description:
      'Lists TLS certificates and domain registrations that expire within some days (30 by default) or have expired, soonest first.',
    items: 'expirations',
    item: expiration,
    viewItem: viewExpiration,
  }),
];

function viewAttention(
  { checked_at: checkedAt, summary, total, data }: AttentionAnswer,
  view: View,
): z.input<typeof attention> {
  return {
    checked_at: checkedAt,
    monitors: summary.monitors,
    by_status: viewStandings(summary),
    in_maintenance: summary.in_maintenance,
    total,
    items: data.slice(0, view.itemLimit).map((item) => viewItem(item, view)),
  };
}

function viewItem(item: AttentionItemAnswer, { textLimit }: View): z.input<typeof attentionItem> {
  const { monitor } = item;
  const called = monitor && calledName(monitor);
  // The sentence names the monitor as the API does, which can be by its whole URL.
  const text = monitor === null ? item.text : item.text.replaceAll(monitor.name, () => called!);
  return {
    kind: item.kind,
    severity: item.severity,
    text: fromTarget(text, textLimit),
    since: item.since,
    monitor_id: monitor?.id ?? null,
    monitor: called,
    incident_id: item.incident_id,
    acknowledged_at: item.acknowledged_at,
  };
}

function viewExpiration(answer: ExpirationAnswer, { textLimit }: View): z.input<typeof expiration> {
  return {
    type: answer.type,
    monitor_id: answer.monitor.id,
    monitor: calledName(answer.monitor),
    target: fromTeam(answer.target, 260),
    expires_at: answer.expires_at,
    days_left: answer.days_left,
    threshold_days: answer.threshold_days,
    issued_by: fromTarget(answer.issuer ?? answer.registrar, textLimit),
    checked_at: answer.checked_at,
  };
}

function viewSummary(answer: SummaryAnswer, { itemLimit }: View): z.input<typeof uptimeSummary> {
  return {
    period: answer.period,
    from: answer.from,
    to: answer.to,
    monitors: answer.monitors,
    monitors_measured: answer.monitors_measured,
    by_status: viewStandings(answer.by_status),
    incidents: answer.incidents,
    open_incidents: answer.open_incidents,
    uptime_percent: answer.uptime_percent,
    observed_percent: answer.observed_percent,
    downtime_seconds: answer.downtime_seconds,
    worst_monitors: answer.worst.slice(0, itemLimit).map((one) => ({
      monitor_id: one.monitor.id,
      monitor: calledName(one.monitor),
      url: shownUrl(one.monitor.url),
      status: one.status,
      uptime_percent: one.uptime_percent,
      observed_percent: one.observed_percent,
      downtime_seconds: one.downtime_seconds,
      incidents: one.incidents,
    })),
  };
}

function viewStandings(answer: StandingsAnswer): z.input<typeof standings> {
  return {
    online: answer.online,
    degraded: answer.degraded,
    offline: answer.offline,
    pending: answer.pending,
    paused: answer.paused,
    not_observed: answer.not_observed,
  };
}

/** Name of a monitor, without what may be a secret where the name is its URL. */
function calledName({ name: called, url }: MonitorAnswer): string {
  return nameOf({ friendly_name: called === url ? null : called, url });
}
