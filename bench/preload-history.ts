import { sql } from 'kysely';
import { encodeSummary, addResult, type Summary } from '../src/engine/history/summary.ts';
import { NO_TIMINGS, type RegionResult } from '../src/model/check.ts';
import type { Round } from '../src/model/round.ts';
import type { Database } from '../src/store/database/contract.ts';
import { setProgress } from '../src/store/database/settings.ts';
import {
  DAY_MS,
  dayOf,
  roundTable,
  ensureDays,
  insertRounds,
} from '../src/store/engine/results.ts';
import type { RollupName } from '../src/store/engine/rollups.ts';
import { inDatabase, REGIONS, type Place } from './preload.ts';

const HOUR_MS = 3_600_000;
const INTERVAL_MS = 30_000;
const ROUNDS_A_DAY = DAY_MS / INTERVAL_MS;
const ROUNDS_AN_HOUR = HOUR_MS / INTERVAL_MS;

/**
 * Fills day tables before today and roll-ups as if the monitors had been checked all that time: real packed rows of one
 * monitor, copied to all by SQL, since only the amount of data matters.
 */
export async function preloadHistory(
  place: Place,
  monitors: number,
  days: { rawDays: number; rollupDays: number },
): Promise<void> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  await inDatabase(place, async (database) => {
    for (let back = days.rawDays; back >= 1; back--) {
      await fillRounds(database, monitors, { from: today - back * DAY_MS, rounds: ROUNDS_A_DAY });
    }
    const hourlyDays = Math.min(30, days.rollupDays);
    const hours = { end: hour, step: HOUR_MS, count: hourlyDays * 24 };
    await fillRollups(database, 'rollup_hour', monitors, hours);
    const count = days.rollupDays - hourlyDays;
    const older = { end: today - hourlyDays * DAY_MS, step: DAY_MS, count };
    if (count > 0) await fillRollups(database, 'rollup_day', monitors, older);
    const recent = { end: today, step: DAY_MS, count: hourlyDays - 1 };
    await fillRollups(database, 'rollup_recent_day', monitors, recent);
    await database.transaction((tx) => setProgress(tx, 'rollup_recent_day', today));
    await database.transaction((tx) => setProgress(tx, 'rollup_hour', hour));
  });
}

/** Stores rounds every 30 seconds of monitors 1 to `monitors`, from that time (epoch ms) up to now. */
export async function preloadRounds(database: Database, monitors: number, since: number) {
  const now = Date.now();
  let next: number;
  for (let from = since; from < now; from = next) {
    next = Math.floor(from / DAY_MS + 1) * DAY_MS;
    const rounds = Math.floor((Math.min(now, next) - from) / INTERVAL_MS);
    if (rounds > 0) await fillRounds(database, monitors, { from, rounds });
  }
}

/**
 * Stores all rounds of the previous hour and their roll-ups: `sumUpLastHour` makes a running service do these again, which
 * needs no more space.
 */
export async function preloadLastHour(place: Place, monitors: number): Promise<void> {
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  await inDatabase(place, async (database) => {
    await fillRounds(database, monitors, { from: hour - HOUR_MS, rounds: ROUNDS_AN_HOUR });
    await fillRollups(database, 'rollup_hour', monitors, { end: hour, step: HOUR_MS, count: 1 });
    await database.transaction((tx) => setProgress(tx, 'rollup_hour', hour));
  });
}

/** Before the days that `preloadHistory` fills. */
const OLD_DAYS = 6;

/** A day of rounds that a service drops once `retire` was executed. */
export interface OldDay {
  table: string;
  /** Statement that retires the day; the service drops it within half a minute. */
  retire: string;
}

/** Stores an hour of rounds of an old day. The service must keep results for longer than that. */
export async function preloadOldDay(place: Place, monitors: number): Promise<OldDay> {
  const from = Math.floor(Date.now() / DAY_MS) * DAY_MS - OLD_DAYS * DAY_MS;
  await inDatabase(place, (database) =>
    fillRounds(database, monitors, { from, rounds: ROUNDS_AN_HOUR }),
  );
  const day = dayOf(from);
  return {
    table: `round_${day}`,
    retire: `update setting set value = '${Date.now()}' where name = 'result_day_${day}'`,
  };
}

/** Makes the service that uses this database roll up the previous hour within half a minute. */
export const sumUpLastHour = `update progress set position = position - ${HOUR_MS} where name = 'rollup_hour'`;

/** Queries how far (epoch ms) hours are rolled up. */
export const summedUpTo = `select position from progress where name = 'rollup_hour'`;

/** Rows per statement: a few seconds on Postgres. */
const ROWS_AT_ONCE = 100_000;

async function fillRounds(
  database: Database,
  monitors: number,
  { from, rounds }: { from: number; rounds: number },
): Promise<void> {
  const day = Math.floor(from / DAY_MS) * DAY_MS;
  const table = roundTable(dayOf(day));
  const sample = from + 1;
  // The first round registers the regions, which get their numbers before the next one.
  for (const startedAt of [from, sample]) {
    await ensureDays(database, [startedAt]);
    const round = sampleRound(startedAt);
    await database.transaction((tx) =>
      insertRounds(tx, database, [{ round, kind: 'voted', class: 'up' }]),
    );
  }
  const step = sql.lit(INTERVAL_MS);
  await inParts(monitors, rounds, (part) =>
    database.transaction((tx) =>
      sql`insert into ${table} (monitor_id, at, data)
        with recursive ${numbers('monitors', part)}, ${numbers('rounds', { first: 0, last: rounds - 1 })}
        select monitors.n, ${sql.lit(from - day)} + (monitors.n * 7919) % ${step} + rounds.n * ${step},
          (select data from ${table} where monitor_id = 1 and at = ${sql.lit(sample - day)}) from monitors, rounds where true
        on conflict do nothing`.execute(tx),
    ),
  );
}

async function fillRollups(
  database: Database,
  table: RollupName,
  monitors: number,
  { end, step, count }: { end: number; step: number; count: number },
): Promise<void> {
  const data = sampleSummary();
  await inParts(monitors, count, (part) =>
    database.transaction((tx) =>
      sql`insert into ${sql.table(table)} (monitor_id, at, data)
        with recursive ${numbers('monitors', part)}, ${numbers('periods', { first: 1, last: count })}
        select monitors.n, ${sql.lit(end)} - periods.n * ${sql.lit(step)}, ${data} from monitors, periods
        where true on conflict do nothing`.execute(tx),
    ),
  );
}

interface Range {
  first: number;
  last: number;
}

/** Divides monitors 1 to `monitors` so that each part has about `ROWS_AT_ONCE` rows. */
async function inParts(
  monitors: number,
  rowsEach: number,
  work: (part: Range) => Promise<unknown>,
): Promise<void> {
  const size = Math.max(1, Math.floor(ROWS_AT_ONCE / rowsEach));
  for (let first = 1; first <= monitors; first += size) {
    await work({ first, last: Math.min(monitors, first + size - 1) });
  }
}

/** A common table expression of the numbers of a range. */
function numbers(name: string, { first, last }: Range) {
  const table = sql.raw(name);
  return sql`${table} (n) as (select cast(${sql.lit(first)} as bigint)
    union all select n + 1 from ${table} where n < ${sql.lit(last)})`;
}

function sampleRound(startedAt: number): Round {
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
  for (let count = 0; count < ROUNDS_AN_HOUR; count++) {
    for (const [index, region] of REGIONS.entries()) {
      addResult(summary, sampleResult(region, 0, 20 + index * 31.7 + (count % 17)));
    }
  }
  return encodeSummary(summary);
}
