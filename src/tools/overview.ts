import type { z } from 'zod';
import { getAttention as attentionNoun } from '../resources/overview/attention.ts';
import { listExpirations as expirationsNoun } from '../resources/overview/expirations.ts';
import { getUptimeSummary as summaryNoun } from '../resources/overview/uptime-summary.ts';
import { counted, nameOf, shownUrl } from './common.ts';
import { as, itemsOf, list, made, part, shown, team } from './shown.ts';
import { fromTarget } from './target-text.ts';
import { listTool, viewTool, type Tool } from './tool.ts';

const { getAttention } = attentionNoun.operations;
const { listExpirations } = expirationsNoun.operations;
const { getUptimeSummary } = summaryNoun.operations;

/** A monitor in an overview: `name` is what people call it, else its URL. */
interface MonitorAnswer {
  name: string;
  url: string | null;
}

/** Name of a monitor, without what may be a secret where the name is its URL. */
function calledName({ name: called, url }: MonitorAnswer): string {
  return nameOf({ friendly_name: called === url ? null : called, url });
}

const named = made(({ monitor }: { monitor: MonitorAnswer }) => calledName(monitor));

const standings = {
  online: true,
  degraded: true,
  offline: true,
  pending: true,
  paused: true,
  not_observed: true,
} as const;

const attention = shown(getAttention.answer, {
  checked_at: true,
  monitors: as<number>('summary.monitors'),
  by_status: part<Standings>(standings, { from: 'summary' }),
  in_maintenance: as('summary.in_maintenance'),
  total: true,
  items: list<z.output<typeof getAttention.answer>['data'][number]>(
    {
      kind: true,
      severity: true,
      text: made(
        // The sentence names the monitor as the API does, which can be by its whole URL.
        ({ text, monitor }, { textLimit }) =>
          fromTarget(
            monitor === null ? text : text.replaceAll(monitor.name, () => calledName(monitor)),
            textLimit,
          ),
      ),
      since: true,
      monitor_id: as('monitor.id'),
      monitor: made(({ monitor }) => monitor && calledName(monitor)),
      incident_id: true,
      acknowledged_at: true,
    },
    { from: 'data' },
  ),
});

type Standings = z.output<typeof getUptimeSummary.answer>['by_status'];

const expiration = shown(itemsOf(listExpirations.answer), {
  type: true,
  monitor_id: as('monitor.id'),
  monitor: named,
  target: team(260),
  expires_at: true,
  days_left: true,
  threshold_days: true,
  issued_by: made(({ issuer, registrar }, { textLimit }) =>
    fromTarget(issuer ?? registrar, textLimit),
  ),
  checked_at: true,
});

const uptimeSummary = shown(getUptimeSummary.answer, {
  period: true,
  from: true,
  to: true,
  monitors: true,
  monitors_measured: true,
  by_status: part(standings),
  incidents: true,
  open_incidents: true,
  uptime_percent: true,
  observed_percent: true,
  downtime_seconds: true,
  worst_monitors: list(
    {
      monitor_id: as('monitor.id'),
      monitor: named,
      url: made(({ monitor }: { monitor: MonitorAnswer }) => shownUrl(monitor.url)),
      status: true,
      uptime_percent: true,
      observed_percent: true,
      downtime_seconds: true,
      incidents: true,
    },
    { from: 'worst' },
  ),
});

export const OVERVIEW_TOOLS: readonly Tool[] = [
  viewTool({
    name: 'get_attention',
    description:
      'What is wrong, or is all well? Counts of monitors by status, and what needs attention now, most urgent first. Start here.',
    hiddenQuery: ['limit'],
    content: attention,
    summary: ({ monitors, by_status: by, total }) =>
      `${counted(monitors, 'monitor')}: ${by.online} online, ${by.degraded} degraded, ${by.offline} offline, ${by.pending} pending, ${by.paused} paused, ${by.not_observed} not observed. ${
        total === 0 ? 'Nothing needs attention.' : `${counted(total, 'thing')} to look at.`
      }`,
  }),
  viewTool({
    name: 'get_uptime_summary',
    title: 'Get an uptime summary',
    description:
      'How are we doing? Uptime, downtime and incidents of all monitors, a group or a tag over the last 24 hours, 7 or 30 days, with the 10 worst. Other periods: get_uptime_report; one monitor: get_uptime_history.',
    hiddenQuery: ['limit'],
    content: uptimeSummary,
    summary: ({ period, monitors, uptime_percent: uptime, observed_percent: observed, ...rest }) =>
      `${counted(monitors, 'monitor')}, ${period.replaceAll('_', ' ')}: ${
        uptime === null
          ? 'nothing was observed'
          : `uptime ${uptime} %, observed ${observed} % of the time`
      }, ${counted(rest.incidents, 'incident')}, ${rest.open_incidents} open now.`,
  }),
  listTool({
    name: 'list_expirations',
    description:
      'Lists TLS certificates and domains that expire within some days or have expired, soonest first.',
    item: expiration,
  }),
];
