import { cut } from './status-intervals.ts';
import type { Interval } from './uptime.ts';

/**
 * Times in which a monitor was paused, cut at the ends of the period.
 *
 * @param changes since the start of the period until now, in chronological order.
 * @param isPaused whether the monitor is paused now.
 */
export function pausesOf(
  changes: readonly { at: number; isPaused: boolean }[],
  isPaused: boolean,
  { from, to }: Interval,
): Interval[] {
  const wasPaused = changes[0] === undefined ? isPaused : !changes[0].isPaused;
  const all = [{ at: from, isPaused: wasPaused }, ...changes];
  return all.flatMap((change, index) => {
    const end = all[index + 1]?.at ?? Infinity;
    return change.isPaused ? (cut({ from: change.at, to: end }, { from, to }) ?? []) : [];
  });
}
