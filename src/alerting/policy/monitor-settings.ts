import type {
  NotificationKindWord,
  NotificationSettings,
} from '../../monitor-types/notification-settings.ts';
import type { QuietHours } from './channel.ts';
import {
  wait,
  type EndSubject,
  type IncidentSubject,
  type TargetSubject,
  type Wait,
} from './contract.ts';
import { quietUntil } from './timing.ts';

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
export function monitorSettings({
  settings,
  severities,
  type,
}: TargetSubject): { says: 'nothing' } | null {
  if (settings === null) return null;
  if (settings.enabled === false && type !== 'webhook') return { says: 'nothing' };
  const word = WORDS[type];
  const allowed = word && settings.channels?.[word];
  if (allowed == null || severities.some((one) => allowed.includes(one))) return null;
  return { says: 'nothing' };
}

/** Nobody is notified of an incident in the quiet hours of its monitor, unless it is critical enough. */
export function monitorQuietHours(
  { monitor, problemSeverity, endedAt }: IncidentSubject,
  now: number,
): Wait | null {
  if (endedAt !== null) return null;
  const until = quietUntil(quietHoursOf(monitor.notificationSettings), problemSeverity, now);
  return until === null ? null : wait(until);
}

/** An end that was found out in the quiet hours of the monitor counts as found out when they end. */
export function quietEnd(
  { settings, problemSeverity, endSeenAt }: EndSubject,
  now: number,
): Wait | null {
  // A clock that was set back since holds nothing.
  const seenAt = Math.min(endSeenAt, now);
  const until = quietUntil(quietHoursOf(settings), problemSeverity, seenAt);
  return until === null ? null : wait(until);
}

/** The quiet hours of a monitor in the form of those of a channel; null when it has none. */
function quietHoursOf(settings: NotificationSettings | null): QuietHours | null {
  const { enabled, start, end, timezone, bypass_critical: bypass } = settings?.quiet_hours ?? {};
  if (enabled === false || start == null || end == null) return null;
  return { from: start, to: end, timezone: timezone ?? 'UTC', allow_critical: bypass ?? true };
}
