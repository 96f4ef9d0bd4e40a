import { type Severity, SEVERITIES } from '../../model/condition.ts';
import type { GroupingWindows } from './grouping-window.ts';
import type { MessageKind } from '../message/index.ts';
import type { RoutedChannel, Target } from './routing.ts';

/** Notifications about one incident, several that share a cause, or a monitor that comes and goes. */
export interface Alert {
  id: number;
  kind: 'single' | 'storm' | 'flapping';
  openedAt: number;
  /** What all of a storm share; null where nothing is known. */
  sharedCause: string | null;
  /** Time of the first notification. */
  notifiedAt: number | null;
}

/** One of its incidents. Times are epoch milliseconds. */
export interface Member {
  incidentId: number;
  monitorId: number;
  severity: Severity;
  startedAt: number;
  /** Null while it is open; when it was deleted, where its record or its monitor was. */
  endedAt: number | null;
  /** When its end was found out, later than the first good result; null while it is open. */
  endSeenAt: number | null;
  isAcknowledged: boolean;
  joinedAt: number;
  /** It became another one, which follows. */
  hasSuccessor: boolean;
  /**
   * Set while nobody is notified of it: when to evaluate it again. Null when people may be notified. Of one that became another one, which
   * nobody may be notified of yet, too.
   */
  heldUntil: number | null;
  /** Of one that is over: destinations that another alert notified of the same problem of its monitor since. */
  renotified: readonly number[];
  targets: readonly Target[];
}

/** A destination that was notified. */
export interface Recipient {
  destinationId: number;
  notifiedAt: number;
  lastNotifiedAt: number;
  /** The worst severity in its notifications. */
  severity: Severity;
}

export interface Notification {
  destinationId: number;
  kind: Extract<MessageKind, 'alarm' | 'update' | 'reminder' | 'escalation' | 'recovery'>;
  severity: Severity;
  /** The incidents that it is about. */
  incidentIds: number[];
}

/** Who can be notified of an alert, and when something new may be sent to them. */
export interface Reach {
  /** All destinations that may be notified. Others get no further notifications. */
  channels: ReadonlyMap<number, RoutedChannel>;
  windows: GroupingWindows;
}

export interface AlertStep {
  notifications: Notification[];
  /** Channels that are notified of something new: what begins right after it is grouped. */
  opened: { destinationId: number; severity: Severity }[];
  kind: Alert['kind'];
  notifiedAt: number | null;
  overAt: number | null;
  /** When something can change without an event; null when nothing can. */
  nextAt: number | null;
}

/** How the channel is told of it; undefined when it is not. */
export function targetOf(member: Member, channel: RoutedChannel): Target | undefined {
  return member.targets.find((target) => target.channel.destinationId === channel.destinationId);
}

export function isEnded({ endedAt }: Member): boolean {
  return endedAt !== null;
}

/** What was found to be over since somebody was told of it, but for what they were told is down again. */
export function stillOver(members: readonly Member[], recipient: Recipient): Member[] {
  return members.filter(
    (member) =>
      (member.endSeenAt ?? 0) > recipient.lastNotifiedAt && !isRenotified(member, recipient),
  );
}

/** Whether another alert told them that it is down again. */
export function isRenotified(
  { renotified: toldAgain }: Member,
  { destinationId }: Recipient,
): boolean {
  return toldAgain.includes(destinationId);
}

/** Whether one of these was told of an incident, with or after which it joined the alert. */
export function isKnownToSome(
  { joinedAt, targets }: Member,
  recipients: readonly Recipient[],
): boolean {
  return recipients.some(
    ({ destinationId, lastNotifiedAt: lastToldAt }) =>
      joinedAt <= lastToldAt &&
      targets.some(({ channel }) => channel.destinationId === destinationId),
  );
}

export function hasOpen(members: readonly Member[]): boolean {
  return members.some((member) => member.endedAt === null);
}

/** When one of these last came or went (epoch ms). */
export function lastChange(members: readonly Member[]): number {
  return Math.max(0, ...members.map(({ joinedAt, endedAt }) => Math.max(joinedAt, endedAt ?? 0)));
}

/** The worst of these; info of none. */
export function worstOf(members: readonly { severity: Severity }[]): Severity {
  return SEVERITIES.find((one) => members.some(({ severity }) => severity === one)) ?? 'info';
}

export function isWorse(a: Severity, b: Severity): boolean {
  return SEVERITIES.indexOf(a) < SEVERITIES.indexOf(b);
}
