import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { encodeSummary, addResult } from '../src/engine/history/summary.ts';
import type { Summary } from '../src/engine/history/summary.ts';
import { NO_TIMINGS } from '../src/model/check.ts';
import type { RegionResult } from '../src/model/check.ts';
import type { Round } from '../src/model/round.ts';
import { openDatabase } from '../src/store/database/database.ts';
import { setProgress } from '../src/store/database/progress.ts';
import {
  DAY_MS,
  dayOf,
  roundTable,
  ensureDays,
  insertRounds,
} from '../src/store/engine/results.ts';
import { REGIONS } from './preload.ts';

const HOUR_MS = 3_600_000;
const INTERVAL_MS = 30_000;
const ROUNDS_A_DAY = DAY_MS / INTERVAL_MS;

/**
 * Fills day tables before today and roll-ups as if the monitors had been checked all that time: real packed rows of one
 * monitor, copied to all by SQL, since only the amount of data matters.
 */
export async function preloadHistory(
  dataDir: string,
  monitors: number,
  days: { rawDays: number; rollupDays: number },
): Promise<void> {
  const database = await openDatabase({ engine: 'sqlite', directory: dataDir });
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  for (let back = days.rawDays; back >= 1; back--) {
    const day = today - back * DAY_MS;
    const round = sampleRound(day);
    await ensureDays(database, [day]);
    await database.transaction(async (tx) => {
      await insertRounds(tx, database, [{ round, kind: 'voted', class: 'up' }]);
      const table = roundTable(dayOf(day));
      await sql`insert or ignore into ${table} (monitor_id, at, data)
        with recursive ${numbers('monitors', monitors)}, ${numbers('rounds', ROUNDS_A_DAY)}
        select monitors.n + 1, (monitors.n * 7919) % ${INTERVAL_MS} + rounds.n * ${INTERVAL_MS},
          (select data from ${table} limit 1) from monitors, rounds`.execute(tx);
    });
  }
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const data = sampleSummary();
  const hourlyDays = Math.min(30, days.rollupDays);
  await database.transaction(async (tx) => {
    const fill = (table: string, end: number, step: number, count: number) =>
      sql`insert into ${sql.table(table)} (monitor_id, at, data)
        with recursive ${numbers('monitors', monitors)}, ${numbers('periods', count)}
        select monitors.n + 1, ${end} - (periods.n + 1) * ${step}, ${data} from monitors, periods`.execute(
        tx,
      );
    await fill('rollup_hour', hour, HOUR_MS, hourlyDays * 24);
    const daysOnly = days.rollupDays - hourlyDays;
    if (daysOnly > 0) await fill('rollup_day', today - hourlyDays * DAY_MS, DAY_MS, daysOnly);
    await setProgress(tx, 'rollup_hour', hour);
  });
  await database.close();
}

/**
 * Stores all rounds of the previous hour, recorded as rolled up: `sumUpLastHour` makes a running service do it again.
 */
export async function preloadLastHour(dataDir: string, monitors: number): Promise<void> {
  const database = await openDatabase({ engine: 'sqlite', directory: dataDir });
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const from = hour - HOUR_MS;
  const day = Math.floor(from / DAY_MS) * DAY_MS;
  const round = sampleRound(from);
  await ensureDays(database, [from]);
  await database.transaction(async (tx) => {
    await insertRounds(tx, database, [{ round, kind: 'voted', class: 'up' }]);
    const table = roundTable(dayOf(from));
    await sql`insert or ignore into ${table} (monitor_id, at, data)
      with recursive ${numbers('monitors', monitors)}, ${numbers('rounds', HOUR_MS / INTERVAL_MS)}
      select monitors.n + 1, ${from - day} + (monitors.n * 7919) % ${INTERVAL_MS} + rounds.n * ${INTERVAL_MS},
        (select data from ${table} limit 1) from monitors, rounds`.execute(tx);
    await setProgress(tx, 'rollup_hour', hour);
  });
  await database.close();
}

/** Makes the service that uses this folder roll up the previous hour within half a minute. */
export function sumUpLastHour(dataDir: string): void {
  const database = new DatabaseSync(path.join(dataDir, 'tocsin.db'), { timeout: 5_000 });
  database
    .prepare(`update progress set position = position - ? where name = 'rollup_hour'`)
    .run(HOUR_MS);
  database.close();
}

/** Progress of roll-ups (epoch ms). */
export function summedUpTo(dataDir: string): number {
  const database = new DatabaseSync(path.join(dataDir, 'tocsin.db'), { readOnly: true });
  const row = database.prepare(`select position from progress where name = 'rollup_hour'`).get();
  database.close();
  return Number(row!['position']);
}

/** A common table expression of the numbers from 0 on. */
function numbers(name: string, count: number) {
  const table = sql.raw(name);
  return sql`${table} (n) as (select 0 union all select n + 1 from ${table} where n < ${count - 1})`;
}

export function sampleRound(startedAt: number): Round {
  return {
    monitorId: 1,
    teamId: 1,
    revision: 0,
    slot: startedAt,
    startedAt,
    finishedAt: startedAt + 100,
    settings: {
      intervalMs: INTERVAL_MS,
      failureThreshold: 2,
      recoveryThreshold: 1,
      slowResponseThresholdMs: null,
      content: null,
      inspections: [],
      checkBothFamilies: false,
    },
    knownRegions: REGIONS,
    results: REGIONS.map((region, index) => sampleResult(region, startedAt, 20 + index * 31.7)),
  };
}

function sampleResult(region: string, checkedAt: number, totalMs: number): RegionResult {
  return {
    region,
    checkedAt,
    vote: 'up',
    failure: null,
    responseTimeMs: totalMs,
    statusCode: 200,
    timings: { ...NO_TIMINGS, dnsMs: 1.2, tcpMs: totalMs / 4, ttfbMs: totalMs / 2, totalMs },
    remoteAddress: '127.0.0.1',
    evidence: null,
  };
}

function sampleSummary(): Buffer {
  const summary: Summary = new Map();
  for (let count = 0; count < HOUR_MS / INTERVAL_MS; count++) {
    for (const [index, region] of REGIONS.entries()) {
      addResult(summary, sampleResult(region, 0, 20 + index * 31.7 + (count % 17)));
    }
  }
  return encodeSummary(summary);
}
