import type { Severity } from '../../model/condition.ts';
import { isWorse, worstOf } from './alert.ts';
import type { Proposal, Recheck } from './contract.ts';

/** Length of a channel's grouping window: what begins in it is sent in one message at its end. */
export const GROUPING_MS = 30_000;

/** The last notification of something new that a channel got, of a team. Times are epoch milliseconds. */
export interface GroupingWindow {
  openedAt: number;
  /** The worst of what the channel was notified of. */
  severity: Severity;
}

/** Grouping windows by destination. */
export type GroupingWindows = ReadonlyMap<number, GroupingWindow>;

/**
 * News waits until the channel's grouping window ends. Flapping monitors wait for nothing; nor does what joins an alert
 * of one incident, since what that changed over into is news of the same problem.
 */
export function grouping(
  { alert, channel, windows, recipient, news }: Proposal,
  now: number,
): Recheck | null {
  if (news.length === 0 || alert.kind === 'flapping') return null;
  if (recipient !== null && alert.kind !== 'storm') return null;
  const at = windowEnd(windows.get(channel.destinationId), worstOf(news), now);
  return at === null ? null : { says: 'recheck', at };
}

/**
 * End of the window for something of this severity; null when nothing keeps it from being sent now. A window holds back
 * what is at most as severe as the notification that opened it: a critical alert does not wait behind a warning. A window
 * that seems to open in the future belongs to a clock that was set back since, and holds nothing.
 */
export function windowEnd(
  window: GroupingWindow | undefined,
  severity: Severity,
  now: number,
): number | null {
  if (window === undefined || now < window.openedAt) return null;
  const end = window.openedAt + GROUPING_MS;
  return now < end && !isWorse(severity, window.severity) ? end : null;
}
