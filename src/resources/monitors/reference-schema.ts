import { z } from 'zod';
import {
  AUTH_TYPES,
  CHECK_TYPES,
  HTTP_METHODS,
  MONITOR_STATUSES,
  MONITOR_TYPES,
} from '../../model/monitor.ts';
import { jsonAssertionSettings, keywordSettings } from '../../monitor-types/content-settings.ts';
import { oneOf } from '../../lib/schemas.ts';
import { HEARTBEAT_DEFAULTS } from './heartbeat-settings.ts';
import { createMonitorSchemas } from './input.ts';
import { defaultSettings } from './settings.ts';

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
  depends_on:
    'Ids of at most 10 monitors of the team without which this one can not work, such as its router: while one of them is down, people are not told of this one. In no circle. One that is deleted drops out.',
  keyword_settings:
    'http only. Comes back as it was sent; an empty list of keywords is none, and comes back as null. Turns the check type keyword on; null without `check_types` turns it off. Not together with JSON assertions.',
  json_assertion_settings:
    'http only. Comes back as it was sent; an empty list of assertions is none, and comes back as null. Turns the check type json on; null without `check_types` turns it off. Not together with keywords.',
  auth_type:
    'How an http check signs in. Needs `auth_username` and `auth_password`; null clears all three. Digest answers the challenge of the server (RFC 7616).',
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
  verify_ssl:
    'Whether a bad certificate fails the check; with the check type ssl it is an incident of its own instead.',
  ssl_expiry_threshold: 'A certificate that has fewer whole days left than that is a trouble.',
  domain_expiry_threshold: 'A registration that has fewer whole days left than that is a trouble.',
  slow_response_threshold: 'Milliseconds from which on an answer is slow; null: never.',
  error_text_detection: "Whether a server's error text on an accepted page fails the check.",
  failure_threshold: 'Bad rounds in a row until it counts as failing.',
  recovery_threshold: 'Good rounds in a row until it counts as well again.',
  check_both_families:
    'Whether it is a trouble when a name has addresses of IPv4 and of IPv6 and only one family answers: an incident of type dual_stack, and the status degraded.',
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
      check_both_families: z.boolean(),
    }),
    tags: z.array(z.string()),
    ...explain({ depends_on: z.array(z.int()) }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Monitor', description: 'Something that is watched.' });

const milliseconds = z.number().nullable();

const sentence = z.string().nullable();

const contentOutcome = z
  .object({
    passed: z.boolean(),
    failures: z.array(z.string()).meta({ description: 'The texts of those that did not pass.' }),
    outcomes: z
      .array(z.object({ passed: z.boolean(), text: z.string() }))
      .meta({ description: 'Of each keyword or assertion, in their order.' }),
  })
  .meta({ id: 'ContentOutcome', description: 'What became of the keywords or the assertions.' });

const days = z.int().nullable().meta({
  description: 'Whole days that are left; negative once it is over.',
});

const sslOutcome = z
  .object({
    valid: z.boolean().meta({
      description:
        'Whether the certificate can be trusted; with `verify_ssl` false, whether its dates are good and it is not revoked.',
    }),
    expires_at: time.nullable(),
    days_until_expiry: days,
    issuer: z.string().nullable(),
    subject: z.string().nullable(),
    protocol: z.string().nullable().meta({ description: 'Such as TLSv1.3.' }),
    error: sentence.meta({
      description: 'Why it is not valid, or that it expires within `ssl_expiry_threshold`.',
    }),
  })
  .meta({ id: 'SslOutcome', description: 'The certificate that the target shows now.' });

const dnsOutcome = z
  .object({
    ok: z.boolean(),
    error: sentence.meta({ description: 'Why the name could not be looked up.' }),
    records: z
      .record(z.string(), z.array(z.string()))
      .nullable()
      .meta({ description: 'By type, such as A or MX; null when the look-up failed.' }),
    source: z.enum(['authoritative', 'resolver']).nullable().meta({
      description: 'Who said so: a name server of the zone, or the resolver of the machine.',
    }),
  })
  .meta({ id: 'DnsOutcome', description: 'The records of the name now.' });

const domainOutcome = z
  .object({
    ok: z.boolean().meta({ description: 'False when it is over, or near its end.' }),
    error: sentence.meta({
      description: 'That it is over, or that it expires within `domain_expiry_threshold`.',
    }),
    expires_at: time.nullable().meta({ description: 'Null when the registry does not tell.' }),
    days_until_expiry: days,
    registrar: z.string().nullable(),
    checked_at: time.meta({
      description: 'When the registry said so: it is not asked anew within a day.',
    }),
  })
  .meta({ id: 'DomainOutcome', description: 'The registration of the domain.' });

const familyOutcome = z
  .object({ ok: z.boolean(), error: sentence })
  .meta({ id: 'FamilyOutcome', description: 'Whether one family of addresses answers.' });

const ACTIVE = 'There when the check type is on; null where `not_run` says why.';

/** The outcome of a manual check. */
export const checkResult = z
  .object({
    uptime: z.object({
      is_up: z.boolean().meta({
        description: 'Whether the target answers as it should; its content is told apart.',
      }),
      status: z.enum(['online', 'offline']),
      response_time: milliseconds.meta({
        description: 'Milliseconds; null unless the target answered.',
      }),
      status_code: z.int().nullable().meta({ description: 'Of HTTP; null when there was none.' }),
      checked_from_region: z.string(),
      error: sentence.meta({ description: 'Why it is down; null when it is up.' }),
      timings: z
        .object({
          dns_ms: milliseconds,
          tcp_ms: milliseconds,
          tls_ms: milliseconds,
          ttfb_ms: milliseconds,
          total_ms: milliseconds,
        })
        .meta({ description: 'Milliseconds of each phase; null where it did not happen.' }),
      families: z.object({ ipv4: familyOutcome, ipv6: familyOutcome }).optional().meta({
        description:
          'Only of a name that has addresses of both families, both of which the probe can reach.',
      }),
    }),
    ssl: sslOutcome
      .nullable()
      .meta({ description: 'Null when the check type is off, or where `not_run` says why.' }),
    dns: dnsOutcome.nullable().optional().meta({ description: ACTIVE }),
    domain: domainOutcome.nullable().optional().meta({ description: ACTIVE }),
    keyword: contentOutcome.nullable().optional().meta({ description: ACTIVE }),
    json: contentOutcome.nullable().optional().meta({ description: ACTIVE }),
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
