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

/** Verdicts request rounds at most this far ahead: a later `runAt` comes from a clock that has stepped back since. */
const DISTANT_MS = 60_000;
/** A round may start this much before its slot by the wall clock, which drifts from the monotonic one. */
const EARLY_MS = 1_000;
/**
 * Rounds missed in a gap start within this share of the time by which they are late already: after a takeover, which takes
 * seconds, soon enough that no interval is left out. After a long gap nearly all monitors are late: they are spread over so
 * many milliseconds, grid slots and rechecks.
 */
const CATCH_UP_SHARE = 1 / 4;
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
  const { monitorId, intervalMs } = timing;
  const due = nextDue(timing, now);
  if (due.kind === 'run_at') {
    const isPending = due.at > now || timing.lastSlot === null;
    if (isPending) return due;
    const delayMs = catchUpDelay(monitorId, now - due.at, RECHECK_CATCH_UP_MS);
    return { at: now + delayMs, kind: 'run_at' };
  }
  const lastRound = Math.max(timing.lastSlot ?? -Infinity, timing.lastCheckedAt ?? -Infinity);
  if (latestSlot(monitorId, intervalMs, now) <= lastRound) return due;
  const lateMs = now - nextSlot(monitorId, intervalMs, lastRound);
  const soon = now + catchUpDelay(monitorId, lateMs, CATCH_UP_MS);
  return soon < due.at ? { at: soon, kind: 'catch_up' } : due;
}

/** Time at which a round that no probe made, due at `wasDue`, runs again instead of the next one. */
export function dueAgain(timing: Timing, wasDue: number, now: number): Due {
  const next = nextDue(timing, now, wasDue);
  const soon = now + catchUpDelay(timing.monitorId, now - wasDue, CATCH_UP_MS);
  return soon < next.at ? { at: soon, kind: 'catch_up' } : next;
}

/** @param lateMs time since the first round that was missed; infinite if there was none before. */
function catchUpDelay(monitorId: number, lateMs: number, longestMs: number): number {
  const withinMs = Math.min(longestMs, Math.max(0, lateMs) * CATCH_UP_SHARE);
  return Math.floor(spread(monitorId) * withinMs);
}

/** Slots of a monitor strictly increase, also when the clock steps back. */
export function slotOfRound(due: number, lastSlot: number | null): number {
  return lastSlot === null ? due : Math.max(due, lastSlot + 1);
}
