import { endedSince, lastChange } from './alert.ts';
import { notify, wait, type ChannelRuling, type RecipientSubject } from './contract.ts';

/** A monitor flaps after this many incidents of one type within FLAPPING_MS. */
export const FLAPPING_AT = 4;
export const FLAPPING_MS = 60 * 60_000;

/** A flapping monitor counts as steady after this time without a change. */
export const STEADY_MS = 30 * 60_000;

/** @param incidents of the monitor and of its type that began within FLAPPING_MS, the newest counted. */
export function isFlapping(incidents: number): boolean {
  return incidents >= FLAPPING_AT;
}

/** Of a flapping monitor people are notified once, and again when it is steady: also when it stays down. */
export function flapping(
  { alert, members, own, free, recipient }: RecipientSubject,
  now: number,
): ChannelRuling | null {
  if (alert.kind !== 'flapping') return null;
  const steadyAt = lastChange(members) + STEADY_MS;
  if (now < steadyAt) return wait(steadyAt);
  return free.length === 0 ? null : notify('update', [...endedSince(own, recipient), ...free]);
}
