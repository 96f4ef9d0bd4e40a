import { results } from '../resources/history/results.ts';
import { targetHistory } from '../resources/history/target-history.ts';
import { uptime } from '../resources/history/uptime.ts';
import { pings } from '../resources/pings.ts';
import { DNS_RECORDS, PHASES } from './checks.ts';
import { MONITOR_PATH } from './monitors.ts';
import { as, cut, detailed, itemsOf, made, part, shown, target, team } from './shown.ts';
import { listTool, viewTool, type Tool } from './tool.ts';

const figures = {
  uptime_percent: true,
  observed_percent: true,
  down_seconds: true,
  incidents: true,
  response_time_p95_ms: as('response_time.p95'),
} as const;

/** Intervals that count as one item of a list, since they are short: a month of days fits. */
const INTERVALS_PER_ITEM = 4;

const uptimeHistory = shown(uptime.operations.getMonitorUptime.answer, {
  monitor_id: true,
  from: true,
  to: true,
  ...figures,
  response_time_p50_ms: as('response_time.p50'),
  response_time_p99_ms: as('response_time.p99'),
  ...detailed({
    degraded_seconds: true,
    excluded_seconds: true,
    unobserved_seconds: true,
    mttr_seconds: true,
    mtbf_seconds: true,
  }),
  uncorrected_uptime_percent: made(({ uncorrected }) => uncorrected?.uptime_percent),
  intervals: cut(
    { from: true, ...figures },
    {
      from: 'data',
      order: (parts) => parts.toReversed(),
      most: ({ itemLimit }) => itemLimit * INTERVALS_PER_ITEM,
    },
  ),
});

const checkResult = shown(itemsOf(results.operations.listMonitorResults.answer), {
  checked_at: true,
  region: true,
  vote: true,
  kind: true,
  response_time_ms: as('response_time'),
  status_code: true,
  error: target(),
  ...detailed({ failure_code: true, remote_address: true, timings: part(PHASES) }),
});

const ping = shown(itemsOf(pings.operations.listMonitorPings.answer), {
  id: true,
  kind: true,
  received_at: true,
  duration_ms: true,
  exit_code: true,
  body: target(),
  ...detailed({ run_id: target(), source_address: true, user_agent: target() }),
});

const recordSet = shown(itemsOf(targetHistory.operations.listMonitorDns.answer), {
  id: true,
  seen_at: true,
  host: team(255),
  source: true,
  records: DNS_RECORDS,
});

const certificate = shown(itemsOf(targetHistory.operations.listMonitorCertificates.answer), {
  id: true,
  seen_at: true,
  subject: target(),
  issuer: target(),
  names: cut(target()),
  valid_from: true,
  valid_to: true,
  error: target(),
  ...detailed({
    fingerprint: true,
    serial_number: target(),
    address: true,
    protocol: true,
    cipher: true,
    key_type: true,
    key_bits: true,
    ocsp_status: true,
    chain: cut({ subject: target(), issuer: target(), valid_to: true }),
  }),
});

export const HISTORY_TOOLS: readonly Tool[] = [
  viewTool({
    name: 'get_uptime_history',
    operation: 'getMonitorUptime',
    description:
      'Uptime of one monitor in a period of at most 400 days, by default the last 30: percent of the observed time, seconds down, response times in ms. With interval also by hour or day.',
    path: MONITOR_PATH,
    hasDetail: true,
    content: uptimeHistory,
    summary: ({ monitor_id: id, from, to, uptime_percent: up, observed_percent: observed }) =>
      `Monitor ${id} from ${from} to ${to}: ${up === null ? 'nothing was observed' : `${up} % up, ${observed} % observed`}.`,
  }),
  listTool({
    name: 'list_check_results',
    operation: 'listMonitorResults',
    title: 'List check results',
    path: MONITOR_PATH,
    hasDetail: true,
    items: 'results',
    item: checkResult,
  }),
  listTool({
    name: 'list_pings',
    operation: 'listMonitorPings',
    path: MONITOR_PATH,
    hasDetail: true,
    item: ping,
  }),
  listTool({
    name: 'list_dns_history',
    operation: 'listMonitorDns',
    path: MONITOR_PATH,
    items: 'record_sets',
    item: recordSet,
  }),
  listTool({
    name: 'list_certificates',
    operation: 'listMonitorCertificates',
    path: MONITOR_PATH,
    hasDetail: true,
    item: certificate,
  }),
  listTool({
    name: 'list_monitor_activities',
    title: 'List changes of DNS records and certificates',
    path: MONITOR_PATH,
    items: 'activities',
    item: shown(itemsOf(targetHistory.operations.listMonitorActivities.answer), {
      id: true,
      type: true,
      description: target(),
      created_at: true,
    }),
  }),
];
