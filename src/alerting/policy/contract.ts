import type { MaintenanceWindow, ScopedMonitor } from '../../engine/maintenance/window.ts';
import type { CatchUp, Backlog } from './delivery-gap.ts';
import type { GroupingWindows, RoutedChannel, Target } from './channel.ts';
import type { Group, Waiting } from './storms.ts';
import { SEVERITIES, type Severity } from '../../model/condition.ts';
import type { NotificationSettings } from '../../monitor-types/notification-settings.ts';
import type { MessageKind } from '../message/index.ts';

/** State of a monitor on which another one depends, directly or indirectly. Times are epoch milliseconds. */
export interface ParentState {
  status: string;
  isPaused: boolean;
  /** True while its failure is being confirmed. */
  isSuspected: boolean;
  lastCheckedAt: number | null;
  /** Start of its open critical incident. */
  downSince: number | null;
  /** When its newest critical incident ended. */
  recoveredAt: number | null;
}

/**
 * One rule of who is notified of what, and when. All have the same signature, and are pure: they get what is known of
 * their subject and the time (epoch ms), and answer with a ruling, or with null when they have nothing to say.
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
  target: { subject: TargetSubject; ruling: { says: 'nothing' } };
  /** Whether people may be notified of an incident. */
  incident: { subject: IncidentSubject; ruling: Wait };
  /** From when on people may be notified of the end of an incident; a time that has passed is when that began. */
  end: { subject: EndSubject; ruling: Wait };
  /** Which alerts of a team become one. */
  alerts: { subject: Waiting; ruling: { says: 'group'; groups: Group[] } };
  /** The notification of a channel that already knows of the alert. */
  recipient: { subject: RecipientSubject; ruling: ChannelRuling };
  /** The notification of a channel that does not know of the alert yet. */
  channel: { subject: ChannelSubject; ruling: ChannelRuling };
  /** Whether a notification is sent now. */
  notification: { subject: Proposal; ruling: Wait | Recheck };
  /** The messages that replace all that waits for a channel after it was unreachable. */
  queue: { subject: Backlog; ruling: { says: 'catch_up' } & CatchUp };
}

/** Nothing is sent before then, when everything is evaluated again. */
export interface Wait {
  says: 'wait';
  until: number;
}

/** Like `wait`, except that the following policies are asked too. */
export interface Recheck {
  says: 'recheck';
  at: number;
}

/** Sends this, unless a policy of notifications holds it. */
export interface Notify {
  says: 'notify';
  kind: NotificationKind;
  incidents: Member[];
  /** Incidents that the channel has not been notified of, if they may wait to be grouped with others; else empty. */
  news: Member[];
}

export type ChannelRuling = Notify | Wait | Recheck | { says: 'nothing' };

export interface EventSubject {
  monitor: ScopedMonitor;
  /** Maintenance windows of its team. */
  windows: readonly MaintenanceWindow[];
}

/** A way to notify of something about a monitor. */
export interface TargetSubject {
  settings: NotificationSettings | null;
  /** Of what happened; one of them suffices. */
  severities: readonly Severity[];
  /** Type of a channel, or `webhook` for an endpoint. */
  type: string;
}

/** An incident that is over. Times are epoch milliseconds. */
export interface EndSubject {
  settings: NotificationSettings | null;
  problemSeverity: Severity;
  /** When its end was found out. */
  endSeenAt: number;
}

/** An incident and what is known of its monitor. Times are epoch milliseconds. */
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
  /** All monitors on which it depends. */
  parents: readonly ParentState[];
  /** The outages by which an error budget burns; null for other incidents. */
  outages: Outages | null;
}

/** Outages of a monitor since its error budget began to burn. */
export interface Outages {
  isDown: boolean;
  /** End of the first one that ended since, epoch milliseconds. */
  firstEndedAt: number | null;
}

/** An alert as one channel sees it. */
export interface ChannelSubject {
  alert: Alert;
  /** All incidents of the alert. */
  members: readonly Member[];
  /** Incidents that the channel's routes give it by now, and those that it was notified of before. */
  own: readonly Member[];
  /** The incidents of `own` that the channel may be notified of now. */
  free: readonly Member[];
  channel: RoutedChannel;
  windows: GroupingWindows;
}

export interface RecipientSubject extends ChannelSubject {
  recipient: Recipient;
}

/** A notification that is about to be sent. */
export interface Proposal extends Pick<ChannelSubject, 'alert' | 'channel' | 'windows'> {
  recipient: Recipient | null;
  kind: NotificationKind;
  incidents: readonly Member[];
  /** Same as in `Notify`. */
  news: readonly Member[];
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

export function policiesOf<Stage extends keyof Stages>(
  policies: readonly Policy[],
  stage: Stage,
): PolicyOf<Stage>[] {
  return policies.filter(({ of }) => of === stage) as unknown as PolicyOf<Stage>[];
}

export function wait(until: number): Wait {
  return { says: 'wait', until };
}

export function notify(kind: NotificationKind, incidents: Member[], news: Member[] = []): Notify {
  return { says: 'notify', kind, incidents, news };
}

/** Notifications about one incident, several that share a cause, or a flapping monitor. Times are epoch milliseconds. */
export interface Alert {
  id: number;
  kind: 'single' | 'storm' | 'flapping';
  openedAt: number;
  /** The cause that all incidents of a storm share; null when none is known. */
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

type NotificationKind = Extract<
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

/** Result of a step of an alert. */
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

/** Incidents that people may be notified of now. */
export function freeOf(members: readonly Member[]): Member[] {
  return members.filter(({ endedAt, heldUntil }) => endedAt === null && heldUntil === null);
}

/**
 * Incidents whose end is news to a recipient: the last message named them as open, or did not name them and they ended
 * since. Leaves out ends that are held, and what the recipient knows to be down again.
 */
export function endedSince(members: readonly Member[], recipient: Recipient): Member[] {
  const isNews = (member: Member) =>
    isEnded(member) &&
    (recipient.incidents.has(member.incidentId)
      ? isNamedAsOpen(member, recipient)
      : (member.endSeenAt ?? 0) > recipient.lastNotifiedAt);
  return members.filter(
    (member) => isNews(member) && member.endHeldUntil === null && !isRenotified(member, recipient),
  );
}

/** Whether the last message to a recipient that named an incident named it as open. */
export function isNamedAsOpen(
  { incidentId }: Pick<Member, 'incidentId'>,
  { incidents, ends }: Recipient,
): boolean {
  return incidents.has(incidentId) && !ends.has(incidentId);
}

/** Whether another alert notified the recipient that the same problem is back. */
export function isRenotified({ renotified }: Member, { destinationId }: Recipient): boolean {
  return renotified.includes(destinationId);
}

/** Whether a recipient was notified of an incident since it joined the alert. */
export function isKnown({ incidentId, joinedAt }: Member, recipient: Recipient): boolean {
  return (recipient.incidents.get(incidentId) ?? -Infinity) >= joinedAt;
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
