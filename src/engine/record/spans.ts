import { TRACK_NAMES } from '../../model/condition.ts';
import type { Condition, Tracks } from '../../model/condition.ts';
import type { MonitorState } from '../../model/state.ts';
import { statusOfConditions } from './tracks.ts';
import type { ConditionChange } from './condition.ts';

/** The status of a monitor from that time on (epoch ms). */
export interface StatusTime {
  status: Exclude<MonitorState['status'], 'pending'>;
  at: number;
}

/**
 * The statuses that one round gives a monitor, in order of time. A status begins when the first condition of its severity
 * began, and ends when the last one ended, so that downtime agrees with incidents. A change without a time of its own,
 * such as a check that was switched off, happens at `seenAt` (epoch ms). Pure.
 */
export function statusesOf(
  before: Pick<MonitorState, 'status' | 'tracks'>,
  after: Pick<MonitorState, 'status'>,
  changes: readonly ConditionChange[],
  seenAt: number,
): StatusTime[] {
  if (after.status === 'pending') return [];
  const open = openIn(before.tracks);
  const times: StatusTime[] = [];
  const timed = changes.filter((change) => change.at !== null);
  for (const change of timed.toSorted((a, b) => a.at! - b.at!)) {
    if (change.kind === 'change_over') open.delete(change.from);
    if (change.kind === 'resolve') open.delete(change.condition);
    else open.add(change.condition);
    times.push({ status: statusOfConditions([...open]), at: change.at! });
  }
  times.push({ status: after.status, at: Math.max(seenAt, times.at(-1)?.at ?? seenAt) });
  const lasting = times.filter(({ at }, index) => times[index + 1]?.at !== at);
  return lasting.filter(({ status }, index) => status !== (lasting[index - 1] ?? before).status);
}

function openIn(tracks: Tracks): Set<Condition> {
  return new Set(TRACK_NAMES.flatMap((name) => tracks[name]?.open ?? []));
}
