import {
  moveCursor,
  writeRollups,
  type Rollup,
  type RollupName,
} from '../../src/store/engine/rollups.ts';
import { HOURLY, HOURLY_DAYS } from '../../src/engine/history/rollup.ts';
import { addResult, encodeSummary, type Summary } from '../../src/engine/history/summary.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { DAY_MS, HOUR_MS } from './northwind/problems.ts';
import type { CheckResult } from '../../src/model/check.ts';
import type { Region } from '../../src/model/monitor.ts';

/** Checks that stand for all of an hour, and of two hours of a day, in each region. */
const SAMPLES = 4;
const AT_ONCE = 5_000;

/** A monitor whose results are summed up. */
export interface Sampled {
  id: number;
  regions: readonly Region[];
  /** Start of its history, epoch milliseconds. */
  since: number;
  /** Results of one check; null at a time at which nothing was checked. */
  resultAt(region: Region, at: number): CheckResult | null;
}

/**
 * Writes the daily and hourly roll-ups of monitors before `end`, the start of an hour, from which on the program makes them
 * of results. Times are epoch milliseconds.
 */
export async function storeRollups(
  database: Database,
  monitors: readonly Sampled[],
  { now, end }: { now: number; end: number },
): Promise<void> {
  // Older hours are days.
  const hours = Math.floor((now - HOURLY_DAYS * DAY_MS) / DAY_MS) * DAY_MS;
  const days: Rollup[] = [];
  const ofHours: Rollup[] = [];
  for (const monitor of monitors) {
    const firstDay = Math.floor(monitor.since / DAY_MS) * DAY_MS;
    days.push(...summaries(monitor, { from: firstDay, to: hours, step: DAY_MS }));
    ofHours.push(...summaries(monitor, { from: hours, to: end, step: HOUR_MS }));
  }
  await store(database, 'rollup_day', days);
  await store(database, 'rollup_hour', ofHours);
  const to = { period: end, monitor: 0 };
  await database.transaction((tx) => moveCursor(tx, HOURLY, { from: null, to }));
}

async function store(database: Database, table: RollupName, rollups: readonly Rollup[]) {
  for (let index = 0; index < rollups.length; index += AT_ONCE)
    await database.transaction((tx) =>
      writeRollups(tx, table, rollups.slice(index, index + AT_ONCE)),
    );
}

/** A summary for each hour or day in which something was checked. */
function summaries(
  { id, regions, since, resultAt }: Sampled,
  { from, to, step }: { from: number; to: number; step: number },
): Rollup[] {
  const rollups: Rollup[] = [];
  const between = Math.min(step, 2 * HOUR_MS) / SAMPLES;
  for (let at = from; at < to; at += step) {
    const summary: Summary = new Map();
    for (let sample = at; sample < at + step; sample += between) {
      if (sample < since) continue;
      for (const region of regions) {
        const result = resultAt(region, sample);
        if (result !== null) addResult(summary, { region, ...result });
      }
    }
    if (summary.size > 0) rollups.push({ monitorId: id, at, data: encodeSummary(summary) });
  }
  return rollups;
}
