import type { MaintenanceWindow, ScopedMonitor } from '../../engine/maintenance/window.ts';
import type { Alert, Member, NotificationKind, Recipient } from './alert.ts';
import type { CatchUp, Backlog } from './delivery-gap.ts';
import type { ParentState } from './holds.ts';
import type { GroupingWindows } from './timing.ts';
import type { RoutedChannel } from './routing.ts';
import type { Group, Waiting } from './storms.ts';

/**
 * One rule of who is notified of what, and when. All have the same signature, and are pure: they get what is known of
 * their subject and the time (epoch ms), and answer with a ruling, or with null when they have nothing to say.
 */
export interface PolicyOf<Stage extends keyof Stages> {
  name: string;
  of: Stage;
  apply(subject: Stages[Stage]['subject'], now: number): Stages[Stage]['ruling'] | null;
}

export type Policy = { [Stage in keyof Stages]: PolicyOf<Stage> }[keyof Stages];

/** What policies decide about, in the order of an event's way to people. In each stage the first ruling counts. */
export interface Stages {
  /** Whether an event is handed on, to people and to webhook endpoints. */
  event: { subject: EventSubject; ruling: Wait };
  /** Whether people may be notified of an incident. */
  incident: { subject: IncidentSubject; ruling: Wait };
  /** Which alerts of a team become one. */
  alerts: { subject: Waiting; ruling: { says: 'group'; groups: Group[] } };
  /** What a channel is notified of that knows of the alert. */
  recipient: { subject: RecipientSubject; ruling: ChannelRuling };
  /** What a channel is notified of that does not know of the alert. */
  channel: { subject: ChannelSubject; ruling: ChannelRuling };
  /** Whether a notification is sent now. */
  notification: { subject: Proposal; ruling: Wait | Recheck };
  /** What is sent to a channel that was unreachable, in place of all that waits for it. */
  queue: { subject: Backlog; ruling: { says: 'catch_up' } & CatchUp };
}

/** Nothing is sent before then, when everything is evaluated again. */
export interface Wait {
  says: 'wait';
  until: number;
}

/** As `wait`, but the policies that follow are asked all the same. */
export interface Recheck {
  says: 'recheck';
  at: number;
}

/** Sends this, unless a policy of notifications holds it. */
export interface Notify {
  says: 'notify';
  kind: NotificationKind;
  incidents: Member[];
  /** Those that the channel has not been notified of, when they may wait to be grouped with others; else empty. */
  news: Member[];
}

export type ChannelRuling = Notify | Wait | Recheck | { says: 'nothing' };

export interface EventSubject {
  monitor: ScopedMonitor;
  /** Maintenance windows of its team. */
  windows: readonly MaintenanceWindow[];
}

/** An incident and what is known of its monitor. Times are epoch milliseconds. */
export interface IncidentSubject extends EventSubject {
  startedAt: number;
  endedAt: number | null;
  /** Since when people could have been notified of it. */
  notifiableAt: number;
  /** It changed over into another incident, whose event is not handed on yet. */
  awaitsSuccessor: boolean;
  monitor: ScopedMonitor & { isPaused: boolean; lastCheckedAt: number | null };
  /** All monitors on which it depends. */
  parents: readonly ParentState[];
}

/** An alert as one channel sees it. */
export interface ChannelSubject {
  alert: Alert;
  /** All incidents of the alert. */
  members: readonly Member[];
  /** Incidents that concern the channel; for a recipient all of the alert, when its routes changed since. */
  own: readonly Member[];
  /** Those of `own` that people may be notified of now. */
  free: readonly Member[];
  channel: RoutedChannel;
  windows: GroupingWindows;
  /** Since when somebody has known of the alert: escalations count from here. */
  knownSince: number;
}

export interface RecipientSubject extends ChannelSubject {
  recipient: Recipient;
}

/** A notification that is about to be sent. */
export interface Proposal extends Pick<ChannelSubject, 'alert' | 'channel' | 'windows'> {
  recipient: Recipient | null;
  kind: NotificationKind;
  incidents: readonly Member[];
  /** As in `Notify`. */
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
