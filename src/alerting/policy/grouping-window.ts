import type { Severity } from '../../model/condition.ts';
import { isWorse } from './alert-members.ts';

/** Time after a notification of a channel in which what begins waits, so that it comes in one message. */
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
