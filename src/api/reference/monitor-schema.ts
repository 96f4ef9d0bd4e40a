import { z } from 'zod';
import {
  AUTH_TYPES,
  CHECK_TYPES,
  HTTP_METHODS,
  MONITOR_STATUSES,
  MONITOR_TYPES,
} from '../../model/monitor.ts';
import { jsonAssertionSettings, keywordSettings } from '../../service/content-settings.ts';
import { oneOf } from '../../service/input.ts';
import { HEARTBEAT_DEFAULTS } from '../../service/heartbeat-settings.ts';
import { createMonitorSchemas } from '../../service/monitor-input.ts';
import { defaultSettings } from '../../service/monitor-settings.ts';

const PUSH = 'heartbeat and cron only';

/** What each field means, in bodies and in answers. */
const MEANING: Record<string, string> = {
  url: 'http: an absolute http or https URL. ping and port: a host name, an IP address or a URL whose host is used. heartbeat and cron: made by the server, the same as `ping_url`; what is sent is ignored.',
  friendly_name: 'What people call it. Required for heartbeat and cron.',
  check_interval:
    'Minutes between checks. Required for http, ping and port, unless the operator set a default. Null for heartbeat and cron.',
  check_types:
    'What is looked at beside whether the target answers. http: ssl, dns, domain, keyword, json. ping and port: dns, domain. heartbeat and cron: none.',
  monitored_regions: 'Where it is checked from: codes of regions. All of them unless set.',
  port: 'TCP port; port monitors only, and required there.',
  heartbeat_interval: 'Seconds between the pings that are expected; required for heartbeat.',
  heartbeat_cron_expression:
    'When the job runs, as a cron expression of 5 fields; required for cron.',
  heartbeat_timezone: `IANA name of the time zone that the cron expression is meant in; ${PUSH}.`,
  heartbeat_grace: `Seconds after the expected time until a missed ping counts as a failure; ${PUSH}.`,
  heartbeat_wait_for_first_ping: `Whether nothing is raised before the first ping; ${PUSH}.`,
  heartbeat_max_runtime: `Seconds that a run may take before it counts as failed; null: as long as it wants. ${PUSH}.`,
  group_id: 'The group it lies in; null for none.',
  keyword_settings:
    'http only. Comes back as it was sent; an empty list of keywords is none, and comes back as null. Turns the check type keyword on; null without `check_types` turns it off. Not together with JSON assertions.',
  json_assertion_settings:
    'http only. Comes back as it was sent; an empty list of assertions is none, and comes back as null. Turns the check type json on; null without `check_types` turns it off. Not together with keywords.',
  auth_type:
    'How an http check signs in. Needs `auth_username` and `auth_password`; null clears all three. Digest is stored, and not sent by this version.',
  auth_username: 'With bearer, it is the token. Shown only to callers who may update, else null.',
  auth_password:
    'Never shown. On update, eight bullets (`••••••••`) keep what is stored. With bearer it is kept and not sent.',
  http_method: 'http only; null on other types.',
  accepted_status_codes: 'Such as "200" or "2xx"; null accepts 2xx and 3xx.',
  follow_redirects: 'At most 5 are followed.',
  request_timeout:
    'Seconds. A check never takes longer than 90 % of the interval, whatever is set here.',
  request_headers:
    'http only, at most 50, and 32,768 characters in all. Shown only to callers who may update, else null.',
  request_body:
    'http only, for POST, PUT and PATCH. Shown only to callers who may update, else null.',
  verify_ssl: 'Whether a bad certificate fails the check.',
  ssl_expiry_threshold: 'Days before the end of a certificate from which on it is a trouble.',
  domain_expiry_threshold: 'Days before the end of a domain from which on it is a trouble.',
  slow_response_threshold: 'Milliseconds from which on an answer is slow; null: never.',
  error_text_detection: "Whether a server's error text on an accepted page fails the check.",
  failure_threshold: 'Bad rounds in a row until it counts as failing.',
  recovery_threshold: 'Good rounds in a row until it counts as well again.',
};

const DEFAULTS: Record<string, unknown> = {
  ...defaultSettings('http', { regions: [], checkInterval: null }),
  heartbeat_timezone: HEARTBEAT_DEFAULTS.heartbeat_timezone,
  heartbeat_grace: HEARTBEAT_DEFAULTS.heartbeat_grace,
  heartbeat_wait_for_first_ping: HEARTBEAT_DEFAULTS.heartbeat_wait_for_first_ping,
};

/** The same fields with what they mean, and what they are unless they are set. */
function explain<Shape extends Record<string, z.ZodType>>(shape: Shape): Shape {
  const entries = Object.entries(shape).map(([name, schema]) => {
    const meaning = MEANING[name];
    const unset = DEFAULTS[name];
    const isTold = ['number', 'boolean', 'string'].includes(typeof unset) && unset !== '';
    const description = isTold ? `${meaning} \`${unset}\` unless set.` : meaning;
    return [name, meaning === undefined ? schema : schema.meta({ description })];
  });
  return Object.fromEntries(entries) as Shape;
}

const inputs = createMonitorSchemas([]);

const keywords = keywordSettings.meta({
  id: 'KeywordSettings',
  description: 'What the page must, or must not, contain.',
});
const assertions = jsonAssertionSettings.meta({
  id: 'JsonAssertionSettings',
  description: 'What must hold for the JSON that is answered.',
});

/** The body of create and update: what the schemas of the five types allow, in one. */
export const monitorBody = z
  .object({
    monitor_type: oneOf(MONITOR_TYPES)
      .nullish()
      .meta({ description: 'http unless given; it can not be changed later.' }),
    ...explain({
      ...inputs.http.shape,
      check_types: z.array(z.enum(CHECK_TYPES)).nullish(),
      monitored_regions: z.array(z.string()).min(1).nullish(),
      request_headers: z.record(z.string(), z.string()).nullish(),
      keyword_settings: keywords.nullish(),
      json_assertion_settings: assertions.nullish(),
      port: inputs.port.shape.port,
      heartbeat_interval: inputs.heartbeat.shape.heartbeat_interval,
      heartbeat_cron_expression: inputs.cron.shape.heartbeat_cron_expression,
      heartbeat_timezone: inputs.cron.shape.heartbeat_timezone,
      heartbeat_grace: inputs.cron.shape.heartbeat_grace,
      heartbeat_wait_for_first_ping: inputs.cron.shape.heartbeat_wait_for_first_ping,
      heartbeat_max_runtime: inputs.cron.shape.heartbeat_max_runtime,
    }),
  })
  .meta({
    id: 'MonitorSettings',
    description: `What people set of a monitor. Which fields are required depends on \`monitor_type\`:

| Type | Required |
| --- | --- |
| http | \`url\`, \`check_interval\` |
| ping | \`url\`, \`check_interval\` |
| port | \`url\`, \`port\`, \`check_interval\` |
| heartbeat | \`friendly_name\`, \`heartbeat_interval\` |
| cron | \`friendly_name\`, \`heartbeat_cron_expression\` |

Fields marked "http only" are refused on other types, unless they are null or empty. \`port\`, \`heartbeat_…\` and, for
heartbeat and cron, \`url\` and \`check_interval\` are ignored where they mean nothing. All others are stored and shown
on every type. An empty text is the same as null in every optional field.`,
  });

const time = z.iso.datetime();

/** A monitor as every answer shows it. */
export const monitor = z
  .object({
    id: z.int(),
    monitor_type: z.enum(MONITOR_TYPES),
    ...explain({
      url: z.string(),
      friendly_name: z.string().nullable(),
    }),
    status: z
      .enum(MONITOR_STATUSES)
      .meta({ description: 'pending until the first verdict; a pause does not change it.' }),
    ...explain({
      check_interval: z.number().nullable(),
      check_types: z.array(z.enum(CHECK_TYPES)),
      monitored_regions: z.array(z.string()),
    }),
    is_paused: z.boolean(),
    last_checked_at: time.nullable(),
    next_check_at: time
      .nullable()
      .meta({ description: 'Null while paused, and for heartbeat and cron.' }),
    last_heartbeat_at: time
      .nullable()
      .meta({ description: `When the newest ping told of a success; ${PUSH}.` }),
    heartbeat_expected_at: time.nullable().meta({
      description: `When the next ping is expected, without the grace; of a job that was missed, the time that it missed. ${PUSH}.`,
    }),
    ping_url: z
      .string()
      .nullable()
      .meta({
        description: `Where the job reports to, by GET, POST or HEAD and without another token. As it stands it tells of a success; \`/fail\`, an exit code from \`/0\` to \`/255\`, \`/start\` or \`/log\` may follow. It is a secret. ${PUSH}.`,
      }),
    ...explain({
      port: z.int().nullable(),
      heartbeat_interval: z.int().nullable(),
      heartbeat_cron_expression: z.string().nullable(),
      heartbeat_timezone: z.string().nullable(),
      heartbeat_grace: z.int().nullable(),
      heartbeat_wait_for_first_ping: z.boolean().nullable(),
      heartbeat_max_runtime: z.int().nullable(),
      group_id: z.int().nullable(),
      keyword_settings: keywords.nullable(),
      json_assertion_settings: assertions.nullable(),
      auth_type: z.enum(AUTH_TYPES).nullable(),
      auth_username: z.string().nullable(),
      http_method: z.enum(HTTP_METHODS).nullable(),
      accepted_status_codes: z.array(z.string()).nullable(),
      follow_redirects: z.boolean(),
      request_timeout: z.int(),
      request_headers: z.record(z.string(), z.string()).nullable(),
      request_body: z.string().nullable(),
      verify_ssl: z.boolean(),
      ssl_expiry_threshold: z.int(),
      domain_expiry_threshold: z.int(),
      slow_response_threshold: z.int().nullable(),
      error_text_detection: z.boolean(),
      failure_threshold: z.int(),
      recovery_threshold: z.int(),
    }),
    tags: z.array(z.string()),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Monitor', description: 'Something that is watched.' });

const milliseconds = z.number().nullable();

const inspection = z
  .looseObject({ ok: z.boolean() })
  .meta({ description: 'There when the check type is on; null until it has run.' });

const contentOutcome = z
  .object({ passed: z.boolean(), failures: z.array(z.string()) })
  .meta({ description: 'There when the check type is on; null until it has run.' });

/** The outcome of a manual check. */
export const checkResult = z
  .object({
    uptime: z.object({
      is_up: z.boolean(),
      status: z.enum(['online', 'offline']),
      response_time: milliseconds.meta({
        description: 'Milliseconds; null unless the target answered.',
      }),
      status_code: z.int().nullable().meta({ description: 'Of HTTP; null when there was none.' }),
      checked_from_region: z.string(),
      error: z.string().nullable().meta({ description: 'Why it is down; null when it is up.' }),
      timings: z
        .object({
          dns_ms: milliseconds,
          tcp_ms: milliseconds,
          tls_ms: milliseconds,
          ttfb_ms: milliseconds,
          total_ms: milliseconds,
        })
        .meta({ description: 'Milliseconds of each phase; null where it did not happen.' }),
    }),
    ssl: z
      .object({
        valid: z.boolean(),
        expires_at: time.nullable(),
        days_until_expiry: z.int().nullable(),
        issuer: z.string().nullable(),
      })
      .nullable(),
    dns: inspection.nullable().optional(),
    domain: inspection.nullable().optional(),
    keyword: contentOutcome.nullable().optional(),
    json: contentOutcome.nullable().optional(),
    not_run: z
      .record(z.string(), z.string())
      .meta({ description: 'Why a check type that is on has no outcome, by its name.' }),
  })
  .meta({ id: 'CheckResult', description: 'What one region sees now.' });

/** The newest result of a region. */
export const responseTime = z
  .object({
    region: z.string(),
    response_time: milliseconds.meta({
      description: 'Milliseconds; null unless the target answered.',
    }),
    status_code: z.int().nullable(),
    checked_at: time,
  })
  .meta({ id: 'ResponseTime', description: 'The newest result of one region.' });

/** The answer of pause and resume. */
export const pauseResult = z
  .object({
    success: z.literal(true),
    message: z.string(),
    monitor: z.object({ id: z.int(), url: z.string(), is_paused: z.boolean() }),
  })
  .meta({ id: 'PauseResult', description: 'Whether the monitor is paused now.' });
