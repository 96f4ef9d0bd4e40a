import { z } from 'zod';
import { oneOf } from '../../lib/schemas.ts';
import { MONITOR_STATUSES } from '../../model/monitor.ts';
import type { Field } from '../../monitor-types/definition.ts';
import { DEFINITIONS, MONITOR_TYPES } from '../../monitor-types/registry.ts';
import { FIELD_LIST } from '../../monitor-types/settings.ts';

const PUSH = 'heartbeat and cron only';

/** What a field means, and what it is unless it is set. */
function descriptionOf({ meaning, unset }: Field): string {
  const isTold = ['number', 'boolean', 'string'].includes(typeof unset) && unset !== '';
  return isTold ? `${meaning} \`${unset}\` unless set.` : meaning;
}

const inputs = FIELD_LIST.map(({ name, field }): [string, z.ZodType] => {
  // Inputs that depend on type or installation are documented apart.
  const schema = field.documented ?? (field.input as z.ZodType);
  return [name, schema.nullish().meta({ description: descriptionOf(field) })];
});

const outputs = FIELD_LIST.flatMap(({ name, field }): [string, z.ZodType][] => {
  if (field.secret === 'never shown') return [];
  // The url is that of the pings where people set none.
  const isNullable = name !== 'url' && (field.group !== undefined || field.unset === undefined);
  const schema = isNullable ? field.output.nullable() : field.output;
  return [[name, schema.meta({ description: descriptionOf(field) })]];
});

const requirements = DEFINITIONS.map(({ name, required, example }) => {
  const fields = required.map(([field]) => field);
  const body = Object.fromEntries(fields.map((field) => [field, example[field]]));
  const names = fields.map((field) => `\`${field}\``).join(', ');
  return `| ${name} | ${names} | \`${JSON.stringify({ monitor_type: name, ...body })}\` |`;
});

/** The body of create and update: what the schemas of all types allow, in one. */
export const monitorBody = z
  .object({
    monitor_type: oneOf(MONITOR_TYPES)
      .nullish()
      .meta({ description: 'http unless given; it can not be changed later.' }),
    ...Object.fromEntries(inputs),
  })
  .meta({
    id: 'MonitorSettings',
    description: `What people set of a monitor. Which fields are required depends on \`monitor_type\`:

| Type | Required | Such as |
| --- | --- | --- |
${requirements.join('\n')}

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
    ...Object.fromEntries(outputs),
    ping_url: z
      .string()
      .nullable()
      .meta({
        description: `Where the job reports to, by GET, POST or HEAD and without another token. As it stands it tells of a success; \`/fail\`, an exit code from \`/0\` to \`/255\`, \`/start\` or \`/log\` may follow. It is a secret. ${PUSH}.`,
      }),
    status: z
      .enum(MONITOR_STATUSES)
      .meta({ description: 'pending until the first verdict; a pause does not change it.' }),
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
