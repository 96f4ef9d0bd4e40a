import type { MaintenanceWindow, ScopedMonitor } from '../../engine/maintenance/window.ts';
import type { CatchUp, Backlog } from './delivery-gap.ts';
import type { GroupingWindows, RoutedChannel, Target } from './routing.ts';
import type { Group, Waiting } from './storms.ts';
import { SEVERITIES, type Severity } from '../../model/condition.ts';
import type { ParentState } from '../../model/state.ts';
import type { NotificationSettings } from '../../monitor-types/notification-settings.ts';
import type { MessageKind } from '../message/content.ts';

/**
 * One rule of who is notified of what, and when. All have the same signature, and are pure: they get what is known of
 * their subject and the time, and answer with a ruling, or with null when they have nothing to say.
 */
interface PolicyOf<Stage extends keyof Stages> {
  name: string;
  of: Stage;
  apply(subject: Stages[Stage]['subject'], now: number): Stages[Stage]['ruling'] | null;
}

export type Policy = { [Stage in keyof Stages]: PolicyOf<Stage> }[keyof Stages];

/** The subjects of policies, in the order in which an event reaches people. In each stage the first ruling counts. */
interface Stages {
  /** Whether an event is handed on, to people and to webhook endpoints. */
  event: { subject: EventSubject; ruling: Wait };
  /** Whether a channel or a webhook endpoint is notified of a monitor at all. */
  target: { subject: TargetSubject; ruling: None };
  incident: { subject: IncidentSubject; ruling: Wait };
  /** From when on people may be notified of the end of an incident; a time that has passed is when that began. */
  end: { subject: EndSubject; ruling: Wait };
  alerts: { subject: Waiting; ruling: { kind: 'group'; groups: Group[] } };
  /** The notification of a channel that already knows of the alert. */
  recipient: { subject: RecipientSubject; ruling: ChannelRuling };
  /** The notification of a channel that does not know of the alert yet. */
  channel: { subject: ChannelSubject; ruling: ChannelRuling };
  notification: { subject: Proposal; ruling: Wait | Recheck };
  /** The messages that replace all that waits for a channel after it was unreachable. */
  queue: { subject: Backlog; ruling: { kind: 'catch_up' } & CatchUp };
}

/** Nothing is sent before then, when everything is evaluated again. */
export interface Wait {
  kind: 'wait';
  until: number;
}

/** Like `wait`, except that the following policies are asked too. */
export interface Recheck {
  kind: 'recheck';
  at: number;
}

/** Sends this, unless a policy of notifications holds it. */
export interface Notify {
  kind: 'notify';
  notification: NotificationKind;
  incidents: Member[];
  /** Incidents that the channel has not been notified of, if they may wait to be grouped with others; else empty. */
  news: Member[];
}

/** Sends nothing, and asks no further policy. */
export interface None {
  kind: 'none';
}
export const NONE: None = { kind: 'none' };

export type ChannelRuling = Notify | Wait | Recheck | None;

export interface EventSubject {
  monitor: ScopedMonitor;
  /** Maintenance windows of its team. */
  windows: readonly MaintenanceWindow[];
}

export interface TargetSubject {
  settings: NotificationSettings | null;
  /** Of what happened; one of them suffices. */
  severities: readonly Severity[];
  /** Type of a channel, or `webhook` for an endpoint. */
  type: string;
}

export interface EndSubject {
  settings: NotificationSettings | null;
  problemSeverity: Severity;
  endSeenAt: number;
}

/** An incident and what is known of its monitor. */
export interface IncidentSubject extends EventSubject {
  /** The worst severity of the incident and of those that changed over into it. */
  problemSeverity: Severity;
  startedAt: number;
  endedAt: number | null;
  /** Since when people could have been notified of it. */
  notifiableAt: number;
  /** True when the incident changed over into another one whose event is not handed on yet. */
  awaitsSuccessor: boolean;
  monitor: ScopedMonitor & {
    isPaused: boolean;
    lastCheckedAt: number | null;
    notificationSettings: NotificationSettings | null;
  };
  parents: readonly ParentState[];
  /** The outages by which an error budget burns; null for other incidents. */
  outages: Outages | null;
}

/** Outages of a monitor since its error budget began to burn. */
interface Outages {
  isDown: boolean;
  /** End of the first one that ended since, epoch milliseconds. */
  firstEndedAt: number | null;
}

/** An alert as one channel sees it. */
export interface ChannelSubject {
  alert: Alert;
  members: readonly Member[];
  /** Incidents that the channel's routes give it by now, and those that it was notified of before. */
  ofChannel: readonly Member[];
  /** The incidents of `ofChannel` that nothing holds back now. */
  unheld: readonly Member[];
  channel: RoutedChannel;
  windows: GroupingWindows;
}

export interface RecipientSubject extends ChannelSubject {
  recipient: Recipient;
}

export interface Proposal extends Pick<ChannelSubject, 'channel' | 'windows'> {
  alert: Pick<Alert, 'kind'>;
  recipient: Recipient | null;
  notification: NotificationKind;
  incidents: readonly Pick<Member, 'severity'>[];
  /** As in `Notify`. */
  news: readonly Pick<Member, 'severity'>[];
}

/** The first ruling of the policies of a stage; null when none has anything to say. */
export function firstRuling<Stage extends keyof Stages>(
  policies: readonly Policy[],
  stage: Stage,
  subject: Stages[Stage]['subject'],
  now: number,
): Stages[Stage]['ruling'] | null {
  for (const policy of policiesOf(policies, stage)) {
    const ruling = policy.apply(subject, now);
    if (ruling !== null) return ruling;
  }
  return null;
}

export function policiesOf<Stage extends keyof Stages>(policies: readonly Policy[], stage: Stage) {
  return policies.filter(({ of }) => of === stage) as unknown as PolicyOf<Stage>[];
}

export function recheck(at: number): Recheck {
  return { kind: 'recheck', at };
}

export function wait(until: number): Wait {
  return { kind: 'wait', until };
}

/** Notifications about one incident, several that share a cause, or a flapping monitor. */
export interface Alert {
  id: number;
  kind: 'single' | 'storm' | 'flapping';
  openedAt: number;
  /** The cause that all incidents of a storm share; null when none is known. */
  sharedCause: string | null;
  notifiedAt: number | null;
}

/** One incident of an alert. */
export interface Member {
  incidentId: number;
  monitorId: number;
  severity: Severity;
  startedAt: number;
  /** Null while it is open; the time of deletion when its record or its monitor was deleted. */
  endedAt: number | null;
  /** When its end was found out, later than the first good result; null while it is open. */
  endSeenAt: number | null;
  /** Until when people are not notified of its end; null when they may be, and while it is open. */
  endHeldUntil: number | null;
  isAcknowledged: boolean;
  joinedAt: number;
  /** True when the incident changed over into another one, which follows. */
  hasSuccessor: boolean;
  /** When the policies of incidents are asked again, which hold it until then; null when people may be notified. */
  heldUntil: number | null;
  /** For an incident that is over: destinations that another alert has since notified of the same problem. */
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
  /** Incidents that it was notified of, with the time of the last message that named each. */
  incidents: ReadonlyMap<number, number>;
  /** Those that this message named as over. The times of a message and of an end may be of two clocks. */
  ends: ReadonlySet<number>;
}

export type NotificationKind = Extract<
  MessageKind,
  'alarm' | 'update' | 'reminder' | 'escalation' | 'recovery'
>;

export interface Notification {
  destinationId: number;
  kind: NotificationKind;
  severity: Severity;
  incidentIds: number[];
}

/** Channels that can be notified of an alert, and their grouping windows. */
export interface Reach {
  /** By destination. Other destinations get no further notifications. */
  channels: ReadonlyMap<number, RoutedChannel>;
  windows: GroupingWindows;
}

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

/** The way in which a channel is notified of an incident; undefined when it is not. */
export function targetOf(member: Member, channel: RoutedChannel): Target | undefined {
  return member.targets.find((target) => target.channel.destinationId === channel.destinationId);
}

export function isEnded({ endedAt }: Member): boolean {
  return endedAt !== null;
}

export function hasOpen(members: readonly Member[]): boolean {
  return members.some((member) => !isEnded(member));
}

/** Whether a recipient was notified of an incident since it joined the alert. */
export function isKnown({ incidentId, joinedAt }: Member, recipient: Recipient): boolean {
  return (recipient.incidents.get(incidentId) ?? -Infinity) >= joinedAt;
}

export function lastChange(members: readonly Member[]): number {
  return Math.max(0, ...members.map(({ joinedAt, endedAt }) => Math.max(joinedAt, endedAt ?? 0)));
}

export function worstOf(members: readonly { severity: Severity }[]): Severity {
  return SEVERITIES.find((one) => members.some(({ severity }) => severity === one)) ?? 'info';
}

export function isWorse(a: Severity, b: Severity): boolean {
  return SEVERITIES.indexOf(a) < SEVERITIES.indexOf(b);
}
