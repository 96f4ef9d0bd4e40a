import { noun } from '../common/operation.ts';
import { createSloService } from './service.ts';
import { z } from 'zod';
import { answerShape, requestSchema } from '../common/fields.ts';
import { pageExample, pageOf } from '../common/page-reference.ts';
import { time } from '../common/reference-schemas.ts';
import { SLO_FIELDS } from './fields.ts';
import { sloListQuery } from './input.ts';

const seconds = (description: string) => z.number().meta({ description });

const sloAnswer = z
  .object({
    id: z.int().meta({ description: 'Id of the monitor.' }),
    monitor_id: z.int(),
    ...answerShape(SLO_FIELDS),
    burning: z
      .enum(['fast', 'slow'])
      .nullable()
      .meta({ description: 'How the budget burns, where an alert is active; else null.' }),
    error_budget: z.object({
      from: time.meta({ description: 'Start of the window.' }),
      to: time,
      budget_seconds: seconds(
        'Downtime that the target allows: (100 − target_percent) % of the whole window.',
      ),
      spent_seconds: seconds('Downtime in the window, corrected.'),
      left_seconds: seconds('Negative when more was spent than there is.'),
      left_percent: z.number().nullable().meta({
        description: 'Share of the budget that is left; null when nothing was observed.',
      }),
      burn_rate_1h: seconds(
        'Downtime of the last hour as a multiple of what the target allows in an hour.',
      ),
      burn_rate_6h: seconds('The same of the last 6 hours.'),
    }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Slo', description: 'Service level objective of a monitor, and its error budget.' });

const listed = sloAnswer
  .extend({ name: z.string().meta({ description: 'Name of the monitor, else its URL.' }) })
  .meta({ id: 'ListedSlo', description: 'Service level objective in the list of a team.' });

const example = {
  id: 1,
  monitor_id: 1,
  target_percent: 99.9,
  window_days: 30,
  burn_rate_alerts: true,
  burning: null,
  error_budget: {
    from: '2029-12-02T00:00:00.000Z',
    to: '2030-01-01T00:00:00.000Z',
    budget_seconds: 2_592,
    spent_seconds: 600,
    left_seconds: 1_992,
    left_percent: 76.851,
    burn_rate_1h: 0,
    burn_rate_6h: 0,
  },
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
} as const;

export const slo = noun('Monitors', createSloService, {
  listSlos: {
    at: 'GET /slos',
    summary: 'List SLOs',
    description:
      'The service level objectives of all monitors of the team and their error budgets now, in the order of the ids of the monitors.',
    query: sloListQuery,
    answer: pageOf(listed, 'SloPage'),
    example: { answer: pageExample('/slos', [{ ...example, name: 'Shop' }]) },
  },
  getMonitorSlo: {
    at: 'GET /monitors/:id/slo',
    summary: 'Get the SLO',
    description: 'The service level objective of a monitor and its error budget. 404 without one.',
    answer: sloAnswer,
    example: { answer: example },
  },
  setMonitorSlo: {
    at: 'PUT /monitors/:id/slo',
    summary: 'Set the SLO',
    description:
      'Sets a service level objective, or changes the fields that are present. With `burn_rate_alerts` an incident opens while downtime spends the budget too fast.',
    body: requestSchema(SLO_FIELDS).partial(),
    answer: sloAnswer,
    example: {
      body: { target_percent: 99.9, window_days: 30, burn_rate_alerts: true },
      answer: example,
    },
  },
  deleteMonitorSlo: {
    at: 'DELETE /monitors/:id/slo',
    summary: 'Delete the SLO',
    description: 'Also resolves the incident about its error budget.',
  },
});
