import type { HttpMethod, MonitorType } from '../../model/monitor.ts';
import { isPushType } from '../../model/monitor.ts';
import type { SubChecks } from '../../monitor-types/sub-checks.ts';
import { NO_CREDENTIALS, type CheckCredentials } from '../../monitor-types/credentials.ts';
import { HEARTBEAT_DEFAULTS, NO_HEARTBEAT, type HeartbeatSettings } from './heartbeat-settings.ts';

/** What people set of a monitor, named as in the API and in the database. */
export interface MonitorSettings extends HeartbeatSettings, SubChecks, CheckCredentials {
  /** Empty for push monitors. */
  url: string;
  friendly_name: string | null;
  /** Minutes; null for push monitors. */
  check_interval: number | null;
  monitored_regions: string[];
  tags: string[];
  group_id: number | null;
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
  check_both_families: boolean;
  /** Ids of monitors of the team; rows of their own, and no column. */
  depends_on: number[];
}

/** The sound fields of a body: absent ones are left alone, null means "unset". */
export type MonitorInput = { [Name in keyof MonitorSettings]?: MonitorSettings[Name] | null };

/** What only tells people which monitor it is, and of which troubles. All else says what it is and how it is judged. */
const LABELS: readonly string[] = [
  'friendly_name',
  'tags',
  'group_id',
  'depends_on',
] satisfies (keyof MonitorSettings)[];

/** Whether rounds under way were of another check than the one that is wanted now. */
export function changesTheCheck(changed: readonly string[]): boolean {
  return changed.some((name) => !LABELS.includes(name));
}

/** What the installation sets. */
export interface MonitorDefaults {
  /** All of REGIONS. */
  regions: readonly string[];
  /** DEFAULT_CHECK_INTERVAL in minutes; null when it is required. */
  checkInterval: number | null;
}

/** What an unset field means (contract 7.2). What is required stands empty. */
export function defaultSettings(type: MonitorType, defaults: MonitorDefaults): MonitorSettings {
  const isPush = isPushType(type);
  return {
    url: '',
    friendly_name: null,
    check_interval: isPush ? null : defaults.checkInterval,
    monitored_regions: [...defaults.regions],
    tags: [],
    group_id: null,
    port: null,
    ...(isPush ? HEARTBEAT_DEFAULTS : NO_HEARTBEAT),
    check_types: [],
    keyword_settings: null,
    json_assertion_settings: null,
    ...NO_CREDENTIALS,
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
    check_both_families: false,
    depends_on: [],
  };
}

/** The base with the input's fields over it: null puts the default back. */
export function overlay(
  base: MonitorSettings,
  input: MonitorInput,
  defaults: MonitorSettings,
): MonitorSettings {
  const unset: Record<string, unknown> = { ...defaults };
  const given = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, value ?? unset[name]]);
  return { ...base, ...Object.fromEntries(given) };
}
