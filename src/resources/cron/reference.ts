import { z } from 'zod';
import { cronPreviewQuery } from './service.ts';
import type { Operation } from '../common/operation.ts';

export const CRON_OPERATIONS = {
  previewCron: {
    tag: 'Monitors',
    summary: 'Preview a cron expression',
    description: `
What a cron expression means, in words and as the next times at which its job is expected. Nothing is stored.

Names (\`jan\`, \`mon\`), lists, ranges and steps are understood, and 7 is Sunday. When day of month and day of week are both
restricted, the job runs on days that fit either of them; if one of them begins with \`*\`, on days that fit both. Changes
of the clocks are taken as Debian's cron takes them: a job at a fixed time in the skipped hour runs right after it, one in
the repeated hour once; a job with a \`*\` in minute or hour follows the wall clock.`.trim(),
    query: cronPreviewQuery,
    answer: z
      .object({
        expression: z.string().meta({ description: 'As sent.' }),
        timezone: z.string().meta({ description: 'As sent.' }),
        description: z.string().meta({
          description: 'When the job runs, by the clocks of the time zone, in plain English.',
        }),
        data: z.array(z.iso.datetime()).max(50).meta({
          description: 'The next times after now, the soonest first.',
        }),
      })
      .meta({ id: 'CronPreview', description: 'What a cron expression means.' }),
    example: {
      query: 'expression=0+2+*+*+1&timezone=Europe/Berlin&count=3',
      answer: {
        expression: '0 2 * * 1',
        timezone: 'Europe/Berlin',
        description: 'at 02:00 on Monday',
        data: ['2030-01-07T01:00:00.000Z', '2030-01-14T01:00:00.000Z', '2030-01-21T01:00:00.000Z'],
      },
    },
  },
} satisfies Record<string, Operation>;
