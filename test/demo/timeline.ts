import { CONDITIONS } from '../../src/model/condition.ts';
import type { SpanStatus } from '../../src/model/incident.ts';
import { GAPS, PAUSES, type Problem } from './northwind/problems.ts';

/** A time of one status, `[from, to)` in epoch milliseconds. */
export interface StatusTime {
  status: SpanStatus;
  from: number;
  to: number;
}

/** Which of several statuses of one time counts. */
const RANK: Record<SpanStatus, number> = { online: 0, degraded: 1, offline: 2, unobserved: 3 };

/** The statuses of a monitor from its first check until now, without overlaps, each other than the one before. */
export function statusesOf(
  monitor: string,
  problems: readonly Problem[],
  { since, now, isPush }: { since: number; now: number; isPush: boolean },
): StatusTime[] {
  const at = (ago: number) => Math.max(since, now - ago);
  const unobserved = [...(isPush ? [] : GAPS), ...PAUSES.filter((one) => one.monitor === monitor)];
  const times: StatusTime[] = [
    { status: 'online', from: since, to: now },
    ...problems
      .filter((one) => one.monitor === monitor)
      .map(({ condition, beganAgo, endedAgo }) => ({
        status: statusDuring(condition),
        from: at(beganAgo),
        to: at(endedAgo ?? 0),
      })),
    ...unobserved.map(({ fromAgo, toAgo }) => ({
      status: 'unobserved' as const,
      from: at(fromAgo),
      to: at(toAgo ?? 0),
    })),
  ];
  return flattened(times.filter(({ from, to }) => from < to));
}

export const statusDuring = (condition: Problem['condition']) =>
  CONDITIONS[condition].severity === 'critical' ? ('offline' as const) : ('degraded' as const);

/** Between two neighbouring bounds, the status of the highest rank counts. */
function flattened(times: readonly StatusTime[]): StatusTime[] {
  const bounds = [...new Set(times.flatMap(({ from, to }) => [from, to]))].toSorted(
    (a, b) => a - b,
  );
  const flat: StatusTime[] = [];
  for (const [index, from] of bounds.slice(0, -1).entries()) {
    const to = bounds[index + 1]!;
    const covering = times.filter((one) => one.from <= from && to <= one.to);
    const { status } = covering.reduce((a, b) => (RANK[b.status] > RANK[a.status] ? b : a));
    const last = flat.at(-1);
    if (last?.status === status) last.to = to;
    else flat.push({ status, from, to });
  }
  return flat;
}
