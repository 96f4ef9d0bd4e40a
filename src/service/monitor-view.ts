import { may, type Caller } from '../identity/caller.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import type { NewestResult } from '../model/state.ts';
import { nextDue } from '../schedule/due.ts';
import { intervalMsOf } from '../schedule/request.ts';
import type { MonitorRow } from '../store/monitors.ts';
import { settingsOf } from './monitor-settings.ts';
import { isoOrNull, isoTime } from './time.ts';

/**
 * A monitor as every answer shows it (specification, "Monitor"; completions, section 5). What belongs to push
 * monitors, groups and content checks is null until they are available.
 */
export function viewMonitor(row: MonitorRow, caller: Caller, box: SecretBox, now: number) {
  const settings = settingsOf(row, box);
  const isHttp = row.type === 'http';
  const seesSecrets = isHttp && may(caller, 'update');
  return {
    id: row.id,
    monitor_type: row.type,
    url: row.url,
    friendly_name: row.friendly_name,
    status: row.status,
    check_interval: row.check_interval,
    check_types: JSON.parse(row.check_types) as string[],
    monitored_regions: settings.monitored_regions,
    is_paused: row.is_paused === 1,
    last_checked_at: isoOrNull(row.last_checked_at),
    next_check_at: isoOrNull(nextCheckAt(row, now)),
    last_heartbeat_at: null,
    heartbeat_expected_at: null,
    ping_url: null,
    port: row.port,
    heartbeat_interval: null,
    heartbeat_cron_expression: null,
    heartbeat_timezone: null,
    heartbeat_grace: null,
    heartbeat_wait_for_first_ping: null,
    heartbeat_max_runtime: null,
    group_id: row.group_id,
    keyword_settings: null,
    json_assertion_settings: null,
    auth_type: null,
    auth_username: null,
    http_method: isHttp ? settings.http_method : null,
    accepted_status_codes: settings.accepted_status_codes,
    follow_redirects: settings.follow_redirects,
    request_timeout: settings.request_timeout,
    request_headers: seesSecrets ? (settings.request_headers ?? null) : null,
    request_body: seesSecrets ? (settings.request_body ?? null) : null,
    verify_ssl: settings.verify_ssl,
    ssl_expiry_threshold: settings.ssl_expiry_threshold,
    domain_expiry_threshold: settings.domain_expiry_threshold,
    slow_response_threshold: settings.slow_response_threshold,
    error_text_detection: settings.error_text_detection,
    failure_threshold: settings.failure_threshold,
    recovery_threshold: settings.recovery_threshold,
    tags: settings.tags,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
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
