import { createRegions } from '../src/model/regions.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import type { Caller } from '../src/identity/caller.ts';
import { systemClock } from '../src/lib/clock.ts';
import { getMonitorOverview } from '../src/resources/overview/monitor-overview.ts';
import type { Database } from '../src/store/database/contract.ts';
import { openDatabase } from '../src/store/database/database.ts';
import { callOf } from '../test/support/call.ts';
import { numberOption } from './options.ts';
import { startPostgres } from './postgres.ts';
import { preloadTeam } from './preload-team.ts';
import { percentile, report, type Figure } from './report.ts';

const DAY_MS = 86_400_000;
const QUARTER_MS = 15 * 60_000;
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
    await onSqlite((database) => measure('SQLite', database, monitors));
    await onPostgres((database) => measure('Postgres', database, monitors));
  }
}

async function onSqlite(work: (database: Database) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), 'tocsin-monitor-overview-'));
  const database = await openDatabase({ engine: 'sqlite', directory });
  await work(database);
  await database.close();
  await rm(directory, { recursive: true });
}

async function onPostgres(work: (database: Database) => Promise<void>): Promise<void> {
  const server = await startPostgres();
  const database = await openDatabase({ engine: 'postgres', url: server.url });
  await work(database);
  await database.close();
  await server.stop();
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
  const call = callOf(callerOf(1));
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
  const median = percentile(warm, 0.5);
  report(`overview of ${monitors} monitors, ${spans} spans, ${engine}`, [
    { name: 'bytes', value: answer.plain.length / 1_000, unit: 'kB' },
    {
      name: 'bytes, gzip',
      value: compressed / 1_000,
      unit: 'kB',
      target: `≤ ${TARGET_BYTES / 1_000} kB`,
      reached: compressed <= TARGET_BYTES,
    },
    ms('cold', cold),
    {
      ...ms('warm, after a second of checks, p50', median),
      target: `≤ ${TARGET_MS} ms`,
      reached: median <= TARGET_MS,
    },
    ms('  p95', percentile(warm, 0.95)),
    ms('  CPU time of all threads, p50', percentile(cpu, 0.5)),
    ms('nothing changed for a second', idle),
    ms('again within a second, p50', percentile(unchanged, 0.5)),
    { name: 'RSS growth', value: grown / 1e6, unit: 'MB' },
  ]);
}

const ms = (name: string, value: number): Figure => ({ name, value, unit: 'ms' });

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

const REGIONS = ['ash', 'pdx', 'nbg', 'sin'];

/** @returns the number of spans. */
async function preload(database: Database, monitors: number): Promise<number> {
  await preloadTeam(database, monitors);
  const now = Date.now();
  const from = now - DAYS * DAY_MS;
  await database.transaction(async (tx) => {
    await sql`update monitor set created_at = ${from}, is_paused = 0`.execute(tx);
    await sql`update monitor_state set is_paused = 0, observed_until = ${now + DAY_MS}`.execute(tx);
    // One monitor in ten had an outage of a quarter of an hour every day, the others every second week.
    await sql`
      with recursive outage(n) as (select 0 union all select n + 1 from outage where n < ${DAYS - 2}),
      begun as (select id, team_id, cast(${from} as bigint) + cast(${DAY_MS} as bigint) * n + (id * 7919) % ${DAY_MS} as at
        from monitor cross join outage where n % (case when id % 10 = 0 then 1 else 14 end) = 0)
      insert into status_span (team_id, monitor_id, status, from_at, to_at)
      select team_id, id, 'online', cast(${from} as bigint), min(at) from begun group by id, team_id
      union all select team_id, id, 'offline', at, at + ${QUARTER_MS} from begun
      union all select team_id, id, 'online', at + ${QUARTER_MS},
        lead(at) over (partition by id order by at) from begun`.execute(tx);
  });
  const { spans } = await database.read
    .selectFrom('status_span')
    .select((eb) => eb.fn.countAll<number>().as('spans'))
    .executeTakeFirstOrThrow();
  return Number(spans);
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

function callerOf(teamId: number): Caller {
  return {
    person: { id: 1, name: 'Bench', email: 'bench@example.com', timezone: 'UTC' },
    team: { id: teamId, name: 'Bench', slug: 'bench', personalTeam: false, plan: null },
    role: 'viewer',
    withheld: null,
    permissions: ['read'],
    credential: { kind: 'token', id: 1, name: 'Bench' },
    address: null,
  };
}
