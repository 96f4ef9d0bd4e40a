import {
  isEnded,
  isKnown,
  isWorse,
  targetOf,
  worstOf,
  lastChange,
  NONE,
  recheck,
  wait,
  type ChannelRuling,
  type RecipientSubject,
  type ChannelSubject,
  type Alert,
  type IncidentSubject,
  type Recheck,
  type NotificationKind,
  type Member,
  type Notify,
  type Recipient,
} from './contract.ts';
import type { RoutedChannel } from './routing.ts';
import { GROUPING_MS } from './holds.ts';

/** Time that the end of a part of a storm waits for the ends of the others. */
export const PARTLY_OVER_MS = 10 * 60_000;
/** In smaller alerts, the ends of incidents that share no cause are grouped no longer than their beginnings. */
const MANY = 10;
/** Time that an incident which changed over waits for its successor. */
export const SUCCESSOR_MS = 5_000;
/** Time until an incident is evaluated again whose successor is known, but not handed on yet. */
const SUCCESSOR_EVENT_MS = 10_000;
const MINUTE_MS = 60_000;

/** A channel that is notified at once gets an alarm that names all incidents that concern it. */
export function beginning({ unheld, channel }: ChannelSubject): ChannelRuling | null {
  const isAtOnce = unheld.some((member) => targetOf(member, channel)!.afterMinutes === 0);
  return isAtOnce ? notify('alarm', [...unheld], [...unheld]) : null;
}

/** A worsening is a new alarm. An incident that somebody acknowledged is known, even if no message named it. */
export function worsening({ ofChannel, unheld, recipient }: RecipientSubject) {
  const waiting = unheld.filter((member) => !member.isAcknowledged);
  if (waiting.length === 0 || !isWorse(worstOf(waiting), recipient.severity)) return null;
  return notify('alarm', [...knownEnds(ofChannel, recipient), ...unheld]);
}

/** An incident that is over has not recovered while the event of what it changed over into still waits. */
export function changeOver({ endedAt, awaitsSuccessor }: IncidentSubject, now: number) {
  return endedAt !== null && awaitsSuccessor ? wait(now + SUCCESSOR_EVENT_MS) : null;
}

/** Evaluates again when the successors of ended incidents are due. */
export function succession(subject: RecipientSubject, now: number): Recheck | null {
  if (subject.unheld.length > 0) return null;
  const known = knownMembers(subject);
  if (!known.every(isEnded)) return null;
  const dues = known.flatMap((member) => {
    const due = successorDue(member, subject.members);
    return due !== null && due > now && due < Infinity ? due : [];
  });
  return dues.length === 0 ? null : recheck(Math.min(...dues));
}

/**
 * Everything is over that people may be notified of: a recovery. An incident that is held, and that the channel never
 * knew of, does not delay that; while one that it knows of is held, it is notified of the ends of the others.
 */
export function recovery(subject: RecipientSubject, now: number): ChannelRuling | null {
  const { alert, members, ofChannel, unheld, channel, recipient } = subject;
  if (unheld.length > 0) return null;
  const known = knownMembers(subject);
  const isOver = known.every(isEnded);
  const successors = isOver
    ? known.filter((member) => (successorDue(member, members) ?? 0) > now)
    : [];
  if (isOver && successors.length === 0) {
    if (known.length === 0) return NONE;
    const heldUntil = endsHeldUntil(known);
    if (heldUntil !== null && !channel.keepsIncidents) return wait(heldUntil);
    // Where all of it is down again, the problem that the channel was notified of is over all the same.
    const well = known.filter((member) => !isRenotified(member, recipient));
    return notify('recovery', well.length > 0 ? well : known);
  }
  // A successor that is handed on within seconds is waited for, and one that only others are notified of is not.
  const isHandedOn = (member: Member) =>
    member.heldUntil === null && successorDue(member, members)! < Infinity;
  if (successors.some(isHandedOn)) return NONE;
  const ended = endedSince(ofChannel, recipient).filter(({ hasSuccessor }) => !hasSuccessor);
  if (alert.kind === 'flapping' || ended.length === 0) return NONE;
  const held = ofChannel.filter(
    (member) =>
      !isEnded(member) && isKnown(member, recipient) && targetOf(member, channel) !== undefined,
  );
  return notify('update', [...ended, ...held]);
}

/** Until when people are not notified of any of these ends; null when they may be of one. */
function endsHeldUntil(ended: readonly Member[]): number | null {
  const untils = ended.map(({ endHeldUntil }) => endHeldUntil);
  return untils.every((until) => until !== null) ? Math.min(...untils) : null;
}

/** Incidents that joined the alert, or are escalated to the channel, are an update. The latter wait for no other. */
export function joining({ ofChannel, unheld, channel, recipient }: RecipientSubject) {
  const joined = unheld.filter((member) => !isKnown(member, recipient));
  if (joined.length === 0) return null;
  const news = joined.filter((member) => targetOf(member, channel)?.afterMinutes === 0);
  return notify('update', [...endedSince(ofChannel, recipient), ...unheld], news);
}

/** A part that has been over for long is an update. The time runs from the first end, so that others do not extend it. */
export function partialRecovery(
  { alert, ofChannel, unheld, recipient }: RecipientSubject,
  now: number,
): ChannelRuling | null {
  const ended = endedSince(ofChannel, recipient);
  const ends = ended.filter(({ hasSuccessor }) => !hasSuccessor);
  if (ends.length === 0) return null;
  const isUnrelated = ofChannel.length < MANY && alert.sharedCause === null;
  const delayMs = alert.kind === 'storm' && isUnrelated ? GROUPING_MS : PARTLY_OVER_MS;
  const at = Math.min(...ends.map(({ endSeenAt }) => endSeenAt ?? 0)) + delayMs;
  return at > now ? recheck(at) : notify('update', [...ended, ...unheld]);
}

/**
 * Reminds of what nobody acknowledged, of each incident by its own routes. With known incidents that ended since, it is an
 * update: no later message would name them.
 */
export function reminders(
  { ofChannel, unheld, channel, recipient }: RecipientSubject,
  now: number,
): ChannelRuling | null {
  const timed = unheld.flatMap((member) => {
    const at = reminderDue(member, channel, recipient.incidents.get(member.incidentId) ?? now);
    return at === null ? [] : [{ member, at }];
  });
  if (timed.length === 0) return null;
  const due = timed.flatMap(({ member, at }) => (at <= now ? member : []));
  if (due.length === 0) return wait(Math.min(...timed.map(({ at }) => at)));
  const ended = knownEnds(ofChannel, recipient);
  return ended.length > 0 ? notify('update', [...ended, ...unheld]) : notify('reminder', due);
}

/** When a channel is reminded of an incident; null for never. @param lastNamedAt time of the last message that named it. */
export function reminderDue(member: Member, channel: RoutedChannel, lastNamedAt: number) {
  const minutes = targetOf(member, channel)?.reminderMinutes ?? null;
  return minutes === null || member.isAcknowledged ? null : lastNamedAt + minutes * MINUTE_MS;
}

/** Incidents of earlier notifications that ended since the last one. */
function knownEnds(ofChannel: readonly Member[], recipient: Recipient): Member[] {
  return endedSince(ofChannel, recipient).filter(
    (member) => !member.hasSuccessor && isKnown(member, recipient),
  );
}

/** Incidents of the monitors that the channel was notified of, without those that were over before; else all that ended. */
function knownMembers({ ofChannel, recipient }: RecipientSubject): Member[] {
  const named = new Set(
    ofChannel.flatMap((member) => (isKnown(member, recipient) ? member.monitorId : [])),
  );
  const known = ofChannel.filter(
    (member) =>
      named.has(member.monitorId) &&
      (isNamedAsOpen(member, recipient) || (member.endSeenAt ?? Infinity) >= recipient.notifiedAt),
  );
  return known.length > 0 ? known : ofChannel.filter(isEnded);
}

/** Until when the successor of an incident is waited for; Infinity when it is in the alert, null when there is none. */
function successorDue(
  { hasSuccessor, monitorId, endedAt, heldUntil }: Member,
  members: readonly Member[],
): number | null {
  if (!hasSuccessor || endedAt === null) return null;
  if (members.some((one) => !isEnded(one) && one.monitorId === monitorId)) return Infinity;
  return Math.max(endedAt + SUCCESSOR_MS, heldUntil ?? 0);
}

/** A monitor flaps after this many incidents of one type within FLAPPING_MS. */
export const FLAPPING_AT = 4;
export const FLAPPING_MS = 60 * 60_000;

/** A flapping monitor counts as steady after this time without a change. */
export const STEADY_MS = 30 * 60_000;

/** @param incidents of the monitor and of its type that began within FLAPPING_MS, the newest counted. */
export function isFlapping(incidents: number): boolean {
  return incidents >= FLAPPING_AT;
}

/** People are notified once that a monitor flaps, and once more when it is steady again, even if it stays down. */
export function flapping(
  { alert, members, ofChannel, unheld, recipient }: RecipientSubject,
  now: number,
): ChannelRuling | null {
  if (alert.kind !== 'flapping') return null;
  const steadyAt = lastChange(members) + STEADY_MS;
  if (now < steadyAt) return wait(steadyAt);
  return unheld.length === 0
    ? null
    : notify('update', [...endedSince(ofChannel, recipient), ...unheld]);
}

/** A channel of a later step is notified of what is escalated to it by now: see `escalationDue`. */
export function escalation({ unheld, channel }: ChannelSubject): ChannelRuling | null {
  const isLater = unheld.every((member) => targetOf(member, channel)!.afterMinutes > 0);
  return isLater && unheld.length > 0 ? notify('escalation', [...unheld]) : null;
}

/**
 * When an open incident is escalated to a channel of a later step; null while somebody has acknowledged it. The
 * time runs from when people were first notified of the problem, or, while those that are first have quiet hours, from its
 * beginning. An incident that joins later has a time of its own, and so has what follows an acknowledged one.
 *
 * @param sameMonitor the incidents of the alert that are of its monitor.
 * @param firstNotifiedAt when people were first notified of one of these; null while nobody is.
 */
export function escalationDue(
  member: Member,
  afterMinutes: number,
  question: { alert: Alert; sameMonitor: readonly Member[]; firstNotifiedAt: number | null },
): number | null {
  if (member.isAcknowledged) return null;
  const { alert, sameMonitor, firstNotifiedAt } = question;
  /** Neither what another incident changed over into, nor an episode of a flapping monitor, has a time of its own. */
  const isContinued =
    !sameMonitor.some((one) => one.isAcknowledged) &&
    (alert.kind === 'flapping' || sameMonitor.some((one) => one.hasSuccessor));
  const knownSince = firstNotifiedAt ?? alert.openedAt;
  const since = isContinued ? knownSince : Math.max(knownSince, member.joinedAt);
  return since + afterMinutes * MINUTE_MS;
}

export function notify(
  notification: NotificationKind,
  incidents: Member[],
  news: Member[] = [],
): Notify {
  return { kind: 'notify', notification, incidents, news };
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

export function isRenotified({ renotified }: Member, { destinationId }: Recipient): boolean {
  return renotified.includes(destinationId);
}
