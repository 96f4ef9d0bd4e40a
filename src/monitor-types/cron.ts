import { parseCron } from '../lib/cron-expression.ts';
import { JOB, NAME_HINT } from './common.ts';
import type { PushTypeDefinition } from './definition.ts';

/** Does a job call us at the times of a cron expression? */
export const cron = {
  ...JOB,
  name: 'cron',
  takes: ['push', 'cron'],
  required: [NAME_HINT, ['heartbeat_cron_expression', 'give 5 fields such as "0 3 * * *"']],
  example: { friendly_name: 'Nightly backup', heartbeat_cron_expression: '0 3 * * *' },
  schedule({ heartbeat_cron_expression: expression, heartbeat_timezone: timezone }) {
    const parsed = parseCron(expression ?? '');
    if (!parsed.ok) throw new Error(`The stored cron expression ${parsed.fault}.`);
    return { cron: parsed.cron, timezone: timezone ?? 'UTC' };
  },
} as const satisfies PushTypeDefinition;
