import { noun } from '../common/operation.ts';
import { createMaintenanceService } from './service.ts';
import { z } from 'zod';
import { answerShape, requestSchema } from '../common/fields.ts';
import { WINDOW_FIELDS } from './fields.ts';
import { startInput } from './input.ts';
import { maintenanceListQuery } from './service.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';

const time = (description: string) => z.iso.datetime().meta({ description });

const windowBody = requestSchema(WINDOW_FIELDS);

const maintenanceWindow = z
  .object({
    id: z.int(),
    ...answerShape(WINDOW_FIELDS),
    monitors_covered: z.int().min(0).meta({
      description: 'Number of monitors that the window covers at the moment, paused ones included.',
    }),
    warnings: z
      .array(z.string())
      .meta({ description: 'What is probably a mistake, such as covering no monitor.' }),
    status: z.enum(['scheduled', 'active', 'over']),
    active_until: time('Null while it is not active.').nullable(),
    next_starts_at: time('Start of the next occurrence; null after the last one.').nullable(),
    next_ends_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({
    id: 'MaintenanceWindow',
    description:
      'Planned work: checks continue, alerts and webhooks are held until its end, and downtime during it does not count.',
  });

const patches = {
  id: 1,
  name: 'Database upgrades',
  starts_at: '2030-01-06T02:00:00.000Z',
  ends_at: '2030-01-06T03:30:00.000Z',
  rrule: 'FREQ=MONTHLY;BYDAY=1SU',
  timezone: 'Europe/Berlin',
  monitors: [1],
  groups: [],
  tags: ['database'],
  good_rounds: null,
  monitors_covered: 1,
  warnings: [],
  status: 'scheduled',
  active_until: null,
  next_starts_at: '2030-01-06T02:00:00.000Z',
  next_ends_at: '2030-01-06T03:30:00.000Z',
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
};

const deploy = {
  ...patches,
  name: 'Release 4.2',
  starts_at: '2030-01-01T00:00:00.000Z',
  ends_at: '2030-01-01T00:20:00.000Z',
  rrule: null,
  timezone: 'UTC',
  monitors: [],
  good_rounds: 5,
  tags: ['shop'],
  status: 'active',
  active_until: '2030-01-01T00:20:00.000Z',
  next_starts_at: null,
  next_ends_at: null,
};

export const maintenance = noun('Maintenance', createMaintenanceService, {
  listMaintenanceWindows: {
    at: 'GET /maintenance-windows',
    summary: 'List maintenance windows',
    description:
      'Without `sort`, scheduled and active windows come before those that are over, each by descending `starts_at`.',
    query: maintenanceListQuery,
    answer: pageSchema(maintenanceWindow, 'MaintenanceWindowPage'),
    example: { answer: pageExample('/maintenance-windows', [patches]) },
  },
  createMaintenanceWindow: {
    at: 'POST /maintenance-windows',
    summary: 'Create a maintenance window',
    description:
      'Creates a window with one occurrence, or one that recurs by `rrule` in the wall time of `timezone`. When clocks are set forward, an occurrence in the skipped hour starts right after it; when they are set back, it starts in the first of the two hours. `starts_at` may be up to 90 days ago, to exclude planned downtime from uptime afterwards.',
    body: windowBody,
    answer: maintenanceWindow,
    example: {
      body: {
        name: 'Database upgrades',
        starts_at: '2030-01-06T02:00:00Z',
        ends_at: '2030-01-06T03:30:00Z',
        rrule: 'FREQ=MONTHLY;BYDAY=1SU',
        timezone: 'Europe/Berlin',
        monitors: [1],
        tags: ['database'],
      },
      answer: patches,
    },
  },
  startMaintenance: {
    at: 'POST /maintenance-windows/start',
    summary: 'Start maintenance now',
    description:
      'Starts a window before a deploy. It ends after `minutes`, or earlier once its monitors have recovered.',
    body: startInput,
    answer: maintenanceWindow,
    example: {
      body: { name: 'Release 4.2', minutes: 20, tags: ['shop'] },
      answer: deploy,
    },
  },
  getMaintenanceWindow: {
    at: 'GET /maintenance-windows/:id',
    summary: 'Get a maintenance window',
    answer: maintenanceWindow,
    example: { answer: patches },
  },
  updateMaintenanceWindow: {
    at: 'PUT /maintenance-windows/:id',
    summary: 'Change a maintenance window',
    description:
      'Only fields that are present change. Past occurrences stay; a recurring window changes from now on.',
    body: windowBody.partial(),
    answer: maintenanceWindow,
    example: {
      body: { name: 'Database patches' },
      answer: { ...patches, name: 'Database patches' },
    },
  },
  endMaintenance: {
    at: 'POST /maintenance-windows/:id/end',
    needs: 'update',
    summary: 'End maintenance now',
    description:
      'Ends the active occurrence; later ones still take place. 409 when the window is not active.',
    answer: maintenanceWindow,
    refusals: ['conflict'],
    example: {
      id: 2,
      answer: { ...deploy, id: 2, status: 'over', active_until: null },
    },
  },
  deleteMaintenanceWindow: {
    at: 'DELETE /maintenance-windows/:id',
    summary: 'Delete a maintenance window',
    description: 'Ends the window if it is active. Past occurrences stay excluded from uptime.',
  },
});
