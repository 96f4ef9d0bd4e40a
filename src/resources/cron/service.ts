import { z } from 'zod';
import { nextFire } from '../../lib/cron.ts';
import { parseCron, type Cron } from '../../lib/cron-expression.ts';
import { describeCron } from '../../lib/cron-words.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { authorise } from '../common/errors.ts';
import { cronExpression, timeZone } from '../../lib/schemas.ts';
import { queryNumber, readQuery } from '../common/input.ts';
import { isoTime } from '../common/time.ts';

const COUNT = 10;
const MOST = 50;

export const cronPreviewQuery = z.object({
  expression: cronExpression().meta({
    description:
      'Five fields: minute, hour, day of month, month, day of week. In a URL a space is `+` or `%20`.',
  }),
  timezone: timeZone()
    .optional()
    .meta({ description: 'IANA name of the time zone that it is meant in; UTC unless given.' }),
  count: queryNumber(1, MOST, 'a whole number')
    .optional()
    .meta({ description: `How many of the next times; ${COUNT} unless given.` }),
});

/**
 * What a cron expression means: in words, and the times after now at which a job of it is due (contract 11.22 to
 * 11.25). Throws InvalidInput.
 */
export type PreviewCron = (caller: Caller, query: object) => object;

export function createCronPreview({ clock }: { clock: Clock }): PreviewCron {
  return (caller, query) => {
    authorise(caller, 'read');
    const { expression, timezone = 'UTC', count = COUNT } = readQuery(cronPreviewQuery, query);
    const parsed = parseCron(expression);
    if (!parsed.ok) throw new Error(`A cron expression that was accepted ${parsed.fault}.`);
    const times = nextFires(parsed.cron, timezone, clock.now(), count);
    return {
      expression,
      timezone,
      description: describeCron(parsed.cron),
      data: times.map(isoTime),
    };
  };
}

/** Epoch milliseconds; fewer than so many only at the end of all dates. */
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
