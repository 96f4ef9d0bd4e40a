import { nextFire } from '../../lib/cron.ts';
import type { PingSchedule } from '../../monitor-types/definition.ts';

/**
 * When the next ping is expected after a ping, a creation or a change at `at` (epoch milliseconds; contract 11.4,
 * 11.6, 11.10). An expression that `parseCron` accepted always has a next time, short of the end of all dates.
 */
export function expectedAfter(schedule: PingSchedule, at: number): number {
  if ('intervalSeconds' in schedule) return at + schedule.intervalSeconds * 1000;
  const fire = nextFire(schedule.cron, schedule.timezone, at);
  if (fire === null) throw new RangeError(`no date follows ${at}: the clock can't be right`);
  return fire;
}

/** A job whose clock is ahead, or whose last call was late, may call this much, or its grace, before its time. */
export const EARLY_MS = 60_000;

/**
 * When the next ping is expected after one at `at`. A cron ping that comes early by at most the grace or 60 s counts
 * for the coming fire (contract 11.9), unless an earlier one is still waited for, or it is nearer to the fire
 * before: a job that runs every minute, or one that calls twice, is not early.
 * @param expected the time that was waited for, epoch milliseconds.
 */
export function expectedAfterPing(
  schedule: PingSchedule,
  graceMs: number,
  expected: number,
  at: number,
): number {
  const next = expectedAfter(schedule, at);
  if ('intervalSeconds' in schedule) return next;
  const isLate = expected <= at && at <= expected + graceMs;
  const early = next - at;
  if (isLate || early > Math.max(graceMs, EARLY_MS)) return next;
  const following = expectedAfter(schedule, next);
  return early <= (following - next) / 2 ? following : next;
}

/**
 * When the next ping is expected after the clock was set back to `now`, before the time since which it is waited for:
 * as much later as it was to come then, and no later than it was expected.
 */
export function expectedAfterSetback(
  schedule: PingSchedule,
  { expectedAt, armedAt }: { expectedAt: number; armedAt: number },
  now: number,
): number {
  if ('intervalSeconds' in schedule) return expectedAfter(schedule, now);
  // A job that called for a time of the clock does not call for it once more: a whole wait passes from now on.
  return Math.min(expectedAt, expectedAfter(schedule, now + expectedAt - armedAt - 1));
}
