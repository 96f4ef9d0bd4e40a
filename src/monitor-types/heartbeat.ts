import { JOB, NAME_HINT } from './common.ts';
import type { PushTypeDefinition } from './definition.ts';

/** Does a job call us at least every so many seconds? */
export const heartbeat = {
  ...JOB,
  name: 'heartbeat',
  takes: ['push', 'heartbeat'],
  required: [NAME_HINT, ['heartbeat_interval', 'give seconds from 30 to 2592000']],
  example: { friendly_name: 'Queue worker', heartbeat_interval: 300 },
  schedule({ heartbeat_interval: intervalSeconds }) {
    if (intervalSeconds === null) throw new Error('A heartbeat monitor has no interval.');
    return { intervalSeconds };
  },
} as const satisfies PushTypeDefinition;
