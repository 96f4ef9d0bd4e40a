import { ownersLost, serversAway } from './bounds.ts';
import type { Bounds } from './bounds.ts';
import type { Fault, Records } from './records.ts';

/** The time between two requests that a target received for a monitor, or after the last one. */
export interface Gap {
  monitor: number;
  intervalMs: number;
  from: number;
  to: number;
}

/** The gaps of all monitors that end in the judged period. */
export function gapsOf({ plan, requests }: Pick<Records, 'plan' | 'requests'>): Gap[] {
  const byMonitor = Map.groupBy(requests, ({ monitor }) => monitor);
  return plan.monitors.flatMap(({ id, intervalMs }) => {
    const times = (byMonitor.get(id) ?? []).map(({ at }) => at).toSorted((a, b) => a - b);
    const ends = [...times, plan.to];
    return ends
      .map((to, index) => ({ monitor: id, intervalMs, from: ends[index - 1] ?? plan.from, to }))
      .filter(({ from, to }) => to > plan.from && to <= plan.to && from < to);
  });
}

/** Milliseconds by which a check was late, without the time in which Postgres or NATS was away once it was due. */
export function lateness(gap: Gap, faults: readonly Fault[]): number {
  const dueAt = gap.from + gap.intervalMs;
  if (gap.to <= dueAt) return gap.to - dueAt;
  return gap.to - dueAt - serversAway(faults, dueAt, gap.to);
}

/** Rule: a monitor is never left unchecked for longer than its interval and a lease of each owner that it lost meanwhile. */
export function judgeGaps(
  records: Pick<Records, 'plan' | 'requests' | 'faults'>,
  { leaseMs, slackMs }: Bounds,
): string[] {
  return gapsOf(records).flatMap((gap) => {
    const lateMs = lateness(gap, records.faults);
    const owners = ownersLost(
      records.faults,
      { ...gap, dueAt: gap.from + gap.intervalMs },
      leaseMs,
    );
    if (lateMs <= owners * leaseMs + slackMs) return [];
    return [
      `monitor ${gap.monitor}: no check for ${seconds(gap.to - gap.from)} from ${time(gap.from)}, ` +
        `${seconds(lateMs)} more than its interval of ${seconds(gap.intervalMs)}`,
    ];
  });
}

export const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
export const time = (at: number) => new Date(at).toISOString().slice(11, 23);
