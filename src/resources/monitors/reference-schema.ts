import { z } from 'zod';
import { CHANGING } from '../common/changing.ts';
import { oneOf } from '../../lib/schemas.ts';
import { MONITOR_STATUSES } from '../../model/monitor.ts';
import type { FieldName } from '../../monitor-types/fields.ts';
import { DEFINITIONS, MONITOR_TYPES, PUSH } from '../../monitor-types/registry.ts';
import { FIELD_LIST } from '../../monitor-types/settings.ts';
import { descriptionOf } from '../common/fields.ts';
import { responseTimeMs, time } from '../common/reference-schemas.ts';

const ONLY_PUSH = `${PUSH.and} only`.replace(/^./, (letter) => letter.toUpperCase());

/** The defaults of single types for a field. */
function ownDefaults(name: FieldName): string[] {
  return DEFINITIONS.flatMap((type) => {
    const value = type.defaults?.[name];
    return value === undefined ? [] : [`\`${JSON.stringify(value)}\` for ${type.name} unless set.`];
  });
}

const inputs = FIELD_LIST.map(({ name, field }): [string, z.ZodType] => {
  // Inputs that depend on the type or the installation have a schema for the reference.
  const schema = field.documented ?? (field.input as z.ZodType);
  const description = [descriptionOf(field), ...ownDefaults(name)].join(' ');
  return [name, schema.nullish().meta({ description })];
});

const outputs = FIELD_LIST.flatMap(({ name, field }): [string, z.ZodType][] => {
  if (field.secret === 'never shown') return [];
  // A push monitor without a url has its ping URL.
  const isNullable = name !== 'url' && (field.group !== undefined || field.unset === undefined);
  const schema = isNullable ? field.output.nullable() : field.output;
  return [[name, schema.meta({ description: descriptionOf(field)! })]];
});

const requirements = DEFINITIONS.map(({ name, required, example }) => {
  const fields = required.map(([field]) => field);
  const body = Object.fromEntries(fields.map((field) => [field, example[field]]));
  const names = fields.map((field) => `\`${field}\``).join(', ');
  return `| ${name} | ${names} | \`${JSON.stringify({ monitor_type: name, ...body })}\` |`;
});

/** Body of create and update, for all types together. */
export const monitorBody = z
  .object({
    monitor_type: oneOf(MONITOR_TYPES)
      .nullish()
      .meta({ description: 'By default http. It cannot be changed later.' }),
    ...Object.fromEntries(inputs),
  })
  .meta({
    id: 'MonitorSettings',
    description: `Settings of a monitor. The required fields depend on \`monitor_type\`:

| Type | Required | Example |
| --- | --- | --- |
${requirements.join('\n')}

Fields marked "http only" are refused on other types unless they are null or empty. Other fields that do not apply to a
type (\`port\`, \`heartbeat_…\`, and \`url\` and \`check_interval\` for ${PUSH.and}) are ignored. All others are
stored and shown for every type. In optional fields, an empty text is the same as null.`,
  });

/** A monitor as responses show it. */
export const monitor = z
  .object({
    id: z.int(),
    monitor_type: z.enum(MONITOR_TYPES),
    ...Object.fromEntries(outputs),
    ping_url: z
      .string()
      .nullable()
      .meta({
        description: `URL to which the job sends pings, by GET, POST or HEAD and without a token. A request to it reports success; append \`/fail\`, an exit code from \`/0\` to \`/255\`, \`/start\` or \`/log\` for other pings. It is a secret. ${ONLY_PUSH}.`,
      }),
    status: z
      .enum(MONITOR_STATUSES)
      .meta({ description: 'pending until the first verdict. Pausing does not change it.' }),
    observed_until: time.nullable().meta({
      description: `Time until which \`status\` is known: the end of what the newest verdict covers. In the past when checks do not come, whatever the reason; for ${PUSH.and}, when pings are not taken. A slow check may pass it by a minute, or by less than the interval. Null while pending or paused.`,
    }),
    is_paused: z.boolean(),
    last_checked_at: time.nullable(),
    next_check_at: time.nullable().meta({ description: `Null while paused, and for ${PUSH.and}.` }),
    last_heartbeat_at: time
      .nullable()
      .meta({ description: `Time of the newest ping that reported success. ${ONLY_PUSH}.` }),
    heartbeat_expected_at: time.nullable().meta({
      description: `Time of the next expected ping, without the grace period; for a job that missed its ping, the missed time. ${ONLY_PUSH}.`,
    }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Monitor', description: 'A monitor with its settings and status.' })
  .register(CHANGING, {
    fields: [
      'status',
      'observed_until',
      'last_checked_at',
      'next_check_at',
      'last_heartbeat_at',
      'heartbeat_expected_at',
    ],
  });

export const responseTime = z
  .object({
    region: z.string(),
    response_time: responseTimeMs,
    status_code: z.int().nullable(),
    checked_at: time,
  })
  .meta({ id: 'ResponseTime', description: 'Newest result of one region.' });

export const pauseResult = z
  .object({
    success: z.literal(true),
    message: z.string(),
    monitor: z.object({ id: z.int(), url: z.string(), is_paused: z.boolean() }),
  })
  .meta({ id: 'PauseResult', description: 'State of the monitor after the request.' });
