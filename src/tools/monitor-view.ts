import { z } from 'zod';
import { MASK } from '../lib/secret-box.ts';
import {
  AUTH_TYPES,
  CHECK_TYPES,
  HTTP_METHODS,
  MONITOR_STATUSES,
  type AuthType,
  type CheckType,
  type HttpMethod,
  type MonitorStatus,
} from '../model/monitor.ts';
import { unobservedSince } from '../model/observation.ts';
import { isPushType, MONITOR_TYPES, type MonitorType } from '../monitor-types/registry.ts';
import { name, nameOf, shownUrl, time } from './common.ts';
import { contentChecks, contentChecksOf, type ContentSettings } from './content-view.ts';
import { cut, present } from './shorten.ts';
import { fromTarget, fromTeam, targetText } from './target-text.ts';
import type { View } from './tool.ts';

/** What tools read of a monitor as the API answers it. */
export interface MonitorAnswer {
  id: number;
  monitor_type: MonitorType;
  friendly_name: string | null;
  url: string;
  status: MonitorStatus;
  observed_until: string | null;
  is_paused: boolean;
  last_checked_at: string | null;
  next_check_at: string | null;
  last_heartbeat_at: string | null;
  heartbeat_expected_at: string | null;
  created_at: string;
  updated_at: string;
  check_interval: number | null;
  port: number | null;
  group_id: number | null;
  tags: string[];
  monitored_regions: string[];
  check_types: CheckType[];
  depends_on: number[];
  accepted_status_codes: (string | number)[] | null;
  follow_redirects: boolean;
  request_timeout: number;
  verify_ssl: boolean;
  ssl_expiry_threshold: number;
  domain_expiry_threshold: number;
  slow_response_threshold: number | null;
  error_text_detection: boolean;
  failure_threshold: number;
  recovery_threshold: number;
  check_both_families: boolean;
  /** Null for callers who may not update. */
  notification_settings: { enabled?: boolean } | null;
  heartbeat_interval: number | null;
  heartbeat_cron_expression: string | null;
  heartbeat_timezone: string | null;
  heartbeat_grace: number | null;
  heartbeat_wait_for_first_ping: boolean | null;
  heartbeat_max_runtime: number | null;
  http_method: HttpMethod | null;
  /** Null for callers who may not update, as are the other secrets. */
  request_headers: Record<string, string> | null;
  request_body: string | null;
  keyword_settings: ContentSettings | null;
  json_assertion_settings: ContentSettings | null;
  auth_type: AuthType | null;
  auth_username: string | null;
}

/** A monitor as the API answers it alone. */
export interface SingleMonitorAnswer extends MonitorAnswer {
  incidents: {
    id: number;
    type: string;
    severity: string;
    status: string;
    root_cause: string | null;
    started_at: string;
    ended_at: string | null;
    duration_seconds: number | null;
  }[];
  response_times: {
    region: string;
    response_time: number | null;
    status_code: number | null;
    checked_at: string;
  }[];
}

const total = z.int().optional();
const mask = z
  .string()
  .optional()
  .meta({ description: 'Eight bullets: it is stored. Sent back in an update, they keep it.' });

/** A monitor: compact, and with detail all that there is to know of it without its secrets. */
export const monitor = z.object({
  id: z.int(),
  name,
  type: z.enum(MONITOR_TYPES),
  url: z.string().nullable().meta({
    description: 'Without its query, which may hold secrets. Null for heartbeat and cron.',
  }),
  status: z.enum(MONITOR_STATUSES),
  not_observed_since: time.optional().meta({
    description:
      'Present when its checks do not come: status is the last known one, and nothing is known since.',
  }),
  is_paused: z.boolean(),
  last_checked_at: time.nullable(),
  next_check_at: time.optional(),
  last_heartbeat_at: time.optional(),
  heartbeat_expected_at: time.optional(),
  check_interval_minutes: z.number().optional(),
  port: z.int().optional(),
  group_id: z.int().optional(),
  tags: z.array(z.string()).optional(),
  tags_total: total,
  regions: z.array(z.string()).optional(),
  regions_total: total,
  check_types: z.array(z.enum(CHECK_TYPES)).optional(),
  depends_on: z.array(z.int()).optional().meta({ description: 'Ids of monitors.' }),
  depends_on_total: total,
  failure_threshold: z.int().optional().meta({ description: 'Bad rounds in a row.' }),
  recovery_threshold: z.int().optional().meta({ description: 'Good rounds in a row.' }),
  slow_response_threshold_ms: z.int().optional(),
  request_timeout_seconds: z.number().optional(),
  check_both_families: z.boolean().optional(),
  notifications_enabled: z
    .literal(false)
    .optional()
    .meta({ description: 'Present when nobody is notified of this monitor.' }),
  http_method: z.enum(HTTP_METHODS).optional(),
  accepted_status_codes: z.array(z.union([z.int(), z.string()])).optional(),
  accepted_status_codes_total: total,
  follow_redirects: z.boolean().optional(),
  verify_ssl: z.boolean().optional(),
  ssl_expiry_threshold_days: z.int().optional(),
  domain_expiry_threshold_days: z.int().optional(),
  error_text_detection: z.boolean().optional(),
  auth_type: z.enum(AUTH_TYPES).optional(),
  auth_username: mask,
  auth_password: mask,
  request_headers: z
    .record(z.string(), z.string())
    .optional()
    .meta({ description: 'Names, each with eight bullets in place of its value.' }),
  request_headers_total: total,
  has_request_body: z.literal(true).optional(),
  ...contentChecks,
  heartbeat_interval_seconds: z.int().optional(),
  heartbeat_cron_expression: z.string().optional(),
  heartbeat_timezone: z.string().optional(),
  heartbeat_grace_seconds: z.int().optional(),
  heartbeat_wait_for_first_ping: z.boolean().optional(),
  heartbeat_max_runtime_seconds: z.int().optional(),
  created_at: time.optional(),
  updated_at: time.optional(),
});

/** A monitor with how it is doing. */
export const singleMonitor = monitor.extend({
  response_times: z
    .array(
      z.object({
        region: z.string(),
        response_time_ms: z.number().nullable(),
        status_code: z.int().nullable(),
        checked_at: time,
      }),
    )
    .meta({ description: 'Newest result of each region.' }),
  response_times_total: total,
  newest_incidents: z
    .array(
      z.object({
        id: z.int(),
        type: z.string(),
        severity: z.string(),
        status: z.string(),
        started_at: time,
        ended_at: time.nullable(),
        duration_seconds: z.int().nullable(),
        root_cause: targetText.nullable(),
      }),
    )
    .meta({ description: 'The 3 newest, with detail 10; list_incidents has all.' }),
});

/** Incidents of a monitor in the compact form. */
const FEW_INCIDENTS = 3;
const TAG_LENGTH = 50;

export function viewMonitor(answer: MonitorAnswer, view: View): z.input<typeof monitor> {
  // The url of a push monitor is its ping URL, a secret.
  const url = isPushType(answer.monitor_type) ? null : answer.url;
  return {
    id: answer.id,
    name: nameOf({ ...answer, url }),
    type: answer.monitor_type,
    url: shownUrl(url),
    status: answer.status,
    ...(isUnobserved(answer, view.now) && { not_observed_since: answer.observed_until! }),
    is_paused: answer.is_paused,
    last_checked_at: answer.last_checked_at,
    ...(view.detail && viewSettings(answer, view)),
  };
}

function isUnobserved(answer: MonitorAnswer, now: number): boolean {
  const { status, is_paused: isPaused, observed_until: until, check_interval: interval } = answer;
  const observedUntil = until === null ? null : Date.parse(until);
  const observation = { status, isPaused, observedUntil, checkInterval: interval, aliveAt: null };
  return unobservedSince(observation, now) !== null;
}

export function viewSingleMonitor(
  answer: SingleMonitorAnswer,
  view: View,
): z.input<typeof singleMonitor> {
  const { itemLimit, textLimit, detail } = view;
  const responseTimes = answer.response_times.map((newest) => ({
    region: newest.region,
    response_time_ms: newest.response_time,
    status_code: newest.status_code,
    checked_at: newest.checked_at,
  }));
  const incidents = answer.incidents.slice(0, detail ? itemLimit : FEW_INCIDENTS);
  return {
    ...viewMonitor(answer, view),
    ...cut('response_times', responseTimes, itemLimit),
    newest_incidents: incidents.map((incident) => ({
      id: incident.id,
      type: incident.type,
      severity: incident.severity,
      status: incident.status,
      started_at: incident.started_at,
      ended_at: incident.ended_at,
      duration_seconds: incident.duration_seconds,
      root_cause: fromTarget(incident.root_cause, textLimit),
    })),
  };
}

function viewSettings(answer: MonitorAnswer, view: View) {
  const { itemLimit } = view;
  const isPush = isPushType(answer.monitor_type);
  const tags = answer.tags.map((tag) => fromTeam(tag, TAG_LENGTH));
  return {
    ...present({
      next_check_at: answer.next_check_at,
      last_heartbeat_at: answer.last_heartbeat_at,
      heartbeat_expected_at: answer.heartbeat_expected_at,
      check_interval_minutes: answer.check_interval,
      port: answer.port,
      group_id: answer.group_id,
    }),
    ...cut('tags', tags, itemLimit),
    ...cut('depends_on', answer.depends_on, itemLimit),
    ...(isPush ? viewPushSettings(answer) : viewPullSettings(answer, itemLimit)),
    ...(answer.monitor_type === 'http' && viewHttpSettings(answer, view)),
    ...(answer.notification_settings?.enabled === false && {
      notifications_enabled: false as const,
    }),
    created_at: answer.created_at,
    updated_at: answer.updated_at,
  };
}

function viewPushSettings(answer: MonitorAnswer) {
  return present({
    heartbeat_interval_seconds: answer.heartbeat_interval,
    heartbeat_cron_expression: answer.heartbeat_cron_expression,
    heartbeat_timezone: answer.heartbeat_timezone,
    heartbeat_grace_seconds: answer.heartbeat_grace,
    heartbeat_wait_for_first_ping: answer.heartbeat_wait_for_first_ping,
    heartbeat_max_runtime_seconds: answer.heartbeat_max_runtime,
  });
}

function viewPullSettings(answer: MonitorAnswer, itemLimit: number) {
  return {
    ...cut('regions', answer.monitored_regions, itemLimit),
    check_types: answer.check_types,
    failure_threshold: answer.failure_threshold,
    recovery_threshold: answer.recovery_threshold,
    request_timeout_seconds: answer.request_timeout,
    check_both_families: answer.check_both_families,
    domain_expiry_threshold_days: answer.domain_expiry_threshold,
    ...present({ slow_response_threshold_ms: answer.slow_response_threshold }),
  };
}

function viewHttpSettings(answer: MonitorAnswer, view: View) {
  const { accepted_status_codes: accepted } = answer;
  return {
    follow_redirects: answer.follow_redirects,
    verify_ssl: answer.verify_ssl,
    ssl_expiry_threshold_days: answer.ssl_expiry_threshold,
    error_text_detection: answer.error_text_detection,
    ...present({ http_method: answer.http_method, auth_type: answer.auth_type }),
    ...(accepted !== null && cut('accepted_status_codes', accepted, view.itemLimit)),
    // A monitor that signs in has both, and the API never shows the password.
    ...(answer.auth_username !== null && { auth_username: MASK, auth_password: MASK }),
    ...(answer.request_headers !== null && viewHeaders(answer.request_headers, view.itemLimit)),
    ...(answer.request_body !== null && { has_request_body: true as const }),
    ...contentChecksOf(answer, view),
  };
}

function viewHeaders(headers: Record<string, string>, itemLimit: number) {
  const { names, names_total: all } = cut('names', Object.keys(headers), itemLimit);
  return {
    request_headers: Object.fromEntries(names.map((header) => [header, MASK])),
    ...(all !== undefined && { request_headers_total: all }),
  };
}
