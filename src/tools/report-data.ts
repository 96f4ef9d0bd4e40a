import { z } from 'zod';
import { SEVERITIES, type Severity } from '../model/condition.ts';
import { CORRECTION_KINDS, type CorrectionKind } from '../model/correction.ts';
import { counted, time } from './common.ts';
import { fromTarget, fromTeam, targetText } from './target-text.ts';
import type { View } from './tool.ts';

/** What tools read of the data of a report as the API answers it. */
export interface ReportDataAnswer {
  name: string | null;
  from: string;
  to: string;
  timezone: string;
  corrected: boolean;
  total: FiguresAnswer & { monitors_count: number };
  groups: (FiguresAnswer & { id: number; name: string; monitors_count: number })[];
  monitors: (FiguresAnswer & { id: number; name: string; slo: ObjectiveAnswer | null })[];
  incidents_total: number;
  incidents: IncidentAnswer[];
  exclusions_total: number;
  exclusions: ExclusionAnswer[];
}

interface FiguresAnswer {
  uptime_percent: number | null;
  observed_percent: number | null;
  down_seconds: number;
  degraded_seconds: number;
  excluded_seconds: number;
  unobserved_seconds: number;
  incidents: number;
  mttr_seconds: number | null;
  mtbf_seconds: number | null;
  response_time: { p50: number | null; p95: number | null; p99: number | null };
}

interface ObjectiveAnswer {
  target_percent: number;
  window_days: number;
  budget_left_seconds: number;
}

interface IncidentAnswer {
  id: number;
  monitor_id: number;
  monitor: string;
  type: string;
  severity: Severity;
  root_cause: string | null;
  started_at: string;
  ended_at: string | null;
  seconds_in_period: number;
}

interface ExclusionAnswer {
  kind: CorrectionKind;
  reason: string;
  from: string;
  to: string;
}

const percent = z.number().nullable();
const milliseconds = z.number().nullable().optional();

const figures = z.object({
  uptime_percent: percent,
  observed_percent: percent,
  down_seconds: z.number(),
  incidents: z.int().meta({ description: 'Number of outages.' }),
  degraded_seconds: z.number().optional(),
  excluded_seconds: z.number().optional().meta({
    description: 'Downtime in maintenance windows, or excluded by a correction.',
  }),
  unobserved_seconds: z.number().optional(),
  mttr_seconds: z.int().nullable().optional(),
  mtbf_seconds: z.int().nullable().optional(),
  response_time_p50_ms: milliseconds,
  response_time_p95_ms: milliseconds,
  response_time_p99_ms: milliseconds,
});

const monitor = figures.extend({
  id: z.int(),
  name: z.string(),
  slo: z
    .object({
      target_percent: z.number(),
      window_days: z.int(),
      budget_left_seconds: z.int().meta({ description: 'Negative when it is exceeded.' }),
    })
    .nullable()
    .optional(),
});

const slowMonitor = z.object({
  id: z.int(),
  name: z.string(),
  response_time_p95_ms: z.number(),
});

const group = figures.extend({ id: z.int(), name: z.string(), monitors_count: z.int() });

const incident = z.object({
  id: z.int(),
  monitor_id: z.int(),
  monitor: z.string(),
  type: z.string(),
  severity: z.enum(SEVERITIES),
  root_cause: targetText.nullable(),
  started_at: time,
  ended_at: time.nullable(),
  duration_seconds: z.number().meta({ description: 'In the period, as far as it was observed.' }),
});

const exclusion = z.object({
  kind: z.enum(CORRECTION_KINDS),
  reason: z.string(),
  from: time,
  to: time,
});

/** Content of tools about the data of a report. */
export const REPORT_DATA = z.object({
  name: z.string().nullable().meta({ description: 'Of a saved report.' }),
  from: time,
  to: time,
  timezone: z.string(),
  is_corrected: z.boolean().meta({ description: 'Whether corrections apply to the figures.' }),
  total: figures.extend({ monitors_count: z.int() }),
  worst_monitors: z.array(monitor).meta({
    description: 'By the least uptime, then the most downtime; what was not observed comes last.',
  }),
  slowest_monitors: z.array(slowMonitor).meta({
    description: 'By the 95th percentile of their response times, the slowest first.',
  }),
  incidents_total: z.int(),
  exclusions_total: z.int().meta({
    description: 'Number of maintenance windows and corrections in the period.',
  }),
  groups_total: z.int().optional(),
  groups: z.array(group).optional().meta({ description: 'By the least uptime.' }),
  incidents: z.array(incident).optional().meta({ description: 'Newest first.' }),
  exclusions: z.array(exclusion).optional().meta({ description: 'Newest first.' }),
});

/** Monitors of each list in the compact form. */
const WORST = 5;

/** Shows totals, the worst and the slowest monitors, and with detail more of both, groups, incidents and exclusions; never the days. */
export function viewReportData(answer: ReportDataAnswer, view: View): z.input<typeof REPORT_DATA> {
  const { total, groups, monitors, incidents, exclusions } = answer;
  const { detail, itemLimit } = view;
  const most = detail ? itemLimit : Math.min(itemLimit, WORST);
  return {
    name: fromTeam(answer.name, 100),
    from: answer.from,
    to: answer.to,
    timezone: answer.timezone,
    is_corrected: answer.corrected,
    total: { monitors_count: total.monitors_count, ...viewFigures(total, true) },
    worst_monitors: monitors
      .toSorted(byUptime)
      .slice(0, most)
      .map((one) => viewMonitor(one, detail)),
    slowest_monitors: slowest(monitors).slice(0, most),
    incidents_total: answer.incidents_total,
    exclusions_total: answer.exclusions_total,
    ...(detail && {
      groups_total: groups.length,
      groups: groups
        .toSorted(byUptime)
        .slice(0, itemLimit)
        .map((one) => viewGroup(one)),
      incidents: incidents.slice(0, itemLimit).map((one) => viewIncident(one, view)),
      exclusions: exclusions.toReversed().slice(0, itemLimit).map(viewExclusion),
    }),
  };
}

export function sentenceOfReport({ total, from, to }: z.output<typeof REPORT_DATA>): string {
  const { monitors_count: monitors, uptime_percent: uptime, observed_percent: observed } = total;
  const figure =
    uptime === null
      ? 'nothing was observed'
      : `uptime ${uptime} % with ${observed} % of the time observed, ${total.down_seconds} s down, ${counted(total.incidents, 'outage')}`;
  return `${counted(monitors, 'monitor')} from ${from} to ${to}: ${figure}.`;
}

/** Least uptime first, then most downtime; null last. */
function byUptime(one: FiguresAnswer, other: FiguresAnswer): number {
  const [first, second] = [one.uptime_percent ?? 101, other.uptime_percent ?? 101];
  return first - second || other.down_seconds - one.down_seconds;
}

/** Monitors with response times, the slowest first. */
function slowest(monitors: ReportDataAnswer['monitors']): z.input<typeof slowMonitor>[] {
  return monitors
    .flatMap(({ id, name, response_time: { p95 } }) =>
      p95 === null ? [] : { id, name: fromTeam(name, 80), response_time_p95_ms: p95 },
    )
    .toSorted((one, other) => other.response_time_p95_ms - one.response_time_p95_ms);
}

function viewFigures(answer: FiguresAnswer, isFull: boolean): z.input<typeof figures> {
  return {
    uptime_percent: answer.uptime_percent,
    observed_percent: answer.observed_percent,
    down_seconds: answer.down_seconds,
    incidents: answer.incidents,
    ...(isFull && {
      degraded_seconds: answer.degraded_seconds,
      excluded_seconds: answer.excluded_seconds,
      unobserved_seconds: answer.unobserved_seconds,
      mttr_seconds: answer.mttr_seconds,
      mtbf_seconds: answer.mtbf_seconds,
      response_time_p50_ms: answer.response_time.p50,
      response_time_p95_ms: answer.response_time.p95,
      response_time_p99_ms: answer.response_time.p99,
    }),
  };
}

function viewMonitor(
  answer: ReportDataAnswer['monitors'][number],
  detail: boolean,
): z.input<typeof monitor> {
  const { id, name, slo } = answer;
  return {
    id,
    name: fromTeam(name, 80),
    ...viewFigures(answer, detail),
    ...(detail && {
      slo: slo && {
        target_percent: slo.target_percent,
        window_days: slo.window_days,
        budget_left_seconds: slo.budget_left_seconds,
      },
    }),
  };
}

function viewGroup(answer: ReportDataAnswer['groups'][number]): z.input<typeof group> {
  return {
    id: answer.id,
    name: fromTeam(answer.name, 60),
    monitors_count: answer.monitors_count,
    ...viewFigures(answer, false),
  };
}

function viewIncident(answer: IncidentAnswer, { textLimit }: View): z.input<typeof incident> {
  return {
    id: answer.id,
    monitor_id: answer.monitor_id,
    monitor: fromTeam(answer.monitor, 80),
    type: answer.type,
    severity: answer.severity,
    root_cause: fromTarget(answer.root_cause, textLimit),
    started_at: answer.started_at,
    ended_at: answer.ended_at,
    duration_seconds: answer.seconds_in_period,
  };
}

function viewExclusion(answer: ExclusionAnswer): z.input<typeof exclusion> {
  return {
    kind: answer.kind,
    reason: fromTeam(answer.reason, 200),
    from: answer.from,
    to: answer.to,
  };
}
