import { intervalMsOf } from '../engine/schedule/request.ts';
import { MONITOR_METRICS, type MonitorMetricName } from '../lib/metric-table.ts';
import type { SslFacts } from '../model/inspection.ts';
import { endOfCover, unobservedSince } from '../model/observation.ts';
import type { NewestResult } from '../model/state.ts';
import type { Database } from '../store/database/contract.ts';
import { observationOf } from '../store/engine/process-marks.ts';
import { parseNewest } from '../store/engine/monitor-state.ts';
import {
  readCertifiedMonitors,
  readProbedMonitors,
  type CertifiedMonitorRow,
  type ProbedMonitorRow,
  type ProbeFilter,
} from '../store/resources/probe-results.ts';

const PAGE = 1_000;

/**
 * Writes the metrics of all monitors that are not paused, in the text format of Prometheus, which wants all lines of a
 * metric together. So the monitors are read once for each metric, in pages: memory does not grow with their number.
 */
export async function* monitorMetrics(
  database: Pick<Database, 'scan'>,
  filter: ProbeFilter,
  now: number,
): AsyncGenerator<string, void, void> {
  for (const name of ROUND_METRICS) {
    let text = headOf(name);
    for await (const rows of pages((page) => readProbedMonitors(database.scan, filter, page))) {
      for (const row of rows) text += linesOf(name, row, now);
      yield text;
      text = '';
    }
    if (text !== '') yield text;
  }
  let text = headOf('probe_ssl_earliest_cert_expiry');
  for await (const rows of pages((page) => readCertifiedMonitors(database.scan, filter, page))) {
    for (const row of rows) text += expiryOf(row);
    yield text;
    text = '';
  }
  yield text;
}

const ROUND_METRICS = [
  'tocsin_monitor_up',
  'tocsin_monitor_observed',
  'tocsin_monitor_last_checked_timestamp_seconds',
  'probe_success',
  'probe_duration_seconds',
  'probe_http_status_code',
] as const;
type RoundMetric = (typeof ROUND_METRICS)[number];

async function* pages<Row extends { id: number }>(
  read: (page: { after: number; limit: number }) => Promise<Row[]>,
): AsyncGenerator<Row[], void, void> {
  for (let after = 0; ;) {
    const rows = await read({ after, limit: PAGE });
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.id;
  }
}

function headOf(name: MonitorMetricName): string {
  const { help, type } = MONITOR_METRICS[name];
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
}

function linesOf(name: RoundMetric, row: ProbedMonitorRow, now: number): string {
  const labels = labelsOf(row);
  const monitor = observationOf(row);
  const isObserved = unobservedSince(monitor, now) === null;
  if (name === 'tocsin_monitor_up') {
    if (row.status === 'pending' || !isObserved) return '';
    return `${name}{${labels}} ${row.status === 'offline' ? 0 : 1}\n`;
  }
  if (name === 'tocsin_monitor_observed')
    return row.status === 'pending' ? '' : `${name}{${labels}} ${isObserved ? 1 : 0}\n`;
  if (name === 'tocsin_monitor_last_checked_timestamp_seconds') {
    return row.lastCheckedAt === null ? '' : `${name}{${labels}} ${row.lastCheckedAt / 1_000}\n`;
  }
  if (row.newest === '{}' || row.check_interval === null) return '';
  const intervalMs = intervalMsOf(row.check_interval);
  let lines = '';
  for (const [region, result] of Object.entries(parseNewest(row.newest))) {
    // A region says nothing of now once its result is as old as the verdict of a monitor that is not observed.
    const observedUntil = endOfCover(result.checkedAt, intervalMs);
    const isCurrent = unobservedSince({ ...monitor, observedUntil }, now) === null;
    const value = isCurrent ? valueOf(name, result) : null;
    if (value !== null) lines += `${name}{${labels},region="${escapeLabel(region)}"} ${value}\n`;
  }
  return lines;
}

function valueOf(
  name: 'probe_success' | 'probe_duration_seconds' | 'probe_http_status_code',
  { failure, responseTimeMs, statusCode }: NewestResult,
): number | null {
  if (name === 'probe_success') return failure === null ? 1 : 0;
  if (name === 'probe_http_status_code') return statusCode;
  return responseTimeMs === null ? null : Math.round(responseTimeMs * 1_000) / 1_000_000;
}

function expiryOf(row: CertifiedMonitorRow): string {
  const { certificate, chain } = JSON.parse(row.facts) as SslFacts;
  const times = chain.filter(({ isSpare }) => isSpare !== true).map(({ validTo }) => validTo);
  const earliest = Math.min(certificate.validTo, ...times) / 1_000;
  return `probe_ssl_earliest_cert_expiry{${labelsOf(row)}} ${earliest}\n`;
}

function labelsOf({
  id,
  name,
  type,
  host,
  teamId,
}: Pick<ProbedMonitorRow, 'id' | 'name' | 'type' | 'host' | 'teamId'>): string {
  const shown = escapeLabel(name ?? '');
  return `monitor_id="${id}",monitor_name="${shown}",monitor_type="${type}",host="${escapeLabel(host ?? '')}",team_id="${teamId}"`;
}

function escapeLabel(text: string): string {
  return /[\\"\n]/.test(text)
    ? text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
    : text;
}
