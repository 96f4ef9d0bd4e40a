import { may, type Caller } from '../../identity/caller.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { NewestResult } from '../../model/state.ts';
import { nextDue } from '../../engine/schedule/due.ts';
import { intervalMsOf } from '../../engine/schedule/request.ts';
import type { MonitorRow } from '../../store/resources/monitors.ts';
import { booleanOrNull, dependsOnOf, openOrUndefined, parseOrNull } from './columns.ts';
import { isoOrNull, isoTime } from '../common/time.ts';

/** What a view needs beside the monitor and who asks. */
export interface ViewDeps {
  secretBox: SecretBox;
  /** The public address of this installation, without a slash at its end. */
  baseUrl: () => string;
}

/** A monitor as every answer shows it (contract 6.15, 6.16). */
export function viewMonitor(row: MonitorRow, caller: Caller, deps: ViewDeps, now: number) {
  const isHttp = row.type === 'http';
  const pingUrl = pingUrlOf(row, deps);
  // Secrets are opened for those alone who may see them.
  const opened = (sealed: string | null): string | null =>
    isHttp && sealed !== null && may(caller, 'update')
      ? (openOrUndefined(sealed, deps.secretBox) ?? null)
      : null;
  return {
    id: row.id,
    monitor_type: row.type,
    url: pingUrl ?? row.url,
    friendly_name: row.friendly_name,
    status: row.status,
    check_interval: row.check_interval,
    check_types: JSON.parse(row.check_types) as string[],
    monitored_regions: JSON.parse(row.monitored_regions) as string[],
    is_paused: row.is_paused === 1,
    last_checked_at: isoOrNull(row.last_checked_at),
    next_check_at: isoOrNull(nextCheckAt(row, now)),
    last_heartbeat_at: isoOrNull(row.last_heartbeat_at),
    heartbeat_expected_at: isoOrNull(row.heartbeat_expected_at),
    ping_url: pingUrl,
    port: row.port,
    heartbeat_interval: row.heartbeat_interval,
    heartbeat_cron_expression: row.heartbeat_cron_expression,
    heartbeat_timezone: row.heartbeat_timezone,
    heartbeat_grace: row.heartbeat_grace,
    heartbeat_wait_for_first_ping: booleanOrNull(row.heartbeat_wait_for_first_ping),
    heartbeat_max_runtime: row.heartbeat_max_runtime,
    group_id: row.group_id,
    keyword_settings: parseOrNull<object>(row.keyword_settings),
    json_assertion_settings: parseOrNull<object>(row.json_assertion_settings),
    auth_type: row.auth_type,
    auth_username: opened(row.auth_username),
    http_method: isHttp ? row.http_method : null,
    accepted_status_codes: parseOrNull<string[]>(row.accepted_status_codes),
    follow_redirects: row.follow_redirects === 1,
    request_timeout: row.request_timeout,
    request_headers: parseOrNull<Record<string, string>>(opened(row.request_headers)),
    request_body: opened(row.request_body),
    verify_ssl: row.verify_ssl === 1,
    ssl_expiry_threshold: row.ssl_expiry_threshold,
    domain_expiry_threshold: row.domain_expiry_threshold,
    slow_response_threshold: row.slow_response_threshold,
    error_text_detection: row.error_text_detection === 1,
    failure_threshold: row.failure_threshold,
    recovery_threshold: row.recovery_threshold,
    check_both_families: row.check_both_families === 1,
    tags: JSON.parse(row.tags) as string[],
    depends_on: dependsOnOf(row),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** What people call a monitor's url: of a push monitor its ping URL, empty when no key opens it any more. */
export function urlOf(row: Pick<MonitorRow, 'url' | 'ping_token'>, deps: ViewDeps): string {
  return pingUrlOf(row, deps) ?? row.url;
}

function pingUrlOf({ ping_token }: Pick<MonitorRow, 'ping_token'>, deps: ViewDeps): string | null {
  const token = openOrUndefined(ping_token, deps.secretBox) ?? null;
  return token === null ? null : `${deps.baseUrl()}/ping/${token}`;
}

/** The newest result of each monitored region that has one, in the monitor's order. */
export function viewResponseTimes(row: MonitorRow) {
  const newest = JSON.parse(row.newest) as Record<string, NewestResult | undefined>;
  const regions = JSON.parse(row.monitored_regions) as string[];
  return regions.flatMap((region) => {
    const result = newest[region];
    if (result === undefined) return [];
    return {
      region,
      response_time: result.responseTimeMs,
      status_code: result.statusCode,
      checked_at: isoTime(result.checkedAt),
    };
  });
}

/** Epoch milliseconds, null while paused. */
function nextCheckAt(row: MonitorRow, now: number): number | null {
  if (row.is_paused === 1 || row.check_interval === null) return null;
  const timing = {
    monitorId: row.id,
    intervalMs: intervalMsOf(row.check_interval),
    runAt: row.run_at,
    lastSlot: row.last_slot,
    lastCheckedAt: row.last_checked_at,
  };
  return nextDue(timing, now).at;
}
