import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../store/database/contract.ts';
import { DAY_MS, dayOf, listDays, startOf } from '../../store/engine/results.ts';
import { readRounds, type StoredRound } from '../../store/engine/result-history.ts';
import {
  monitorsAfter,
  monitorsWithHours,
  readCursor,
  readRollups,
  type Cursor,
  type Rollup,
  rollupChanges,
} from '../../store/engine/rollups.ts';
import { addResult, decodeSummaryInto, encodeSummary, type Summary } from './summary.ts';

interface RollupDependencies {
  database: Database;
  clock: Clock;
}

const HOUR_MS = 3_600_000;

/** Time after its end when an hour is rolled up. Its last rounds are stored by then, and later ones do not count. */
export const SETTLING_MS = 2 * 60_000;

export const HOURLY_DAYS = 30;

/** Monitors that are read and summed up at once: a few milliseconds of the main thread. */
const MONITORS_AT_ONCE = 10;
/** Monitors of a slice of an hour: most of the time of a slice is that of its transaction, which is the same for many. */
const MONITORS_OF_AN_HOUR = 100;
/** Monitors of a slice, most of which may have nothing: a new installation has no hours of 29 days. */
const MONITORS_SEEN = 1_000;

/** The job over the hours; its period is the hour that is next. All before are rolled up. */
export const HOURLY = 'rollup_hour';
export const DAILY = 'rollup_day';

/** Days whose hours are kept and summed: the oldest that are kept are about to become days. */
const RECENT_DAYS = HOURLY_DAYS - 1;
export const RECENT = 'rollup_recent_day';

/** One small step of the roll-ups: `idle` when all that can be rolled up has been. */
export async function runRollupSlice(dependencies: RollupDependencies): Promise<'more' | 'idle'> {
  const steps = [
    await rollUpHours(dependencies),
    await sumRecentDays(dependencies),
    await rollUpDays(dependencies),
  ];
  return steps.includes('more') ? 'more' : 'idle';
}

/** A slice of monitors of the next finished hour, from the rounds of the day tables. */
async function rollUpHours({ database, clock }: RollupDependencies): Promise<'more' | 'idle'> {
  const now = clock.now();
  const end = floorTo(HOUR_MS, now - SETTLING_MS);
  const from = await readCursor(database.read, HOURLY);
  const period = await nextHour(database, from, end, floorTo(HOUR_MS, now));
  if (from?.period !== period) {
    const moved = { from, to: { period, monitor: 0 } };
    await database.transaction((tx) => rollupChanges(tx).moveCursor(HOURLY, moved));
    return period < end ? 'more' : 'idle';
  }
  if (period >= end) return 'idle';

  const monitors = await monitorsAfter(database, from.monitor, MONITORS_OF_AN_HOUR);
  const rollups = await summariseHour(database, monitors, period);
  const to = nextPlace(from, monitors, HOUR_MS);
  // Another process that has moved the cursor goes on with the hour: both would do each slice, one of them for nothing.
  return database.transaction(async (tx) => {
    if (!(await rollupChanges(tx).moveCursor(HOURLY, { from, to }))) return 'idle';
    await rollupChanges(tx).write('rollup_hour', rollups);
    return 'more';
  });
}

/**
 * The hour to do: the cursor's, or the next one with rounds, or `end` when there is none. A clock that was set back
 * leaves a cursor in the future; the hour it is now is then done again once it is over, those before it were complete.
 */
async function nextHour(
  database: Database,
  cursor: Cursor | null,
  end: number,
  currentHour: number,
): Promise<number> {
  const wanted = Math.min(cursor?.period ?? 0, currentHour);
  if (wanted >= end) return wanted;
  const days = await listDays(database);
  if (days.includes(dayOf(wanted))) return wanted;
  const next = days.map(startOf).find((start) => start > wanted);
  return Math.min(next ?? end, end);
}

async function summariseHour(database: Database, monitorIds: readonly number[], at: number) {
  const rollups: Rollup[] = [];
  for (let done = 0; done < monitorIds.length; done += MONITORS_AT_ONCE) {
    const some = monitorIds.slice(done, done + MONITORS_AT_ONCE);
    rollups.push(
      ...summarised(await readRounds(database, some, { from: at, to: at + HOUR_MS }), at),
    );
  }
  return rollups;
}

/** Counts what voted: rounds of older settings and checks by hand are no part of it. */
function summarised(rounds: readonly StoredRound[], at: number): Rollup[] {
  const summaries = new Map<number, Summary>();
  for (const round of rounds) {
    if (round.kind !== 'voted') continue;
    const summary = summaries.get(round.monitorId) ?? new Map();
    summaries.set(round.monitorId, summary);
    for (const result of round.results) addResult(summary, result);
  }
  return packed(summaries, at);
}

/**
 * A slice of monitors of the next day that is over and whose hours are kept: the sums of its hours, so that a long period is
 * a row a day. A clock that was set back has a day done again.
 */
async function sumRecentDays({ database }: RollupDependencies): Promise<'more' | 'idle'> {
  const hourly = await readCursor(database.read, HOURLY);
  if (hourly === null) return 'idle';
  const end = floorTo(DAY_MS, hourly.period);
  const from = await readCursor(database.read, RECENT);
  const period = Math.min(end, Math.max(from?.period ?? 0, end - RECENT_DAYS * DAY_MS));
  if (from?.period !== period) {
    const moved = { from, to: { period, monitor: 0 } };
    await database.transaction((tx) => rollupChanges(tx).moveCursor(RECENT, moved));
    return period < end ? 'more' : 'idle';
  }
  if (period >= end) return 'idle';

  const range = { from: period, to: period + DAY_MS };
  const monitors = await monitorsWithHours(database, range, {
    after: from.monitor,
    among: MONITORS_SEEN,
    count: MONITORS_AT_ONCE,
  });
  const passed =
    monitors.length === MONITORS_AT_ONCE
      ? monitors
      : await monitorsAfter(database, from.monitor, MONITORS_SEEN);
  const to = nextPlace(from, passed, DAY_MS);
  await database.transaction(async (tx) => {
    // Hours are written by those who move this cursor: none of them changes meanwhile.
    const current = await rollupChanges(tx).lockCursor(HOURLY);
    if (current === null || current.period < range.to) return;
    if (!(await rollupChanges(tx).moveCursor(RECENT, { from, to }))) return;
    const hours = await readRollups(tx, 'rollup_hour', monitors, range);
    await rollupChanges(tx).write('rollup_recent_day', summed(hours, period));
  });
  return 'more';
}

/** A slice of monitors of the next day that is old enough; its hours go in the same transaction. */
async function rollUpDays({ database, clock }: RollupDependencies): Promise<'more' | 'idle'> {
  const end = floorTo(DAY_MS, clock.now() - HOURLY_DAYS * DAY_MS);
  const from = await readCursor(database.read, DAILY);
  if (!from) {
    const to = { period: end, monitor: 0 };
    await database.transaction((tx) => rollupChanges(tx).moveCursor(DAILY, { from, to }));
    return 'idle';
  }
  if (from.period >= end) return 'idle';

  const monitors = await monitorsAfter(database, from.monitor, MONITORS_AT_ONCE);
  const to = nextPlace(from, monitors, DAY_MS);
  const range = { from: from.period, to: from.period + DAY_MS };
  await database.transaction(async (tx) => {
    if (!(await rollupChanges(tx).moveCursor(DAILY, { from, to }))) return;
    const hours = await readRollups(tx, 'rollup_hour', monitors, range);
    await rollupChanges(tx).write('rollup_day', summed(hours, from.period));
    await rollupChanges(tx).delete('rollup_hour', monitors, range);
  });
  return 'more';
}

/** The sum of roll-ups of each monitor, which stands for the period that begins at this time. */
function summed(rollups: readonly Rollup[], at: number): Rollup[] {
  const summaries = new Map<number, Summary>();
  for (const { monitorId, data } of rollups) {
    const summary = summaries.get(monitorId) ?? new Map();
    summaries.set(monitorId, summary);
    decodeSummaryInto(summary, data);
  }
  return packed(summaries, at);
}

function packed(summaries: ReadonlyMap<number, Summary>, at: number): Rollup[] {
  return [...summaries].map(([monitorId, summary]) => ({
    monitorId,
    at,
    data: encodeSummary(summary),
  }));
}

/** After these monitors; when there were none left, the next period from its first monitor. */
function nextPlace(from: Cursor, monitors: number[], periodMs: number): Cursor {
  const last = monitors.at(-1);
  return last === undefined
    ? { period: from.period + periodMs, monitor: 0 }
    : { period: from.period, monitor: last };
}

const floorTo = (unit: number, at: number) => Math.floor(at / unit) * unit;
