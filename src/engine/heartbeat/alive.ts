import type { Kysely, Transaction } from 'kysely';
import { CLOCK_TOLERANCE_MS, waitAtMost } from '../../lib/clock.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { MARK_HOLDS_MS, type ServiceGap } from '../../model/heartbeat.ts';
import { insertGap, readMark, writeMark } from '../../store/engine/process-marks.ts';
import type { Database } from '../../store/database/contract.ts';
import { wakeArmedAfter } from '../../store/engine/heartbeats.ts';
import type { Schema } from '../../store/database/schema.ts';
import { absence, absenceBefore, elapsed, setback, type Moment, isSetback } from './gaps.ts';
import { OtherProcesses } from './other-processes.ts';

export interface AliveCounters {
  /** Times in which this process did not take pings, the one before its start included. */
  gaps: number;
  /** Times at which its event loop was late, or its wall clock was set: nothing was certain for a moment. */
  stalls: number;
  marks_failed: number;
}

export interface AliveDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  /** Where processes share the database: unique to this one. */
  processId?: string;
  /** When the oldest ping was received that is not on disk yet (epoch ms); null when there is none. */
  oldestWaitingAt?: () => number | null;
}

const MARK_EVERY_MS = 5_000;
/** Where others share the database, they wait for this mark before they evaluate silence. */
const SHARED_MARK_EVERY_MS = 1_000;
const RETRY_MS = 1_000;
const LOOK_EVERY_MS = 500;
/** The event loop is punctual, and the wall clock steady, within this. */
const TOLERANCE_MS = CLOCK_TOLERANCE_MS;
/** Pings that waited in sockets while the process stood still are taken within this. */
const SETTLE_MS = 3_000;
const LAST_MARK_WITHIN_MS = 1_000;

/** Since the last mark; all epoch milliseconds. */
interface Doubts {
  /** From when on pings may have been lost. */
  doubtSince: number | null;
  /** From when on pings were refused. */
  refusedSince: number | null;
  /** The latest time that the wall clock showed. */
  highest: number;
}

/**
 * Knows when this service takes pings, so that its own silence is never taken for silence of a job (contract 13.20,
 * 13.24). Says so in the database, and records the times in which it did not.
 */
export class Alive {
  readonly counters: AliveCounters = { gaps: 0, stalls: 0, marks_failed: 0 };
  readonly #dependencies: AliveDependencies;
  /** Null where the database is this process's alone. */
  readonly #others: OtherProcesses | null;
  readonly #markEveryMs: number;
  readonly #started = Promise.withResolvers<void>();
  /** The newest mark of this process; null until it has recorded what was before. */
  #lastMark: Moment | null = null;
  /** From when on pings may have been lost that no mark tells of yet, and the same of the mark that is being made. */
  #doubtSince: number | null = null;
  #telling: number | null = null;
  #marking: Promise<void> | null = null;
  /** Both by the monotonic clock. */
  #markAt = 0;
  #certainFrom = Infinity;
  #lookedAt: Moment;
  /** The start of the last stall (epoch ms). Until `#certainFrom`, pings sent since then may still wait in the sockets. */
  #stoodStillSince = Infinity;
  /** Since when this process takes pings: it listens, and before its first mark, none has failed since. */
  #readyAt: Moment;
  /** From when on pings were refused; unlike `#doubtSince`, not because a mark failed. */
  #refusedSince: number | null = null;
  /** The latest time that the wall clock showed since the last mark. */
  #highest: number;
  #timer: Timer | null = null;
  #isFailing = false;
  #isStopped = false;

  constructor(dependencies: AliveDependencies) {
    const { database, processId } = dependencies;
    this.#dependencies = dependencies;
    const isShared = database.isShared && processId !== undefined;
    this.#others = isShared ? new OtherProcesses(processId) : null;
    this.#markEveryMs = isShared ? SHARED_MARK_EVERY_MS : MARK_EVERY_MS;
    this.#lookedAt = this.#moment();
    this.#readyAt = this.#lookedAt;
    this.#highest = this.#lookedAt.wall;
  }

  /**
   * To be called right after the server listens. Settles once the time since anybody listened is recorded, or with
   * `stop`; waits for a database that is away, and never rejects.
   */
  async start(): Promise<void> {
    if (this.#isStopped) return;
    this.#lookedAt = this.#moment();
    this.#readyAt = this.#lookedAt;
    this.#highest = this.#lookedAt.wall;
    this.#markAt = this.#lookedAt.monotonic;
    this.#look();
    await this.#started.promise;
  }

  /** A ping was refused that came at `receivedAt` (epoch milliseconds, now by default). */
  reportFailure(receivedAt = this.#dependencies.clock.now()): void {
    this.#refusedSince = Math.min(this.#refusedSince ?? Infinity, receivedAt);
    this.#doubt(receivedAt);
  }

  #doubt(since: number): void {
    this.#doubtSince = Math.min(this.#doubtSince ?? Infinity, since);
  }

  /** Whether a ping that is missing was really not sent, as far as this process can tell. */
  isCertain(): boolean {
    const now = this.#moment();
    return (
      !this.#isStopped &&
      this.#lastMark !== null &&
      elapsed(this.#lastMark, now) <= MARK_HOLDS_MS &&
      this.#doubtSince === null &&
      this.#telling === null &&
      now.monotonic >= this.#certainFrom &&
      // The caller may be the first to run after the process stood still.
      this.#isSteady(now)
    );
  }

  /**
   * Until when (epoch ms) the other processes on this database have on disk all that was sent to them; null when there is
   * no other one. To be asked before the states of jobs are read.
   */
  async heardByOthers(db: Kysely<Schema>): Promise<number | null> {
    return (await this.#others?.pingsStoredUntil(db)) ?? null;
  }

  /** To be called before the server stops to listen: the last mark, of that moment. Never rejects; ends within a second. */
  async stop(): Promise<void> {
    const { clock } = this.#dependencies;
    if (this.#isStopped) return;
    const now = this.#moment();
    this.#isStopped = true;
    clock.clear(this.#timer);
    this.#started.resolve();
    // A mark of a process that has not told how long nobody listened would hide it for ever.
    if (this.#lastMark === null) return;
    await waitAtMost(clock, LAST_MARK_WITHIN_MS, this.#markOnceMore(now));
  }

  async #markOnceMore(now: Moment): Promise<void> {
    await this.#marking;
    await this.#mark(now);
  }

  /** Twice a second: was the process punctual, and is a mark due? */
  #look(): void {
    const now = this.#moment();
    this.#highest = Math.max(this.#highest, this.#latestSince(now));
    if (!this.#isSteady(now)) {
      this.counters.stalls++;
      // Before the first mark nothing else tells of it.
      if (this.#lastMark === null && elapsed(this.#lookedAt, now) > MARK_HOLDS_MS)
        this.#readyAt = now;
      const isUnsure = now.monotonic < this.#certainFrom;
      this.#stoodStillSince = Math.min(
        this.#lookedAt.wall,
        isUnsure ? this.#stoodStillSince : Infinity,
      );
      this.#certainFrom = now.monotonic + SETTLE_MS;
      this.#markAt = now.monotonic;
    }
    this.#lookedAt = now;
    if (now.monotonic >= this.#markAt) this.#marking ??= this.#mark();
    this.#timer = this.#dependencies.clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  /** Whether since the last check the process did not stand still and the wall clock went on as time did. */
  #isSteady(now: Moment): boolean {
    const passed = now.monotonic - this.#lookedAt.monotonic;
    const step = now.wall - this.#lookedAt.wall - passed;
    return passed <= LOOK_EVERY_MS + TOLERANCE_MS && Math.abs(step) <= TOLERANCE_MS;
  }

  /** The latest time that the wall clock can have shown since the last check. */
  #latestSince(now: Moment): number {
    const unset = this.#lookedAt.wall + now.monotonic - this.#lookedAt.monotonic;
    return unset - now.wall > TOLERANCE_MS ? unset : now.wall;
  }

  /** Says that this process takes pings, and since when it did not. Never rejects. */
  async #mark(now = this.#moment()): Promise<void> {
    const { clock } = this.#dependencies;
    this.#telling = this.#doubtSince;
    this.#doubtSince = null;
    const refusedSince = this.#refusedSince;
    this.#refusedSince = null;
    const highest = Math.max(this.#highest, this.#latestSince(now));
    this.#highest = now.wall;
    try {
      const gap = await this.#record(now, { doubtSince: this.#telling, refusedSince, highest });
      this.#succeeded(now, gap);
      this.#markAt = now.monotonic + this.#markEveryMs;
    } catch (error) {
      this.#failed(error);
      this.#highest = Math.max(this.#highest, highest);
      if (refusedSince !== null) this.reportFailure(refusedSince);
      this.#doubt(Math.min(this.#telling ?? Infinity, this.#lastMark?.wall ?? now.wall));
      // Before the first mark: a database that answers again has not lost what came since.
      if (this.#lastMark === null) this.#readyAt = this.#moment();
      this.#markAt = clock.monotonic() + RETRY_MS;
    }
    this.#telling = null;
    this.#marking = null;
  }

  /** The mark and the gaps before it, if there are any: all or nothing. */
  #record(now: Moment, doubts: Doubts): Promise<ServiceGap | null> {
    const { database } = this.#dependencies;
    return database.transaction(async (tx) => {
      const own =
        this.#lastMark === null
          ? await this.#gapsBefore(tx, now, doubts)
          : this.#gapsSince(this.#lastMark, now, doubts);
      const gaps = [...own, ...(await this.#gapsOfOthers(tx, now))];
      for (const gap of gaps) await insertGap(tx, gap);
      await writeMark(tx, now.wall);
      // What was waited for from a time that is still to come would be waited for that much longer.
      if (gaps.some(isSetback) || doubts.highest > now.wall)
        await wakeArmedAfter(tx, now.wall + TOLERANCE_MS, now.wall);
      return own[0] ?? null;
    });
  }

  async #gapsBefore(tx: Transaction<Schema>, now: Moment, doubts: Doubts): Promise<ServiceGap[]> {
    const { highest, refusedSince } = doubts;
    const newestMark = await readMark(tx);
    return absenceBefore({ newestMark, readyAt: this.#readyAt, now, highest, refusedSince });
  }

  #gapsSince(lastMark: Moment, now: Moment, { doubtSince, highest }: Doubts): ServiceGap[] {
    const gap = absence(lastMark, now, doubtSince);
    return [...(gap === null ? [] : [gap]), ...setback(gap, highest, now)];
  }

  /** Gaps of processes that have been silent for long: they may have died holding pings. */
  async #gapsOfOthers(tx: Transaction<Schema>, now: Moment): Promise<ServiceGap[]> {
    if (!this.#isStopped) return (await this.#others?.mark(tx, now, this.#heardUntil(now))) ?? [];
    await this.#others?.leave(tx);
    return [];
  }

  /** Until when all that was sent to this process is on disk, epoch ms. */
  #heardUntil(now: Moment): number {
    const oldestWaitingAt = this.#dependencies.oldestWaitingAt?.() ?? Infinity;
    const isSettled = now.monotonic >= this.#certainFrom;
    return Math.min(now.wall, oldestWaitingAt, isSettled ? Infinity : this.#stoodStillSince);
  }

  #succeeded(now: Moment, gap: ServiceGap | null): void {
    const { clock, log } = this.#dependencies;
    if (gap !== null) this.counters.gaps++;
    // Not of the very first start.
    if (gap !== null && isSetback(gap)) {
      log.info({}, 'The clock was set back while no pings were taken; no job is blamed for it.');
    } else if (gap !== null && gap.from > 0) {
      const [from, to] = [gap.from, gap.to].map((at) => new Date(at).toISOString());
      log.info({ from, to }, 'Pings may have been lost in this time; no job is blamed for it.');
    }
    if (this.#lastMark === null) this.#certainFrom = clock.monotonic() + SETTLE_MS;
    this.#lastMark = now;
    this.#isFailing = false;
    this.#started.resolve();
  }

  #failed(error: unknown): void {
    this.counters.marks_failed++;
    if (!this.#isFailing)
      this.#dependencies.log.warn(
        { error },
        'The database does not take the mark that pings are taken; missed pings are not evaluated until it does.',
      );
    this.#isFailing = true;
  }

  #moment(): Moment {
    const { clock } = this.#dependencies;
    return { wall: clock.now(), monotonic: clock.monotonic() };
  }
}
