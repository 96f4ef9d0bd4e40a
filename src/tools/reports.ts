import type { z } from 'zod';
import { reportData } from '../resources/reports/data-schema.ts';
import { reports } from '../resources/reports/reports.ts';
import { counted } from './common.ts';
import {
  as,
  count,
  detailed,
  list,
  made,
  part,
  shown,
  shownIf,
  target,
  team,
  type View,
} from './shown.ts';
import { byId, listTool, viewTool, type Tool } from './tool.ts';

const report = shown(reports.answer, {
  id: true,
  name: team(100),
  period: true,
  frequency: true,
  recipients_total: count('recipients'),
  next_mail_at: true,
  is_for_whole_team: made(
    ({ monitors, tags, group_id: groupId }) =>
      monitors.length + tags.length === 0 && groupId === null,
  ),
  ...detailed({
    timezone: true,
    language: true,
    group_id: true,
    monitors_total: count('monitors'),
    monitors: list(true),
    tags_total: count('tags'),
    tags: list(team(50)),
  }),
});

type ReportData = z.output<typeof reportData>;
type Figures = Pick<ReportData['total'], 'uptime_percent' | 'down_seconds'>;

const figures = {
  uptime_percent: true,
  observed_percent: true,
  down_seconds: true,
  incidents: true,
} as const;

const moreFigures = {
  degraded_seconds: true,
  excluded_seconds: true,
  unobserved_seconds: true,
  mttr_seconds: true,
  mtbf_seconds: true,
  response_time_p50_ms: as('response_time.p50'),
  response_time_p95_ms: as('response_time.p95'),
  response_time_p99_ms: as('response_time.p99'),
} as const;

/** Least uptime first, then most downtime; null last. */
const byUptime = <One extends Figures>(all: readonly One[]) =>
  all.toSorted((one, other) => {
    const [first, second] = [one.uptime_percent ?? 101, other.uptime_percent ?? 101];
    return first - second || other.down_seconds - one.down_seconds;
  });

/** Monitors of each list in the compact form. */
const WORST = 5;
const mostMonitors = ({ detail, itemLimit }: View) =>
  detail ? itemLimit : Math.min(itemLimit, WORST);

/** Totals, the worst and the slowest monitors, and with detail more of both, groups, incidents and exclusions; never the days. */
const reportContent = shown(reportData, {
  name: team(100),
  from: true,
  to: true,
  timezone: true,
  is_corrected: as('corrected'),
  total: part<ReportData['total']>({
    monitors_count: true,
    ...figures,
    ...shownIf(() => true, moreFigures),
  }),
  worst_monitors: list<ReportData['monitors'][number]>(
    {
      id: true,
      name: team(80),
      ...figures,
      ...detailed({
        ...moreFigures,
        slo: part({
          target_percent: true,
          window_days: true,
          budget_left_seconds: true,
        }),
      }),
    },
    {
      from: 'monitors',
      order: byUptime,
      most: mostMonitors,
    },
  ),
  slowest_monitors: list<ReportData['monitors'][number]>(
    {
      id: true,
      name: team(80),
      response_time_p95_ms: made(slowness),
    },
    {
      from: 'monitors',
      order: (all) =>
        all
          .filter(({ response_time: { p95 } }) => p95 !== null)
          .toSorted((one, other) => slowness(other) - slowness(one)),
      most: mostMonitors,
    },
  ),
  incidents_total: true,
  exclusions_total: true,
  ...detailed({
    groups_total: count('groups'),
    groups: list<ReportData['groups'][number]>(
      {
        id: true,
        name: team(60),
        monitors_count: true,
        ...figures,
      },
      { order: byUptime },
    ),
    incidents: list({
      id: true,
      monitor_id: true,
      monitor: team(80),
      type: true,
      severity: true,
      root_cause: target(),
      started_at: true,
      ended_at: true,
      duration_seconds: as('seconds_in_period'),
    }),
    exclusions: list(
      { kind: true, reason: team(200), from: true, to: true },
      { order: (all) => all.toReversed() },
    ),
  }),
});

function slowness({ response_time: { p95 } }: ReportData['monitors'][number]): number {
  return p95 ?? 0;
}

function sentenceOfReport({ total, from, to }: ReturnType<typeof reportContent.view>): string {
  const { monitors_count: monitors, uptime_percent: uptime, observed_percent: observed } = total;
  const figure =
    uptime === null
      ? 'nothing was observed'
      : `uptime ${uptime} % with ${observed} % of the time observed, ${total.down_seconds} s down, ${counted(total.incidents, 'outage')}`;
  return `${counted(monitors, 'monitor')} from ${from} to ${to}: ${figure}.`;
}

const FILES = ['format', 'delimiter'];

export const REPORT_TOOLS: readonly Tool[] = [
  listTool({
    name: 'list_reports',
    hiddenQuery: ['sort', 'direction'],
    hasDetail: true,
    item: report,
  }),
  viewTool({
    name: 'get_uptime_report',
    title: 'Get an uptime report',
    description:
      'Uptime, downtime, incidents and response times of up to 400 days (the last 30 by default) for some monitors, a group, tags or all: totals, the worst and the slowest; with detail more.',
    hiddenQuery: [...FILES, 'language'],
    hasDetail: true,
    content: reportContent,
    summary: sentenceOfReport,
  }),
  viewTool({
    name: 'get_report_data',
    description: 'The figures of a saved report, for its own period or another one.',
    path: byId('report_id'),
    hiddenQuery: FILES,
    hasDetail: true,
    content: reportContent,
    summary: sentenceOfReport,
  }),
];
