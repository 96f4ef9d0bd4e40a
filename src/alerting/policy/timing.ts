import type { Severity } from '../../model/condition.ts';
import { isWorse, worstOf, wait, type Proposal, type Wait } from './contract.ts';
import type { Recheck } from './contract.ts';
import { WEEKDAYS, type GroupingWindow, type QuietHours } from './channel.ts';
import { offsetAt } from '../../lib/time-zone.ts';

/** Length of a channel's grouping window: what begins in it is sent in one message at its end. */
export const GROUPING_MS = 30_000;

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

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Messages wait until a channel's quiet hours end. The end of a provider's own incident does not, since closing it wakes
 * nobody. The worst incident that a message names counts, also when it is over: people who were woken hear of its end.
 */
export function quietHours({ channel, kind, incidents }: Proposal, now: number): Wait | null {
  if (kind === 'recovery' && channel.keepsIncidents) return null;
  const until = quietUntil(channel.quietHours, worstOf(incidents), now);
  return until === null ? null : wait(until);
}

/**
 * End of the quiet hours in which a message of this severity waits (epoch ms); null when it need not. By the wall clock of
 * the zone: a skipped time counts as the moment of the jump, and of a repeated time the first one counts.
 */
export function quietUntil(
  quiet: QuietHours | null,
  severity: Severity,
  now: number,
): number | null {
  if (quiet === null || (severity === 'critical' && quiet.allow_critical)) return null;
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)];
  const today = Math.floor((now + offsetAt(quiet.timezone, now)) / DAY_MS);
  // What began yesterday may last into today.
  for (const day of [today - 1, today]) {
    const weekday = WEEKDAYS[(((day + 4) % 7) + 7) % 7]!;
    if (quiet.days !== undefined && !quiet.days.includes(weekday)) continue;
    const begin = instantOf(quiet.timezone, day * DAY_MS + from * MINUTE_MS);
    const last = day * DAY_MS + to * MINUTE_MS + (to <= from ? DAY_MS : 0);
    const end = instantOf(quiet.timezone, last);
    if (begin <= now && now < end) return end;
  }
  return null;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The instant at which the zone's clocks first show this wall time or a later one; both in milliseconds. */
function instantOf(zone: string, wall: number): number {
  const guesses = [-DAY_MS, 0, DAY_MS].map((around) => wall - offsetAt(zone, wall + around));
  const showing = guesses.filter((at) => at + offsetAt(zone, at) === wall);
  if (showing.length > 0) return Math.min(...showing);
  return jumpBetween(zone, Math.min(...guesses), Math.max(...guesses));
}

/** The jump over a wall time that no clock showed, between an instant before it and one after it, to the second. */
function jumpBetween(zone: string, before: number, after: number): number {
  const offset = offsetAt(zone, after);
  let [low, high] = [before, after];
  while (high - low > 1_000) {
    const middle = Math.floor((low + high) / 2_000) * 1_000;
    if (middle <= low) break;
    if (offsetAt(zone, middle) === offset) high = middle;
    else low = middle;
  }
  return high;
}
