import { noun } from '../common/operation.ts';
import { createAlertRouteService } from './service.ts';
import { z } from 'zod';
import { answerShape, changeSchema, exampleFields, requestSchema } from '../common/fields.ts';
import { ROUTE_FIELDS } from './fields.ts';

const route = z
  .object({
    id: z.int(),
    ...answerShape(ROUTE_FIELDS),
    scope: z.enum(['everything', 'some', 'nothing']).meta({
      description:
        'What it matches: everything where it names no monitors, groups or tags; nothing where all that it named were deleted.',
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'AlertRoute', description: 'Who is notified of which monitors.' });

const shop = {
  id: 1,
  ...exampleFields(ROUTE_FIELDS, {
    name: 'Shop',
    monitors: [1],
    tags: ['shop'],
    channels: [1],
    reminder_minutes: 30,
    escalation: [{ after_minutes: 15, channels: [], users: [1] }],
  }),
  scope: 'some',
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
};

const WHO =
  'A route without `monitors`, `groups` and `tags` matches everything. All routes that match apply; where none does, the default channels of the team and the own channels of its members are notified.';

export const alertRoutes = noun('Alerts', createAlertRouteService, {
  listAlertRoutes: {
    at: 'GET /alert-routes',
    role: 'admin',
    summary: 'List routes',
    description: `All routes of the team, ordered by \`sort_order\`. ${WHO}`,
    answer: z
      .object({ total: z.int(), data: z.array(route) })
      .meta({ id: 'AlertRouteList', description: 'All routes of the team.' }),
    example: { answer: { total: 1, data: [shop] } },
    handle: (its, { caller }) => its.list(caller),
  },
  createAlertRoute: {
    at: 'POST /alert-routes',
    role: 'admin',
    summary: 'Create a route',
    description: `At least one of \`channels\`, \`users\` and \`escalation\` names somebody. ${WHO}`,
    body: requestSchema(ROUTE_FIELDS),
    answer: route,
    example: {
      body: {
        name: 'Shop',
        monitors: [1],
        tags: ['shop'],
        channels: [1],
        reminder_minutes: 30,
        escalation: [{ after_minutes: 15, users: [1] }],
      },
      answer: shop,
    },
    handle: (its, { caller, body }) => its.create(caller, body),
  },
  getAlertRoute: {
    at: 'GET /alert-routes/:id',
    role: 'admin',
    summary: 'Get a route',
    description: 'What it named and was deleted since is left out.',
    answer: route,
    example: { answer: shop },
    handle: (its, { caller, id }) => its.get(caller, id),
  },
  updateAlertRoute: {
    at: 'PUT /alert-routes/:id',
    role: 'admin',
    summary: 'Change a route',
    description:
      'Only the keys that are present change; a list that is sent replaces the former one.',
    body: changeSchema(ROUTE_FIELDS),
    answer: route,
    example: { body: { reminder_minutes: 60 }, answer: { ...shop, reminder_minutes: 60 } },
    handle: (its, { caller, id, body }) => its.update(caller, id, body),
  },
  deleteAlertRoute: {
    at: 'DELETE /alert-routes/:id',
    role: 'admin',
    summary: 'Delete a route',
    description: 'Its channels stay.',
    handle: (its, { caller, id }) => its.delete(caller, id),
  },
});
