/**
 * Policies: who is notified of what, and when. Routes name the channels of an incident (`routing.ts`); POLICIES decide,
 * stage by stage, what each channel is sent and what waits. To change what people get, change a policy, its place in the
 * list, or leave it out. Pure: all facts are handed in, with the time; `alerting/notify` reads them and writes what
 * follows. Times are epoch milliseconds.
 */
import {
  beginning,
  changeOver,
  joining,
  partialRecovery,
  recovery,
  reminders,
  succession,
  worsening,
  escalation,
  flapping,
} from './changes.ts';
import {
  firstRuling,
  type Policy,
  policiesOf,
  type IncidentSubject,
  type Proposal,
  type Recheck,
  type Wait,
} from './contract.ts';
import { deliveryGap, type Backlog, type CatchUp } from './delivery-gap.ts';
import {
  dependencies,
  maintenance,
  outages,
  paused,
  monitorQuietHours,
  monitorSettings,
  quietEnd,
  grouping,
  quietHours,
} from './holds.ts';
import { storms } from './storms.ts';
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

/** All policies. Of each stage they are asked in this order, and the first ruling counts. */
export const POLICIES: readonly Policy[] = [
  // An event that is held is handed on to nobody, neither people nor webhook endpoints.
  { name: 'maintenance', of: 'event', apply: maintenance },

  // Not every channel that routes name is notified of every monitor.
  { name: 'monitor_settings', of: 'target', apply: monitorSettings },

  // Nobody is notified of an incident that is held.
  { name: 'paused', of: 'incident', apply: paused },
  { name: 'maintenance', of: 'incident', apply: maintenance },
  { name: 'dependencies', of: 'incident', apply: dependencies },
  { name: 'outages', of: 'incident', apply: outages },
  { name: 'monitor_quiet_hours', of: 'incident', apply: monitorQuietHours },
  { name: 'change_over', of: 'incident', apply: changeOver },

  // Nor of its end.
  { name: 'monitor_quiet_hours', of: 'end', apply: quietEnd },

  // Alerts that one message is about become one.
  { name: 'storms', of: 'alerts', apply: storms },

  // What a channel gets that was notified of the alert before.
  { name: 'worsening', of: 'recipient', apply: worsening },
  { name: 'flapping', of: 'recipient', apply: flapping },
  { name: 'succession', of: 'recipient', apply: succession },
  { name: 'recovery', of: 'recipient', apply: recovery },
  { name: 'joining', of: 'recipient', apply: joining },
  { name: 'partial_recovery', of: 'recipient', apply: partialRecovery },
  { name: 'reminders', of: 'recipient', apply: reminders },

  // What a channel gets that was not.
  { name: 'beginning', of: 'channel', apply: beginning },
  { name: 'escalation', of: 'channel', apply: escalation },

  // A notification waits for its time.
  { name: 'grouping', of: 'notification', apply: grouping },
  { name: 'quiet_hours', of: 'notification', apply: quietHours },

  // What a channel gets once it is reachable again.
  { name: 'delivery_gap', of: 'queue', apply: deliveryGap },
];

/** Decides what a channel that was unreachable is sent in place of its backlog. */
export function catchUp(backlog: Backlog, now: number, policies = POLICIES): CatchUp {
  const nothing = { gapMessage: null, repeated: [] };
  return firstRuling(policies, 'queue', backlog, now) ?? nothing;
}

export { WEEKDAYS, type QuietHours } from './routing.ts';

export { channelFrom, routeFrom } from './routing.ts';
export type { EscalationStep, Route } from './routing.ts';

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
