import { earlier } from '../../lib/clock.ts';
import { isInScope } from '../../engine/maintenance/window.ts';
import type { Severity } from '../../model/condition.ts';

/** Channels that are notified when nobody acknowledges; stored as this JSON. */
export interface EscalationStep {
  /** Since the first notification. */
  after_minutes: number;
  /** Ids of the team's channels, and of people whose own channels are notified. */
  channels: number[];
  users: number[];
}

export interface Route {
  /** All three empty: everything. */
  monitors: readonly number[];
  groups: readonly number[];
  tags: readonly string[];
  severities: readonly Severity[];
  channels: readonly number[];
  users: readonly number[];
  reminderMinutes: number | null;
  escalation: readonly EscalationStep[];
}

export interface RoutedMonitor {
  id: number;
  groupIds: readonly number[];
  tags: readonly string[];
}

/**
 * The channels that are notified of an incident: those of all routes that match and name an existing channel; without such
 * a route, the team's default channels and the own channels of its members. A channel only receives its own severities. A
 * channel of several routes is notified as early, and reminded as often, as one of them says.
 */
export function targetsOf(
  monitor: RoutedMonitor,
  severity: Severity,
  routes: readonly Route[],
  channels: readonly RoutedChannel[],
): Target[] {
  const matching = matchingRoutes(monitor, severity, routes, channels);
  const targets = new Map<number, Target>();
  const add = (channel: RoutedChannel, afterMinutes: number, reminderMinutes: number | null) => {
    if (!channel.severities.includes(severity)) return;
    const known = targets.get(channel.id);
    targets.set(channel.id, {
      channel,
      afterMinutes: Math.min(afterMinutes, known?.afterMinutes ?? Infinity),
      reminderMinutes: earlier(reminderMinutes, known?.reminderMinutes ?? null),
    });
  };
  if (matching.length === 0) {
    for (const channel of channels)
      if (channel.isDefault || channel.personId !== null) add(channel, 0, null);
  }
  for (const route of matching) {
    for (const channel of namedBy(route, channels)) add(channel, 0, route.reminderMinutes);
    for (const step of route.escalation)
      for (const channel of namedBy(step, channels))
        add(channel, step.after_minutes, route.reminderMinutes);
  }
  return [...targets.values()];
}

/** The routes by which an incident is notified of. Without any, the defaults count. */
export function matchingRoutes<Named extends Route>(
  monitor: RoutedMonitor,
  severity: Severity,
  routes: readonly Named[],
  channels: readonly RoutedChannel[],
): Named[] {
  return routes.filter(
    (route) => matches(route, monitor, severity) && reachesAnybody(route, channels),
  );
}

function matches(route: Route, monitor: RoutedMonitor, severity: Severity): boolean {
  return route.severities.includes(severity) && isInScope(route, monitor);
}

/** A route whose channels and people are all gone would swallow what it matches. */
function reachesAnybody(route: Route, channels: readonly RoutedChannel[]): boolean {
  return [route, ...route.escalation].some((named) => namedBy(named, channels).length > 0);
}

function namedBy(
  named: { channels: readonly number[]; users: readonly number[] },
  channels: readonly RoutedChannel[],
): RoutedChannel[] {
  return channels.filter(({ id, personId }) =>
    personId === null ? named.channels.includes(id) : named.users.includes(personId),
  );
}

export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
type Weekday = (typeof WEEKDAYS)[number];

/** When nothing is sent to a channel; stored as this JSON. */
export interface QuietHours {
  /** Wall time `HH:MM`, both; they may pass midnight. */
  from: string;
  to: string;
  /** On which of them it begins; all when absent. */
  days?: Weekday[];
  timezone: string;
  /** Whether critical messages are sent all the same. */
  allow_critical: boolean;
}

/** A channel that can be notified: of the team, or a member's own. */
export interface RoutedChannel {
  id: number;
  destinationId: number;
  personId: number | null;
  type: string;
  /** Whether the provider keeps incidents of its own, which are closed at any hour. */
  keepsIncidents: boolean;
  isDefault: boolean;
  severities: readonly Severity[];
  quietHours: QuietHours | null;
}

/** The way in which a channel is notified of an incident. */
export interface Target {
  channel: RoutedChannel;
  /** 0 for at once, else only if nobody acknowledged it since the first notification. */
  afterMinutes: number;
  /** Between reminders; null for none. */
  reminderMinutes: number | null;
}

/** The last notification of something new that a channel got, of a team. */
export interface GroupingWindow {
  openedAt: number;
  /** The worst of what the channel was notified of. */
  severity: Severity;
}

export type GroupingWindows = ReadonlyMap<number, GroupingWindow>;

/** Columns of a route; lists are JSON. */
interface StoredRoute {
  monitors: string;
  groups: string;
  tags: string;
  severities: string;
  channels: string;
  users: string;
  reminder_minutes: number | null;
  escalation: string;
}

/** Columns of a channel; severities and quiet hours are JSON. */
interface StoredChannel {
  id: number;
  destination_id: number;
  person_id: number | null;
  type: string;
  is_default: number;
  severities: string;
  quiet_hours: string | null;
}

export function routeFrom(row: StoredRoute): Route {
  return {
    monitors: JSON.parse(row.monitors) as number[],
    groups: JSON.parse(row.groups) as number[],
    tags: JSON.parse(row.tags) as string[],
    severities: JSON.parse(row.severities) as Severity[],
    channels: JSON.parse(row.channels) as number[],
    users: JSON.parse(row.users) as number[],
    reminderMinutes: row.reminder_minutes,
    escalation: JSON.parse(row.escalation) as EscalationStep[],
  };
}

export function channelFrom(row: StoredChannel, keepsIncidents: boolean): RoutedChannel {
  return {
    id: row.id,
    destinationId: row.destination_id,
    personId: row.person_id,
    type: row.type,
    keepsIncidents,
    isDefault: row.is_default === 1 && row.person_id === null,
    severities: JSON.parse(row.severities) as Severity[],
    quietHours: row.quiet_hours === null ? null : (JSON.parse(row.quiet_hours) as QuietHours),
  };
}
