import { heldUntil } from '../../engine/maintenance/window.ts';
import { wait, type EventSubject, type IncidentSubject, type Wait } from './contract.ts';

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
