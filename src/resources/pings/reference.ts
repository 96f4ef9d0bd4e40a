import { z } from 'zod';
import { PING_KINDS } from '../../model/heartbeat.ts';
import { pingListQuery } from './service.ts';
import type { Operation } from '../common/operation.ts';
import { pageExample, pageOf } from '../common/page-reference.ts';

const ping = z
  .object({
    id: z.int().min(1).meta({ description: 'Counts the pings of the monitor: 1 is its first.' }),
    kind: z.enum(PING_KINDS).meta({
      description:
        'success or failure: a run ended well or badly. start: one began. log: text alone, which changes nothing.',
    }),
    received_at: z.iso.datetime(),
    duration_ms: z.int().min(0).nullable().meta({
      description:
        'Milliseconds since the start of the run that it ends. Null when no start is known.',
    }),
    exit_code: z.int().min(0).max(255).nullable().meta({
      description: 'As it stood in the path; null without any.',
    }),
    run_id: z.string().nullable().meta({
      description: 'The `rid` that pairs a start with its end; null without any.',
    }),
    source_address: z.string().meta({ description: 'The address that it came from.' }),
    user_agent: z.string().nullable(),
    body: z.string().nullable().meta({
      description: 'The first 10 KiB of what was sent, as text; null without any.',
    }),
    body_truncated: z.boolean().meta({ description: 'Whether there was more.' }),
  })
  .meta({ id: 'Ping', description: 'One call of a ping URL.' });

export const PING_OPERATIONS = {
  listMonitorPings: {
    tag: 'Monitors',
    summary: 'List pings',
    description:
      'What the job behind a heartbeat or cron monitor told, the newest first. The newest 1,000 pings are kept, for 30 days at most. Other monitors have none.',
    query: pingListQuery,
    answer: pageOf(ping, 'PingPage'),
    example: {
      answer: pageExample('/monitors/1/pings', [
        {
          id: 2,
          kind: 'success',
          received_at: '2030-01-01T02:31:07.512Z',
          duration_ms: 67_301,
          exit_code: 0,
          run_id: 'nightly-4711',
          source_address: '192.0.2.17',
          user_agent: 'curl/8.5.0',
          body: 'Saved 12,204 files.\n',
          body_truncated: false,
        },
        {
          id: 1,
          kind: 'start',
          received_at: '2030-01-01T02:30:00.211Z',
          duration_ms: null,
          exit_code: null,
          run_id: 'nightly-4711',
          source_address: '192.0.2.17',
          user_agent: 'curl/8.5.0',
          body: null,
          body_truncated: false,
        },
      ]),
    },
  },
} satisfies Record<string, Operation>;
