import { noun } from '../common/operation.ts';
import { createGroupService } from './service.ts';
import { z } from 'zod';
import { answerShape, requestSchema } from '../common/fields.ts';
import { GROUP_FIELDS } from './fields.ts';

const groupBody = requestSchema(GROUP_FIELDS);

const group = z
  .object({
    id: z.int(),
    ...answerShape(GROUP_FIELDS),
    monitors_count: z.int().meta({
      description: 'Number of monitors directly in it; those of its subgroups are not counted.',
    }),
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
  'A name that another group has, without regard to case, is refused with 422; `existing_group_id` in the answer is the id of that group.';

export const groups = noun('Groups', createGroupService, {
  listGroups: {
    at: 'GET /groups',
    summary: 'List groups',
    description: 'All groups of the team, ordered by `sort_order`, then by name.',
    answer: z
      .object({ total: z.int(), data: z.array(group) })
      .meta({ id: 'GroupList', description: 'All groups of the team.' }),
    example: { answer: { total: 1, data: [production] } },
    handle: (its, { caller }) => its.list(caller),
  },
  createGroup: {
    at: 'POST /groups',
    summary: 'Create a group',
    description: NAME_TAKEN,
    body: groupBody,
    answer: group,
    example: {
      body: { name: 'Production', description: 'What customers see', sort_order: 10 },
      answer: production,
    },
    handle: (its, { caller, body }) => its.create(caller, body),
  },
  getGroup: {
    at: 'GET /groups/:id',
    summary: 'Get a group',
    answer: group,
    example: { answer: production },
    handle: (its, { caller, id }) => its.get(caller, id),
  },
  updateGroup: {
    at: 'PUT /groups/:id',
    summary: 'Replace a group',
    description: `Replaces the whole group: fields that are left out are unset. ${NAME_TAKEN}`,
    body: groupBody,
    answer: group,
    example: {
      body: { name: 'Staging', sort_order: 20 },
      answer: { ...production, name: 'Staging', description: null, sort_order: 20 },
    },
    handle: (its, { caller, id, body }) => its.update(caller, id, body),
  },
  deleteGroup: {
    at: 'DELETE /groups/:id',
    summary: 'Delete a group',
    description: 'Its monitors stay, without a group. Its subgroups stay, without a parent.',
    handle: (its, { caller, id }) => its.delete(caller, id),
  },
});
