import {
  freeOf,
  hasOpen,
  isEnded,
  isKnown,
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
import { escalationDue, reminderDue, STEADY_MS } from './changes.ts';
import type { GroupingWindow, RoutedChannel } from './channel.ts';

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
  for (const channel of reach.channels.values()) step.evaluate(channel);
  return step.result();
}

class Step {
  readonly #known: KnownAlert;
  readonly #reach: Reach;
  readonly #policies: readonly Policy[];
  readonly #now: number;
  readonly #recipients: ReadonlyMap<number, Recipient>;
  readonly #ofMonitor: ReadonlyMap<number, Member[]>;
  readonly #notifications: AlertStep['notifications'] = [];
  readonly #opened: AlertStep['opened'] = [];
  #nextAt: number | null = null;

  constructor(known: KnownAlert, reach: Reach, policies: readonly Policy[], now: number) {
    this.#known = known;
    this.#reach = reach;
    this.#policies = policies;
    this.#now = now;
    this.#recipients = new Map(known.recipients.map((one) => [one.destinationId, one]));
    this.#ofMonitor = Map.groupBy(known.members, ({ monitorId }) => monitorId);
  }

  /** Notifies a channel of what its routes give it, and of nothing else of the alert. */
  evaluate(channel: RoutedChannel): void {
    const recipient = this.#recipients.get(channel.destinationId) ?? null;
    const subject = this.#subject(channel, recipient);
    if (recipient === null) {
      for (const policy of policiesOf(this.#policies, 'channel'))
        if (this.#follow(policy.apply(subject, this.#now), subject, null)) return;
      return;
    }
    for (const { endHeldUntil } of subject.own)
      if (endHeldUntil !== null) this.#recheckAt(endHeldUntil);
    for (const policy of policiesOf(this.#policies, 'recipient'))
      if (this.#follow(policy.apply({ ...subject, recipient }, this.#now), subject, recipient))
        return;
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

  #subject(channel: RoutedChannel, recipient: Recipient | null): ChannelSubject {
    const { alert, members } = this.#known;
    // Also of one that was open before and is again: the channel has the end of it to come.
    const wasNamed = ({ incidentId }: Member) => recipient?.incidents.has(incidentId) === true;
    const routed = new Set(members.filter((member) => this.#concerns(member, channel, recipient)));
    const own = members.filter((member) => routed.has(member) || wasNamed(member));
    // A channel that no route names any more is only notified of the end.
    const free = freeOf([...routed]);
    return { alert, members, own, free, channel, windows: this.#reach.windows };
  }

  /** Whether the channel's routes give it an incident by now. */
  #concerns(member: Member, channel: RoutedChannel, recipient: Recipient | null): boolean {
    const target = targetOf(member, channel);
    if (target === undefined) return false;
    const isHeld = member.heldUntil !== null && !isEnded(member);
    if (isHeld) this.#recheckAt(member.heldUntil!);
    if (target.afterMinutes === 0) return true;
    const sameMonitor = this.#ofMonitor.get(member.monitorId)!;
    if (isEnded(member))
      return recipient !== null && sameMonitor.some((one) => isKnown(one, recipient));
    if (recipient !== null && isKnown(member, recipient)) return true;
    const { alert } = this.#known;
    const firstNotifiedAt = this.#firstNotifiedAt(member, sameMonitor);
    const question = { alert, sameMonitor, firstNotifiedAt };
    const due = escalationDue(member, target.afterMinutes, question);
    if (due !== null && due > this.#now && !isHeld) this.#recheckAt(due);
    return due !== null && due <= this.#now;
  }

  /** When people were first notified of the problem of an incident; null while those who are first may not be. */
  #firstNotifiedAt(member: Member, sameMonitor: readonly Member[]): number | null {
    const { alert, recipients } = this.#known;
    const times = recipients.flatMap(({ incidents, notifiedAt }) =>
      sameMonitor.flatMap(({ incidentId, joinedAt }) => {
        if (!incidents.has(incidentId)) return [];
        // Of a storm the recipient may have known other monitors before.
        return alert.kind === 'storm' ? Math.max(joinedAt, notifiedAt) : notifiedAt;
      }),
    );
    if (times.length > 0) return Math.min(...times);
    const first = firstNotifications({ alert, members: [member] }, this.#reach);
    const isNotifiedNow = first.some((one) => holdOf(one, this.#policies, this.#now) === null);
    return isNotifiedNow ? this.#now : null;
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

  #notify({ kind, incidents }: Notify, subject: ChannelSubject, recipient: Recipient | null): void {
    const members = [...incidents, ...this.#knownToOthers(subject, recipient, kind, incidents)];
    const open = members.filter((member) => !isEnded(member));
    const severity = worstOf(open.length > 0 ? open : members);
    const incidentIds = members.map((member) => member.incidentId);
    const { destinationId } = subject.channel;
    this.#notifications.push({ destinationId, kind, severity, incidentIds });
    if (kind === 'recovery') return;
    const isNew = (member: Member) => recipient === null || !isKnown(member, recipient);
    const isOpening =
      kind === 'alarm' || kind === 'escalation' || (kind === 'update' && open.some(isNew));
    if (isOpening) this.#opened.push({ destinationId, severity });
    this.#recheckAfter(subject, recipient, new Set(members));
  }

  /**
   * Incidents that are held now, but that others were notified of before: a channel that is notified of the rest is
   * notified of them, too.
   */
  #knownToOthers(
    { own }: ChannelSubject,
    recipient: Recipient | null,
    kind: Notify['kind'],
    named: readonly Member[],
  ): Member[] {
    // A reminder names only what is due by its own route.
    if (kind === 'recovery' || kind === 'reminder') return [];
    const { recipients } = this.#known;
    const isNamed = new Set(named);
    return own.filter(
      (member) =>
        !isEnded(member) &&
        member.heldUntil !== null &&
        !isNamed.has(member) &&
        !(kind === 'escalation' && member.isAcknowledged) &&
        (recipient === null || !isKnown(member, recipient)) &&
        recipients.some((one) => isKnown(member, one)),
    );
  }

  /** Reminders, and the end of flapping, are counted from this notification. */
  #recheckAfter(
    { channel, free }: ChannelSubject,
    recipient: Recipient | null,
    named: ReadonlySet<Member>,
  ): void {
    const { alert, members } = this.#known;
    if (alert.kind === 'flapping') this.#recheckAt(lastChange(members) + STEADY_MS);
    for (const member of free) {
      const before = recipient?.incidents.get(member.incidentId);
      const lastNamedAt = named.has(member) ? this.#now : before;
      const at = reminderDue(member, channel, lastNamedAt ?? this.#now);
      if (at !== null) this.#recheckAt(at);
    }
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
