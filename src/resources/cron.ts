import { z } from 'zod';
import { nextFire } from '../lib/cron.ts';
import { parseCron, type Cron } from '../lib/cron-expression.ts';
import { describeCron } from '../lib/cron-words.ts';
import type { Clock } from '../lib/clock.ts';
import { cronExpression, timeZone } from '../lib/schemas.ts';
import { queryNumber, readQuery } from './common/input.ts';
import { isoTime } from './common/time.ts';
import { type Call, noun } from './common/operation.ts';

const DEFAULT_COUNT = 10;
const MAX_COUNT = 50;

const cronPreviewQuery = z.object({
  expression: cronExpression().meta({
    description:
      'Five fields: minute, hour, day of month, month, day of week. In a URL a space is `+` or `%20`.',
  }),
  timezone: timeZone()
    .optional()
    .meta({ description: 'IANA name of its time zone; UTC by default.' }),
  count: queryNumber(1, MAX_COUNT, 'a whole number')
    .optional()
    .meta({ description: `Number of times; ${DEFAULT_COUNT} by default.` }),
});

/** Describes a cron expression in words and by its next times (contract 11.22 to 11.25). Throws InvalidInput. */
function createCronPreview({ clock }: { clock: Clock }) {
  return ({ query }: Call) => {
    const {
      expression,
      timezone = 'UTC',
      count = DEFAULT_COUNT,
    } = readQuery(cronPreviewQuery, query);
    const parsed = parseCron(expression);
    if (!parsed.ok) throw new Error(`A validated cron expression ${parsed.fault}.`);
    const times = nextFires(parsed.cron, timezone, clock.now(), count);
    return {
      expression,
      timezone,
      description: describeCron(parsed.cron),
      data: times.map(isoTime),
    };
  };
}

/** Next times in epoch milliseconds; fewer than `count` only if no more exist. */
function nextFires(cron: Cron, timezone: string, after: number, count: number): number[] {
  const times: number[] = [];
  let at: number | null = after;
  while (times.length < count) {
    at = nextFire(cron, timezone, at);
    if (at === null) break;
    times.push(at);
  }
  return times;
}

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
