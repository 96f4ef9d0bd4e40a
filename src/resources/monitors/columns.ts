import { hashToken } from '../../identity/token.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { AuthType, CheckType, HttpMethod, MonitorType } from '../../model/monitor.ts';
import type { MonitorColumns } from '../../store/resources/monitor-changes.ts';
import type { MonitorRow } from '../../store/resources/monitors.ts';
import type { ContentSettings } from '../../monitor-types/content-settings.ts';
import type { MonitorSettings } from './settings.ts';

/** What people set of a stored monitor, its secrets opened. */
export function settingsOf(row: MonitorRow, box: SecretBox): MonitorSettings {
  const headers = openOrUndefined(row.request_headers, box);
  return {
    url: row.url,
    friendly_name: row.friendly_name,
    check_interval: row.check_interval,
    monitored_regions: JSON.parse(row.monitored_regions) as string[],
    tags: JSON.parse(row.tags) as string[],
    group_id: row.group_id,
    port: row.port,
    heartbeat_interval: row.heartbeat_interval,
    heartbeat_cron_expression: row.heartbeat_cron_expression,
    heartbeat_timezone: row.heartbeat_timezone,
    heartbeat_grace: row.heartbeat_grace,
    heartbeat_wait_for_first_ping: booleanOrNull(row.heartbeat_wait_for_first_ping),
    heartbeat_max_runtime: row.heartbeat_max_runtime,
    check_types: JSON.parse(row.check_types) as CheckType[],
    keyword_settings: parseOrNull<ContentSettings>(row.keyword_settings),
    json_assertion_settings: parseOrNull<ContentSettings>(row.json_assertion_settings),
    auth_type: row.auth_type as AuthType | null,
    auth_username: openOrUndefined(row.auth_username, box),
    auth_password: openOrUndefined(row.auth_password, box),
    http_method: row.http_method as HttpMethod,
    accepted_status_codes: parseOrNull<string[]>(row.accepted_status_codes),
    follow_redirects: row.follow_redirects === 1,
    request_timeout: row.request_timeout,
    request_headers: typeof headers === 'string' ? JSON.parse(headers) : headers,
    request_body: openOrUndefined(row.request_body, box),
    verify_ssl: row.verify_ssl === 1,
    ssl_expiry_threshold: row.ssl_expiry_threshold,
    domain_expiry_threshold: row.domain_expiry_threshold,
    slow_response_threshold: row.slow_response_threshold,
    error_text_detection: row.error_text_detection === 1,
    failure_threshold: row.failure_threshold,
    recovery_threshold: row.recovery_threshold,
    check_both_families: row.check_both_families === 1,
    depends_on: dependsOnOf(row),
  };
}

/** The ids of the monitors that it depends on, in the order that people gave. */
export function dependsOnOf({ depends_on }: Pick<MonitorRow, 'depends_on'>): number[] {
  return depends_on === null ? [] : depends_on.split(',').map(Number);
}

/** All columns of a monitor but those of its ping URL, which nobody sets. */
export function columnsOf(
  type: MonitorType,
  settings: MonitorSettings,
  box: SecretBox,
): Omit<MonitorColumns, 'ping_token' | 'ping_token_hash'> {
  return {
    type,
    url: settings.url,
    friendly_name: settings.friendly_name,
    check_interval: settings.check_interval,
    check_types: JSON.stringify(settings.check_types),
    monitored_regions: JSON.stringify(settings.monitored_regions),
    tags: JSON.stringify(settings.tags),
    group_id: settings.group_id,
    port: settings.port,
    heartbeat_interval: settings.heartbeat_interval,
    heartbeat_cron_expression: settings.heartbeat_cron_expression,
    heartbeat_timezone: settings.heartbeat_timezone,
    heartbeat_grace: settings.heartbeat_grace,
    heartbeat_wait_for_first_ping: bitOrNull(settings.heartbeat_wait_for_first_ping),
    heartbeat_max_runtime: settings.heartbeat_max_runtime,
    keyword_settings: jsonOrNull(settings.keyword_settings),
    json_assertion_settings: jsonOrNull(settings.json_assertion_settings),
    auth_type: settings.auth_type,
    auth_username: sealOrNull(settings.auth_username, box),
    auth_password: sealOrNull(settings.auth_password, box),
    http_method: settings.http_method,
    accepted_status_codes: jsonOrNull(settings.accepted_status_codes),
    follow_redirects: settings.follow_redirects ? 1 : 0,
    request_timeout: settings.request_timeout,
    request_headers: sealOrNull(jsonOrNull(settings.request_headers), box),
    request_body: sealOrNull(settings.request_body, box),
    verify_ssl: settings.verify_ssl ? 1 : 0,
    ssl_expiry_threshold: settings.ssl_expiry_threshold,
    domain_expiry_threshold: settings.domain_expiry_threshold,
    slow_response_threshold: settings.slow_response_threshold,
    error_text_detection: settings.error_text_detection ? 1 : 0,
    failure_threshold: settings.failure_threshold,
    recovery_threshold: settings.recovery_threshold,
    check_both_families: settings.check_both_families ? 1 : 0,
  };
}

/** The secret of a ping URL: sealed, to be shown again, and hashed, to be looked up. */
export function pingColumns(
  token: string,
  box: SecretBox,
): Pick<MonitorColumns, 'ping_token' | 'ping_token_hash'> {
  return { ping_token: box.seal(token), ping_token_hash: hashToken(token) };
}

/** Undefined when no key opens it: the rest of a monitor is shown even then. */
export function openOrUndefined(sealed: string | null, box: SecretBox): string | null | undefined {
  if (sealed === null) return null;
  try {
    return box.open(sealed);
  } catch {
    return undefined;
  }
}

export function parseOrNull<Value>(json: string | null): Value | null {
  return json === null ? null : (JSON.parse(json) as Value);
}

export function booleanOrNull(bit: number | null): boolean | null {
  return bit === null ? null : bit === 1;
}

function sealOrNull(value: string | null | undefined, box: SecretBox): string | null {
  return typeof value === 'string' ? box.seal(value) : null;
}

function jsonOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

function bitOrNull(value: boolean | null): number | null {
  return value === null ? null : Number(value);
}
