import type { SecretBox } from '../lib/secret-box.ts';
import type { HttpMethod, PullType } from '../model/monitor.ts';
import type { MonitorColumns } from '../store/monitor-changes.ts';
import type { MonitorRow } from '../store/monitors.ts';
import type { MonitorInput } from './monitor-input.ts';

/** What people set of a monitor, as the API shows it. */
export interface MonitorSettings {
  url: string;
  friendly_name: string | null;
  /** Minutes. */
  check_interval: number;
  monitored_regions: string[];
  tags: string[];
  /** Port monitors only. */
  port: number | null;
  http_method: HttpMethod;
  accepted_status_codes: string[] | null;
  follow_redirects: boolean;
  /** Seconds. */
  request_timeout: number;
  /** `undefined` when it is stored, but sealed with a key that SECRET_KEY does not hold any more. */
  request_headers: Record<string, string> | null | undefined;
  request_body: string | null | undefined;
  verify_ssl: boolean;
  /** Days. */
  ssl_expiry_threshold: number;
  domain_expiry_threshold: number;
  /** Milliseconds. */
  slow_response_threshold: number | null;
  error_text_detection: boolean;
  failure_threshold: number;
  recovery_threshold: number;
}

/** What a monitor is and how it is judged: a change of one of these starts a new revision. */
const CHECK_SETTINGS: ReadonlySet<string> = new Set<keyof MonitorSettings>([
  'url',
  'check_interval',
  'monitored_regions',
  'port',
  'http_method',
  'accepted_status_codes',
  'follow_redirects',
  'request_timeout',
  'request_headers',
  'request_body',
  'verify_ssl',
  'ssl_expiry_threshold',
  'domain_expiry_threshold',
  'slow_response_threshold',
  'error_text_detection',
  'failure_threshold',
  'recovery_threshold',
]);

export function changesTheCheck(changed: readonly string[]): boolean {
  return changed.some((name) => CHECK_SETTINGS.has(name));
}

/** What the installation sets. */
export interface MonitorDefaults {
  /** All of REGIONS. */
  regions: readonly string[];
  /** DEFAULT_CHECK_INTERVAL in minutes; null when it is required. */
  checkInterval: number | null;
}

/** What an unset field means (completions, section 5); the required ones have no default. */
export function defaultSettings(
  defaults: MonitorDefaults,
): Omit<MonitorSettings, 'url' | 'check_interval'> {
  return {
    friendly_name: null,
    monitored_regions: [...defaults.regions],
    tags: [],
    port: null,
    http_method: 'GET',
    accepted_status_codes: null,
    follow_redirects: true,
    request_timeout: 30,
    request_headers: null,
    request_body: null,
    verify_ssl: true,
    ssl_expiry_threshold: 14,
    domain_expiry_threshold: 30,
    slow_response_threshold: null,
    error_text_detection: false,
    failure_threshold: 2,
    recovery_threshold: 1,
  };
}

/** The base with the input's fields over it: null puts the default back. What the base lacks may stay missing. */
export function overlay<Base extends Partial<MonitorSettings>>(
  base: Base,
  input: MonitorInput,
  defaults: MonitorDefaults,
): Base & Partial<MonitorSettings> {
  const unset: Record<string, unknown> = defaultSettings(defaults);
  if (defaults.checkInterval !== null) unset['check_interval'] = defaults.checkInterval;
  const given = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, value ?? unset[name]]);
  return { ...base, ...Object.fromEntries(given) };
}

export function settingsOf(row: MonitorRow, box: SecretBox): MonitorSettings {
  const headers = openOrUndefined(row.request_headers, box);
  return {
    url: row.url,
    friendly_name: row.friendly_name,
    check_interval: row.check_interval ?? 0,
    monitored_regions: JSON.parse(row.monitored_regions) as string[],
    tags: JSON.parse(row.tags) as string[],
    port: row.port,
    http_method: row.http_method as HttpMethod,
    accepted_status_codes:
      row.accepted_status_codes === null ? null : JSON.parse(row.accepted_status_codes),
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
  };
}

/** All columns of a new monitor. */
export function columnsOf(
  type: PullType,
  settings: MonitorSettings,
  box: SecretBox,
): MonitorColumns {
  return {
    type,
    url: settings.url,
    friendly_name: settings.friendly_name,
    check_interval: settings.check_interval,
    check_types: '[]',
    monitored_regions: JSON.stringify(settings.monitored_regions),
    tags: JSON.stringify(settings.tags),
    port: settings.port,
    group_id: null,
    heartbeat_interval: null,
    heartbeat_cron_expression: null,
    heartbeat_timezone: null,
    heartbeat_grace: null,
    heartbeat_wait_for_first_ping: null,
    heartbeat_max_runtime: null,
    ping_token: null,
    ping_token_hash: null,
    keyword_settings: null,
    json_assertion_settings: null,
    auth_type: null,
    auth_username: null,
    auth_password: null,
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
  };
}

/** A list shows the other monitors even where one secret can't be read. */
function openOrUndefined(sealed: string | null, box: SecretBox): string | null | undefined {
  if (sealed === null) return null;
  try {
    return box.open(sealed);
  } catch {
    return undefined;
  }
}

function sealOrNull(value: string | null | undefined, box: SecretBox): string | null {
  return typeof value === 'string' ? box.seal(value) : null;
}

function jsonOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
