import { z } from 'zod';
import { SECTIONS, type Section } from '../../configuration/document.ts';
import { documentedAs, oneOf, wholeNumber, yesOrNo } from '../../lib/schemas.ts';
import { queryNumber } from '../common/input.ts';
import { time } from '../common/reference-schemas.ts';
import { isTree } from './secrets.ts';

/** Deletions that a request allows unless it says otherwise. */
export const DEFAULT_MAX_DELETIONS = 5;

export const wishInput = z.object({
  document: z
    // Its names are looked at once, where it is read.
    .custom<Readonly<Record<string, unknown>>>((value) => isTree(value) && !Array.isArray(value), {
      error: 'must be an object: a name and lists of items',
    })
    .meta({
      ...documentedAs({ type: 'object', additionalProperties: true }),
      description:
        'The set: its `name`, and lists of items, each with a `key` and the fields of a request that creates it. `/schemas/configuration.json` describes it.',
    }),
  prune: yesOrNo().nullish().meta({
    description:
      'Whether things that the set owns and no longer names are deleted; not by default.',
  }),
  delete_history: yesOrNo().nullish().meta({
    description:
      'Whether `prune` deletes things whose history goes with them. Not by default: monitors are paused instead and belong to no set any more, status pages stay.',
  }),
  max_deletions: wholeNumber(0, 100_000)
    .nullish()
    .meta({
      description: `Refuses to delete more than that; ${DEFAULT_MAX_DELETIONS} unless set.`,
    }),
});

export const exportQuery = z.object({
  name: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/, {
      error: 'must be 1 to 60 lower-case letters, digits and hyphens',
    })
    .optional()
    .meta({
      description:
        'Name of the set. By default the only set of the team, or else the slug of the team.',
    }),
});

export const itemsQuery = z.object({
  section: oneOf(SECTIONS as unknown as [Section, ...Section[]]).optional(),
  id: queryNumber(1, Number.MAX_SAFE_INTEGER, 'a whole number')
    .optional()
    .meta({ description: 'Id of a thing, beside `section`.' }),
});

const named = {
  section: z.enum(SECTIONS),
  kind: z.string().meta({ description: 'As in the audit log, such as `monitor`.' }),
  key: z.string(),
  id: z.int().nullable().meta({ description: 'Null for what is to be created.' }),
  name: z.string(),
};
const anything = (description: string) => z.unknown().meta({ description });

export const planAnswer = z
  .object({
    name: z.string().meta({ description: 'Of the set.' }),
    fingerprint: z.string().meta({
      description:
        'Send it as `If-Match` to apply just this plan: 412 when another one is due by then.',
    }),
    is_empty: z.boolean().meta({ description: 'Whether the team is as the set wants it.' }),
    changes: z.array(
      z
        .object({
          action: z.enum(['create', 'update', 'delete', 'retire', 'adopt']).meta({
            description:
              '`adopt`: it exists, and the set takes it over. `retire`: a monitor is paused, and belongs to no set any more.',
          }),
          ...named,
          fields: z.array(
            z.object({
              field: z.string(),
              before: anything('Keys in place of ids; a secret is eight bullets.'),
              after: anything('As `before`.'),
              is_secret: z.boolean(),
            }),
          ),
        })
        .meta({ id: 'ConfigurationChange', description: 'A change of one thing.' }),
    ),
    drift: z
      .array(
        z
          .object({
            action: z.enum(['updated', 'deleted']),
            ...named,
            fields: z.array(
              z.object({
                field: z.string(),
                applied: anything('As the set left it.'),
                current: anything('As it is now.'),
              }),
            ),
            changed_by: z.array(z.object({ actor: z.string(), at: time, verb: z.string() })),
          })
          .meta({ id: 'ConfigurationDrift', description: 'A thing that others changed.' }),
      )
      .meta({ description: 'What was changed by others since the set was last applied.' }),
    left_alone: z.record(z.string(), z.int()).meta({
      description: 'Number of things that the set does not own, by section.',
    }),
    kept: z.array(z.object(named)).meta({
      description: 'What the set owns and no longer names: `prune` would delete it.',
    }),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'ConfigurationPlan', description: 'What a set changes.' });

export const exampleDocument = { name: 'shop', groups: [{ key: 'shop', name: 'Shop' }] };
export const examplePlan = {
  name: 'shop',
  fingerprint: 'vpBUoDAcaOANqGBYXFB6ofqPvPBw8BEk',
  is_empty: false,
  changes: [
    {
      action: 'create' as const,
      section: 'groups' as const,
      kind: 'group',
      key: 'shop',
      id: null,
      name: 'Shop',
      fields: [{ field: 'name', before: null, after: 'Shop', is_secret: false }],
    },
  ],
  drift: [],
  left_alone: {},
  kept: [],
  warnings: [],
};

export const exampleSet = {
  id: 1,
  name: 'shop',
  items_count: 1,
  applied_at: '2030-01-01T00:00:00.000Z',
  applied_by: 'Alice <alice@example.com>',
  created_at: '2030-01-01T00:00:00.000Z',
};

export const setAnswer = z
  .object({
    id: z.int(),
    name: z.string(),
    items_count: z.int(),
    applied_at: time,
    applied_by: z.string(),
    created_at: time,
  })
  .meta({ id: 'ConfigurationSet', description: 'Things of a team that files describe.' });
