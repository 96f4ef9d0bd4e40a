import { z } from 'zod';
import { documentedAs, oneOf, text, wholeNumber } from '../../lib/schemas.ts';
import { MONITOR_STATUSES } from '../../model/monitor.ts';
import { hasNoContent } from '../../monitor-types/content-settings.ts';
import type { Field, InputContext } from '../../monitor-types/field.ts';
import { MAX_TAGS, tagText } from '../../monitor-types/input-schemas.ts';
import { DEFINITIONS, MONITOR_TYPES, takes } from '../../monitor-types/registry.ts';
import { FIELD_LIST } from '../../monitor-types/settings.ts';
import { MONITOR_SORTS } from '../../store/resources/monitors.ts';
import { queryNumber } from '../common/input.ts';
import { PAGE_QUERY } from '../common/page.ts';

/** Schema of the body by type of monitor. */
export type MonitorSchemas = ReadonlyMap<string, z.ZodObject>;

/**
 * Schemas of create and update by type. All fields are optional, since rules.ts checks the required ones; unknown fields
 * are ignored.
 *
 * @param regions codes of the installation's regions.
 */
export function createMonitorSchemas(regions: readonly string[]): MonitorSchemas {
  return new Map(DEFINITIONS.map((type) => [type.name, schemaOf({ type, regions })]));
}

function schemaOf(context: InputContext): z.ZodObject {
  const entries = FIELD_LIST.flatMap(({ name, field }) => {
    const schema = takes(context.type, field.group) ? inputOf(field, context) : refusalOf(field);
    return schema === null ? [] : [[name, schema]];
  });
  return z.object(Object.fromEntries(entries) as z.ZodRawShape);
}

function inputOf({ input }: Field, context: InputContext): z.ZodType {
  return (typeof input === 'function' ? input(context) : input).nullish();
}

/** Refuses the fields of http monitors on other types unless they are empty; null for a field to ignore. */
function refusalOf({ group, isEmpty = (value) => hasNoContent(value, null) }: Field) {
  if (group !== 'http') return null;
  return z
    .unknown()
    .refine(isEmpty, { error: `is for ${group} monitors only: leave it out, or send null` })
    .transform(() => undefined)
    .optional();
}

const WEEK_SECONDS = 7 * 86_400;
/** Time for which a replaced ping URL works unless the caller says otherwise. */
export const KEEP_OLD_PING_URL_SECONDS = 86_400;

export const pingUrlRotation = z.object({
  keep_old_for: wholeNumber(0, WEEK_SECONDS, 'a whole number of seconds')
    .nullish()
    .meta({
      description: `Seconds for which the old URL works, too; ${KEEP_OLD_PING_URL_SECONDS} unless given. 0 ends it, and all before it, at once.`,
    }),
});

/**
 * Query parameters of the list of monitors.
 *
 * @param regions codes of the installation's regions; null in the reference.
 */
export function monitorListQuery(regions: readonly string[] | null) {
  return z.object({
    ...PAGE_QUERY,
    search: text(255).optional().meta({
      description: 'Part of the url, ignoring case; `%` and `_` have no special meaning.',
    }),
    q: text(255)
      .optional()
      .meta({ description: 'Like `search`, but also in the name and in parts of the tags.' }),
    status: oneOf(MONITOR_STATUSES).optional(),
    type: oneOf(MONITOR_TYPES).optional(),
    interval: queryNumber(0.5, 60, 'a number')
      .optional()
      .meta({ description: 'Check interval in minutes.' }),
    tag: z
      .preprocess(
        (value) => (typeof value === 'string' ? [value] : value),
        z.array(tagText()).max(MAX_TAGS, { error: `must be given at most ${MAX_TAGS} times` }),
      )
      .optional()
      .meta({
        description:
          'A tag, exactly as stored; given several times, only monitors that have all of them.',
        ...documentedAs({
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 50 },
          maxItems: MAX_TAGS,
        }),
      }),
    group_id: queryNumber(1, Number.MAX_SAFE_INTEGER, 'a whole number')
      .optional()
      .meta({ description: 'A group of your team; its subgroups are included.' }),
    region: (regions === null ? z.string() : oneOf(regions as [string, ...string[]]))
      .optional()
      .meta({ description: 'Code of a region that the monitor is checked from.' }),
    sort: oneOf(MONITOR_SORTS).optional(),
  });
}
