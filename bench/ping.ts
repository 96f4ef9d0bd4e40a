import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../src/store/database/contract.ts';
import { numberOption } from './options.ts';
import { loadWithPings, pingUntilGone } from './ping-load.ts';
import { startPingServer } from './ping-server.ts';
import { preloadJobs } from './preload-jobs.ts';
import { inDatabase } from './preload.ts';
import { cpuSeconds, familyUsage, startService, withFolder, withService } from './process.ts';
import { atLeast, ms, none, report, type Figure } from './report.ts';
import type { LoadFigures } from './load.ts';

const CONNECTIONS = [64, 512];
const CORE_TARGET = 15_000;
const COMMITS_TARGET = 8;
/** Same as in the service. */
const MAX_BATCH = 1_000;
const KEPT_PER_JOB = 1_000;

/**
 * Pings of 1,000 push monitors (`--monitors=N`), alternately GET and POST with a body of 200 bytes, `--seconds=N` (10)
 * each over 64 and over 512 kept connections: against the service as started; against its route, ingest and store alone
 * with commits of up to 1,000 pings and with one commit per ping; and against a bare node:http server with the same
 * response. Then the service is killed under load, `--kills=N` (5) times, and the acknowledged pings are looked up.
 */
export async function run(options: string[]): Promise<void> {
  const jobs = numberOption(options, '--monitors', 1_000);
  const seconds = numberOption(options, '--seconds', 10);
  const kills = numberOption(options, '--kills', 5);
  const figures: Figure[] = [];
  const service = await onFreshJobs(jobs, (folder) =>
    withService(folder, ({ pid, port }) => measure(pid, port, jobs, seconds)),
  );
  const grouped = await onFreshJobs(jobs, (dataDir) =>
    measureServer({ dataDir, maxBatch: MAX_BATCH }, jobs, seconds),
  );
  const single = await onFreshJobs(jobs, (dataDir) =>
    measureServer({ dataDir, maxBatch: 1 }, jobs, seconds),
  );
  const bare = await measureServer('bare', jobs, seconds);
  for (const [index, connections] of CONNECTIONS.entries()) {
    figures.push(
      ...serviceFigures(connections, service[index]!, bare[index]!),
      ...commitFigures(connections, grouped[index]!, single[index]!),
    );
  }
  figures.push(...(await measureKills(jobs, kills)));
  report(`ping, ${jobs.toLocaleString('en')} monitors`, figures);
}

async function onFreshJobs<T>(jobs: number, work: (folder: string) => Promise<T>): Promise<T> {
  return withFolder(async (folder) => {
    await preloadJobs(folder, jobs);
    return work(folder);
  });
}

interface Loaded extends LoadFigures {
  /** Pings acknowledged per CPU second of the server's main process. */
  perCore: number;
  /** The same for all its processes. */
  perCoreOfAll: number;
}

async function measureServer(
  kind: Parameters<typeof startPingServer>[0],
  jobs: number,
  seconds: number,
): Promise<Loaded[]> {
  const server = await startPingServer(kind);
  try {
    return await measure(server.pid, server.port, jobs, seconds);
  } finally {
    await server.stop();
  }
}

async function measure(pid: number, port: number, jobs: number, seconds: number) {
  await loadWithPings({ port, jobs, connections: CONNECTIONS[0]!, seconds: 3 });
  const found: Loaded[] = [];
  for (const connections of CONNECTIONS) {
    const before = [await cpuSeconds(pid), (await familyUsage(pid)).cpuSeconds] as const;
    const figures = await loadWithPings({ port, jobs, connections, seconds });
    const after = [await cpuSeconds(pid), (await familyUsage(pid)).cpuSeconds] as const;
    found.push({
      ...figures,
      perCore: figures.requests / (after[0] - before[0]),
      perCoreOfAll: figures.requests / (after[1] - before[1]),
    });
  }
  return found;
}

function serviceFigures(connections: number, ours: Loaded, bare: Loaded): Figure[] {
  return [
    atLeast(`${connections} connections, acknowledged`, ours.perCore, CORE_TARGET, 'per CPU s'),
    { name: '  per CPU second of all processes', value: ours.perCoreOfAll },
    { name: '  per second', value: ours.requestsPerSecond },
    ms('  p50', ours.p50Ms),
    ms('  p99', ours.p99Ms),
    { name: '  bare node:http', value: bare.perCore, unit: 'per CPU s' },
    { name: '  ours / bare', value: ours.perCore / bare.perCore },
  ];
}

function commitFigures(connections: number, grouped: Loaded, single: Loaded): Figure[] {
  const ratio = grouped.requestsPerSecond / single.requestsPerSecond;
  return [
    { name: '  route and store alone, per second', value: grouped.requestsPerSecond },
    { name: '  the same, one commit each', value: single.requestsPerSecond },
    atLeast(`  grouped / one commit each, ${connections} connections`, ratio, COMMITS_TARGET),
    { name: '  the same by CPU', value: grouped.perCore / single.perCore },
  ];
}

async function measureKills(jobs: number, kills: number): Promise<Figure[]> {
  let acknowledged = 0;
  let lost = 0;
  let broken = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const connections = CONNECTIONS[kill % CONNECTIONS.length]!;
    // Few enough per job that retention deletes none before they are counted.
    const afterMs = 500 + Math.random() * 1_500;
    const found = await onFreshJobs(jobs, (folder) =>
      killUnderLoad(folder, jobs, connections, afterMs),
    );
    acknowledged += found.acknowledged;
    lost += found.lost;
    broken += found.broken;
  }
  return [
    atLeast(`killed ${kills} times, acknowledged`, acknowledged, 1),
    none('  of these lost', lost),
    none('  jobs with a hole', broken),
  ];
}

async function killUnderLoad(folder: string, jobs: number, connections: number, afterMs: number) {
  const service = await startService(folder);
  const pinging = pingUntilGone({ port: service.port, jobs, connections });
  while ((await service.metric('tocsin_pings_total')) === 0) await pause(20);
  await pause(afterMs);
  process.kill(service.pid, 'SIGKILL');
  const acknowledged = await pinging;
  await (await startService(folder)).stop();

  const { rids, broken } = await inDatabase(folder, pingsFound);
  const lost = acknowledged.filter((rid) => !rids.has(rid)).length;
  return { acknowledged: acknowledged.length, lost, broken };
}

/** The runs whose pings are stored, and the number of jobs whose ping count is wrong. */
async function pingsFound(database: Database): Promise<{ rids: Set<number>; broken: number }> {
  const pings = await database.read.selectFrom('ping').select('run_id').execute();
  const counts = await database.read
    .selectFrom('monitor_state')
    .leftJoin('ping', 'ping.monitor_id', 'monitor_state.monitor_id')
    .select((eb) => [
      'monitor_state.ping_count as counted',
      eb.fn.count<number>('ping.number').as('kept'),
      eb.fn.max('ping.number').as('newest'),
    ])
    .groupBy('monitor_state.monitor_id')
    .execute();
  if (counts.some(({ counted }) => counted >= KEPT_PER_JOB)) {
    throw new Error('A job had so many pings that retention may have removed some.');
  }
  const broken = counts.filter(
    ({ counted, kept, newest }) => counted !== kept || counted !== (newest ?? 0),
  );
  return { rids: new Set(pings.map(({ run_id }) => Number(run_id))), broken: broken.length };
}
