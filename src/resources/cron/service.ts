import { z } from 'zod';
import { nextFire } from '../../lib/cron.ts';
import { parseCron, type Cron } from '../../lib/cron-expression.ts';
import { describeCron } from '../../lib/cron-words.ts';
import type { Clock } from '../../lib/clock.ts';
import { cronExpression, timeZone } from '../../lib/schemas.ts';
import { queryNumber, readQuery } from '../common/input.ts';
import { isoTime } from '../common/time.ts';
import { type Call } from '../common/operation.ts';

const DEFAULT_COUNT = 10;
const MAX_COUNT = 50;

export const cronPreviewQuery = z.object({
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
export function createCronPreview({ clock }: { clock: Clock }) {
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
