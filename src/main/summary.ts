import { hostname } from 'node:os';
import { ROLES } from '../config/types.ts';
import type { InstallationTotals } from '../store/resources/installation-totals.ts';
import type { Service } from './build.ts';

export type StopSummary = ReturnType<typeof stopSummary>;

/**
 * Fields of the line that sums up the start. No secrets, and nothing of DATABASE_URL.
 *
 * @param totals null when they could not be counted.
 */
export function startSummary(
  { settings, version, resources, address }: Service,
  totals: InstallationTotals | null,
) {
  const { databaseUrl, dataDir } = settings;
  return {
    version,
    node_version: process.version,
    pid: process.pid,
    roles: settings.roles.length === ROLES.length ? 'all' : settings.roles.join(','),
    database: resources.database.engine,
    ...(databaseUrl === null && { data_dir: dataDir }),
    migrations: resources.database.migrated,
    regions: settings.regions.map(({ code }) => code),
    probe_regions: settings.probeRegions,
    vantage: settings.probeHostName ?? hostname(),
    probe_processes: settings.roles.includes('probe') ? settings.probeWorkers : 0,
    nats: settings.natsUrls !== null,
    monitors: totals && total(totals.monitors),
    open_incidents: totals && total(totals.openIncidents),
    mail_enabled: settings.smtpUrl !== null,
    rate_limits: settings.rateLimits,
    open_signup: settings.openSignup,
    plans_file: settings.plansFile,
    log: 'standard output',
    log_level: settings.logLevel,
    slow_query_ms: settings.slowQueryMs,
    metrics_url: `${address.baseUrl()}/metrics`,
    monitor_metrics: settings.metricsToken !== null,
    ...(settings.roles.includes('api') && { docs_url: `${address.baseUrl()}/docs` }),
  };
}

/** Fields of the line that sums up the time from start to stop. */
export function stopSummary({ resources, checking, heartbeats, alerting, answered }: Service) {
  const { opened, ended } = resources.observation.counts;
  const { up, down, unknown } = checking.votes;
  return {
    uptime_seconds: Math.round(process.uptime()),
    requests: answered.total(),
    checks: up + down + unknown,
    rounds: checking.recorder.counters.rounds_counted,
    pings: heartbeats.pings.counters.pings_recorded,
    incidents_opened: sum(opened.values()),
    incidents_ended: sum(ended.values()),
    messages_sent: alerting.messagesSent(),
  };
}

function total(counts: readonly { count: number }[]): number {
  return sum(counts.map(({ count }) => count));
}

function sum(numbers: Iterable<number>): number {
  let result = 0;
  for (const number of numbers) result += number;
  return result;
}
