import { heldUntil } from '../../engine/maintenance/window.ts';
import type { Severity } from '../../model/condition.ts';
import {
  wait,
  type EventSubject,
  type IncidentSubject,
  type ParentState,
  type Wait,
} from './contract.ts';

/** Time until a paused monitor is evaluated again. Resuming it evaluates it at once. */
const PAUSED_MS = 5 * 60_000;
/** Longest time until a monitor in maintenance is evaluated again, in case its window ends early. */
const MAINTENANCE_MS = 60_000;

/** Nobody is notified of a monitor that is paused. */
export function paused({ monitor, endedAt }: IncidentSubject, now: number): Wait | null {
  return monitor.isPaused && endedAt === null ? wait(now + PAUSED_MS) : null;
}

/** Nothing is sent of what begins in maintenance until that is over. */
export function maintenance(
  { monitor, windows, endedAt = null }: EventSubject & { endedAt?: number | null },
  now: number,
): Wait | null {
  const until = endedAt === null ? heldUntil(windows, monitor, now) : null;
  return until === null ? null : wait(Math.min(until, now + MAINTENANCE_MS));
}

/** A burning budget is asked about again after this time while its monitor is down. */
const OUTAGE_MS = 60_000;
/** Time after an outage in which the budget calms down, unless something else burns it (contract 46.15). */
const CALMING_MS: Record<Severity, number> = {
  critical: 15 * 60_000,
  warning: 90 * 60_000,
  info: 90 * 60_000,
};

/** Nobody is notified that an outage burns the error budget: the outage has an alert. */
export function outages(
  { outages: seen, problemSeverity, endedAt }: IncidentSubject,
  now: number,
): Wait | null {
  if (seen === null || endedAt !== null) return null;
  if (seen.isDown) return wait(now + OUTAGE_MS);
  const until = (seen.firstEndedAt ?? -Infinity) + CALMING_MS[problemSeverity];
  return now < until ? wait(until) : null;
}

/** Longest time that people wait for the first check of a parent since its child failed. */
const PARENT_CHECK_MS = 75_000;
/**
 * Longest time that people wait for a parent's failure to be confirmed: ten bad rounds, the most that are asked for, come
 * sooner. A parent whose probes are lost meanwhile stays in doubt.
 */
const CONFIRM_MS = 5 * 60_000;
/** Time in which a child recovers after its parent. */
const CHILD_RECOVERY_MS = 120_000;
const SOON_MS = 2_000;
const LATER_MS = 15_000;

/**
 * Nobody is notified of a failing monitor while one that it depends on is down, while it is not known yet whether one is,
 * and right after one recovered.
 */
export function dependencies(
  child: Pick<IncidentSubject, 'startedAt' | 'endedAt' | 'notifiableAt' | 'parents'> & {
    monitor: { lastCheckedAt: number | null };
  },
  now: number,
): Wait | null {
  if (child.endedAt !== null) return null;
  const untils = child.parents.flatMap((parent) => heldByParent(child, parent, now) ?? []);
  return untils.length === 0 ? null : wait(Math.min(...untils));
}

function heldByParent(
  { startedAt, notifiableAt, monitor }: Parameters<typeof dependencies>[0],
  parent: ParentState,
  now: number,
): number | null {
  if (parent.isPaused) return null;
  if (parent.downSince !== null) return now + LATER_MS;
  const isInDoubt =
    (parent.isSuspected && now < notifiableAt + CONFIRM_MS) ||
    (isUnseen(parent, startedAt) && now < notifiableAt + PARENT_CHECK_MS) ||
    isFreshlyUp(parent, monitor.lastCheckedAt, now);
  return isInDoubt ? now + SOON_MS : null;
}

/** Whether the parent has not been checked since the child failed. */
function isUnseen({ lastCheckedAt, status }: ParentState, since: number): boolean {
  return status !== 'pending' && (lastCheckedAt === null || lastCheckedAt < since);
}

/** Whether the child may fail only because its parent just did. */
function isFreshlyUp(
  { recoveredAt }: ParentState,
  childCheckedAt: number | null,
  now: number,
): boolean {
  if (recoveredAt === null || now >= recoveredAt + CHILD_RECOVERY_MS) return false;
  return childCheckedAt === null || childCheckedAt <= recoveredAt;
}
