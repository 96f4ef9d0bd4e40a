import { z } from 'zod';
import { groupInput } from './service.ts';
import type { Operation } from '../common/operation.ts';

const group = z
  .object({
    id: z.int(),
    name: z.string().meta({ description: 'Unique in the team, by exact text.' }),
    description: z.string().nullable(),
    parent_id: z
      .int()
      .nullable()
      .meta({ description: 'The group that this one lies in. Groups nest one level deep.' }),
    sort_order: z.int().meta({ description: 'Lists are ordered by it, then by name.' }),
    monitors_count: z
      .int()
      .meta({ description: 'Monitors directly in it; those of its subgroups are not counted.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Group', description: "A folder of the team's monitors." });

const production = {
  id: 1,
  name: 'Production',
  description: 'What customers see',
  parent_id: null,
  sort_order: 10,
  monitors_count: 0,
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
};

const NAME_TAKEN =
  'A name that another group has is refused with 422, and `existing_group_id` in the answer says which group that is.';

export const GROUP_OPERATIONS = {
  listGroups: {
    tag: 'Groups',
    summary: 'List groups',
    description: 'All groups of the team, ordered by `sort_order`, then by name.',
    answer: z
      .object({ total: z.int(), data: z.array(group) })
      .meta({ id: 'GroupList', description: 'All groups of the team.' }),
    example: { answer: { total: 1, data: [production] } },
  },
  createGroup: {
    tag: 'Groups',
    summary: 'Create a group',
    description: NAME_TAKEN,
    body: groupInput,
    answer: group,
    example: {
      body: { name: 'Production', description: 'What customers see', sort_order: 10 },
      answer: production,
    },
  },
  getGroup: {
    tag: 'Groups',
    summary: 'Get a group',
    answer: group,
    example: { answer: production },
  },
  updateGroup: {
    tag: 'Groups',
    summary: 'Replace a group',
    description: `The whole group is replaced: a \`description\` or \`parent_id\` that is left out becomes null, a \`sort_order\` becomes 0. ${NAME_TAKEN}`,
    body: groupInput,
    answer: group,
    example: {
      body: { name: 'Staging', sort_order: 20 },
      answer: { ...production, name: 'Staging', description: null, sort_order: 20 },
    },
  },
  deleteGroup: {
    tag: 'Groups',
    summary: 'Delete a group',
    description:
      'Its monitors stay and lie in no group from then on. Its subgroups stay, without a parent.',
  },
} satisfies Record<string, Operation>;
