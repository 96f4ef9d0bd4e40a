import { noun } from '../common/operation.ts';
import { createCronPreview } from './service.ts';
import { z } from 'zod';
import { cronPreviewQuery } from './service.ts';

export const previewCron = noun('Monitors', createCronPreview, {
  previewCron: {
    at: 'GET /cron-preview',
    summary: 'Preview a cron expression',
    description: `
Describes a cron expression in words and lists the next times at which its job is expected. Nothing is stored.

Names (\`jan\`, \`mon\`), lists, ranges and steps are supported; 7 is Sunday. When day of month and day of week are both
restricted, the job runs on days that match either of them; if one of them begins with \`*\`, on days that match both.
Daylight saving time works as in Debian's cron: a job at a fixed time in the skipped hour runs right after it, and one in
the repeated hour runs once; a job with \`*\` in minute or hour follows the wall clock.`.trim(),
    query: cronPreviewQuery,
    answer: z
      .object({
        expression: z.string().meta({ description: 'As sent.' }),
        timezone: z.string().meta({ description: 'As sent.' }),
        description: z.string().meta({
          description: 'When the job runs, in English and in the given time zone.',
        }),
        data: z.array(z.iso.datetime()).max(50).meta({
          description: 'Next times, the soonest first.',
        }),
      })
      .meta({ id: 'CronPreview', description: 'Meaning of a cron expression.' }),
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
});
