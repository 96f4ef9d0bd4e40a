import {
  freeOf,
  hasOpen,
  isEnded,
  isKnownToSome,
  lastChange,
  targetOf,
  worstOf,
  firstRuling,
  policiesOf,
} from './contract.ts';
import type {
  Alert,
  AlertStep,
  Member,
  Reach,
  Recipient,
  ChannelRuling,
  ChannelSubject,
  Notify,
  Policy,
  Proposal,
} from './contract.ts';
import { STEADY_MS } from './changes.ts';
import type { GroupingWindow, RoutedChannel } from './channel.ts';

const MINUTE_MS = 60_000;

/** An alert with its incidents and the destinations that were notified of it. */
export interface KnownAlert {
  alert: Alert;
  members: readonly Member[];
  recipients: readonly Recipient[];
}

/**
 * Notifies the channels of an alert as the policies say, and says when to evaluate it again. The same state always gives
 * the same step: all that was sent is in `recipients`.
 */
export function stepAlert(
  known: KnownAlert,
  reach: Reach,
  policies: readonly Policy[],
  now: number,
): AlertStep {
  const step = new Step(known, reach, policies, now);
  const { channels } = reach;
  const recipients = known.recipients.filter(({ destinationId }) => channels.has(destinationId));
  for (const recipient of recipients)
    step.updateNotified(channels.get(recipient.destinationId)!, recipient);
  const notified = new Set(recipients.map(({ destinationId }) => destinationId));
  const others = [...channels.values()].filter(({ destinationId }) => !notified.has(destinationId));
  // Escalations run last: their delay starts at the alert's first notification.
  const { atOnce = [], later = [] } = Object.groupBy(others, (channel) =>
    isNotifiedAtOnce(known.members, channel) ? 'atOnce' : 'later',
  );
  for (const channel of [...atOnce, ...later]) step.notifyNew(channel);
  return step.result();
}

function isNotifiedAtOnce(members: readonly Member[], channel: RoutedChannel): boolean {
  return freeOf(members).some((member) => targetOf(member, channel)?.afterMinutes === 0);
}

class Step {
  readonly #known: KnownAlert;
  readonly #reach: Reach;
  readonly #policies: readonly Policy[];
  readonly #now: number;
  readonly #notifications: AlertStep['notifications'] = [];
  readonly #opened: AlertStep['opened'] = [];
  #nextAt: number | null = null;

  constructor(known: KnownAlert, reach: Reach, policies: readonly Policy[], now: number) {
    this.#known = known;
    this.#reach = reach;
    this.#policies = policies;
    this.#now = now;
  }

  updateNotified(channel: RoutedChannel, recipient: Recipient): void {
    const { members } = this.#known;
    const routed = members.filter((member) => targetOf(member, channel) !== undefined);
    // A channel that no route names any more is only notified of the end.
    if (routed.length === 0 && hasOpen(members)) return;
    const subject = { ...this.#subject(channel, routed.length > 0 ? routed : members), recipient };
    for (const { endHeldUntil } of subject.own)
      if (endHeldUntil !== null) this.#recheckAt(endHeldUntil);
    for (const policy of policiesOf(this.#policies, 'recipient'))
      if (this.#follow(policy.apply(subject, this.#now), subject, recipient)) return;
  }

  notifyNew(channel: RoutedChannel): void {
    const { members } = this.#known;
    const routed = members.filter((member) => targetOf(member, channel) !== undefined);
    const subject = this.#subject(channel, routed);
    for (const policy of policiesOf(this.#policies, 'channel'))
      if (this.#follow(policy.apply(subject, this.#now), subject, null)) return;
  }

  result(): AlertStep {
    const { alert, members } = this.#known;
    const { kind, notifiedAt } = alert;
    const isNotified = this.#notifications.some((one) => one.kind !== 'recovery');
    const isSteady = lastChange(members) + STEADY_MS <= this.#now;
    const isOver = !hasOpen(members) && this.#nextAt === null;
    return {
      notifications: this.#notifications,
      opened: this.#opened,
      // A flapping monitor that stays down has an alert like others.
      kind: kind === 'flapping' && isSteady && hasOpen(members) ? 'single' : kind,
      notifiedAt: notifiedAt ?? (isNotified ? this.#now : null),
      overAt: isOver ? this.#now : null,
      nextAt: this.#nextAt,
    };
  }

  #subject(channel: RoutedChannel, own: readonly Member[]): ChannelSubject {
    const { alert, members } = this.#known;
    for (const { endedAt, heldUntil } of own)
      if (endedAt === null && heldUntil !== null) this.#recheckAt(heldUntil);
    const { windows } = this.#reach;
    const knownSince = this.#knownSince();
    return { alert, members, own, free: freeOf(own), channel, windows, knownSince };
  }

  /** Since when people have known of the alert. Those for whom it was over meanwhile do not count. */
  #knownSince(): number {
    const { alert, recipients } = this.#known;
    if (recipients.length > 0) return Math.min(...recipients.map(({ notifiedAt }) => notifiedAt));
    const isNotifiedNow = this.#notifications.some(({ kind }) => kind === 'alarm');
    return isNotifiedNow ? this.#now : (alert.notifiedAt ?? alert.openedAt);
  }

  /** Does what a policy says. @returns whether that settles what the channel gets. */
  #follow(
    ruling: ChannelRuling | null,
    subject: ChannelSubject,
    recipient: Recipient | null,
  ): boolean {
    switch (ruling?.says) {
      case undefined:
        return false;
      case 'nothing':
        return true;
      case 'wait':
        this.#recheckAt(ruling.until);
        return true;
      case 'recheck':
        this.#recheckAt(ruling.at);
        return false;
      case 'notify': {
        const proposal = { ...subject, ...ruling, recipient };
        const held = firstRuling(this.#policies, 'notification', proposal, this.#now);
        if (held !== null) return this.#follow(held, subject, recipient);
        this.#notify(ruling, subject, recipient);
        return true;
      }
    }
  }

  #notify(
    { kind, incidents }: Notify,
    { channel }: ChannelSubject,
    recipient: Recipient | null,
  ): void {
    const members = [...incidents, ...this.#knownToOthers(channel, kind, incidents)];
    const open = members.filter((member) => !isEnded(member));
    const severity = worstOf(open.length > 0 ? open : members);
    const incidentIds = members.map((member) => member.incidentId);
    const { destinationId } = channel;
    this.#notifications.push({ destinationId, kind, severity, incidentIds });
    if (kind === 'recovery') return;
    const isNew = ({ joinedAt }: Member) => joinedAt > (recipient?.lastNotifiedAt ?? 0);
    const isOpening =
      kind === 'alarm' || kind === 'escalation' || (kind === 'update' && open.some(isNew));
    if (isOpening) this.#opened.push({ destinationId, severity });
    this.#recheckAfter(channel, incidents);
  }

  /**
   * Incidents that are held now, but that others were notified of before: a channel that is notified of the rest is
   * notified of them, too. Later, they would have to be sent to the others a second time.
   */
  #knownToOthers(channel: RoutedChannel, kind: Notify['kind'], named: readonly Member[]): Member[] {
    if (kind === 'recovery') return [];
    const { members, recipients } = this.#known;
    const own = recipients.find((one) => one.destinationId === channel.destinationId);
    return members.filter(
      (member) =>
        !isEnded(member) &&
        member.heldUntil !== null &&
        !named.includes(member) &&
        !(kind === 'escalation' && member.isAcknowledged) &&
        targetOf(member, channel) !== undefined &&
        (own?.lastNotifiedAt ?? 0) < member.joinedAt &&
        isKnownToSome(member, recipients),
    );
  }

  /** Reminders, and the end of flapping, are counted from this notification. */
  #recheckAfter(channel: RoutedChannel, incidents: readonly Member[]): void {
    const { alert, members } = this.#known;
    if (alert.kind === 'flapping') this.#recheckAt(lastChange(members) + STEADY_MS);
    const minutes = incidents.flatMap((member) =>
      member.isAcknowledged ? [] : (targetOf(member, channel)?.reminderMinutes ?? []),
    );
    if (minutes.length > 0) this.#recheckAt(this.#now + Math.min(...minutes) * MINUTE_MS);
  }

  #recheckAt(at: number): void {
    // Never at once again: what is due now was done now.
    const next = Math.max(at, this.#now + 1);
    this.#nextAt = this.#nextAt === null ? next : Math.min(this.#nextAt, next);
  }
}

/** The first notification that a channel would get of an alert. */
type FirstNotification = Proposal & { kind: 'alarm' };

/**
 * Whether some channel is to be notified of this alert now, of which nobody knows. True also where only escalations
 * follow: nothing else would group them.
 */
export function isReady(
  known: Pick<KnownAlert, 'alert' | 'members'>,
  reach: Reach,
  policies: readonly Policy[],
  now: number,
): boolean {
  if (freeOf(known.members).length === 0) return false;
  const first = firstNotifications(known, reach);
  return first.length === 0 || first.some((one) => holdOf(one, policies, now) === null);
}

/**
 * The windows without those of channels that are notified now of something worse than what opened them. What waits for
 * such a window is sent along: it would wait for another one otherwise.
 */
export function withoutOvertaken(
  alerts: readonly Pick<KnownAlert, 'alert' | 'members'>[],
  reach: Reach,
  policies: readonly Policy[],
  now: number,
): Map<number, GroupingWindow> {
  const sent = alerts
    .flatMap((known) => firstNotifications(known, reach))
    .filter((one) => holdOf(one, policies, now) === null);
  const overtaken = new Set(sent.map(({ channel }) => channel.destinationId));
  return new Map([...reach.windows].filter(([destinationId]) => !overtaken.has(destinationId)));
}

function firstNotifications(
  { alert, members }: Pick<KnownAlert, 'alert' | 'members'>,
  { channels, windows }: Reach,
): FirstNotification[] {
  const free = freeOf(members);
  return [...channels.values()].flatMap((channel) => {
    const own = free.filter((member) => targetOf(member, channel)?.afterMinutes === 0);
    if (own.length === 0) return [];
    const recipient = null;
    return [{ alert, channel, windows, recipient, kind: 'alarm', incidents: own, news: own }];
  });
}

function holdOf(proposal: Proposal, policies: readonly Policy[], now: number) {
  return firstRuling(policies, 'notification', proposal, now);
}

/** Identifies the channels that members of an alert concern: the same text for the same channels. */
export function audienceKey(members: readonly Member[]): string {
  const ids = freeOf(members).flatMap(({ targets }) =>
    targets.map(({ channel, afterMinutes }) => `${channel.destinationId}+${afterMinutes}`),
  );
  return [...new Set(ids)].toSorted().join(' ');
}
