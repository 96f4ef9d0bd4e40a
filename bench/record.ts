import { sql } from 'kysely';
import { RegionHealthMonitor } from '../src/engine/verdict/region-health-monitor.ts';
import { createRoundRecorder } from '../src/engine/index.ts';
import { systemClock, type Clock } from '../src/lib/clock.ts';
import { silentLog } from '../src/lib/log.ts';
import type { Round } from '../src/model/round.ts';
import {
  openDatabase,
  type DatabaseOptions,
  type OpenDatabase,
} from '../src/store/database/database.ts';
import { numberOption, textOption } from './options.ts';
import { startPostgres } from './postgres.ts';
import { insertMonitors, REGIONS } from './preload.ts';
import { cpuSeconds, folderBytes, withFolder } from './process.ts';
import { atMost, report, type Figure } from './report.ts';
import { INTERVAL_MS, roundOf } from './record-rounds.ts';

const DAY_MS = 86_400_000;

interface Options {
  monitors: number;
  /** Rounds of each monitor that are measured. */
  rounds: number;
  /** Rounds in a transaction. */
  batch: number;
}

/**
 * Records finished rounds of `--monitors=N` (10,000) monitors, `--rounds=N` (10) each, in batches of `--batch=N` (17, as
 * 10,000 monitors every 30 s give in 50 ms), without checking anything: CPU per round, bytes on disk and of the log.
 * `--engine=sqlite` or `--engine=postgres` measures one engine.
 */
export async function run(options: string[]): Promise<void> {
  const measured: Options = {
    monitors: numberOption(options, '--monitors', 10_000),
    rounds: numberOption(options, '--rounds', 10),
    batch: numberOption(options, '--batch', 17),
  };
  const only = textOption(options, '--engine');
  if (only !== 'postgres') await runOnSqlite(measured);
  if (only !== 'sqlite') await runOnPostgres(measured);
}

async function runOnSqlite(options: Options): Promise<void> {
  await withFolder(async (folder) => {
    const { bytes, ...measured } = await measure(
      { engine: 'sqlite', directory: folder },
      options,
      async () => ({ disk: await folderBytes(folder) }),
    );
    report(titleOf('SQLite', options), figuresOf(measured.rounds, measured.cpu, bytes, 12));
  });
}

async function runOnPostgres(options: Options): Promise<void> {
  const server = await startPostgres();
  try {
    const place: DatabaseOptions = { engine: 'postgres', url: server.url };
    const { bytes, ...measured } = await measure(place, options, readPostgres);
    report(titleOf('Postgres', options), [
      ...figuresOf(measured.rounds, measured.cpu, bytes, 40),
      walFigure('log between checkpoints', bytes.wal, measured.rounds),
      walFigure('log with a checkpoint', measured.walAfterCheckpoint, measured.rounds),
      { name: 'CPU per round of the server', value: us(bytes.server, measured.rounds), unit: 'µs' },
      { name: 'updates of states within their page', value: bytes.hot / bytes.updates },
    ]);
  } finally {
    await server.stop();
  }
}

const us = (seconds: number, rounds: number) => (seconds * 1e6) / rounds;

function titleOf(engine: string, { monitors, batch }: Options): string {
  return `record, ${engine}, ${monitors.toLocaleString('en')} monitors, ${batch} rounds at once`;
}

function figuresOf(rounds: number, cpu: Cpu, bytes: { disk: number }, most: number): Figure[] {
  const perCheck = bytes.disk / rounds / REGIONS.length;
  return [
    { name: 'rounds per CPU second of the main thread', value: rounds / cpu.main },
    { name: 'CPU per round, main thread', value: us(cpu.main, rounds), unit: 'µs' },
    { name: 'CPU per round, all threads', value: us(cpu.all, rounds), unit: 'µs' },
    atMost('disk per check', perCheck, most, 'bytes'),
  ];
}

function walFigure(name: string, bytes: number, rounds: number): Figure {
  return atMost(`${name}, per check`, bytes / rounds / REGIONS.length, 120, 'bytes');
}

type Sample = Record<string, number>;

/** Two rounds of each monitor come first, and on Postgres again a checkpoint, so that states and files have their usual size. */
async function measure<Read extends Sample>(
  place: DatabaseOptions,
  { monitors, rounds, batch }: Options,
  read: (database: OpenDatabase) => Promise<Read>,
) {
  const database = await openDatabase(place);
  const recording = startRecording(database, monitors, batch);
  try {
    const host = sql`'target-' || n || '.example'`;
    await insertMonitors(database, {
      last: monitors,
      url: sql`'https://' || ${host} || '/'`,
      host,
    });
    await recording.record(3);
    await settle(database);
    const first = await read(database);
    await recording.record(rounds);
    const before = await read(database);
    const cpu = await recording.record(rounds);
    const after = await read(database);
    const bytes = Object.fromEntries(
      Object.keys(after).map((name) => [name, after[name]! - before[name]!]),
    ) as Read;
    return {
      rounds: rounds * monitors,
      cpu,
      bytes,
      walAfterCheckpoint: (before['wal'] ?? 0) - (first['wal'] ?? 0),
    };
  } finally {
    await recording.close();
    await database.close();
  }
}

/** CPU seconds of this process, and of its main thread alone. */
interface Cpu {
  all: number;
  main: number;
}

function readCpu(): Cpu {
  const [all, main] = [process.cpuUsage(), process.threadCpuUsage()];
  return { all: (all.user + all.system) / 1e6, main: (main.user + main.system) / 1e6 };
}

/** Records rounds on a clock of its own, as fast as they can be recorded. */
function startRecording(database: OpenDatabase, monitors: number, batch: number) {
  let now = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS;
  const clock: Clock = { ...systemClock, now: () => Math.floor(now) };
  const regions = new RegionHealthMonitor({ database, clock, log: silentLog, regions: REGIONS });
  const recorder = createRoundRecorder({ database, clock, log: silentLog, regions, gatherMs: 0 });
  const stepMs = (INTERVAL_MS * batch) / monitors;
  let number = 0;
  const recordBatch = async (rounds: readonly Round[]) => {
    const outcomes = await Promise.all(rounds.map((round) => recorder.submit(round)));
    const refused = outcomes.find(({ outcome }) => outcome !== 'counted');
    if (refused !== undefined) throw new Error(`A round was ${refused.outcome}.`);
  };
  return {
    /** Records that many rounds of each monitor. @returns the CPU seconds of this process, without making the rounds. */
    async record(count: number): Promise<Cpu> {
      const cpu: Cpu = { all: 0, main: 0 };
      const ends = number + count;
      for (; number < ends; number += 1) {
        for (let first = 1; first <= monitors; first += batch) {
          now += stepMs;
          const ids = Array.from(
            { length: Math.min(batch, monitors + 1 - first) },
            (_, i) => first + i,
          );
          const rounds = ids.map((id) => roundOf(id, number, clock.now() - 1_000));
          const before = readCpu();
          await recordBatch(rounds);
          const after = readCpu();
          cpu.all += after.all - before.all;
          cpu.main += after.main - before.main;
        }
      }
      return cpu;
    },
    close: () => recorder.close(),
  };
}

/** What a server does when it is not made for tests: pages whole after a checkpoint, and vacuums. */
async function settle(database: OpenDatabase): Promise<void> {
  if (database.engine === 'sqlite') return;
  for (const setting of [
    'full_page_writes = on',
    'autovacuum = on',
    `max_wal_size = '4GB'`,
    `checkpoint_timeout = '1h'`,
  ])
    await sql.raw(`alter system set ${setting}`).execute(database.scan);
  await sql`select pg_reload_conf()`.execute(database.scan);
  await sql`vacuum analyze monitor_state`.execute(database.scan);
  await sql`checkpoint`.execute(database.scan);
}

async function readPostgres(database: OpenDatabase) {
  const { rows } = await sql<Record<'disk' | 'wal' | 'hot' | 'updates', number> & { pids: string }>`
    select pg_database_size(current_database()) as disk,
      pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
      (select n_tup_hot_upd from pg_stat_user_tables where relname = 'monitor_state') as hot,
      (select n_tup_upd from pg_stat_user_tables where relname = 'monitor_state') as updates,
      (select string_agg(pid::text, ' ') from pg_stat_activity where datname = current_database()) as pids`.execute(
    database.read,
  );
  const { pids, ...sample } = rows[0]!;
  let server = 0;
  for (const pid of pids.split(' ')) server += await cpuSeconds(Number(pid)).catch(() => 0);
  return { ...sample, server };
}
