import { UNQUEUED_TIMER, type QueuedTimer } from '../../lib/timer-queue.ts';
import type { Round } from '../../model/round.ts';
import type { MonitorState } from '../../model/state.ts';
import { isConfirming } from '../record/condition.ts';
import { dueAfterGap, dueAgain, nextDue, type Due, type Timing } from './due.ts';
import { slotsBetween } from './grid.ts';
import type { Plan } from './round.ts';

/** Stored times of a monitor's last and next check, in epoch milliseconds. */
export type StoredTimes = Pick<Timing, 'runAt' | 'lastSlot' | 'lastCheckedAt'>;

/** A monitor in the scheduler. Its functions below decide; they neither wait nor call anybody. */
export interface Entry extends QueuedTimer, Timing {
  plan: Plan;
  due: Due;
  /** When the last round was due, and when it began. */
  lastDue: number | null;
  startedAt: number | null;
  /** Whether the last round was one of the grid's, and not asked for or made up for in between. */
  wasOnGrid: boolean;
  /** Until then each slot of the grid is counted as something. */
  accountedTo: number;
  isInFlight: boolean;
  /** Monotonic time until which the next round waits for the verdict of the last one, which may ask for a recheck. */
  verdictBy: number | null;
  /** Paused, deleted or another node's, but a round of it is still in flight. */
  isGone: boolean;
}

export function entryOf(plan: Plan, times: StoredTimes, now: number, isAfterGap: boolean): Entry {
  const entry: Entry = {
    ...UNQUEUED_TIMER,
    monitorId: plan.monitorId,
    intervalMs: plan.settings.intervalMs,
    runAt: times.runAt,
    lastSlot: times.lastSlot,
    lastCheckedAt: times.lastCheckedAt,
    plan,
    due: { at: now, kind: 'grid' },
    lastDue: null,
    startedAt: null,
    wasOnGrid: true,
    accountedTo: now,
    isInFlight: false,
    verdictBy: null,
    isGone: false,
  };
  entry.due = isAfterGap ? dueAfterGap(entry, now) : nextDue(entry, now);
  return entry;
}

/** Takes over what was stored by an edit. @returns whether the entry is due at another time now. */
export function edit(entry: Entry, plan: Plan, times: StoredTimes, now: number): boolean {
  if (plan.version < entry.plan.version) return false;
  const runAt = editedRunAt(entry, plan, times);
  const { intervalMs } = plan.settings;
  const isMoved = entry.isGone || runAt !== entry.runAt || intervalMs !== entry.intervalMs;
  if (intervalMs !== entry.intervalMs) entry.accountedTo = Math.max(now, entry.lastDue ?? now);
  entry.plan = plan;
  entry.intervalMs = intervalMs;
  entry.runAt = runAt;
  entry.lastSlot = later(entry.lastSlot, times.lastSlot);
  entry.isGone = false;
  if (isMoved) entry.due = nextDue(entry, now, entry.lastDue);
  return isMoved;
}

/**
 * While a round is under way or being recorded, its row still holds the `run_at` that the round began with: only what
 * was asked for since then counts. An edit of the check itself always does.
 */
function editedRunAt(entry: Entry, plan: Plan, times: StoredTimes): number | null {
  const isNewCheck = plan.revision > entry.plan.revision;
  const isRecorded = (times.lastSlot ?? -Infinity) >= (entry.lastSlot ?? -Infinity);
  if (isNewCheck || isRecorded) return times.runAt;
  const isRequestedSince =
    times.runAt !== null && entry.startedAt !== null && times.runAt > entry.startedAt;
  return isRequestedSince ? times.runAt : entry.runAt;
}

/** Marks the beginning of the round that is due, under the name `slot`, and counts the slots that it leaves behind. */
export function begin(entry: Entry, slot: number, now: number) {
  const { due } = entry;
  const upTo = Math.max(now, due.at);
  const passed = slotsBetween(entry.monitorId, entry.intervalMs, entry.accountedTo, upTo);
  entry.accountedTo = upTo;
  entry.lastDue = due.at;
  entry.startedAt = now;
  entry.wasOnGrid = due.kind === 'grid';
  entry.lastSlot = slot;
  entry.lastCheckedAt = now;
  entry.runAt = null;
  entry.isInFlight = true;
  if (due.kind === 'run_at') return { skipped: 0, absorbed: passed };
  // The last slot that passed is the one that this round serves.
  return { skipped: Math.max(0, passed - 1), absorbed: 0 };
}

/** Marks the end of the round in flight. @returns how many slots it absorbed: those that passed during one off the grid. */
export function finish(entry: Entry, now: number): number {
  entry.isInFlight = false;
  entry.due = nextDue(entry, now, entry.lastDue);
  if (entry.wasOnGrid) return 0;
  const passed = slotsBetween(entry.monitorId, entry.intervalMs, entry.accountedTo, now);
  entry.accountedTo = Math.max(entry.accountedTo, now);
  return passed;
}

/** Whether no round of the entry was started since that one ended. */
export function isNewestRound(entry: Entry, round: Round): boolean {
  return entry.lastSlot === round.slot && !entry.isInFlight;
}

/** Applies the verdict on a round. @returns whether the entry is due at another time now. */
export function applyVerdict(entry: Entry, round: Round, state: MonitorState, now: number) {
  const isNewest = isNewestRound(entry, round);
  entry.lastSlot = later(entry.lastSlot, state.lastSlot);
  // What a later round of ours will say supersedes this.
  if (!isNewest || state.revision > entry.plan.revision) return false;
  // A `runAt` that is there already was asked for since the round began. It does not bring a recheck forward, unless it
  // comes with an edit that clears the confirmation.
  const isRecheck = state.revision === entry.plan.revision && isConfirming(state.confirmations);
  const runAt = isRecheck ? state.runAt : earlier(entry.runAt, state.runAt);
  if (runAt === entry.runAt) return false;
  entry.runAt = runAt;
  entry.due = nextDue(entry, now, entry.lastDue);
  return true;
}

/** Brings the next round forward to that instant. @returns whether the entry is due at another time now. */
export function bringForward(entry: Entry, at: number, now: number): boolean {
  if (entry.isGone || entry.isInFlight || entry.due.at <= at) return false;
  entry.runAt = at;
  entry.due = nextDue(entry, now, entry.lastDue);
  return true;
}

/** No probe made the last round, and now there is one. @returns whether the entry is due at another time now. */
export function repeatRound(entry: Entry, now: number): boolean {
  if (entry.isGone || entry.isInFlight || entry.lastDue === null) return false;
  const due = dueAgain(entry, entry.lastDue, now);
  if (due.at >= entry.due.at) return false;
  entry.due = due;
  return true;
}

/** Makes up for what was due in a gap of ours by more than `toleranceMs`. @returns the number of missed slots. */
export function endGap(entry: Entry, now: number, toleranceMs: number): number {
  const wasDueInGap = entry.isInFlight || entry.due.at < now - toleranceMs;
  if (!wasDueInGap) return 0;
  const missed = slotsBetween(entry.monitorId, entry.intervalMs, entry.accountedTo, now);
  entry.accountedTo = now;
  if (!entry.isInFlight) entry.due = dueAfterGap(entry, now);
  return missed;
}

/** The wall clock was set by that many milliseconds: what was asked for comes after the same time as before. */
export function moveRunAt(entry: Entry, stepMs: number): void {
  if (entry.runAt !== null) entry.runAt += stepMs;
  if (entry.due.kind === 'run_at') entry.due = { ...entry.due, at: entry.due.at + stepMs };
}

/** The wall clock was set back: what lies far ahead now is due sooner. */
export function onClockSetBack(entry: Entry, now: number): void {
  entry.accountedTo = Math.min(entry.accountedTo, now);
  if (!entry.isInFlight) entry.due = dueAfterGap(entry, now);
}

function later(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b);
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}
