import { SEVERITIES, type Severity } from '../../model/condition.ts';
import type { MessageKind } from '../message/index.ts';
import type { GroupingWindows } from './timing.ts';
import type { RoutedChannel, Target } from './routing.ts';

/** Notifications about one incident, several that share a cause, or a flapping monitor. Times are epoch milliseconds. */
export interface Alert {
  id: number;
  kind: 'single' | 'storm' | 'flapping';
  openedAt: number;
  /** What all incidents of a storm share; null when nothing is known. */
  sharedCause: string | null;
  /** Time of the first notification. */
  notifiedAt: number | null;
}

/** One incident of an alert. Times are epoch milliseconds. */
export interface Member {
  incidentId: number;
  monitorId: number;
  severity: Severity;
  startedAt: number;
  /** Null while it is open; the time of deletion when its record or its monitor was deleted. */
  endedAt: number | null;
  /** When its end was found out, later than the first good result; null while it is open. */
  endSeenAt: number | null;
  isAcknowledged: boolean;
  joinedAt: number;
  /** It changed over into another incident, which follows. */
  hasSuccessor: boolean;
  /** When the policies of incidents are asked again, which hold it until then; null when people may be notified. */
  heldUntil: number | null;
  /** Of an incident that is over: destinations that another alert has notified since of the same problem. */
  renotified: readonly number[];
  targets: readonly Target[];
}

/** A destination that was notified of an alert. */
export interface Recipient {
  destinationId: number;
  notifiedAt: number;
  lastNotifiedAt: number;
  /** The worst severity in its notifications. */
  severity: Severity;
}

export type NotificationKind = Extract<
  MessageKind,
  'alarm' | 'update' | 'reminder' | 'escalation' | 'recovery'
>;

export interface Notification {
  destinationId: number;
  kind: NotificationKind;
  severity: Severity;
  /** The incidents that it names. */
  incidentIds: number[];
}

/** Channels that can be notified of an alert, and their grouping windows. */
export interface Reach {
  /** By destination. Other destinations get no further notifications. */
  channels: ReadonlyMap<number, RoutedChannel>;
  windows: GroupingWindows;
}

/** What a step makes of an alert. */
export interface AlertStep {
  notifications: Notification[];
  /** Channels that are notified of something new, which opens their grouping windows. */
  opened: { destinationId: number; severity: Severity }[];
  kind: Alert['kind'];
  notifiedAt: number | null;
  overAt: number | null;
  /** When something can change without an event; null when nothing can. */
  nextAt: number | null;
}

/** How a channel is notified of an incident; undefined when it is not. */
export function targetOf(member: Member, channel: RoutedChannel): Target | undefined {
  return member.targets.find((target) => target.channel.destinationId === channel.destinationId);
}

export function isEnded({ endedAt }: Member): boolean {
  return endedAt !== null;
}

export function hasOpen(members: readonly Member[]): boolean {
  return members.some((member) => !isEnded(member));
}

/** Incidents that people may be notified of now. */
export function freeOf(members: readonly Member[]): Member[] {
  return members.filter(({ endedAt, heldUntil }) => endedAt === null && heldUntil === null);
}

/** Incidents whose end was found out since the last notification, unless the recipient knows that they are down again. */
export function endedSince(members: readonly Member[], recipient: Recipient): Member[] {
  return members.filter(
    (member) =>
      (member.endSeenAt ?? 0) > recipient.lastNotifiedAt && !isRenotified(member, recipient),
  );
}

/** Whether another alert notified the recipient that the same problem is back. */
export function isRenotified({ renotified }: Member, { destinationId }: Recipient): boolean {
  return renotified.includes(destinationId);
}

/** Whether one of these recipients was notified of an incident, with or after which it joined the alert. */
export function isKnownToSome(
  { joinedAt, targets }: Member,
  recipients: readonly Recipient[],
): boolean {
  return recipients.some(
    ({ destinationId, lastNotifiedAt }) =>
      joinedAt <= lastNotifiedAt &&
      targets.some(({ channel }) => channel.destinationId === destinationId),
  );
}

/** When an incident last joined or ended (epoch ms). */
export function lastChange(members: readonly Member[]): number {
  return Math.max(0, ...members.map(({ joinedAt, endedAt }) => Math.max(joinedAt, endedAt ?? 0)));
}

/** The worst of these severities; info when there are none. */
export function worstOf(members: readonly { severity: Severity }[]): Severity {
  return SEVERITIES.find((one) => members.some(({ severity }) => severity === one)) ?? 'info';
}

export function isWorse(a: Severity, b: Severity): boolean {
  return SEVERITIES.indexOf(a) < SEVERITIES.indexOf(b);
}
