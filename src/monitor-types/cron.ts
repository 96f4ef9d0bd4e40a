import type { PushTypeDefinition } from './definition.ts';
import { cronSchedule } from './schedule.ts';
import { JOB, NAME_HINT } from './jobs.ts';

/** Does a job call us at the times of a cron expression? */
export const cron = {
  ...JOB,
  name: 'cron',
  takes: ['push', 'cron'],
  required: [NAME_HINT, ['heartbeat_cron_expression', 'give 5 fields such as "0 3 * * *"']],
  example: { friendly_name: 'Nightly backup', heartbeat_cron_expression: '0 3 * * *' },
  schedule: ({ heartbeat_cron_expression: expression, heartbeat_timezone: timezone }) =>
    cronSchedule(expression ?? '', timezone ?? 'UTC'),
} as const satisfies PushTypeDefinition;
