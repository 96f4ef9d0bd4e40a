import { CLOCK_TOLERANCE_MS, waitAtMost, type Clock, type Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { MARK_HOLDS_MS, type ServiceGap } from '../../model/heartbeat.ts';
import {
  insertGap,
  readMark,
  writeMark,
  deleteProcessMarks,
  listProcessMarks,
  writeProcessMark,
  type ProcessMark,
} from '../../store/engine/process-marks.ts';
import type { Database, Db, Tx } from '../../store/database/contract.ts';
import { wakeArmedAfter } from '../../store/engine/heartbeats.ts';
import { absence, absenceBefore, elapsed, setback, isSetback, type Moment } from './gaps.ts';

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
const CHECK_EVERY_MS = 500;
/** The event loop is punctual, and the wall clock steady, within this. */
const TOLERANCE_MS = CLOCK_TOLERANCE_MS;
/** Pings that waited in sockets while the process stood still are taken within this. */
const SETTLE_MS = 3_000;
const LAST_MARK_WITHIN_MS = 1_000;

interface Doubts {
  doubtSince: number | null;
  refusedSince: number | null;
  highest: number;
}

/**
 * Knows when this service takes pings, so that its own silence is never taken for silence of a job (contract 13.20,
 * 13.24). Says so in the database, and records the times in which it did not.
 */
export class Alive {
  readonly counters = {
    /** Times in which this process did not take pings, the one before its start included. */
    gaps: 0,
    /** Times at which its event loop was late, or its wall clock was set: nothing was certain for a moment. */
    stalls: 0,
    marks_failed: 0,
  };
  readonly #dependencies: AliveDependencies;
  /** Null where the database is this process's alone. */
  readonly #others: OtherProcesses | null;
  readonly #markEveryMs: number;
  readonly #started = Promise.withResolvers<void>();
  /** The newest mark of this process; null until it has recorded what was before. */
  #lastMark: Moment | null = null;
  /** From when on pings may have been lost that no mark reports yet, and the same of the mark that is being made. */
  #doubtSince: number | null = null;
  #reportedDoubt: number | null = null;
  #marking: Promise<void> | null = null;
  /** Both by the monotonic clock. */
  #markAt = 0;
  #certainFrom = Infinity;
  #checkedAt: Moment;
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
    this.#checkedAt = this.#moment();
    this.#readyAt = this.#checkedAt;
    this.#highest = this.#checkedAt.wall;
  }

  /**
   * To be called right after the server listens. Settles once the time since anybody listened is recorded, or with
   * `stop`; waits for a database that is away, and never rejects.
   */
  async start(): Promise<void> {
    if (this.#isStopped) return;
    this.#checkedAt = this.#moment();
    this.#readyAt = this.#checkedAt;
    this.#highest = this.#checkedAt.wall;
    this.#markAt = this.#checkedAt.monotonic;
    this.#check();
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

  /** Whether a ping that is missing was really not sent, as far as this process knows. */
  isCertain(): boolean {
    const now = this.#moment();
    return (
      !this.#isStopped &&
      this.#lastMark !== null &&
      elapsed(this.#lastMark, now) <= MARK_HOLDS_MS &&
      this.#doubtSince === null &&
      this.#reportedDoubt === null &&
      now.monotonic >= this.#certainFrom &&
      // The caller may be the first to run after the process stood still.
      this.#isSteady(now)
    );
  }

  /**
   * Until when (epoch ms) the other processes on this database have on disk all that was sent to them; null when there is
   * no other one. To be asked before the states of jobs are read.
   */
  async heardByOthers(db: Db): Promise<number | null> {
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
    // A mark of a process that has not recorded how long nobody listened would hide it for ever.
    if (this.#lastMark === null) return;
    await waitAtMost(clock, LAST_MARK_WITHIN_MS, this.#markOnceMore(now));
  }

  async #markOnceMore(now: Moment): Promise<void> {
    await this.#marking;
    await this.#mark(now);
  }

  /** Twice a second: was the process punctual, and is a mark due? */
  #check(): void {
    const now = this.#moment();
    this.#highest = Math.max(this.#highest, this.#latestSince(now));
    if (!this.#isSteady(now)) {
      this.counters.stalls++;
      // Before the first mark nothing else records it.
      if (this.#lastMark === null && elapsed(this.#checkedAt, now) > MARK_HOLDS_MS)
        this.#readyAt = now;
      const isUnsure = now.monotonic < this.#certainFrom;
      this.#stoodStillSince = Math.min(
        this.#checkedAt.wall,
        isUnsure ? this.#stoodStillSince : Infinity,
      );
      this.#certainFrom = now.monotonic + SETTLE_MS;
      this.#markAt = now.monotonic;
    }
    this.#checkedAt = now;
    if (now.monotonic >= this.#markAt) this.#marking ??= this.#mark();
    this.#timer = this.#dependencies.clock.after(CHECK_EVERY_MS, () => this.#check());
  }

  /** Whether since the last check the process did not stand still and the wall clock went on as time did. */
  #isSteady(now: Moment): boolean {
    const passed = now.monotonic - this.#checkedAt.monotonic;
    const step = now.wall - this.#checkedAt.wall - passed;
    return passed <= CHECK_EVERY_MS + TOLERANCE_MS && Math.abs(step) <= TOLERANCE_MS;
  }

  /** The latest time that the wall clock can have shown since the last check. */
  #latestSince(now: Moment): number {
    const unset = this.#checkedAt.wall + now.monotonic - this.#checkedAt.monotonic;
    return unset - now.wall > TOLERANCE_MS ? unset : now.wall;
  }

  /** Says that this process takes pings, and since when it did not. Never rejects. */
  async #mark(now = this.#moment()): Promise<void> {
    const { clock } = this.#dependencies;
    this.#reportedDoubt = this.#doubtSince;
    this.#doubtSince = null;
    const refusedSince = this.#refusedSince;
    this.#refusedSince = null;
    const highest = Math.max(this.#highest, this.#latestSince(now));
    this.#highest = now.wall;
    try {
      const gap = await this.#record(now, {
        doubtSince: this.#reportedDoubt,
        refusedSince,
        highest,
      });
      this.#succeeded(now, gap);
      this.#markAt = now.monotonic + this.#markEveryMs;
    } catch (error) {
      this.#failed(error);
      this.#highest = Math.max(this.#highest, highest);
      if (refusedSince !== null) this.reportFailure(refusedSince);
      this.#doubt(Math.min(this.#reportedDoubt ?? Infinity, this.#lastMark?.wall ?? now.wall));
      // Before the first mark: a database that answers again has not lost what came since.
      if (this.#lastMark === null) this.#readyAt = this.#moment();
      this.#markAt = clock.monotonic() + RETRY_MS;
    }
    this.#reportedDoubt = null;
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

  async #gapsBefore(tx: Tx, now: Moment, { highest, refusedSince }: Doubts): Promise<ServiceGap[]> {
    const newestMark = await readMark(tx);
    return absenceBefore({ newestMark, readyAt: this.#readyAt, now, highest, refusedSince });
  }

  #gapsSince(lastMark: Moment, now: Moment, { doubtSince, highest }: Doubts): ServiceGap[] {
    const gap = absence(lastMark, now, doubtSince);
    return [...(gap === null ? [] : [gap]), ...setback(gap, highest, now)];
  }

  /** Gaps of processes that have been silent for long: they may have died holding pings. */
  async #gapsOfOthers(tx: Tx, now: Moment): Promise<ServiceGap[]> {
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
      // Log: Deadlines of that time are postponed.
      log.info({}, 'The clock was set back while no pings were taken; no job is blamed for it.');
    } else if (gap !== null && gap.from > 0) {
      const [from, to] = [gap.from, gap.to].map((at) => new Date(at).toISOString());
      // Log: Tocsin was away. The time is unobserved.
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
      // Log: Missing pings are not reported until the database is back.
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

/**
 * Marks of the processes that share a database: each says until when all pings sent to it are on disk. A process that
 * stops writing marks may have died holding pings, or be frozen while they wait in its sockets.
 */
class OtherProcesses {
  readonly #processId: string;
  /** The latest mark of each other process, and when it was first seen (milliseconds of the monotonic clock). */
  #seen = new Map<string, { markedAt: number; since: number }>();

  constructor(processId: string) {
    this.#processId = processId;
  }

  /** Records until when this process has heard all. @returns gaps of processes that fell silent; they are forgotten. */
  async mark(tx: Tx, now: Moment, pingsStoredUntil: number) {
    const others = await listProcessMarks(tx, this.#processId);
    this.#see(others, now);
    const gone = others.filter((other) => this.#isGone(other, now));
    await deleteProcessMarks(
      tx,
      gone.map(({ processId }) => processId),
    );
    await writeProcessMark(tx, {
      processId: this.#processId,
      markedAt: now.wall,
      pingsStoredUntil,
    });
    return gone.map(({ pingsStoredUntil: from, markedAt }) => ({
      from: Math.min(from, now.wall),
      to: Math.min(markedAt + MARK_HOLDS_MS, now.wall),
    }));
  }

  /** Until when all the others have heard all that was sent to them (epoch ms); null when there are none. */
  async pingsStoredUntil(db: Db): Promise<number | null> {
    const others = await listProcessMarks(db, this.#processId);
    return others.length === 0 ? null : Math.min(...others.map((other) => other.pingsStoredUntil));
  }

  /** This process takes no pings any more, and has none left. */
  async leave(tx: Tx): Promise<void> {
    await deleteProcessMarks(tx, [this.#processId]);
  }

  #see(others: readonly ProcessMark[], now: Moment): void {
    const before = this.#seen;
    this.#seen = new Map();
    for (const { processId, markedAt } of others) {
      const known = before.get(processId);
      const isSame = known?.markedAt === markedAt;
      this.#seen.set(processId, isSame ? known : { markedAt, since: now.monotonic });
    }
  }

  /** If its clock is behind ours by more than the tolerance, only the length of its silence counts. */
  #isGone({ processId, markedAt }: ProcessMark, now: Moment): boolean {
    const { since } = this.#seen.get(processId)!;
    const isOld = now.wall - markedAt > MARK_HOLDS_MS + CLOCK_TOLERANCE_MS;
    return isOld || now.monotonic - since > MARK_HOLDS_MS;
  }
}
