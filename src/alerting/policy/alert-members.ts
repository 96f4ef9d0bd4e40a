import { SEVERITIES } from '../../model/condition.ts';
import type { Severity } from '../../model/condition.ts';
import type { Member, Recipient } from './alert-types.ts';
import type { RoutedChannel, Target } from './route.ts';

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
    (member) => (member.endSeenAt ?? 0) > recipient.lastToldAt && !isToldAgain(member, recipient),
  );
}

/** Whether another alert told them that it is down again. */
export function isToldAgain({ toldAgain }: Member, { destinationId }: Recipient): boolean {
  return toldAgain.includes(destinationId);
}

/** Whether one of these was told of an incident, with or after which it joined the alert. */
export function isHeardOf(
  { joinedAt, targets }: Member,
  recipients: readonly Recipient[],
): boolean {
  return recipients.some(
    ({ destinationId, lastToldAt }) =>
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
