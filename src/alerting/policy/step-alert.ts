import {
  hasOpen,
  isEnded,
  isKnown,
  lastChange,
  targetOf,
  worstOf,
  firstRuling,
  policiesOf,
  type Alert,
  type AlertStep,
  type Reach,
  type Recipient,
  type ChannelRuling,
  type ChannelSubject,
  type Notify,
  type Policy,
  type Proposal,
  type Member,
} from './contract.ts';
import { escalationDue, reminderDue, STEADY_MS } from './changes.ts';
import type { GroupingWindow, RoutedChannel } from './routing.ts';

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
  { alert, members, recipients }: KnownAlert,
  reach: Reach,
  policies: readonly Policy[],
  now: number,
): AlertStep {
  const byDestination = new Map(recipients.map((one) => [one.destinationId, one]));
  const ofMonitor = Map.groupBy(members, ({ monitorId }) => monitorId);
  const notifications: AlertStep['notifications'] = [];
  const opened: AlertStep['opened'] = [];
  let nextAt: number | null = null;

  /** Notifies a channel of what its routes give it, and of nothing else of the alert. */
  function evaluate(channel: RoutedChannel): void {
    const recipient = byDestination.get(channel.destinationId) ?? null;
    const subject = subjectOf(channel, recipient);
    if (recipient === null) {
      for (const policy of policiesOf(policies, 'channel'))
        if (follow(policy.apply(subject, now), subject, null)) return;
      return;
    }
    for (const { endHeldUntil } of subject.ofChannel)
      if (endHeldUntil !== null) recheckAt(endHeldUntil);
    for (const policy of policiesOf(policies, 'recipient'))
      if (follow(policy.apply({ ...subject, recipient }, now), subject, recipient)) return;
  }

  function subjectOf(channel: RoutedChannel, recipient: Recipient | null): ChannelSubject {
    // Also of one that was open before and is again: the channel has the end of it to come.
    const wasNamed = ({ incidentId }: Member) => recipient?.incidents.has(incidentId) === true;
    const routed = new Set(members.filter((member) => concerns(member, channel, recipient)));
    const ofChannel = members.filter((member) => routed.has(member) || wasNamed(member));
    // A channel that no route names any more is only notified of the end.
    const unheld = unheldOf([...routed]);
    return { alert, members, ofChannel, unheld, channel, windows: reach.windows };
  }

  /** Whether the channel's routes give it an incident by now. */
  function concerns(member: Member, channel: RoutedChannel, recipient: Recipient | null): boolean {
    const target = targetOf(member, channel);
    if (target === undefined) return false;
    const isHeld = member.heldUntil !== null && !isEnded(member);
    if (isHeld) recheckAt(member.heldUntil!);
    if (target.afterMinutes === 0) return true;
    const sameMonitor = ofMonitor.get(member.monitorId)!;
    if (isEnded(member))
      return recipient !== null && sameMonitor.some((one) => isKnown(one, recipient));
    if (recipient !== null && isKnown(member, recipient)) return true;
    const firstNotifiedAt = firstNotified(member, sameMonitor);
    const question = { alert, sameMonitor, firstNotifiedAt };
    const due = escalationDue(member, target.afterMinutes, question);
    if (due !== null && due > now && !isHeld) recheckAt(due);
    return due !== null && due <= now;
  }

  /** When people were first notified of the problem of an incident; null while those who are first may not be. */
  function firstNotified(member: Member, sameMonitor: readonly Member[]): number | null {
    const times = recipients.flatMap(({ incidents, notifiedAt }) =>
      sameMonitor.flatMap(({ incidentId, joinedAt }) => {
        if (!incidents.has(incidentId)) return [];
        // Of a storm the recipient may have known other monitors before.
        return alert.kind === 'storm' ? Math.max(joinedAt, notifiedAt) : notifiedAt;
      }),
    );
    if (times.length > 0) return Math.min(...times);
    const first = firstNotifications({ alert, members: [member] }, reach);
    const isNotifiedNow = first.some((one) => holdOf(one, policies, now) === null);
    return isNotifiedNow ? now : null;
  }

  /** Does what a policy says. @returns whether that settles what the channel gets. */
  function follow(
    ruling: ChannelRuling | null,
    subject: ChannelSubject,
    recipient: Recipient | null,
  ): boolean {
    switch (ruling?.kind) {
      case undefined:
        return false;
      case 'none':
        return true;
      case 'wait':
        recheckAt(ruling.until);
        return true;
      case 'recheck':
        recheckAt(ruling.at);
        return false;
      case 'notify': {
        const proposal = { ...subject, ...ruling, recipient };
        const held = firstRuling(policies, 'notification', proposal, now);
        if (held !== null) return follow(held, subject, recipient);
        send(ruling, subject, recipient);
        return true;
      }
    }
  }

  function send(
    { notification: kind, incidents }: Notify,
    subject: ChannelSubject,
    recipient: Recipient | null,
  ): void {
    const named = [...incidents, ...knownToOthers(subject, recipient, kind, incidents)];
    const open = named.filter((member) => !isEnded(member));
    const severity = worstOf(open.length > 0 ? open : named);
    const incidentIds = named.map((member) => member.incidentId);
    const { destinationId } = subject.channel;
    notifications.push({ destinationId, kind, severity, incidentIds });
    if (kind === 'recovery') return;
    const isNew = (member: Member) => recipient === null || !isKnown(member, recipient);
    const isOpening =
      kind === 'alarm' || kind === 'escalation' || (kind === 'update' && open.some(isNew));
    if (isOpening) opened.push({ destinationId, severity });
    recheckAfter(subject, recipient, new Set(named));
  }

  /**
   * Incidents that are held now, but that others were notified of before: a channel that is notified of the rest is
   * notified of them, too.
   */
  function knownToOthers(
    { ofChannel }: ChannelSubject,
    recipient: Recipient | null,
    kind: Notify['notification'],
    named: readonly Member[],
  ): Member[] {
    // A reminder names only what is due by its own route.
    if (kind === 'recovery' || kind === 'reminder') return [];
    const isNamed = new Set(named);
    return ofChannel.filter(
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
  function recheckAfter(
    { channel, unheld }: ChannelSubject,
    recipient: Recipient | null,
    named: ReadonlySet<Member>,
  ): void {
    if (alert.kind === 'flapping') recheckAt(lastChange(members) + STEADY_MS);
    for (const member of unheld) {
      const before = recipient?.incidents.get(member.incidentId);
      const lastNamedAt = named.has(member) ? now : before;
      const at = reminderDue(member, channel, lastNamedAt ?? now);
      if (at !== null) recheckAt(at);
    }
  }

  function recheckAt(at: number): void {
    // Never at once again: what is due now was done now.
    const next = Math.max(at, now + 1);
    nextAt = nextAt === null ? next : Math.min(nextAt, next);
  }

  for (const channel of reach.channels.values()) evaluate(channel);
  const { kind, notifiedAt } = alert;
  const isNotified = notifications.some((one) => one.kind !== 'recovery');
  const isSteady = lastChange(members) + STEADY_MS <= now;
  const isOver = !hasOpen(members) && nextAt === null;
  return {
    notifications,
    opened,
    // A flapping monitor that stays down has an alert like others.
    kind: kind === 'flapping' && isSteady && hasOpen(members) ? 'single' : kind,
    notifiedAt: notifiedAt ?? (isNotified ? now : null),
    overAt: isOver ? now : null,
    nextAt,
  };
}

type FirstNotification = Proposal & { notification: 'alarm' };

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
  if (unheldOf(known.members).length === 0) return false;
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
  const unheld = unheldOf(members);
  return [...channels.values()].flatMap((channel) => {
    const incidents = unheld.filter((member) => targetOf(member, channel)?.afterMinutes === 0);
    const first = { alert, channel, windows, recipient: null, incidents, news: incidents };
    return incidents.length === 0 ? [] : [{ ...first, notification: 'alarm' as const }];
  });
}

function holdOf(proposal: Proposal, policies: readonly Policy[], now: number) {
  return firstRuling(policies, 'notification', proposal, now);
}

/** Identifies the channels that members of an alert concern: the same text for the same channels. */
export function audienceKey(members: readonly Member[]): string {
  const ids = unheldOf(members).flatMap(({ targets }) =>
    targets.map(({ channel, afterMinutes }) => `${channel.destinationId}+${afterMinutes}`),
  );
  return [...new Set(ids)].toSorted().join(' ');
}

/** Open incidents that people may be notified of now. */
export function unheldOf(members: readonly Member[]): Member[] {
  return members.filter(({ endedAt, heldUntil }) => endedAt === null && heldUntil === null);
}
