import {
  CLOCK_TOLERANCE_MS,
  type Clock,
  type Timer,
  type CorrectedClock,
} from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Database } from './contract.ts';

/** How far a clock is ahead of the database's, in milliseconds. */
interface ClockOffset {
  aheadMs: number;
  /** Maximum distance of the true difference from it, in milliseconds. */
  uncertaintyMs: number;
}

const MEASURE_EVERY_MS = 5_000;
/** At the start, when nothing may be stored before the clock is right. */
const FIRST_ATTEMPTS = 3;
/** A clock may be off by so much, so that those of two processes differ by no more than the tolerance. */
const MAX_OFF_MS = CLOCK_TOLERANCE_MS / 2;
/** A difference between wall time and monotonic time that a clock shows only if it was set. */
const STEP_MS = 500;

/**
 * Keeps the clocks of processes that share a database within a second of each other, by the database's. Their times are
 * compared: rounds made by a process whose clock is a minute ahead would look like future ones to the others.
 *
 * Resolves after the first measurement, or when that failed; never rejects. The clock of SQLite's machine is the only one.
 */
export async function followDatabaseClock({
  database,
  machine,
  clock,
  log,
}: {
  database: Pick<Database, 'isShared' | 'now'>;
  /** Clock of this machine. */
  machine: Clock;
  /** Clock of this process, which is corrected. */
  clock: CorrectedClock;
  log: Log;
}) {
  let timer: Timer | null = null;
  let isStopped = !database.isShared;

  /** @returns whether the clock could be compared. */
  async function measure(): Promise<boolean> {
    const offset = await measureOffset(database, machine);
    if (offset === null || isStopped) return false;
    const { isCorrected, correctionMs } = clock;
    const verdict = judgeClock(offset, isCorrected ? correctionMs : null);
    if (verdict === 'keep') return true;
    const fields = { offset_ms: Math.round(offset.aheadMs) };
    if (verdict === 'machine') {
      clock.correct(null);
      // Log: It differs from the database's by less than half a second.
      log.info(fields, "The machine's clock is right again and is used.");
    } else {
      clock.correct(-Math.round(offset.aheadMs));
      // Log: The clock differs from the database's by more than half a second. The times that this
      // process stores follow the database's. Let NTP keep both.
      log.warn(fields, "The machine's clock is wrong; the database's is used.");
    }
    return true;
  }

  async function measureAtStart(): Promise<void> {
    for (let attempt = 1; attempt <= FIRST_ATTEMPTS; attempt++) {
      try {
        if (await measure()) return;
      } catch (error) {
        if (attempt < FIRST_ATTEMPTS) continue;
        // Log: The clocks are compared again every 5 seconds.
        log.warn({ error }, "The database's clock could not be read; the machine's is used.");
      }
    }
  }

  function repeat(): void {
    if (isStopped) return;
    timer = machine.after(MEASURE_EVERY_MS, () => {
      // Whatever else needs the database reports that it is away; the last correction stays.
      void measure()
        .catch(() => {})
        .finally(repeat);
    });
  }

  if (!isStopped) await measureAtStart();
  repeat();
  return {
    /** Stops measuring; the last correction stays. */
    stop() {
      isStopped = true;
      machine.clear(timer);
    },
  };
}

/**
 * Decides which clock a process uses: as now, the machine's, or the database's. Each change is a step, so it comes only if the
 * clock in use is certainly off, or the machine's is right again.
 *
 * @param correctionMs of the clock in use; null if that is the machine's.
 */
export function judgeClock({ aheadMs, uncertaintyMs }: ClockOffset, correctionMs: number | null) {
  if (correctionMs !== null && Math.abs(aheadMs) + uncertaintyMs <= MAX_OFF_MS) return 'machine';
  const isOff = Math.abs(aheadMs + (correctionMs ?? 0)) - uncertaintyMs > MAX_OFF_MS;
  return isOff ? 'database' : 'keep';
}

/** @returns null if the clock was set meanwhile. @throws what the database does. */
export async function measureOffset(
  database: Pick<Database, 'now'>,
  clock: Pick<Clock, 'now' | 'monotonic'>,
): Promise<ClockOffset | null> {
  const before = { wall: clock.now(), steady: clock.monotonic() };
  const databaseNow = await database.now();
  const tookMs = clock.monotonic() - before.steady;
  const wasSet = Math.abs(clock.now() - before.wall - tookMs) > STEP_MS;
  if (wasSet) return null;
  return { aheadMs: before.wall + tookMs / 2 - databaseNow, uncertaintyMs: tookMs / 2 };
}
