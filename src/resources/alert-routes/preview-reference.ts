import { noun } from '../common/operation.ts';
import { createAlertRoutePreview } from './preview.ts';
import { z } from 'zod';
import { INCIDENT_TYPES, SEVERITIES } from '../../model/condition.ts';
import { previewQuery } from './preview.ts';

const reason = { code: z.string(), text: z.string().meta({ description: 'A sentence.' }) };

const hold = z
  .object({
    ...reason,
    until: z.iso.datetime().meta({ description: 'When it is evaluated again.' }),
  })
  .meta({ id: 'AlertHold', description: 'What would make a notification wait.' });

const target = z
  .object({
    channel: z.object({
      id: z.int().nullable().meta({
        description: 'Null for an e-mail channel that a person has by default.',
      }),
      name: z.string(),
      type: z.string(),
    }),
    user: z
      .object({ id: z.int(), name: z.string().nullable() })
      .nullable()
      .meta({ description: 'Whose own channel it is; null for a channel of the team.' }),
    after_minutes: z.int().min(0).meta({
      description: 'Time after the first notification, unless somebody acknowledges; 0 is at once.',
    }),
    reminder_minutes: z.int().nullable().meta({ description: 'Time between reminders.' }),
    routes: z.array(z.object({ id: z.int(), name: z.string() })).meta({
      description: 'Routes that name it; empty where no route matches and the defaults count.',
    }),
    is_notified: z.boolean(),
    left_out: z
      .object({ ...reason, code: z.enum(['disabled', 'severity', 'monitor_settings']) })
      .nullable()
      .meta({ description: 'Why it is not notified; null where it is.' }),
    holds: z.array(hold).meta({ description: 'What would make its notification wait.' }),
  })
  .meta({ id: 'PreviewedTarget', description: 'A channel that routes name.' });

export const previewAlertRoutes = noun('Alerts', createAlertRoutePreview, {
  previewAlertRoutes: {
    at: 'GET /alert-routes/preview',
    role: 'admin',
    summary: 'Preview who would be notified',
    description:
      'Who would be notified if an incident of a monitor began now and nobody acknowledged it, in the order in which they are notified. Decided by the same policies as notifications; grouping with other incidents is not foreseen.',
    query: previewQuery,
    answer: z
      .object({
        monitor_id: z.int(),
        type: z.enum(INCIDENT_TYPES),
        severity: z.enum(SEVERITIES),
        holds: z.array(hold).meta({ description: 'What would make all notifications wait.' }),
        data: z.array(target),
      })
      .meta({ id: 'AlertPreview', description: 'Who would be notified of an incident.' }),
    example: {
      query: 'monitor_id=1&type=uptime',
      answer: {
        monitor_id: 1,
        type: 'uptime',
        severity: 'critical',
        holds: [],
        data: [
          {
            channel: { id: 1, name: 'On call', type: 'ntfy' },
            user: null,
            after_minutes: 0,
            reminder_minutes: 30,
            routes: [{ id: 1, name: 'Shop' }],
            is_notified: true,
            left_out: null,
            holds: [],
          },
        ],
      },
    },
    handle: (run, { caller, query }) => run(caller, query),
  },
});
