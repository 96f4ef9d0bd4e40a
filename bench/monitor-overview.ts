import { createRegions } from '../src/model/regions.ts';
import { sql } from 'kysely';
import { systemClock } from '../src/lib/clock.ts';
import { getMonitorOverview } from '../src/resources/overview/monitor-overview.ts';
import type { Database } from '../src/store/database/contract.ts';
import { callOf } from '../test/support/call.ts';
import { callerOf } from '../test/support/people.ts';
import { engineTitle, withDatabase } from './database-place.ts';
import { numberOption } from './options.ts';
import { inDatabase, REGIONS } from './preload.ts';
import { countSpans, FLAKY_DAYS, insertOutages } from './preload-spans.ts';
import { preloadTeam } from './preload-team.ts';
import { atMost, ms, percentile, report } from './report.ts';

const DAY_MS = 86_400_000;
const DAYS = 90;
const [ROUNDS, TARGET_MS, TARGET_BYTES] = [40, 50, 300_000];
/** A minute's checks: each second one monitor in this number gets a round. */
const SECONDS_PER_ROUND = 60;

/**
 * The overview of a team with 1,000 and 10,000 monitors (`--monitors=N` for another number), with 90 days of spans, on
 * SQLite and on Postgres. Each warm answer follows a second in which one monitor in 60 was checked.
 */
export async function run(options: string[]): Promise<void> {
  const chosen = numberOption(options, '--monitors', 0);
  for (const monitors of chosen > 0 ? [chosen] : [1_000, 10_000]) {
    for (const engine of ['sqlite', 'postgres'])
      await withDatabase([`--engine=${engine}`], (place) =>
        inDatabase(place.options, (database) => measure(engineTitle(place), database, monitors)),
      );
  }
}

async function measure(engine: string, database: Database, monitors: number): Promise<void> {
  const spans = await preload(database, monitors);
  let ahead = 0;
  const clock = {
    now: () => Date.now() + ahead,
    monotonic: () => performance.now() + ahead,
    after: systemClock.after,
  };
  const read = getMonitorOverview.create({
    database,
    clock,
    regions: createRegions(REGIONS.map((code) => ({ code, title: code }))),
  });
  const call = callOf(callerOf({ personId: 1, teamId: 1, role: 'viewer' }));
  globalThis.gc?.();
  const memory = process.memoryUsage().rss;
  const cold = await timed(async () => (await read(call)).compressed());
  const [warm, unchanged, cpu]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    await checkSome(database, round, clock.now());
    ahead += 1_000;
    const used = process.cpuUsage();
    warm.push(await timed(async () => (await read(call)).compressed()));
    const { user, system } = process.cpuUsage(used);
    cpu.push((user + system) / 1_000);
    unchanged.push(await timed(async () => (await read(call)).compressed()));
  }
  const idle = await timed(async () => {
    ahead += 1_000;
    await read(call);
  });
  globalThis.gc?.();
  const grown = process.memoryUsage().rss - memory;
  const answer = await read(call);
  const compressed = (await answer.compressed()).length;
  report(`overview of ${monitors} monitors, ${spans} spans, ${engine}`, [
    { name: 'bytes', value: answer.plain.length / 1_000, unit: 'kB' },
    atMost('bytes, gzip', compressed / 1_000, TARGET_BYTES / 1_000, 'kB'),
    ms('cold', cold),
    ms('warm, after a second of checks, p50', percentile(warm, 0.5), TARGET_MS),
    ms('  p95', percentile(warm, 0.95)),
    ms('  CPU time of all threads, p50', percentile(cpu, 0.5)),
    ms('nothing changed for a second', idle),
    ms('again within a second, p50', percentile(unchanged, 0.5)),
    { name: 'RSS growth', value: grown / 1e6, unit: 'MB' },
  ]);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** @returns the number of spans. */
async function preload(database: Database, monitors: number): Promise<number> {
  await preloadTeam(database, monitors);
  const now = Date.now();
  const from = now - DAYS * DAY_MS;
  await database.transaction(async (tx) => {
    await sql`update monitor set created_at = ${from}, is_paused = 0`.execute(tx);
    await sql`update monitor_state set is_paused = 0, observed_until = ${now + DAY_MS}`.execute(tx);
    await insertOutages(tx, { from, days: DAYS, everyDays: FLAKY_DAYS });
  });
  return countSpans(database);
}

/** Records a round of one monitor in 60, with other response times. */
async function checkSome(database: Database, round: number, now: number): Promise<void> {
  const newest = Object.fromEntries(
    REGIONS.map((region, index) => [
      region,
      {
        checkedAt: now,
        responseTimeMs: 40 + ((round * 37 + index * 91) % 300),
        statusCode: 200,
        failure: null,
      },
    ]),
  );
  await database.transaction((tx) =>
    sql`update monitor_state set last_slot = ${now}, last_checked_at = ${now}, newest = ${JSON.stringify(newest)}
      where monitor_id % ${SECONDS_PER_ROUND} = ${round % SECONDS_PER_ROUND}`.execute(tx),
  );
}
