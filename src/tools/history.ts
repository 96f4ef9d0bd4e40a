import { z } from 'zod';
import { PING_KINDS, type PingKind } from '../model/heartbeat.ts';
import { time } from './common.ts';
import { timings, viewTimings, type Timings } from './checks.ts';
import { MONITOR_PATH } from './monitors.ts';
import { cut } from './shorten.ts';
import { fromTarget, targetText } from './target-text.ts';
import { listTool, viewTool, type Tool, type View } from './tool.ts';

const total = z.int().optional();

/** Uptime of a period as the API answers it. */
interface FiguresAnswer {
  from: string;
  to: string;
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

interface UptimeAnswer extends FiguresAnswer {
  monitor_id: number;
  /** The figures as recorded, where corrections apply. */
  uncorrected: FiguresAnswer | null;
  /** With `interval`, in the order of time. */
  data?: FiguresAnswer[];
}

const percent = z.number().nullable();
const milliseconds = z.number().nullable();

const shortFigures = {
  uptime_percent: percent.meta({ description: 'Null when nothing was observed.' }),
  observed_percent: percent.meta({ description: 'Share of the period that was measured.' }),
  down_seconds: z.number(),
  incidents: z.int(),
  response_time_p95_ms: milliseconds,
};

const uptimeHistory = z.object({
  monitor_id: z.int(),
  from: time,
  to: time,
  ...shortFigures,
  response_time_p50_ms: milliseconds,
  response_time_p99_ms: milliseconds,
  degraded_seconds: z.number().optional(),
  excluded_seconds: z.number().optional().meta({ description: 'Down during maintenance.' }),
  unobserved_seconds: z.number().optional(),
  mttr_seconds: z.number().nullable().optional().meta({ description: 'Mean time to recovery.' }),
  mtbf_seconds: z
    .number()
    .nullable()
    .optional()
    .meta({ description: 'Mean time between failures.' }),
  uncorrected_uptime_percent: percent
    .optional()
    .meta({ description: 'As recorded; present where people corrected the period.' }),
  intervals: z
    .array(z.object({ from: time, ...shortFigures }))
    .optional()
    .meta({ description: 'Each UTC hour or day, the newest first.' }),
  intervals_total: total,
});

/** Intervals that count as one item of a list, since they are short: a month of days fits. */
const INTERVALS_PER_ITEM = 4;

function viewUptime(answer: UptimeAnswer, view: View): z.input<typeof uptimeHistory> {
  const { response_time: times, data, uncorrected } = answer;
  const intervals = data?.toReversed().map((one) => ({ from: one.from, ...shortOf(one) }));
  return {
    monitor_id: answer.monitor_id,
    from: answer.from,
    to: answer.to,
    ...shortOf(answer),
    response_time_p50_ms: times.p50,
    response_time_p99_ms: times.p99,
    ...(view.detail && {
      degraded_seconds: answer.degraded_seconds,
      excluded_seconds: answer.excluded_seconds,
      unobserved_seconds: answer.unobserved_seconds,
      mttr_seconds: answer.mttr_seconds,
      mtbf_seconds: answer.mtbf_seconds,
    }),
    ...(uncorrected && { uncorrected_uptime_percent: uncorrected.uptime_percent }),
    ...(intervals && cut('intervals', intervals, view.itemLimit * INTERVALS_PER_ITEM)),
  };
}

function shortOf(figures: FiguresAnswer) {
  return {
    uptime_percent: figures.uptime_percent,
    observed_percent: figures.observed_percent,
    down_seconds: figures.down_seconds,
    incidents: figures.incidents,
    response_time_p95_ms: figures.response_time.p95,
  };
}

const VOTES = ['up', 'down', 'unknown'] as const;
const RESULT_KINDS = ['voted', 'stale', 'manual'] as const;

interface ResultAnswer {
  region: string;
  checked_at: string;
  kind: (typeof RESULT_KINDS)[number];
  vote: (typeof VOTES)[number];
  response_time: number | null;
  status_code: number | null;
  error: string | null;
  failure_code: string | null;
  remote_address: string | null;
  timings: Timings;
}

const checkResult = z.object({
  checked_at: time,
  region: z.string(),
  vote: z
    .enum(VOTES)
    .meta({ description: 'unknown: Tocsin itself could not check; says nothing of the target.' }),
  kind: z.enum(RESULT_KINDS).meta({ description: 'Only voted ones count for the status.' }),
  response_time_ms: milliseconds,
  status_code: z.int().nullable(),
  error: targetText.nullable(),
  failure_code: z.string().nullable().optional(),
  remote_address: z.string().nullable().optional(),
  timings: timings.optional(),
});

function viewResult(answer: ResultAnswer, view: View): z.input<typeof checkResult> {
  return {
    checked_at: answer.checked_at,
    region: answer.region,
    vote: answer.vote,
    kind: answer.kind,
    response_time_ms: answer.response_time,
    status_code: answer.status_code,
    error: fromTarget(answer.error, view.textLimit),
    ...(view.detail && {
      failure_code: answer.failure_code,
      remote_address: answer.remote_address,
      timings: viewTimings(answer.timings),
    }),
  };
}

interface PingAnswer {
  id: number;
  kind: PingKind;
  received_at: string;
  duration_ms: number | null;
  exit_code: number | null;
  run_id: string | null;
  source_address: string;
  user_agent: string | null;
  body: string | null;
}

const ping = z.object({
  id: z.int().meta({ description: 'Counted per monitor from 1.' }),
  kind: z.enum(PING_KINDS),
  received_at: time,
  duration_ms: z.int().nullable(),
  exit_code: z.int().nullable(),
  body: targetText.nullable(),
  run_id: targetText.nullable().optional(),
  source_address: z.string().optional(),
  user_agent: targetText.nullable().optional(),
});

function viewPing(answer: PingAnswer, view: View): z.input<typeof ping> {
  const { textLimit, detail } = view;
  return {
    id: answer.id,
    kind: answer.kind,
    received_at: answer.received_at,
    duration_ms: answer.duration_ms,
    exit_code: answer.exit_code,
    body: fromTarget(answer.body, textLimit),
    ...(detail && {
      run_id: fromTarget(answer.run_id, textLimit),
      source_address: answer.source_address,
      user_agent: fromTarget(answer.user_agent, textLimit),
    }),
  };
}

export const HISTORY_TOOLS: readonly Tool[] = [
  viewTool({
    name: 'get_uptime_history',
    operation: 'getMonitorUptime',
    description:
      'Uptime of one monitor in a period of at most 400 days, by default the last 30: percent up of the observed time, observed share, seconds down, and percentiles of response times in milliseconds. With interval, also by hour or day, the newest first.',
    path: MONITOR_PATH,
    hasDetail: true,
    output: uptimeHistory,
    view: viewUptime,
    summary: ({ monitor_id: id, from, to, uptime_percent: up, observed_percent: observed }) =>
      `Monitor ${id} from ${from} to ${to}: ${up === null ? 'nothing was observed' : `${up} % up, ${observed} % observed`}.`,
  }),
  listTool({
    name: 'list_check_results',
    operation: 'listMonitorResults',
    title: 'List check results',
    description:
      'Lists the results of single checks of a monitor by region, newest first, with response times in milliseconds; by default of the last 24 hours. They are kept for days only: use get_uptime_history for longer periods, list_pings for heartbeat and cron.',
    path: MONITOR_PATH,
    hasDetail: true,
    items: 'results',
    item: checkResult,
    viewItem: viewResult,
  }),
  listTool({
    name: 'list_pings',
    operation: 'listMonitorPings',
    description:
      'Lists the pings that the job of a heartbeat or cron monitor sent, newest first, with the text that came along; durations in milliseconds.',
    path: MONITOR_PATH,
    hasDetail: true,
    items: 'pings',
    item: ping,
    viewItem: viewPing,
  }),
];
