import { targetOf } from './alert.ts';
import { notify, wait, type ChannelRuling, type ChannelSubject } from './contract.ts';
import type { Member } from './alert.ts';

const MINUTE_MS = 60_000;

/** Channels of later steps are notified when nobody has acknowledged the incidents by then. */
export function escalation(subject: ChannelSubject, now: number): ChannelRuling | null {
  const { free, channel } = subject;
  const afterMinutes = (member: Member) => targetOf(member, channel)!.afterMinutes;
  if (free.some((member) => afterMinutes(member) === 0)) return null;
  const waiting = free.filter((member) => !member.isAcknowledged);
  if (waiting.length === 0) return null;
  const delayMs = Math.min(...waiting.map(afterMinutes)) * MINUTE_MS;
  const at = unacknowledgedSince(subject, waiting) + delayMs;
  return at > now ? wait(at) : notify('escalation', waiting);
}

/** Since when the next step has waited for an acknowledgement: an earlier one does not count for what came later. */
function unacknowledgedSince(
  { alert, members, knownSince }: ChannelSubject,
  waiting: readonly Member[],
): number {
  const isAnyAcknowledged = members.some((member) => member.isAcknowledged);
  /** Neither what another incident changed over into, nor an episode of a flapping monitor, has a time of its own. */
  const hasOwnTime = ({ monitorId }: Member) =>
    alert.kind !== 'flapping' &&
    !members.some((one) => one.hasSuccessor && one.monitorId === monitorId);
  const since = waiting.map((member) =>
    isAnyAcknowledged || hasOwnTime(member) ? Math.max(knownSince, member.joinedAt) : knownSince,
  );
  return Math.min(...since);
}
