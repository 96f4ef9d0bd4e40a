import { http } from '../../monitor-types/http.ts';
import { noun } from '../common/operation.ts';
import { createBulkAction } from './bulk-actions.ts';
import { createBulkCreate } from './bulk-create.ts';
import { EXAMPLE } from './reference.ts';
import { z } from 'zod';
import { bulkActionBody, bulkCreateBody } from './bulk-input.ts';
import { monitor, monitorBody } from './reference-schema.ts';

const index = z.int().meta({ description: 'Position in `monitors` of the request, from 0.' });

const created = z
  .object({ index, status: z.literal(201), monitor })
  .meta({ id: 'BulkCreated', description: 'A monitor that was created.' });

const refused = z
  .object({
    index,
    status: z.union([z.literal(403), z.literal(422), z.literal(424)]).meta({
      description:
        'HTTP status that a request for this monitor alone would have: 422 for invalid fields, 403 where the plan does not allow it. 424 with `all_or_nothing`, when another one was refused.',
    }),
    message: z.string().meta({ description: 'The first error, and how many more there are.' }),
    errors: z
      .record(z.string(), z.array(z.string()).min(1))
      .meta({ description: 'All errors: sentences by field; `plan` for 403.' }),
  })
  .meta({ id: 'BulkRefused', description: 'A monitor that was not created, and why.' });

const bulkResult = z
  .object({
    created: z.int().meta({ description: 'Number of monitors that were created.' }),
    results: z
      .array(z.union([created, refused]))
      .meta({ description: 'One for each monitor of the request, in its order.' }),
  })
  .meta({ id: 'BulkCreateResult', description: 'What became of each monitor.' });

const actionResult = z
  .object({
    matched: z.int().meta({ description: 'Number of monitors that were chosen.' }),
    changed: z.int().meta({
      description: 'Number of them that were changed; the others were as the action leaves them.',
    }),
    ids: z.array(z.int()).meta({
      description:
        'The monitors that were changed, or with `dry_run` would be, in ascending order.',
    }),
  })
  .meta({ id: 'BulkActionResult', description: 'Effect of an action.' });

export const createMonitors = noun('Monitors', createBulkCreate, {
  createMonitors: {
    at: 'POST /monitors/bulk',
    status: 200,
    summary: 'Create several monitors',
    description:
      'Creates up to 500 monitors, and counts as one request. Each is accepted or refused independently: read `results`. Those that are accepted are created together.',
    body: bulkCreateBody(monitorBody),
    answer: bulkResult,
    example: {
      body: { monitors: [http.example] },
      answer: { created: 1, results: [{ index: 0, status: 201, monitor: EXAMPLE }] },
    },
    handle: (run, { caller, body }) => run(caller, body),
  },
});

export const changeMonitors = noun('Monitors', createBulkAction, {
  changeMonitors: {
    at: 'POST /monitors/actions',
    needs: 'update',
    summary: 'Pause, resume, delete, tag or move several monitors',
    description:
      'Changes the monitors in `ids`, or up to 10,000 that match `filter`, and counts as one request. With an error, nothing is changed; an unknown id and an unknown filter are errors. Has no effect on monitors that are already as wanted. `delete` needs the permission `delete`, too.',
    body: bulkActionBody(null),
    answer: actionResult,
    example: {
      body: { action: 'add_tags', filter: { type: 'http' }, tags: ['critical'] },
      answer: { matched: 1, changed: 1, ids: [1] },
    },
    handle: (run, { caller, body }) => run(caller, body),
  },
});
