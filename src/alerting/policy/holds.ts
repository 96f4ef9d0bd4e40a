import { heldUntil } from '../../engine/maintenance/window.ts';
import type { Severity } from '../../model/condition.ts';
import type { ParentState } from '../../model/state.ts';
import {
  NONE,
  recheck,
  wait,
  isWorse,
  worstOf,
  type None,
  type EventSubject,
  type IncidentSubject,
  type Wait,
  type Proposal,
  type EndSubject,
  type TargetSubject,
} from './contract.ts';
import { WEEKDAYS, type GroupingWindow, type QuietHours } from './routing.ts';
import { offsetAt, offsetPeriods } from '../../lib/time-zone.ts';
import type {
  NotificationKindWord,
  NotificationSettings,
} from '../../monitor-types/notification-settings.ts';

/** Time until a paused monitor is evaluated again. Resuming it evaluates it at once. */
const PAUSED_MS = 5 * 60_000;
/** Longest time until a monitor in maintenance is evaluated again, in case its window ends early. */
const MAINTENANCE_MS = 60_000;

export function paused({ monitor, endedAt }: IncidentSubject, now: number): Wait | null {
  return monitor.isPaused && endedAt === null ? wait(now + PAUSED_MS) : null;
}

/** Nothing is sent of what begins in maintenance until that is over. */
export function maintenance(
  { monitor, windows, endedAt = null }: EventSubject & { endedAt?: number | null },
  now: number,
): Wait | null {
  const until = endedAt === null ? heldUntil(windows, monitor, now) : null;
  return until === null ? null : wait(Math.min(until, now + MAINTENANCE_MS));
}

/** A burning budget is asked about again after this time while its monitor is down. */
const OUTAGE_MS = 60_000;
/** Time after an outage in which the budget calms down, unless something else burns it (contract 46.15). */
const CALMING_MS: Record<Severity, number> = {
  critical: 15 * 60_000,
  warning: 90 * 60_000,
  info: 90 * 60_000,
};

/** Nobody is notified that an outage burns the error budget: the outage has an alert. */
export function outages({ outages: seen, problemSeverity, endedAt }: IncidentSubject, now: number) {
  if (seen === null || endedAt !== null) return null;
  if (seen.isDown) return wait(now + OUTAGE_MS);
  const until = (seen.firstEndedAt ?? -Infinity) + CALMING_MS[problemSeverity];
  return now < until ? wait(until) : null;
}

/** Longest time that people wait for the first check of a parent since its child failed. */
const PARENT_CHECK_MS = 75_000;
/**
 * Longest time that people wait for a parent's failure to be confirmed: ten bad rounds, the most that are asked for, come
 * sooner. A parent whose probes are lost meanwhile stays in doubt.
 */
const CONFIRM_MS = 5 * 60_000;
/** Time in which a child recovers after its parent. */
const CHILD_RECOVERY_MS = 120_000;
const SOON_MS = 2_000;
const LATER_MS = 15_000;

/**
 * Nobody is notified of a failing monitor while one that it depends on is down, while it is not known yet whether one is,
 * and right after one recovered.
 */
export function dependencies(
  child: Pick<IncidentSubject, 'startedAt' | 'endedAt' | 'notifiableAt' | 'parents'> & {
    monitor: { lastCheckedAt: number | null };
  },
  now: number,
): Wait | null {
  if (child.endedAt !== null) return null;
  const untils = child.parents.flatMap((parent) => heldByParent(child, parent, now) ?? []);
  return untils.length === 0 ? null : wait(Math.min(...untils));
}

function heldByParent(
  { startedAt, notifiableAt, monitor }: Parameters<typeof dependencies>[0],
  parent: ParentState,
  now: number,
): number | null {
  if (parent.isPaused) return null;
  if (parent.downSince !== null) return now + LATER_MS;
  const isInDoubt =
    (parent.isSuspected && now < notifiableAt + CONFIRM_MS) ||
    (isUnseen(parent, startedAt) && now < notifiableAt + PARENT_CHECK_MS) ||
    isFreshlyUp(parent, monitor.lastCheckedAt, now);
  return isInDoubt ? now + SOON_MS : null;
}

/** Whether the parent has not been checked since the child failed. */
function isUnseen({ lastCheckedAt, status }: ParentState, since: number): boolean {
  return status !== 'pending' && (lastCheckedAt === null || lastCheckedAt < since);
}

/** Whether the child may fail only because its parent just did. */
function isFreshlyUp({ recoveredAt }: ParentState, childCheckedAt: number | null, now: number) {
  if (recoveredAt === null || now >= recoveredAt + CHILD_RECOVERY_MS) return false;
  return childCheckedAt === null || childCheckedAt <= recoveredAt;
}

/** Length of a channel's grouping window: what begins in it is sent in one message at its end. */
export const GROUPING_MS = 30_000;

/**
 * News waits until the channel's grouping window ends. Flapping monitors wait for nothing; nor does what joins an alert
 * of one incident, since what that changed over into is news of the same problem.
 */
export function grouping({ alert, channel, windows, recipient, news }: Proposal, now: number) {
  if (news.length === 0 || alert.kind === 'flapping') return null;
  if (recipient !== null && alert.kind !== 'storm') return null;
  const at = windowEnd(windows.get(channel.destinationId), worstOf(news), now);
  return at === null ? null : recheck(at);
}

/**
 * End of the window for something of this severity; null when nothing keeps it from being sent now. A window holds back
 * what is at most as severe as the notification that opened it: a critical alert does not wait behind a warning. A window
 * that seems to open in the future belongs to a clock that was set back since, and holds nothing.
 */
export function windowEnd(window: GroupingWindow | undefined, severity: Severity, now: number) {
  if (window === undefined || now < window.openedAt) return null;
  const end = window.openedAt + GROUPING_MS;
  return now < end && !isWorse(severity, window.severity) ? end : null;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Messages wait until a channel's quiet hours end. The end of a provider's own incident does not, since closing it wakes
 * nobody. The worst incident that a message names counts, also when it is over: people who were woken are notified of its end.
 */
export function quietHours({ channel, notification, incidents }: Proposal, now: number) {
  if (notification === 'recovery' && channel.keepsIncidents) return null;
  return quiet(channel.quietHours, worstOf(incidents), now);
}

function quiet(hours: QuietHours | null, severity: Severity, now: number): Wait | null {
  const until = quietUntil(hours, severity, now);
  return until === null ? null : wait(until);
}

/**
 * End of the quiet hours in which a message of this severity waits; null when it need not. By the wall clock of
 * the zone: a skipped time counts as the moment of the jump, and of a repeated time the first one counts.
 */
export function quietUntil(hours: QuietHours | null, severity: Severity, now: number) {
  if (hours === null || (severity === 'critical' && hours.allow_critical)) return null;
  const { days, timezone } = hours;
  const [from, to] = [minutesOf(hours.from), minutesOf(hours.to)];
  const today = Math.floor((now + offsetAt(timezone, now)) / DAY_MS);
  // What began yesterday may last into today.
  for (const day of [today - 1, today]) {
    const weekday = WEEKDAYS[(((day + 4) % 7) + 7) % 7]!;
    if (days !== undefined && !days.includes(weekday)) continue;
    const begin = instantOf(timezone, day * DAY_MS + from * MINUTE_MS);
    const last = day * DAY_MS + to * MINUTE_MS + (to <= from ? DAY_MS : 0);
    const end = instantOf(timezone, last);
    if (begin <= now && now < end) return end;
  }
  return null;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The instant at which the zone's clocks first show this wall time or a later one (contract 31.18). */
function instantOf(zone: string, wall: number): number {
  const around = offsetPeriods(zone, wall - DAY_MS, wall + DAY_MS);
  const instants = around.map(({ from, to, offset }) => ({
    at: Math.max(from, wall - offset),
    to,
  }));
  return instants.find(({ at, to }) => at < to)!.at;
}

/** The words of a monitor's settings for types of channels; others are not restricted by type. */
const WORDS: Readonly<Record<string, NotificationKindWord>> = {
  email: 'email',
  sms: 'sms',
  slack: 'slack',
  discord: 'discord',
  microsoft_teams: 'teams',
  webhook: 'webhook',
};

/**
 * A channel is not notified of a monitor whose notifications are off, nor of severities that the monitor's settings leave
 * out for its type. Webhook endpoints, which are no people, ignore the first.
 */
export function monitorSettings({ settings, severities, type }: TargetSubject): None | null {
  if (settings === null) return null;
  if (settings.enabled === false && type !== 'webhook') return NONE;
  const word = WORDS[type];
  const allowed = word && settings.channels?.[word];
  return allowed == null || severities.some((one) => allowed.includes(one)) ? null : NONE;
}

/** Nobody is notified of an incident in the quiet hours of its monitor, unless it is critical enough. */
export function monitorQuietHours(
  { monitor, problemSeverity, endedAt }: IncidentSubject,
  now: number,
): Wait | null {
  if (endedAt !== null) return null;
  return quiet(quietHoursOf(monitor.notificationSettings), problemSeverity, now);
}

/** An end that was found out in the quiet hours of the monitor counts as found out when they end. */
export function quietEnd({ settings, problemSeverity, endSeenAt }: EndSubject, now: number) {
  // A clock that was set back since holds nothing.
  return quiet(quietHoursOf(settings), problemSeverity, Math.min(endSeenAt, now));
}

/** The quiet hours of a monitor in the form of those of a channel; null when it has none. */
function quietHoursOf(settings: NotificationSettings | null): QuietHours | null {
  const { enabled, start, end, timezone, bypass_critical: bypass } = settings?.quiet_hours ?? {};
  if (enabled === false || start == null || end == null) return null;
  return { from: start, to: end, timezone: timezone ?? 'UTC', allow_critical: bypass ?? true };
}
