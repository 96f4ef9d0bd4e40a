import { z } from 'zod';
import { anyNumber, oneOf, text, yesOrNo } from '../../lib/schemas.ts';
import { MONITOR_STATUSES } from '../../model/monitor.ts';
import { MAX_TAGS, tagText } from '../../monitor-types/input-schemas.ts';
import { MONITOR_TYPES } from '../../monitor-types/registry.ts';

/** Maximum number of monitors in one request to create them, and of ids in one action. */
export const MAX_LISTED = 500;

export const BULK_ACTIONS = [
  'pause',
  'resume',
  'delete',
  'add_tags',
  'remove_tags',
  'move',
] as const;
export type BulkActionName = (typeof BULK_ACTIONS)[number];

/** Body of a request to create monitors. @param monitor schema of each; each is read separately later. */
export function bulkCreateBody(monitor: z.ZodType) {
  const error = `must be a list of 1 to ${MAX_LISTED} monitors`;
  return z.object({
    monitors: z.array(monitor, { error }).min(1, { error }).max(MAX_LISTED, { error }),
    all_or_nothing: yesOrNo().nullish().meta({
      description: 'Creates no monitor unless all can be created. `false` unless set.',
    }),
  });
}

const TAGS = `list of 1 to ${MAX_TAGS} tags`;

function someTags() {
  const error = `must be a ${TAGS}`;
  return z.array(tagText(), { error }).min(1, { error }).max(MAX_TAGS, { error });
}

const id = (what: string) =>
  z.int({ error: `must be the id of ${what}` }).min(1, { error: `must be the id of ${what}` });

/**
 * Filters of an action: those of the list of monitors, as JSON. Values are required, since an empty variable of a script
 * must not match every monitor.
 *
 * @param regions codes of the installation's regions; null in the reference.
 */
function actionFilter(regions: readonly string[] | null) {
  const shape = {
    search: text(255).optional(),
    q: text(255).optional(),
    status: oneOf(MONITOR_STATUSES).optional(),
    type: oneOf(MONITOR_TYPES).optional(),
    interval: anyNumber(0.5, 60).optional(),
    tag: z.union([tagText(), someTags()], { error: `must be a tag or a ${TAGS}` }).optional(),
    group_id: id('a group of your team').optional(),
    region: (regions === null ? z.string() : oneOf(regions as [string, ...string[]])).optional(),
    all: z.literal(true, { error: 'must be true, or be left out' }).optional(),
  };
  const names = Object.keys(shape).join(', ');
  return z
    .strictObject(shape, {
      error: ({ code }) =>
        code === 'unrecognized_keys'
          ? `is not a filter: use ${names}`
          : 'must be an object of filters, such as {"tag": "prod"}',
    })
    .meta({ override: { minProperties: 1 } });
}

/** Body of an action on several monitors. */
export function bulkActionBody(regions: readonly string[] | null) {
  const ids = `must be a list of 1 to ${MAX_LISTED} ids, each at most once`;
  return z.object({
    action: oneOf(BULK_ACTIONS),
    ids: z
      .array(id('a monitor'), { error: ids })
      .min(1, { error: ids })
      .max(MAX_LISTED, { error: ids })
      .refine((list) => new Set(list).size === list.length, { error: ids })
      .optional()
      .meta({
        description: 'The monitors. Send either this or `filter`.',
        override: { uniqueItems: true },
      }),
    filter: actionFilter(regions).optional().meta({
      description:
        'The filters of the list of monitors; `tag` takes a tag or a list. `{"all": true}` is every monitor of the team. Unknown keys and an empty object are refused.',
    }),
    tags: someTags()
      .optional()
      .meta({ description: 'Required for `add_tags` and `remove_tags`, and refused otherwise.' }),
    group_id: id('a group of your team').nullable().optional().meta({
      description:
        'Required for `move`, and refused otherwise; null moves monitors out of their group.',
    }),
    dry_run: yesOrNo().optional().meta({
      description: 'Changes nothing, and answers what would change. `false` unless set.',
    }),
  });
}

export type BulkActionBody = z.output<ReturnType<typeof bulkActionBody>>;
