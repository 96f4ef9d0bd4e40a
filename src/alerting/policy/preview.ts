import { SEVERITIES, type Severity } from '../../model/condition.ts';
import type { NotificationSettings } from '../../monitor-types/notification-settings.ts';
import {
  matchingRoutes,
  targetsOf,
  type RoutedChannel,
  type Target,
  type Route,
  type RoutedMonitor,
} from './routing.ts';
import {
  policiesOf,
  type IncidentSubject,
  type Policy,
  type Proposal,
  type Recheck,
  type Wait,
} from './contract.ts';

const MINUTE_MS = 60_000;

/** A policy that lets people wait, and until when it is asked again. */
export interface Hold {
  policy: string;
  until: number;
}

export interface PreviewedTarget<Named extends Route> extends Target {
  /** The routes by which the channel is notified then; none for the channels that are notified without a route. */
  routes: readonly Named[];
  /** What would hold its notification at that time. */
  holds: readonly Hold[];
  /** Why it is not notified at all; null where it is. */
  leftOut: 'disabled' | 'severity' | 'monitor_settings' | null;
}

/** Who would be notified if an incident began now and nobody acknowledged it, as the policies say. Pure. */
export function previewAlert<Named extends Route>(
  question: {
    monitor: RoutedMonitor & { notificationSettings: NotificationSettings | null };
    severity: Severity;
    /** What is known of an incident that began now. */
    incident: IncidentSubject;
    routes: readonly Named[];
    channels: readonly RoutedChannel[];
    /** Channels of the team that are disabled. */
    disabled: readonly RoutedChannel[];
  },
  policies: readonly Policy[],
  now: number,
) {
  const { monitor, severity, incident, routes, channels, disabled } = question;
  const matching = matchingRoutes(monitor, severity, routes, channels);
  const targetsBy = (named: readonly Route[], some: readonly RoutedChannel[]) =>
    targetsOf(monitor, severity, named, some);
  const all = [...channels, ...disabled].map((channel) => ({ ...channel, severities: SEVERITIES }));
  const notified = new Set(targetsBy(matching, channels).map(({ channel }) => channel.id));
  const disabledIds = new Set(disabled.map(({ id }) => id));
  const reasonOf = ({ id, type }: RoutedChannel) => {
    if (disabledIds.has(id)) return 'disabled' as const;
    if (!notified.has(id)) return 'severity' as const;
    const settings = monitor.notificationSettings;
    const subject = { settings, severities: [severity], type };
    const rulings = policiesOf(policies, 'target').map(({ apply }) => apply(subject, now));
    return rulings.some((ruling) => ruling !== null) ? ('monitor_settings' as const) : null;
  };
  const targets = targetsBy(matching, all).map((target): PreviewedTarget<Named> => {
    const channel = [...channels, ...disabled].find(({ id }) => id === target.channel.id)!;
    const at = now + target.afterMinutes * MINUTE_MS;
    const routesOfTarget = matching.filter((route) => notifiesBy(target, targetsBy([route], all)));
    const leftOut = reasonOf(channel);
    return {
      ...target,
      channel,
      routes: routesOfTarget,
      leftOut,
      holds: leftOut === null ? holdsOfChannel(channel, severity, policies, at) : [],
    };
  });
  return {
    /** What would hold every notification of the monitor now. */
    holds: holdsIn(policiesOf(policies, 'incident'), incident, now),
    /** In the order in which they are notified. */
    targets: targets.toSorted((a, b) => a.afterMinutes - b.afterMinutes),
  };
}

function notifiesBy({ channel, afterMinutes }: Target, targets: readonly Target[]): boolean {
  return targets.some((one) => one.channel.id === channel.id && one.afterMinutes === afterMinutes);
}

function holdsOfChannel(
  channel: RoutedChannel,
  severity: Severity,
  policies: readonly Policy[],
  at: number,
): Hold[] {
  const incidents = [{ severity }];
  // Without grouping windows: they depend on what else happens.
  const proposal: Proposal = {
    alert: { kind: 'single' },
    channel,
    windows: new Map(),
    recipient: null,
    notification: 'alarm',
    incidents,
    news: incidents,
  };
  return holdsIn(policiesOf(policies, 'notification'), proposal, at);
}

function holdsIn<Subject>(
  policies: readonly {
    name: string;
    apply(subject: Subject, now: number): Wait | Recheck | null;
  }[],
  subject: Subject,
  now: number,
): Hold[] {
  return policies.flatMap(({ name, apply }) => {
    const ruling = apply(subject, now);
    return ruling?.kind === 'wait' ? [{ policy: name, until: ruling.until }] : [];
  });
}
