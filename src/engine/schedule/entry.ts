import { earlier } from '../../lib/clock.ts';
import { UNQUEUED_TIMER, type QueuedTimer } from '../../lib/timer-queue.ts';
import type { Round } from '../../model/round.ts';
import type { MonitorState } from '../../model/state.ts';
import { isConfirming } from '../record/condition.ts';
import { dueAfterGap, dueAgain, nextDue, type Due, type Timing } from './due.ts';
import { slotsBetween } from './grid.ts';
import type { Plan } from './round.ts';

/** Stored times of a monitor's last and next check, in epoch milliseconds. */
export type StoredTimes = Pick<Timing, 'runAt' | 'lastSlot' | 'lastCheckedAt'>;

/** A monitor in the scheduler. Its methods decide; they neither wait nor call anybody. */
export class Entry implements QueuedTimer, Timing {
  timerAt = UNQUEUED_TIMER.timerAt;
  timerPosition = UNQUEUED_TIMER.timerPosition;
  readonly monitorId: number;
  intervalMs: number;
  runAt: number | null;
  lastSlot: number | null;
  lastCheckedAt: number | null;
  plan: Plan;
  due: Due;
  /** When the last round was due, and when it began. */
  lastDue: number | null = null;
  startedAt: number | null = null;
  /** Whether the last round was one of the grid's, and not asked for or made up for in between. */
  wasOnGrid = true;
  /** Until then each slot of the grid is counted as something. */
  accountedTo: number;
  isInFlight = false;
  /** Monotonic time until which the next round waits for the verdict of the last one, which may ask for a recheck. */
  verdictBy: number | null = null;
  /** Paused, deleted or another node's, but a round of it is still in flight. */
  isGone = false;

  constructor(plan: Plan, times: StoredTimes, now: number, isAfterGap: boolean) {
    this.monitorId = plan.monitorId;
    this.intervalMs = plan.settings.intervalMs;
    this.runAt = times.runAt;
    this.lastSlot = times.lastSlot;
    this.lastCheckedAt = times.lastCheckedAt;
    this.plan = plan;
    this.accountedTo = now;
    this.due = isAfterGap ? dueAfterGap(this, now) : nextDue(this, now);
  }

  /** Takes over what was stored by an edit. @returns whether the entry is due at another time now. */
  edit(plan: Plan, times: StoredTimes, now: number): boolean {
    if (plan.version < this.plan.version) return false;
    const runAt = editedRunAt(this, plan, times);
    const { intervalMs } = plan.settings;
    const isMoved = this.isGone || runAt !== this.runAt || intervalMs !== this.intervalMs;
    if (intervalMs !== this.intervalMs) this.accountedTo = Math.max(now, this.lastDue ?? now);
    this.plan = plan;
    this.intervalMs = intervalMs;
    this.runAt = runAt;
    this.lastSlot = later(this.lastSlot, times.lastSlot);
    this.isGone = false;
    if (isMoved) this.due = nextDue(this, now, this.lastDue);
    return isMoved;
  }

  /** Marks the beginning of the round that is due, under the name `slot`, and counts the slots that it leaves behind. */
  begin(slot: number, now: number) {
    const { due } = this;
    const upTo = Math.max(now, due.at);
    const passed = slotsBetween(this.monitorId, this.intervalMs, this.accountedTo, upTo);
    this.accountedTo = upTo;
    this.lastDue = due.at;
    this.startedAt = now;
    this.wasOnGrid = due.kind === 'grid';
    this.lastSlot = slot;
    this.lastCheckedAt = now;
    this.runAt = null;
    this.isInFlight = true;
    if (due.kind === 'run_at') return { skipped: 0, absorbed: passed };
    // The last slot that passed is the one that this round serves.
    return { skipped: Math.max(0, passed - 1), absorbed: 0 };
  }

  /** Marks the end of the round in flight. @returns how many slots it absorbed: those that passed during one off the grid. */
  finish(now: number): number {
    this.isInFlight = false;
    this.due = nextDue(this, now, this.lastDue);
    if (this.wasOnGrid) return 0;
    const passed = slotsBetween(this.monitorId, this.intervalMs, this.accountedTo, now);
    this.accountedTo = Math.max(this.accountedTo, now);
    return passed;
  }

  /** Whether no round of the entry was started since that one ended. */
  isNewestRound(round: Round): boolean {
    return this.lastSlot === round.slot && !this.isInFlight;
  }

  /** Applies the verdict on a round. @returns whether the entry is due at another time now. */
  applyVerdict(round: Round, state: MonitorState, now: number) {
    const isNewest = this.isNewestRound(round);
    this.lastSlot = later(this.lastSlot, state.lastSlot);
    // What a later round of ours will say supersedes this.
    if (!isNewest || state.revision > this.plan.revision) return false;
    // A `runAt` that is there already was asked for since the round began. It does not bring a recheck forward, unless it
    // comes with an edit that clears the confirmation.
    const isRecheck = state.revision === this.plan.revision && isConfirming(state.confirmations);
    const runAt = isRecheck ? state.runAt : earlier(this.runAt, state.runAt);
    if (runAt === this.runAt) return false;
    this.runAt = runAt;
    this.due = nextDue(this, now, this.lastDue);
    return true;
  }

  /** Brings the next round forward to that instant. @returns whether the entry is due at another time now. */
  bringForward(at: number, now: number): boolean {
    if (this.isGone || this.isInFlight || this.due.at <= at) return false;
    this.runAt = at;
    this.due = nextDue(this, now, this.lastDue);
    return true;
  }

  /** No probe made the last round, and now there is one. @returns whether the entry is due at another time now. */
  repeatRound(now: number): boolean {
    if (this.isGone || this.isInFlight || this.lastDue === null) return false;
    const due = dueAgain(this, this.lastDue, now);
    if (due.at >= this.due.at) return false;
    this.due = due;
    return true;
  }

  /** Makes up for what was due in a gap of ours by more than `toleranceMs`. @returns the number of missed slots. */
  endGap(now: number, toleranceMs: number): number {
    const wasDueInGap = this.isInFlight || this.due.at < now - toleranceMs;
    if (!wasDueInGap) return 0;
    const missed = slotsBetween(this.monitorId, this.intervalMs, this.accountedTo, now);
    this.accountedTo = now;
    if (!this.isInFlight) this.due = dueAfterGap(this, now);
    return missed;
  }

  /** The wall clock was set by that many milliseconds: what was asked for comes after the same time as before. */
  moveRunAt(stepMs: number): void {
    if (this.runAt !== null) this.runAt += stepMs;
    if (this.due.kind === 'run_at') this.due = { ...this.due, at: this.due.at + stepMs };
  }

  /** The wall clock was set back: what lies far ahead now is due sooner. */
  onClockSetBack(now: number): void {
    this.accountedTo = Math.min(this.accountedTo, now);
    if (!this.isInFlight) this.due = dueAfterGap(this, now);
  }
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

function later(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b);
}
