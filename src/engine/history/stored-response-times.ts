import type { Database } from '../../store/database/contract.ts';
import { listDays, startOf } from '../../store/engine/results.ts';
import { readRounds } from '../../store/engine/result-history.ts';
import { readRolledUpUntil, readRollups, type Rollup } from '../../store/engine/rollups.ts';
import { FINEST_STEP_MS, stepOf, type Resolution, type StoredTimes } from './response-series.ts';
import type { Interval } from './uptime.ts';

const HOUR_MS = FINEST_STEP_MS.hours;
const DAY_MS = FINEST_STEP_MS.days;

/** Longest period of which single results are read: 11,520 results of four regions at 30 s take 50 ms. */
const MAX_RESULTS_MS = DAY_MS;

/**
 * Reads the response times of a monitor in a period, and the length of a step (ms) that they and the period allow. Reads
 * single results where they are kept for the whole period and it is short, else roll-ups. Does not check permissions.
 */
export async function readResponseTimes(
  database: Database,
  monitorId: number,
  { from, to }: Interval,
): Promise<{ stored: StoredTimes; stepMs: number }> {
  const rolledUpUntil = (await readRolledUpUntil(database.read)) ?? from;
  const keptFrom = startOf((await listDays(database))[0] ?? '99991231');
  const read = (table: 'rollup_hour' | 'rollup_day', range: Interval) =>
    readRollups(database.scan, table, [monitorId], range);
  const [allHours, days] = await Promise.all([
    read('rollup_hour', { from: floorTo(HOUR_MS, from), to: Math.min(to, rolledUpUntil) }),
    read('rollup_day', { from: floorTo(DAY_MS, from), to }),
  ]);
  const hours = withoutDays(allHours, days);
  const isKept = days.length === 0 && hours.every(({ at }) => at >= keptFrom);
  const resolution: Resolution =
    days.length > 0 ? 'days' : isKept && to - from <= MAX_RESULTS_MS ? 'results' : 'hours';
  const stepMs = stepOf({ from, to }, resolution);
  const isExact = stepMs < HOUR_MS;
  const firstRaw = isExact ? from : Math.max(from, rolledUpUntil);
  const rounds =
    firstRaw < to ? await readRounds(database, [monitorId], { from: firstRaw, to }) : [];
  return {
    stored: { rounds: rounds.filter(({ kind }) => kind === 'voted'), hours, days },
    stepMs,
  };
}

/** Hours that are rolled up into a day between the two reads are in both. */
function withoutDays(hours: readonly Rollup[], days: readonly Rollup[]): Rollup[] {
  const known = new Set(days.map(({ at }) => at));
  return hours.filter(({ at }) => !known.has(floorTo(DAY_MS, at)));
}

const floorTo = (unit: number, at: number) => Math.floor(at / unit) * unit;
