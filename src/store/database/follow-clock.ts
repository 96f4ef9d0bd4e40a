import { CLOCK_TOLERANCE_MS, type Clock, type Timer } from '../../lib/clock.ts';
import type { CorrectedClock } from '../../lib/corrected-clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Database } from './contract.ts';

/** How far a clock is ahead of the database's, in milliseconds. */
export interface ClockOffset {
  aheadMs: number;
  /** The true difference lies within so many milliseconds of it. */
  uncertaintyMs: number;
}

export interface FollowedClock {
  /** Stops measuring; the last correction stays. */
  stop(): void;
}

export interface FollowClockOptions {
  database: Pick<Database, 'isShared' | 'now'>;
  /** Clock of this machine. */
  machine: Clock;
  /** Clock of this process, which is corrected. */
  clock: CorrectedClock;
  log: Log;
}

const MEASURE_EVERY_MS = 5_000;
/** A difference between wall time and monotonic time that a clock shows only if it was set. */
const STEP_MS = 500;

/**
 * Keeps the clock of a process within a second of the clock of a database that processes share. Their times are compared
 * with each other: rounds made by a process whose clock is a minute ahead would look like future ones to the others.
 *
 * Resolves after the first measurement, or when that failed; never rejects. The clock of SQLite's machine is the only one.
 */
export async function followDatabaseClock(options: FollowClockOptions): Promise<FollowedClock> {
  const { database, machine, clock, log } = options;
  let timer: Timer | null = null;
  let isStopped = !database.isShared;

  async function measure(): Promise<void> {
    try {
      const offset = await measureOffset(database, machine);
      if (offset === null || isStopped) return;
      const correctionMs = correctionFor(offset, clock.correctionMs);
      if (correctionMs === clock.correctionMs) return;
      clock.correct(correctionMs);
      const fields = { offset_ms: Math.round(offset.aheadMs), correction_ms: correctionMs };
      if (correctionMs === 0) log.info(fields, "The machine's clock is right again and is used.");
      else log.warn(fields, "The machine's clock is wrong; the database's is used.");
    } catch {
      // Whatever else needs the database reports that it is away.
    }
  }

  async function repeat(): Promise<void> {
    await measure();
    if (!isStopped) timer = machine.after(MEASURE_EVERY_MS, () => void repeat());
  }

  if (!isStopped) await repeat();
  return {
    stop() {
      isStopped = true;
      machine.clear(timer);
    },
  };
}

/**
 * Correction of a clock, in milliseconds, given the present one. It changes only if the corrected clock is certainly off by
 * more than the tolerance, since each change is a step; a machine's clock within the tolerance is used as it is.
 */
export function correctionFor(
  { aheadMs, uncertaintyMs }: ClockOffset,
  correctionMs: number,
): number {
  const isOff = Math.abs(aheadMs + correctionMs) - uncertaintyMs > CLOCK_TOLERANCE_MS;
  if (!isOff) return correctionMs;
  return Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS ? 0 : -Math.round(aheadMs);
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
