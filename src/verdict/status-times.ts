import { TRACK_NAMES } from '../model/condition.ts';
import type { Condition, Tracks } from '../model/condition.ts';
import type { MonitorState } from '../model/state.ts';
import { statusOfConditions } from './condition.ts';
import type { ConditionChange } from './condition.ts';

/** A monitor was this from then on (epoch ms). */
export interface StatusTime {
  status: Exclude<MonitorState['status'], 'pending'>;
  at: number;
}

/**
 * What a monitor was since when, as one judgement changes it, in the order of time: worse from when a trouble began that
 * is as bad, better from when the last one of them ended. Downtime and incidents tell the same story. What changed
 * without a time of its own, as by being switched off, did at `seenAt` (epoch ms). Pure.
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
