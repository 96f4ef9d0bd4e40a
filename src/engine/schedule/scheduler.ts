import type { Bus } from '../bus/contract.ts';
import { busOfTeam } from '../bus/compose.ts';
import { waitAtMost, type Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { TimerQueue } from '../../lib/timer-queue.ts';
import type { Round } from '../../model/round.ts';
import type { Regions } from '../../model/regions.ts';
import type { Database } from '../../store/database/contract.ts';
import { isScheduled, type ScheduledMonitorRow } from '../../store/engine/shards.ts';
import type { RoundOutcome } from '../verdict/evaluate.ts';
import {
  createBacklog,
  createUnprobedRounds,
  isUnprobed,
  type Backlog,
  type UnprobedRounds,
} from './waiting-rounds.ts';
import { Entry } from './entry.ts';
import { slotOfRound } from './due.ts';
import { ClockWatch, FREEZE_MS } from './clock-watch.ts';
import { createMonitorLoader, type MonitorLoader } from './monitor-loader.ts';
import { LATE_MS, PunctualityWindow, type Punctuality } from './overload.ts';
import { spread } from './grid.ts';
import { runRound, planOf, type Plan, type Secrets, type SharedRegions } from './round.ts';
import {
  leasedOwnership,
  fullOwnership,
  type LeaseDependencies,
  type Ownership,
} from './shards.ts';

export interface SchedulerDependencies {
  database: Database;
  bus: Bus;
  regions: Pick<Regions, 'ofTeams' | 'isForeign' | 'isPrivateOf'>;
  /** Where finished rounds go; what it answers may ask for a recheck. */
  recorder: { submit(round: Round): Promise<RoundOutcome> };
  clock: Clock;
  log: Log;
  /** Unique to this process: the owner of its shard leases. */
  nodeId: string;
  secrets: Secrets;
  /** Decides which monitors this process checks; by default leases on a shared database, otherwise all monitors. */
  createOwnership?(dependencies: LeaseDependencies): Ownership;
  /** First rounds, and those that make up for a gap, that are in flight at once at most. */
  maxBackfillRounds?: number;
  /** Called as each round starts, with its lateness in milliseconds. */
  onStart?(lagMs: number): void;
  /** Called for each check that was sent, with the lateness of its first packet in milliseconds. */
  onSent?(lagMs: number): void;
}

/** Rounds that are brought forward together start within this time, with about this gap between them. */
const RUN_SOON_MS = 10_000;
const RUN_SOON_GAP_MS = 20;
/** As many rounds from four regions as a probe checks at once, so that none of its slots stays free. */
const MAX_BACKFILL_ROUNDS = 4_000;
/**
 * Maximum time a round waits for the verdict of the previous one, which may request a recheck and so make the grid slot
 * redundant. A verdict takes about 50 ms to commit; with the database unavailable, rounds continue.
 */
const VERDICT_MS = 500;
/** Minimum time `stop` waits for reads in progress and the release of shards. */
const STOP_MS = 1_000;

/** Runs each monitor's rounds when due and submits them for a verdict. */
export class Scheduler {
  /** Since the start of this process. The `slots_` counters count grid slots without a round of their own. */
  readonly counters = {
    rounds_started: 0,
    rounds_finished: 0,
    /** Checks of rounds that came due, including those of skipped slots. */
    checks_due: 0,
    /** Checks whose first packet left more than `LATE_MS` after they were due, and those that were skipped. */
    checks_late: 0,
    /** Rounds that made up for a missed slot. */
    rounds_caught_up: 0,
    /** The previous round was still in flight, or this process was too slow. */
    slots_skipped: 0,
    /** Replaced by a round off the grid: a recheck, one after an edit, or one that made up for a missed slot. */
    slots_absorbed: 0,
    /** Missed while this process was frozen, its clock jumped, or its shards were not certain. */
    slots_missed_in_gap: 0,
    clock_steps: 0,
    freezes: 0,
    plans_loaded: 0,
    /** Monitors that are not checked because their row is unusable, such as secrets that no key opens. */
    plans_unreadable: 0,
  };
  roundsInFlight = 0;
  readonly #dependencies: SchedulerDependencies;
  readonly #clock: Clock;
  readonly #wheel: TimerQueue<Entry>;
  readonly #ownership: Ownership;
  readonly #loader: MonitorLoader;
  readonly #clockWatch: ClockWatch;
  /** By monitor id; removed monitors stay until their round in flight has ended. */
  readonly #entries = new Map<number, Entry>();
  #gone = 0;
  readonly #punctuality = new PunctualityWindow();
  readonly #regions: SharedRegions = new Map();
  /** Entries that came due while their shard was not certain; they are not in the wheel. */
  readonly #parked = new Set<Entry>();
  readonly #backlog: Backlog;
  readonly #unprobed: UnprobedRounds;
  #isStopped = false;
  #onIdle: (() => void) | null = null;

  constructor(dependencies: SchedulerDependencies) {
    const { clock, database, log, nodeId } = dependencies;
    this.#dependencies = dependencies;
    this.#clock = clock;
    this.#backlog = createBacklog(dependencies.maxBackfillRounds ?? MAX_BACKFILL_ROUNDS);
    this.#unprobed = createUnprobedRounds({
      bus: dependencies.bus,
      regions: dependencies.regions,
      clock,
      repeat: (monitorId) => this.#repeatRound(monitorId),
    });
    this.#clockWatch = new ClockWatch({
      clock,
      log,
      onStep: (stepMs) => this.#clockStepped(stepMs),
      onFreeze: () => {
        this.counters.freezes++;
        this.#reschedule(0, 0);
      },
    });
    this.#wheel = new TimerQueue<Entry>({
      clock,
      fire: (entry, lateMs) => this.#startRound(entry, lateMs),
      onWake: (lateMs) => this.#clockWatch.check(lateMs),
    });
    const createOwnership =
      dependencies.createOwnership ?? (database.isShared ? leasedOwnership : fullOwnership);
    this.#ownership = createOwnership({
      database,
      clock,
      log,
      nodeId,
      onLost: (shards) => this.#loseShards(shards),
      onGained: () => this.#loader.wake(),
      onRenewed: () => this.#unpark(),
    });
    this.#loader = createMonitorLoader({
      database,
      clock,
      log,
      ownership: this.#ownership,
      onRow: (row, how) => this.#applyRow(row, how === 'loaded'),
    });
  }

  get monitors(): number {
    return this.#entries.size - this.#gone;
  }

  /** Current lateness of the round that is due first, in milliseconds. */
  lagMs(): number {
    const waiting = this.#backlog.first();
    const waitedMs = waiting === undefined ? 0 : this.#clock.monotonic() - waiting.timerAt;
    return Math.max(this.#wheel.lagMs(), waitedMs);
  }

  punctuality(): Punctuality {
    return this.#punctuality.totals(this.#clock.monotonic());
  }

  start(): void {
    this.#ownership.start();
    this.#loader.start();
    this.#clockWatch.start();
  }

  /** Loads edited monitors now, only those of that shard if given. Call it after the edit is committed. */
  wake(shard?: number): void {
    this.#loader.wake(shard);
  }

  /** Brings the next rounds of these monitors forward to now; many are spread over up to 10 s. */
  runSoon(monitorIds: readonly number[]): void {
    this.#clockWatch.check();
    const now = this.#clock.now();
    const withinMs = Math.min(RUN_SOON_MS, monitorIds.length * RUN_SOON_GAP_MS);
    for (const monitorId of monitorIds) {
      const entry = this.#entries.get(monitorId);
      const at = now + Math.floor(spread(monitorId) * withinMs);
      if (entry?.bringForward(at, now)) this.#place(entry);
    }
  }

  #repeatRound(monitorId: number): boolean {
    const entry = this.#entries.get(monitorId);
    if (entry === undefined || !entry.repeatRound(this.#clock.now())) return false;
    this.#place(entry);
    return true;
  }

  plans(): Plan[] {
    return [...this.#entries.values()].filter(({ isGone }) => !isGone).map(({ plan }) => plan);
  }

  /** Starts no more rounds, releases the shards, and waits up to `waitMs` for rounds in flight. Never rejects. */
  async stop(waitMs = 0): Promise<void> {
    this.#isStopped = true;
    this.#wheel.stop();
    this.#clockWatch.stop();
    this.#unprobed.stop();
    const ended = Promise.all([this.#loader.stop(), this.#ownership.stop()]);
    const idle = new Promise<void>((resolve) => (this.#onIdle = resolve));
    if (this.roundsInFlight === 0) this.#onIdle?.();
    await Promise.all([
      waitMs > 0 && waitAtMost(this.#clock, waitMs, idle),
      waitAtMost(this.#clock, Math.max(waitMs, STOP_MS), ended),
    ]);
  }

  #startRound(entry: Entry, lateMs: number): void {
    if (!this.#ownership.isCertain(entry.plan.shard)) {
      this.#parked.add(entry);
      return;
    }
    if (!this.#backlog.admit(entry)) return;
    const { counters } = this;
    const now = this.#clock.now();
    const slot = slotOfRound(entry.due.at, entry.lastSlot);
    if (entry.due.kind === 'catch_up') counters.rounds_caught_up++;
    const { skipped, absorbed } = entry.begin(slot, now);
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
    this.#punctuality.add({ due, late }, this.#clock.monotonic());
  }

  /** The lag of a check: that of its round, plus the time until its first packet left. Private regions do not count. */
  #measureLag({ teamId, startedAt, results }: Round, roundLateMs: number): void {
    const { regions } = this.#dependencies;
    let late = 0;
    for (const { region, sentAt } of results) {
      if (sentAt === undefined || regions.isPrivateOf(teamId, region)) continue;
      const lagMs = roundLateMs + Math.max(0, sentAt - startedAt);
      if (lagMs > LATE_MS) late++;
      this.#dependencies.onSent?.(lagMs);
    }
    if (late > 0) this.#countChecks(0, late);
  }

  async #runRound(entry: Entry, slot: number, lateMs: number): Promise<void> {
    const { bus, regions, recorder, nodeId } = this.#dependencies;
    // Settings of the monitor may be older than those of the installation.
    const open = busOfTeam(bus, regions, entry.plan.teamId);
    const round = await runRound(open, this.#clock, entry.plan, slot, nodeId);
    this.#measureLag(round, lateMs);
    if (!this.#isStopped && !entry.isGone) this.#unprobed.note(round);
    this.counters.rounds_finished++;
    this.roundsInFlight--;
    this.counters.slots_absorbed += entry.finish(this.#clock.now());
    entry.verdictBy = this.#clock.monotonic() + VERDICT_MS;
    if (entry.isGone) this.#forget(entry);
    else this.#place(entry);
    this.#backlog.release(entry);
    this.#startWaiting();
    if (this.roundsInFlight === 0) this.#onIdle?.();
    const isCutShort = this.#isStopped && isUnprobed(round);
    this.#applyVerdict(entry, round, await recorder.submit({ ...round, isCutShort }));
  }

  #startWaiting(): void {
    while (!this.#isStopped) {
      const entry = this.#backlog.next();
      if (entry === undefined) return;
      this.#startRound(entry, this.#clock.monotonic() - entry.timerAt);
    }
  }

  #applyVerdict(entry: Entry, round: Round, { outcome, state }: RoundOutcome): void {
    if (this.#isStopped || entry.isGone || this.#entries.get(entry.monitorId) !== entry) return;
    this.#clockWatch.check();
    if (outcome === 'stale') this.wake(entry.plan.shard);
    if (outcome === 'gone' && entry.plan.revision === round.revision) return this.#drop(entry);
    const wasAwaited = entry.isNewestRound(round) && entry.verdictBy !== null;
    if (wasAwaited) entry.verdictBy = null;
    const isMoved = state !== null && entry.applyVerdict(round, state, this.#clock.now());
    if (isMoved || wasAwaited) this.#place(entry);
  }

  /** Adds, updates or drops the entry of a monitor to match its stored row. */
  #applyRow(row: ScheduledMonitorRow, isAfterGap: boolean): void {
    // The row's times follow the current clock, so the other entries must be adjusted to it first.
    this.#clockWatch.check();
    const entry = this.#entries.get(row.id);
    const plan = isScheduled(row) ? this.#readPlan(row) : null;
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
      const added = new Entry(plan, times, now, isAfterGap);
      this.#entries.set(row.id, added);
      this.#place(added);
      return;
    }
    const wasGone = entry.isGone;
    if (entry.edit(plan, times, now)) this.#place(entry);
    if (wasGone && !entry.isGone) this.#gone--;
  }

  #readPlan(row: ScheduledMonitorRow) {
    try {
      this.counters.plans_loaded++;
      return planOf(row, this.#dependencies.secrets, this.#regions);
    } catch (error) {
      this.counters.plans_unreadable++;
      const fields = { error, monitor_id: row.id, team_id: row.team_id };
      // Log: Its settings or secrets are unreadable. Save the monitor again, or give the former key
      // back.
      this.#dependencies.log.error(fields, 'A monitor could not be read and is not checked.');
      return null;
    }
  }

  /** Puts the entry into the wheel at its due time, unless it waits for something else. */
  #place(entry: Entry): void {
    if (entry.isInFlight || entry.isGone || this.#parked.has(entry)) return;
    this.#backlog.remove(entry);
    const inMs = Math.max(0, entry.due.at - this.#clock.now());
    const at = this.#clock.monotonic() + inMs;
    this.#wheel.set(entry, Math.max(at, entry.verdictBy ?? at));
  }

  /** Removes a monitor that this process no longer checks; its round in flight still counts. */
  #drop(entry: Entry): void {
    if (entry.isGone) return;
    this.#unprobed.forget(entry.monitorId);
    this.#wheel.remove(entry);
    this.#backlog.remove(entry);
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
    this.#loader.forget(shards);
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

  #clockStepped(stepMs: number): void {
    this.counters.clock_steps++;
    this.#ownership.distrustLeases();
    this.#reschedule(stepMs, FREEZE_MS);
  }

  /** @param stepMs step of the wall clock. */
  #reschedule(stepMs: number, toleranceMs: number): void {
    const now = this.#clock.now();
    for (const entry of this.#entries.values()) {
      if (entry.isGone || this.#parked.has(entry)) continue;
      entry.moveRunAt(stepMs);
      if (stepMs < 0) entry.onClockSetBack(now);
      else this.#countGap(entry, now, toleranceMs);
      this.#place(entry);
    }
  }

  #countGap(entry: Entry, now: number, toleranceMs: number): void {
    this.counters.slots_missed_in_gap += entry.endGap(now, toleranceMs);
  }
}
