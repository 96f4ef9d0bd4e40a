import type { Severity } from '../../model/condition.ts';
import type { RoutedChannel, Target } from './channel.ts';

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

/** The facts of a monitor that routes match. */
export interface RoutedMonitor {
  id: number;
  /** Its group and that one's parent. */
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
      reminderMinutes: least(reminderMinutes, known?.reminderMinutes ?? null),
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
  if (!route.severities.includes(severity)) return false;
  const { monitors, groups, tags } = route;
  if (monitors.length + groups.length + tags.length === 0) return true;
  return (
    monitors.includes(monitor.id) ||
    monitor.groupIds.some((id) => groups.includes(id)) ||
    monitor.tags.some((tag) => tags.includes(tag))
  );
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

function least(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}
