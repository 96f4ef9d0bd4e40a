import { latestSlot, nextSlot, spread } from './grid.ts';

/** State that decides when a monitor's next round is due. Times are epoch milliseconds. */
export interface Timing {
  monitorId: number;
  intervalMs: number;
  /** Time of a round requested instead of the next grid slot; null follows the grid. */
  runAt: number | null;
  /** Slot of the last round, null before the first. */
  lastSlot: number | null;
  lastCheckedAt: number | null;
}

export interface Due {
  at: number;
  /** `run_at`: requested by a verdict or a user; `catch_up`: makes up for a grid slot missed in a gap of this service. */
  kind: 'grid' | 'run_at' | 'catch_up';
}

/**
 * Verdicts request rounds at most this far ahead, and at most one interval. A later `runAt` comes from a clock that has
 * stepped back since.
 */
const DISTANT_MS = 60_000;
/** A round may start this much before its slot by the wall clock, which drifts from the monotonic one. */
const EARLY_MS = 1_000;
/** Rounds missed in a gap start within this time after it: grid slots, and rechecks. */
const CATCH_UP_MS = 30_000;
const RECHECK_CATCH_UP_MS = 10_000;

/**
 * Time at which the monitor's next round is due. `lastDue` is when the last one was due: a round that started slightly
 * before its slot is not repeated for it. A `lastDue` far ahead, from a clock that has stepped back, is ignored.
 */
export function nextDue(timing: Timing, now: number, lastDue: number | null = null): Due {
  const { monitorId, intervalMs, runAt } = timing;
  const wasEarly = lastDue !== null && lastDue > now && lastDue <= now + EARLY_MS;
  const slot = nextSlot(monitorId, intervalMs, wasEarly ? lastDue : now);
  const distantMs = Math.min(DISTANT_MS, intervalMs);
  const isDistant = runAt !== null && runAt > now + distantMs && slot < runAt;
  return runAt === null || isDistant ? { at: slot, kind: 'grid' } : { at: runAt, kind: 'run_at' };
}

/**
 * Time at which the monitor's next round is due after a gap: a restart, a takeover, a frozen process. Missed rounds run
 * soon, so that a long interval is not unobserved for another one, and spread out, so that load stays flat.
 */
export function dueAfterGap(timing: Timing, now: number): Due {
  const due = nextDue(timing, now);
  if (due.kind === 'run_at') {
    const isPending = due.at > now || timing.lastSlot === null;
    return isPending ? due : { at: now + delayWithin(timing, RECHECK_CATCH_UP_MS), kind: 'run_at' };
  }
  const lastRound = Math.max(timing.lastSlot ?? -Infinity, timing.lastCheckedAt ?? -Infinity);
  if (latestSlot(timing.monitorId, timing.intervalMs, now) <= lastRound) return due;
  const soon = now + delayWithin(timing, CATCH_UP_MS);
  return soon < due.at ? { at: soon, kind: 'catch_up' } : due;
}

function delayWithin(timing: Timing, periodMs: number): number {
  return Math.floor(spread(timing.monitorId) * periodMs);
}

/**
 * Slot that identifies the round due at that instant. Slots of a monitor strictly increase, also when the clock steps
 * back.
 */
export function slotOfRound(due: number, lastSlot: number | null): number {
  return lastSlot === null ? due : Math.max(due, lastSlot + 1);
}
