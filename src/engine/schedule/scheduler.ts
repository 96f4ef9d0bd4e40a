import type { Bus } from '../bus/contract.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { TimerQueue } from '../../lib/timer-queue.ts';
import type { Round } from '../../model/round.ts';
import type { Database } from '../../store/database/contract.ts';
import { isChecked } from '../../store/engine/plans.ts';
import type { PlanRow } from '../../store/engine/plans.ts';
import type { Judge, Judged } from '../verdict/judge.ts';
import { slotOfRound } from './due.ts';
import { createEdits } from './edits.ts';
import type { Edits } from './edits.ts';
import {
  begin,
  bringForward,
  edit,
  endGap,
  entryOf,
  finish,
  isNewestRound,
  moveRunAt,
  stepBack,
  takeState,
} from './entry.ts';
import type { Entry } from './entry.ts';
import { LATE_MS, LastMinute } from './last-minute.ts';
import type { Punctuality } from './last-minute.ts';
import { spread } from './grid.ts';
import { look } from './look.ts';
import { planOf } from './plan.ts';
import type { Plan, Secrets, SharedRegions } from './plan.ts';
import { leasedOwnership, wholeOwnership } from './shards.ts';
import type { LeaseDependencies, Ownership } from './shards.ts';

export interface SchedulerDependencies {
  database: Database;
  bus: Bus;
  judge: Pick<Judge, 'submit'>;
  clock: Clock;
  log: Log;
  /** Unique to this process, so that nodes tell their shards apart. */
  nodeId: string;
  secrets: Secrets;
  /** Decides which monitors are this process's: leases where the database is shared, else all of them are. */
  createOwnership?(dependencies: LeaseDependencies): Ownership;
  /** Called as each round starts, with the milliseconds by which that is late. */
  onStart?(lagMs: number): void;
  /** Called for each check that was made, with the milliseconds by which its first packet left late. */
  onSent?(lagMs: number): void;
}

/** What has happened in this process. Slots are those of the grid at which no round of their own began. */
export interface SchedulerCounters {
  rounds_started: number;
  rounds_finished: number;
  /** Checks of rounds that came due: those of a slot that was skipped, too. */
  checks_due: number;
  /** Checks whose first packet left more than `LATE_MS` after they were due, and those that were skipped. */
  checks_late: number;
  /** Rounds that made up for a slot missed in a gap. */
  rounds_caught_up: number;
  /** The round before was still in flight, or this process was too slow. */
  slots_skipped: number;
  /** A round off the grid stood for them: a recheck, one that an edit asked for, or one that was made up for. */
  slots_absorbed: number;
  /** This process stood still, its clock jumped, or it could not be certain of its shards. */
  slots_missed_in_gap: number;
  clock_steps: number;
  freezes: number;
  plans_loaded: number;
  /** Monitors whose row can't be used, as when no key opens its secrets: they are not checked. */
  plans_unreadable: number;
}

export interface Scheduler {
  start(): void;
  /** Monitors of that shard, or of any, were edited and the edit is committed: load them now. */
  nudge(shard?: number): void;
  /** Brings the next rounds of these monitors forward to now, spread over a few seconds where they are many. */
  runSoon(monitorIds: readonly number[]): void;
  /** The checks of all monitors that this process runs. */
  plans(): Plan[];
  /** Starts no more rounds, gives the shards back, and waits that long for rounds in flight. Never rejects. */
  stop(waitMs?: number): Promise<void>;
  readonly counters: Readonly<SchedulerCounters>;
  /** How many monitors this process looks at now. */
  readonly monitors: number;
  readonly roundsInFlight: number;
  /** Checks that came due in the last minute, and those of them that were late. */
  punctuality(): Punctuality;
  /** Milliseconds by which the round that is due first is late now. */
  lagMs(): number;
}

/** Later than that, the process stood still: what was due meanwhile is spread instead of started all at once. */
const FREEZE_MS = 2_000;
/** So far the wall clock may go apart from the monotonic one before all is timed anew. */
const CLOCK_STEP_MS = 500;
const WATCH_CLOCK_EVERY_MS = 1_000;
/** Rounds that are brought forward together start within this time, about this far apart. */
const RUN_SOON_MS = 10_000;
const RUN_SOON_GAP_MS = 20;
/**
 * How long a round waits for the verdict of the one before: a slot of the grid that comes before the verdict has asked
 * for a recheck would be a wasted round. Gathering verdicts for a commit takes 50 ms; with the database away, rounds go on.
 */
const VERDICT_MS = 500;
/** For how long stopping waits for what it reads and gives back, at least. */
const STOP_MS = 1_000;

/** Starts each monitor's rounds when they are due, and hands the finished ones to the judge. */
export function createScheduler(dependencies: SchedulerDependencies): Scheduler {
  return new MonitorScheduler(dependencies);
}

class MonitorScheduler implements Scheduler {
  readonly counters: SchedulerCounters = {
    rounds_started: 0,
    rounds_finished: 0,
    checks_due: 0,
    checks_late: 0,
    rounds_caught_up: 0,
    slots_skipped: 0,
    slots_absorbed: 0,
    slots_missed_in_gap: 0,
    clock_steps: 0,
    freezes: 0,
    plans_loaded: 0,
    plans_unreadable: 0,
  };
  roundsInFlight = 0;
  readonly #dependencies: SchedulerDependencies;
  readonly #clock: Clock;
  readonly #wheel: TimerQueue<Entry>;
  readonly #ownership: Ownership;
  readonly #edits: Edits;
  /** By monitor id; those that are gone stay until their round in flight has ended. */
  readonly #entries = new Map<number, Entry>();
  #gone = 0;
  readonly #lastMinute = new LastMinute();
  readonly #regions: SharedRegions = new Map();
  /** They were due while their shard was not certainly ours, and are not in the wheel. */
  readonly #parked = new Set<Entry>();
  /** Wall time minus monotonic time when all was timed last. */
  #clockOffset: number;
  #watch: Timer | null = null;
  #isStopped = false;
  #onIdle: (() => void) | null = null;

  constructor(dependencies: SchedulerDependencies) {
    const { clock, database, log, nodeId } = dependencies;
    this.#dependencies = dependencies;
    this.#clock = clock;
    this.#clockOffset = clock.now() - clock.monotonic();
    this.#wheel = new TimerQueue<Entry>({
      clock,
      fire: (entry, lateMs) => this.#startRound(entry, lateMs),
      onWake: (lateMs) => this.#noticeGaps(lateMs),
    });
    const createOwnership =
      dependencies.createOwnership ?? (database.isShared ? leasedOwnership : wholeOwnership);
    this.#ownership = createOwnership({
      database,
      clock,
      log,
      nodeId,
      onLost: (shards) => this.#loseShards(shards),
      onGained: () => this.#edits.nudge(),
      onRenewed: () => this.#unpark(),
    });
    this.#edits = createEdits({
      database,
      clock,
      log,
      ownership: this.#ownership,
      onPlan: (row, how) => this.#takePlan(row, how === 'loaded'),
    });
  }

  get monitors(): number {
    return this.#entries.size - this.#gone;
  }

  lagMs(): number {
    return this.#wheel.lagMs();
  }

  punctuality(): Punctuality {
    return this.#lastMinute.totals(this.#clock.monotonic());
  }

  start(): void {
    this.#ownership.start();
    this.#edits.start();
    this.#watchClock();
  }

  nudge(shard?: number): void {
    this.#edits.nudge(shard);
  }

  runSoon(monitorIds: readonly number[]): void {
    this.#noticeGaps(0);
    const now = this.#clock.now();
    const withinMs = Math.min(RUN_SOON_MS, monitorIds.length * RUN_SOON_GAP_MS);
    for (const monitorId of monitorIds) {
      const entry = this.#entries.get(monitorId);
      const at = now + Math.floor(spread(monitorId) * withinMs);
      if (entry && bringForward(entry, at, now)) this.#place(entry);
    }
  }

  plans(): Plan[] {
    return [...this.#entries.values()].filter(({ isGone }) => !isGone).map(({ plan }) => plan);
  }

  async stop(waitMs = 0): Promise<void> {
    this.#isStopped = true;
    this.#wheel.stop();
    this.#clock.clear(this.#watch);
    const ended = Promise.all([this.#edits.stop(), this.#ownership.stop()]);
    const idle = new Promise<void>((resolve) => (this.#onIdle = resolve));
    if (this.roundsInFlight === 0) this.#onIdle?.();
    await Promise.all([this.#within(idle, waitMs), this.#within(ended, Math.max(waitMs, STOP_MS))]);
  }

  /** Waits for the promise, but no longer than that. */
  async #within(promise: Promise<unknown>, milliseconds: number): Promise<void> {
    if (milliseconds <= 0) return;
    let timer: Timer | null = null;
    const over = new Promise<void>((resolve) => {
      timer = this.#clock.after(milliseconds, resolve);
    });
    await Promise.race([promise, over]);
    this.#clock.clear(timer);
  }

  #startRound(entry: Entry, lateMs: number): void {
    if (!this.#ownership.isCertain(entry.plan.shard)) {
      this.#parked.add(entry);
      return;
    }
    const { counters } = this;
    const now = this.#clock.now();
    const slot = slotOfRound(entry.due.at, entry.lastSlot);
    if (entry.due.kind === 'catch_up') counters.rounds_caught_up++;
    const { skipped, absorbed } = begin(entry, slot, now);
    counters.slots_skipped += skipped;
    counters.slots_absorbed += absorbed;
    counters.rounds_started++;
    this.roundsInFlight++;
    const regions = entry.plan.regions.length;
    this.#countChecks((1 + skipped) * regions, skipped * regions);
    this.#dependencies.onStart?.(lateMs);
    void this.#runRound(entry, slot, lateMs);
  }

  #countChecks(due: number, late: number): void {
    this.counters.checks_due += due;
    this.counters.checks_late += late;
    this.#lastMinute.add({ due, late }, this.#clock.monotonic());
  }

  /** The lag of each check is that of its round, and the time from there until its first packet left. */
  #measureLag({ startedAt, results }: Round, roundLateMs: number): void {
    let late = 0;
    for (const { sentAt } of results) {
      if (sentAt === undefined) continue;
      const lagMs = roundLateMs + Math.max(0, sentAt - startedAt);
      if (lagMs > LATE_MS) late++;
      this.#dependencies.onSent?.(lagMs);
    }
    if (late > 0) this.#countChecks(0, late);
  }

  async #runRound(entry: Entry, slot: number, lateMs: number): Promise<void> {
    const { bus, judge, nodeId } = this.#dependencies;
    const round = await look(bus, this.#clock, entry.plan, slot, nodeId);
    this.#measureLag(round, lateMs);
    this.counters.rounds_finished++;
    this.roundsInFlight--;
    this.counters.slots_absorbed += finish(entry, this.#clock.now());
    entry.verdictBy = this.#clock.monotonic() + VERDICT_MS;
    if (entry.isGone) this.#forget(entry);
    else this.#place(entry);
    if (this.roundsInFlight === 0) this.#onIdle?.();
    this.#takeAnswer(entry, round, await judge.submit(round));
  }

  #takeAnswer(entry: Entry, round: Round, { outcome, state }: Judged): void {
    if (this.#isStopped || entry.isGone || this.#entries.get(entry.monitorId) !== entry) return;
    this.#noticeGaps(0);
    if (outcome === 'stale') this.nudge(entry.plan.shard);
    if (outcome === 'gone' && entry.plan.revision === round.revision) return this.#drop(entry);
    const wasAwaited = isNewestRound(entry, round) && entry.verdictBy !== null;
    if (wasAwaited) entry.verdictBy = null;
    const isMoved = state !== null && takeState(entry, round, state, this.#clock.now());
    if (isMoved || wasAwaited) this.#place(entry);
  }

  /** A monitor as it is stored now. */
  #takePlan(row: PlanRow, isAfterGap: boolean): void {
    // Its times are of the clock as it is now: all others have to be, too, before it joins them.
    this.#noticeGaps(0);
    const entry = this.#entries.get(row.id);
    const plan = isChecked(row) ? this.#readPlan(row) : null;
    if (!plan) {
      if (entry && row.version >= entry.plan.version) this.#drop(entry);
      return;
    }
    const now = this.#clock.now();
    const times = {
      runAt: row.run_at,
      lastSlot: row.last_slot,
      lastCheckedAt: row.last_checked_at,
    };
    if (!entry) {
      const added = entryOf(plan, times, now, isAfterGap);
      this.#entries.set(row.id, added);
      this.#place(added);
      return;
    }
    const wasGone = entry.isGone;
    if (edit(entry, plan, times, now)) this.#place(entry);
    if (wasGone && !entry.isGone) this.#gone--;
  }

  #readPlan(row: PlanRow) {
    try {
      this.counters.plans_loaded++;
      return planOf(row, this.#dependencies.secrets, this.#regions);
    } catch (error) {
      this.counters.plans_unreadable++;
      const fields = { error, monitor_id: row.id, team_id: row.team_id };
      this.#dependencies.log.error(fields, 'A monitor can not be read and is not checked.');
      return null;
    }
  }

  /** Sets the wheel to when the entry is due, unless something else has to come first. */
  #place(entry: Entry): void {
    if (entry.isInFlight || entry.isGone || this.#parked.has(entry)) return;
    const inMs = Math.max(0, entry.due.at - this.#clock.now());
    const at = this.#clock.monotonic() + inMs;
    this.#wheel.set(entry, Math.max(at, entry.verdictBy ?? at));
  }

  /** The monitor is no longer ours to look at. A round that is in flight ends and is judged. */
  #drop(entry: Entry): void {
    if (entry.isGone) return;
    this.#wheel.remove(entry);
    if (this.#parked.delete(entry)) this.#countGap(entry, this.#clock.now(), 0);
    if (!entry.isInFlight) {
      this.#entries.delete(entry.monitorId);
      return;
    }
    entry.isGone = true;
    this.#gone++;
  }

  #forget(entry: Entry): void {
    this.#gone--;
    this.#entries.delete(entry.monitorId);
  }

  #loseShards(shards: readonly number[]): void {
    const lost = new Set(shards);
    this.#edits.forget(shards);
    for (const entry of this.#entries.values()) {
      if (lost.has(entry.plan.shard)) this.#drop(entry);
    }
  }

  #unpark(): void {
    const now = this.#clock.now();
    for (const entry of this.#parked) {
      if (!this.#ownership.isCertain(entry.plan.shard)) continue;
      this.#parked.delete(entry);
      this.#countGap(entry, now, FREEZE_MS);
      this.#place(entry);
    }
  }

  #watchClock(): void {
    this.#noticeGaps(0);
    this.#watch = this.#clock.after(WATCH_CLOCK_EVERY_MS, () => this.#watchClock());
  }

  /** Sees whether the wall clock jumped, or the process stood still until the wheel woke that much late. */
  #noticeGaps(lateMs: number): void {
    const offset = this.#clock.now() - this.#clock.monotonic();
    const stepMs = offset - this.#clockOffset;
    if (Math.abs(stepMs) > CLOCK_STEP_MS) {
      this.#clockOffset = offset;
      this.counters.clock_steps++;
      this.#dependencies.log.warn(
        { step_ms: Math.round(stepMs) },
        'The clock jumped; all checks are timed anew.',
      );
      this.#ownership.doubt();
      this.#timeAnew(stepMs, FREEZE_MS);
    } else if (lateMs > FREEZE_MS) {
      this.counters.freezes++;
      this.#dependencies.log.warn(
        { late_ms: Math.round(lateMs) },
        'The process stood still; missed checks are made up for.',
      );
      this.#timeAnew(0, 0);
    }
  }

  /** @param stepMs by how much the wall clock was set. */
  #timeAnew(stepMs: number, toleranceMs: number): void {
    const now = this.#clock.now();
    for (const entry of this.#entries.values()) {
      if (entry.isGone || this.#parked.has(entry)) continue;
      moveRunAt(entry, stepMs);
      if (stepMs < 0) stepBack(entry, now);
      else this.#countGap(entry, now, toleranceMs);
      this.#place(entry);
    }
  }

  #countGap(entry: Entry, now: number, toleranceMs: number): void {
    this.counters.slots_missed_in_gap += endGap(entry, now, toleranceMs);
  }
}
