import { latestSlot, nextSlot, spread } from './grid.ts';

/** What decides when a monitor is looked at next. Times are epoch milliseconds. */
export interface Timing {
  monitorId: number;
  intervalMs: number;
  /** When to look again instead of the next slot of the grid; null means the grid. */
  runAt: number | null;
  /** Slot of the last round, null before the first. */
  lastSlot: number | null;
  lastCheckedAt: number | null;
}

export interface Due {
  at: number;
  /** `run_at`: asked for by a verdict or a person; `catch_up`: a slot of the grid passed in a gap of ours. */
  kind: 'grid' | 'run_at' | 'catch_up';
}

/**
 * No verdict asks for a look further ahead than that, nor than an interval: such a `runAt` is from a clock that has
 * stepped back since.
 */
const DISTANT_MS = 60_000;
/** A round may start so much before its slot by the wall clock, which runs apart from the monotonic one. */
const EARLY_MS = 1_000;
/** What passed in a gap of ours is made up for within that time: slots of the grid, and rechecks. */
const CATCH_UP_MS = 30_000;
const RECHECK_CATCH_UP_MS = 10_000;

/**
 * When the monitor is due next. `lastDue` is when its last round was due: a round that started a little before its
 * slot does not run for it again. A `lastDue` far ahead, from a clock that has stepped back since, delays nothing.
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
 * When the monitor is due after a gap of ours: a restart, a take-over, a process that stood still. What passed in it
 * is made up for soon, so that a long interval is not blind for another one, and spread, so that load stays flat.
 */
export function dueAfterGap(timing: Timing, now: number): Due {
  const due = nextDue(timing, now);
  if (due.kind === 'run_at') {
    const isWaited = due.at > now || timing.lastSlot === null;
    return isWaited ? due : { at: now + share(timing, RECHECK_CATCH_UP_MS), kind: 'run_at' };
  }
  const lastLook = Math.max(timing.lastSlot ?? -Infinity, timing.lastCheckedAt ?? -Infinity);
  if (latestSlot(timing.monitorId, timing.intervalMs, now) <= lastLook) return due;
  const soon = now + share(timing, CATCH_UP_MS);
  return soon < due.at ? { at: soon, kind: 'catch_up' } : due;
}

function share(timing: Timing, stretchMs: number): number {
  return Math.floor(spread(timing.monitorId) * stretchMs);
}

/**
 * The name of the round that is due at that instant: it grows strictly from round to round of a monitor, whatever
 * the clock does.
 */
export function slotOfRound(due: number, lastSlot: number | null): number {
  return lastSlot === null ? due : Math.max(due, lastSlot + 1);
}
