import {
  hasOpen,
  isEnded,
  isKnownToSome,
  isRenotified,
  isWorse,
  lastChange,
  stillOver,
  targetOf,
  worstOf,
  type Alert,
  type AlertStep,
  type Member,
  type Reach,
  type Recipient,
  type Notification,
} from './alert.ts';
import { GROUPING_MS, windowEnd, type GroupingWindows } from './grouping-window.ts';
import { quietUntil } from './quiet-hours.ts';
import type { RoutedChannel } from './routing.ts';

/** After so long without a change a flapping monitor counts as steady. */
export const STEADY_MS = 30 * 60_000;
/** So long the end of a part of a storm waits for the ends of the others. */
export const PARTLY_OVER_MS = 10 * 60_000;
/** Below this number the ends of incidents that share nothing are grouped no longer than their beginnings. */
const FEW = 10;
/** So long an incident that became another one waits for that. */
export const SUCCESSOR_MS = 5_000;
const MINUTE_MS = 60_000;

/**
 * Who is told what of an alert now, and when to look again. The same for the same state, whoever asks and how often:
 * what was told is in `recipients`.
 */
export function stepAlert(
  alert: Alert,
  members: readonly Member[],
  recipients: readonly Recipient[],
  { channels, windows }: Reach,
  now: number,
): AlertStep {
  const step = new Step(alert, members, recipients, windows, now);
  const known = recipients.filter(({ destinationId }) => channels.has(destinationId));
  for (const recipient of known) step.further(channels.get(recipient.destinationId)!, recipient);
  const told = new Set(known.map(({ destinationId }) => destinationId));
  const untold = [...channels.values()].filter(({ destinationId }) => !told.has(destinationId));
  for (const channel of untold) step.first(channel);
  // Escalations run last: their delay starts at the alert's first notification.
  for (const channel of untold) step.next(channel);
  return step.result();
}

class Step {
  readonly #alert: Alert;
  readonly #members: readonly Member[];
  readonly #recipients: readonly Recipient[];
  readonly #windows: GroupingWindows;
  readonly #now: number;
  readonly #tellings: Notification[] = [];
  readonly #opened: AlertStep['opened'] = [];
  #nextAt: number | null = null;

  constructor(
    alert: Alert,
    members: readonly Member[],
    recipients: readonly Recipient[],
    windows: GroupingWindows,
    now: number,
  ) {
    this.#alert = alert;
    this.#members = members;
    this.#recipients = recipients;
    this.#windows = windows;
    this.#now = now;
  }

  /** Tells a channel for the first time that is told at once. */
  first(channel: RoutedChannel): void {
    const free = this.#freeFor(channel);
    if (!free.some(({ afterMinutes }) => afterMinutes === 0)) return;
    const members = free.map(({ member }) => member);
    const until = this.#groupedUntil(channel, members);
    if (until !== null) return this.#lookAt(until);
    // Whoever is told of an alert hears all of it that is routed to them.
    this.#tell(channel, 'alarm', members);
  }

  /** Tells a channel for the first time that is told when nobody acknowledges, once it is its turn. */
  next(channel: RoutedChannel): void {
    const free = this.#freeFor(channel);
    if (free.some(({ afterMinutes }) => afterMinutes === 0)) return;
    const later = free.filter(({ member }) => !member.isAcknowledged);
    if (later.length === 0) return;
    const minutes = Math.min(...later.map(({ afterMinutes }) => afterMinutes));
    const members = later.map(({ member }) => member);
    const turn = this.#unheardSince(members) + minutes * MINUTE_MS;
    if (turn > this.#now) return this.#lookAt(turn);
    this.#tell(channel, 'escalation', members);
  }

  /** What a channel that was told of the alert hears more. */
  further(channel: RoutedChannel, recipient: Recipient): void {
    const mine = this.#membersOf(channel);
    const open = mine.filter((member) => member.endedAt === null);
    // Whom no route names any more waits for the end, and hears nothing else.
    if (open.length > 0 && mine.every((member) => targetOf(member, channel) === undefined)) return;
    const free = open.filter((member) => this.#isFree(member));
    // What somebody acknowledged is known, be it that a reminder of the rest did not name it.
    const unheard = free.filter((member) => !member.isAcknowledged);
    if (unheard.length > 0 && isWorse(worstOf(unheard), recipient.severity))
      return this.#tell(channel, 'alarm', [...this.#newlyOver(mine, recipient), ...free]);
    const steadyAt = lastChange(this.#members) + STEADY_MS;
    if (this.#alert.kind === 'flapping' && this.#now < steadyAt) return this.#lookAt(steadyAt);
    if (free.length === 0) return this.#restIsHeld(channel, recipient, mine);
    if (this.#isNews(channel, mine, free, recipient))
      return this.#tell(channel, 'update', [...stillOver(mine, recipient), ...free]);
    this.#remind(channel, recipient, mine, free);
  }

  result(): AlertStep {
    const { kind, notifiedAt: toldAt } = this.#alert;
    const isTold = this.#tellings.some((one) => one.kind !== 'recovery');
    const isSteady = lastChange(this.#members) + STEADY_MS <= this.#now;
    const isOver = !hasOpen(this.#members) && this.#nextAt === null;
    return {
      notifications: this.#tellings,
      opened: this.#opened,
      // What came and went, and then stayed, is one like others.
      kind: kind === 'flapping' && isSteady && hasOpen(this.#members) ? 'single' : kind,
      notifiedAt: toldAt ?? (isTold ? this.#now : null),
      overAt: isOver ? this.#now : null,
      nextAt: this.#nextAt,
    };
  }

  /** The members that a channel is concerned with; of one whose routes changed since, all. */
  #membersOf(channel: RoutedChannel): readonly Member[] {
    const routed = this.#members.filter((member) => targetOf(member, channel) !== undefined);
    return routed.length > 0 ? routed : this.#members;
  }

  #freeFor(channel: RoutedChannel): { member: Member; afterMinutes: number }[] {
    return this.#members.flatMap((member) => {
      const target = targetOf(member, channel);
      if (target === undefined || member.endedAt !== null || !this.#isFree(member)) return [];
      return [{ member, afterMinutes: target.afterMinutes }];
    });
  }

  /**
   * All that people may be told of is over. What is held, and of which they never heard, does not keep that back; where
   * they know of it, they hear what is over, and the recovery once that is, too.
   */
  #restIsHeld(channel: RoutedChannel, recipient: Recipient, mine: readonly Member[]): void {
    const isNamed = (member: Member) => member.joinedAt <= recipient.lastNotifiedAt;
    const named = new Set(mine.filter(isNamed).map(({ monitorId }) => monitorId));
    // What was over before they were told is none of theirs.
    const heard = mine.filter(
      ({ monitorId, endSeenAt }) =>
        named.has(monitorId) && (endSeenAt ?? Infinity) >= recipient.notifiedAt,
    );
    const known = heard.length > 0 ? heard : mine.filter(isEnded);
    const isOver = known.every(isEnded);
    const successors = isOver ? known.filter((member) => this.#awaitsSuccessor(member)) : [];
    if (isOver && successors.length === 0) {
      // Where all of it is down again, the trouble that they were told of is over all the same.
      const well = known.filter((member) => !isRenotified(member, recipient));
      if (known.length > 0) this.#tell(channel, 'recovery', well.length > 0 ? well : known);
      return;
    }
    // What is handed on within seconds is waited for.
    if (successors.some(({ heldUntil }) => heldUntil === null)) return;
    const ended = stillOver(mine, recipient).filter(({ hasSuccessor }) => !hasSuccessor);
    if (this.#alert.kind === 'flapping' || ended.length === 0) return;
    const held = mine.filter((member) => !isEnded(member) && isNamed(member));
    this.#tell(channel, 'update', [...ended, ...held]);
  }

  /** Whether it became another one that is not there yet, or that others are told of: it is not over. */
  #awaitsSuccessor({ hasSuccessor, monitorId, endedAt, heldUntil }: Member): boolean {
    if (!hasSuccessor || endedAt === null) return false;
    if (this.#members.some((one) => !isEnded(one) && one.monitorId === monitorId)) return true;
    const until = Math.max(endedAt + SUCCESSOR_MS, heldUntil ?? 0);
    if (until > this.#now) this.#lookAt(until);
    return until > this.#now;
  }

  /** Since when those who come next wait for an acknowledgement: one that was given does not count for what came later. */
  #unheardSince(unheard: readonly Member[]): number {
    const since = this.#knownSince();
    const isHeard = this.#members.some((member) => member.isAcknowledged);
    const joined = unheard.map((one) =>
      isHeard || this.#isAnew(one) ? Math.max(since, one.joinedAt) : since,
    );
    return Math.min(...joined);
  }

  /** Whether it has a time of its own: not what another one became, nor one bout of a monitor that comes and goes. */
  #isAnew({ monitorId }: Member): boolean {
    if (this.#alert.kind === 'flapping') return false;
    return !this.#members.some((one) => one.hasSuccessor && one.monitorId === monitorId);
  }

  /** Since when people know of it: those for whom it was over meanwhile do so no more. */
  #knownSince(): number {
    if (this.#recipients.length > 0)
      return Math.min(...this.#recipients.map(({ notifiedAt: toldAt }) => toldAt));
    const isToldNow = this.#tellings.some(({ kind }) => kind === 'alarm');
    return isToldNow ? this.#now : (this.#alert.notifiedAt ?? this.#alert.openedAt);
  }

  /** Whether others joined, or a part has been over for long. A flapping monitor that stays down is news, too. */
  #isNews(
    channel: RoutedChannel,
    mine: readonly Member[],
    open: readonly Member[],
    recipient: Recipient,
  ): boolean {
    const { lastNotifiedAt: lastToldAt } = recipient;
    if (this.#alert.kind === 'flapping') return true;
    const joined = open.filter((member) => member.joinedAt > lastToldAt);
    if (joined.length > 0) {
      // What another incident became is news of the same problem, and waits for nothing.
      const until = this.#alert.kind === 'storm' ? this.#groupedUntil(channel, joined) : null;
      if (until === null) return true;
      this.#lookAt(until);
    }
    // Counted from the first end, so that one that follows another does not put it off again and again.
    const ends = stillOver(mine, recipient).filter(({ hasSuccessor }) => !hasSuccessor);
    if (ends.length === 0) return false;
    const due = Math.min(...ends.map(({ endSeenAt }) => endSeenAt ?? 0)) + this.#partlyOverMs();
    if (due <= this.#now) return true;
    this.#lookAt(due);
    return false;
  }

  #partlyOverMs(): number {
    const isFew = this.#members.length < FEW && this.#alert.sharedCause === null;
    return this.#alert.kind === 'storm' && isFew ? GROUPING_MS : PARTLY_OVER_MS;
  }

  /** End of the channel's grouping window; null when it can be notified of these now. Flapping monitors wait for nothing. */
  #groupedUntil({ destinationId }: RoutedChannel, members: readonly Member[]): number | null {
    if (this.#alert.kind === 'flapping') return null;
    return windowEnd(this.#windows.get(destinationId), worstOf(members), this.#now);
  }

  /** What is over meanwhile makes an update of a reminder: the next one would not know any more that it is news. */
  #remind(
    channel: RoutedChannel,
    recipient: Recipient,
    mine: readonly Member[],
    open: readonly Member[],
  ): void {
    const unheard = open.filter((member) => !member.isAcknowledged);
    const minutes = unheard.flatMap((one) => targetOf(one, channel)?.reminderMinutes ?? []);
    if (minutes.length === 0) return;
    const at = recipient.lastNotifiedAt + Math.min(...minutes) * MINUTE_MS;
    if (at > this.#now) return this.#lookAt(at);
    const over = this.#newlyOver(mine, recipient);
    if (over.length > 0) return this.#tell(channel, 'update', [...over, ...open]);
    this.#tell(channel, 'reminder', unheard);
  }

  /** Incidents of earlier notifications that ended since the last one. */
  #newlyOver(mine: readonly Member[], recipient: Recipient): Member[] {
    return stillOver(mine, recipient).filter(
      (member) => !member.hasSuccessor && member.joinedAt <= recipient.lastNotifiedAt,
    );
  }

  #isFree({ heldUntil }: Member): boolean {
    if (heldUntil === null) return true;
    this.#lookAt(heldUntil);
    return false;
  }

  /**
   * What is held now, but was told to others before, and not to this channel: whoever is told of the rest hears of it,
   * too. Told later, it would have to be told to those others a second time.
   */
  #knownToOthers(
    channel: RoutedChannel,
    kind: Notification['kind'],
    named: readonly Member[],
  ): Member[] {
    const own = this.#recipients.filter((one) => one.destinationId === channel.destinationId);
    return this.#members.filter(
      (member) =>
        !isEnded(member) &&
        !named.includes(member) &&
        !(kind === 'escalation' && member.isAcknowledged) &&
        targetOf(member, channel) !== undefined &&
        (own[0]?.lastNotifiedAt ?? 0) < member.joinedAt &&
        member.heldUntil !== null &&
        isKnownToSome(member, this.#recipients),
    );
  }

  /** Unless the channel has quiet hours; what closes a provider's own incident wakes nobody. */
  #tell(channel: RoutedChannel, kind: Notification['kind'], free: readonly Member[]): void {
    const closes = kind === 'recovery' && channel.keepsIncidents;
    // Whoever was woken by what is over hears that it is, also while something lesser goes on.
    const until = closes ? null : quietUntil(channel.quietHours, worstOf(free), this.#now);
    if (until !== null) return this.#lookAt(until);
    const held = kind === 'recovery' ? [] : this.#knownToOthers(channel, kind, free);
    const members = [...free, ...held];
    const open = members.filter((member) => !isEnded(member));
    const severity = worstOf(open.length > 0 ? open : members);
    const incidentIds = members.map((member) => member.incidentId);
    const { destinationId } = channel;
    this.#tellings.push({ destinationId, kind, severity, incidentIds });
    if (this.#isOpening(kind, destinationId, members))
      this.#opened.push({ destinationId, severity });
    // Reminders and what else may follow are counted from here.
    if (kind !== 'recovery') this.#lookAfter(channel, free);
  }

  /** Whether it names something that the channel has not been notified of. */
  #isOpening(
    kind: Notification['kind'],
    destinationId: number,
    members: readonly Member[],
  ): boolean {
    if (kind === 'alarm' || kind === 'escalation') return true;
    if (kind !== 'update') return false;
    const own = this.#recipients.find((one) => one.destinationId === destinationId);
    return members.some((one) => !isEnded(one) && one.joinedAt > (own?.lastNotifiedAt ?? 0));
  }

  #lookAfter(channel: RoutedChannel, members: readonly Member[]): void {
    if (this.#alert.kind === 'flapping') this.#lookAt(lastChange(this.#members) + STEADY_MS);
    const minutes = members.flatMap((member) =>
      member.isAcknowledged ? [] : (targetOf(member, channel)?.reminderMinutes ?? []),
    );
    if (minutes.length > 0) this.#lookAt(this.#now + Math.min(...minutes) * MINUTE_MS);
  }

  #lookAt(at: number): void {
    // Never at once again: what is due now was done now.
    const next = Math.max(at, this.#now + 1);
    this.#nextAt = this.#nextAt === null ? next : Math.min(this.#nextAt, next);
  }
}
