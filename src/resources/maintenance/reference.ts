import { z } from 'zod';
import { startInput, windowInput } from './input.ts';
import { maintenanceListQuery } from './service.ts';
import type { Operation } from '../common/operation.ts';
import { pageExample, pageOf } from '../common/page-reference.ts';

const time = (description: string) => z.iso.datetime().meta({ description });

const maintenanceWindow = z
  .object({
    id: z.int(),
    name: z.string(),
    starts_at: time('When it begins, for the first time if it recurs.'),
    ends_at: z.iso.datetime(),
    rrule: z.string().nullable().meta({
      description: 'How it recurs (RFC 5545, section 3.3.10). Null for a window that comes once.',
    }),
    timezone: z.string().meta({ description: 'IANA name of the zone in whose time it recurs.' }),
    monitors: z.array(z.int()).meta({
      description: 'Ids. With monitors, groups and tags all empty it is for the whole team.',
    }),
    groups: z.array(z.int()),
    tags: z.array(z.string()),
    good_rounds: z.int().nullable().meta({
      description:
        'It ends early once each of its monitors had so many good rounds in a row since it began. Null for by time alone.',
    }),
    status: z.enum(['scheduled', 'active', 'over']),
    active_until: time('Null when it is not active.').nullable(),
    next_starts_at: time('The next time that has not begun; null when none follows.').nullable(),
    next_ends_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({
    id: 'MaintenanceWindow',
    description:
      'A time of planned work: checks go on, alerts and webhooks are held until its end, and downtime inside does not count.',
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

export const MAINTENANCE_OPERATIONS = {
  listMaintenanceWindows: {
    tag: 'Maintenance',
    summary: 'List maintenance windows',
    description:
      'Without `sort` those that are scheduled or active come first, the latest `starts_at` leading, and then those that are over.',
    query: maintenanceListQuery,
    answer: pageOf(maintenanceWindow, 'MaintenanceWindowPage'),
    example: { answer: pageExample('/maintenance-windows', [patches]) },
  },
  createMaintenanceWindow: {
    tag: 'Maintenance',
    summary: 'Create a maintenance window',
    description:
      'One that comes once, or recurs by `rrule` in the wall time of `timezone`. A time that the clocks skip begins right after the jump, one that they show twice begins the first time. `starts_at` may lie up to 90 days back: downtime that was planned and not announced is then excluded from uptime.',
    body: windowInput,
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
    tag: 'Maintenance',
    summary: 'Start maintenance now',
    description:
      'One call before a deploy: opens a window that ends after `minutes` in any case, and earlier once all is well again.',
    body: startInput,
    answer: maintenanceWindow,
    example: {
      body: { name: 'Release 4.2', minutes: 20, tags: ['shop'] },
      answer: deploy,
    },
  },
  getMaintenanceWindow: {
    tag: 'Maintenance',
    summary: 'Get a maintenance window',
    answer: maintenanceWindow,
    example: { answer: patches },
  },
  updateMaintenanceWindow: {
    tag: 'Maintenance',
    summary: 'Change a maintenance window',
    description:
      'Only what is present changes. Time that has passed stays maintenance; one that recurs changes from now on.',
    body: windowInput.partial(),
    answer: maintenanceWindow,
    example: {
      body: { name: 'Database patches' },
      answer: { ...patches, name: 'Database patches' },
    },
  },
  endMaintenance: {
    tag: 'Maintenance',
    summary: 'End maintenance now',
    description:
      'Ends the time that runs; one that recurs comes again at its next time. 409 when it is not active.',
    answer: maintenanceWindow,
    refusals: ['conflict'],
    example: {
      id: 2,
      answer: { ...deploy, id: 2, status: 'over', active_until: null },
    },
  },
  deleteMaintenanceWindow: {
    tag: 'Maintenance',
    summary: 'Delete a maintenance window',
    description: 'Ends it if it is active. Time that has passed stays excluded from uptime.',
  },
} satisfies Record<string, Operation>;
