import type { Database } from '../../store/database/contract.ts';
import { readRollups, readRollupsIn, type Rollup } from '../../store/engine/rollups.ts';
import type { Interval } from './uptime.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Longest period of one monitor whose hours are read in the main thread. */
const QUICK_HOURS_MS = 2 * DAY_MS;

export interface RollupsQuestion extends Interval {
  /** Time before which all hours are rolled up, epoch milliseconds; null if none is. */
  rolledUpUntil: number | null;
  /** Whether a day is wanted by its hours as long as they are kept. */
  isHourly: boolean;
}

/**
 * Reads the roll-ups of monitors that a period touches, each time in one of them: a day that lies in the period as one row
 * unless hours are wanted, others by their hours, or as a whole once these are deleted.
 */
export async function readRollupsWithin(
  database: Database,
  ids: readonly number[],
  { from, to, rolledUpUntil, isHourly }: RollupsQuestion,
): Promise<{ hours: Rollup[]; days: Rollup[] }> {
  const isQuick = ids.length === 1 && (!isHourly || to - from <= QUICK_HOURS_MS);
  const db = isQuick ? database.read : database.scan;
  const inHours = { from: floorTo(HOUR_MS, from), to: Math.min(to, rolledUpUntil ?? 0) };
  const whole = { from: -floorTo(DAY_MS, -from), to: floorTo(DAY_MS, inHours.to) };
  // In this order: hours that change meanwhile are in one of the two, and those that become a day in the last.
  const recent =
    isHourly || whole.from >= whole.to
      ? []
      : await readRollups(db, 'rollup_recent_day', ids, whole);
  const hours = await readRollupsIn(db, 'rollup_hour', rangesWithout(recent, ids, inHours));
  const days = await readRollups(db, 'rollup_day', ids, { from: floorTo(DAY_MS, from), to });
  const known = new Set(days.map(dayKey));
  const isNew = (rollup: Rollup) => !known.has(dayKey(rollup));
  return { hours: hours.filter(isNew), days: [...days, ...recent.filter(isNew)] };
}

/** The parts of a range that are no part of these days, for each monitor. @param days in order. */
function rangesWithout(days: readonly Rollup[], ids: readonly number[], { from, to }: Interval) {
  const daysOf = Map.groupBy(days, ({ monitorId }) => monitorId);
  return ids.flatMap((monitorId) => {
    const starts = (daysOf.get(monitorId) ?? []).map(({ at }) => at);
    const begins = [from, ...starts.map((at) => at + DAY_MS)];
    const ends = [...starts, to];
    return begins
      .map((begin, index) => ({ monitorId, from: begin, to: ends[index]! }))
      .filter((range) => range.from < range.to);
  });
}

const dayKey = ({ monitorId, at }: Rollup) => `${monitorId} ${floorTo(DAY_MS, at)}`;

const floorTo = (unit: number, at: number) => Math.floor(at / unit) * unit;
