import { nextFire } from './cron.ts';
import type { Cron } from './cron.ts';

/** When a job is to call: so long after its last call, or at the times of a cron expression. */
export type Expectation = { intervalSeconds: number } | { cron: Cron; timezone: string };

/**
 * When the next ping is expected after a ping, a creation or a change at `at` (epoch milliseconds; completions,
 * section 8). An expression that `parseCron` accepted always has a next time, short of the end of all dates.
 */
export function expectedAfter(schedule: Expectation, at: number): number {
  if ('intervalSeconds' in schedule) return at + schedule.intervalSeconds * 1000;
  const fire = nextFire(schedule.cron, schedule.timezone, at);
  if (fire === null) throw new RangeError(`no date follows ${at}: the clock can't be right`);
  return fire;
}
