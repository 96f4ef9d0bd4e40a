import type { Severity } from '../../model/condition.ts';
import { isWorse, worstOf, type Member, type Reach } from './alert.ts';
import { quietUntil } from './quiet-hours.ts';
import type { RoutedChannel } from './routing.ts';

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

/** The members of an alert that a channel would be notified of at once. */
interface Wanted {
  channel: RoutedChannel;
  members: Member[];
}

/**
 * Whether some channel is to be notified of these members now. True also where only escalations follow: nothing else
 * would group them.
 */
export function isReady(
  members: readonly Member[],
  { channels, windows }: Reach,
  now: number,
): boolean {
  const free = freeOf(members);
  if (free.length === 0) return false;
  const wanted = wantedOf(free, channels);
  if (wanted.length === 0) return true;
  return wanted.some(
    ({ channel, members: own }) =>
      quietUntil(channel.quietHours, worstOf(own), now) === null &&
      windowEnd(windows.get(channel.destinationId), worstOf(own), now) === null,
  );
}

/**
 * The windows without those of channels that are notified now of something worse than what opened them. What waits for
 * such a window is sent along: it would wait for another one otherwise.
 */
export function withoutOvertaken(
  alerts: readonly (readonly Member[])[],
  { channels, windows }: Reach,
  now: number,
): Map<number, GroupingWindow> {
  const left = new Map(windows);
  for (const members of alerts) {
    for (const { channel, members: own } of wantedOf(freeOf(members), channels)) {
      const severity = worstOf(own);
      const isQuiet = quietUntil(channel.quietHours, severity, now) !== null;
      if (isQuiet || windowEnd(windows.get(channel.destinationId), severity, now) !== null)
        continue;
      left.delete(channel.destinationId);
    }
  }
  return left;
}

/** The channels that members of an alert concern, as a text that is the same for the same channels. */
export function audienceKey(members: readonly Member[]): string {
  const ids = freeOf(members).flatMap(({ targets }) =>
    targets.map(({ channel, afterMinutes }) => `${channel.destinationId}+${afterMinutes}`),
  );
  return [...new Set(ids)].toSorted().join(' ');
}

function freeOf(members: readonly Member[]): Member[] {
  return members.filter(({ endedAt, heldUntil }) => endedAt === null && heldUntil === null);
}

function wantedOf(free: readonly Member[], channels: Reach['channels']): Wanted[] {
  const wanted = new Map<number, Wanted>();
  for (const member of free) {
    for (const { channel, afterMinutes } of member.targets) {
      const { destinationId } = channel;
      if (afterMinutes !== 0 || !channels.has(destinationId)) continue;
      const known = wanted.get(destinationId);
      if (known === undefined) wanted.set(destinationId, { channel, members: [member] });
      else known.members.push(member);
    }
  }
  return [...wanted.values()];
}
