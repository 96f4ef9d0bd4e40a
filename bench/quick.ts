import { cp, readdir } from 'node:fs/promises';
import { openDatabase } from '../src/store/database/database.ts';
import { load } from './load.ts';
import { textOption } from './options.ts';
import { loadWithPings } from './ping-load.ts';
import { preloadJobs } from './preload-jobs.ts';
import { preloadMonitors } from './preload.ts';
import { preloadRounds } from './preload-rounds.ts';
import { preloadTeam } from './preload-team.ts';
import { ADMIN_TOKEN, familyUsage, startService, withFolder, type Service } from './process.ts';
import { report, type Figure } from './report.ts';
import { pause } from './pause.ts';
import { startTarget } from './target.ts';

const MONITORS = 2_000;
const JOBS = 500;
const CHECKED = 15_000;
const CONNECTIONS = 16;
const WARM_UP_S = 0.6;
const LOAD_S = 1.2;
const IDLE_MS = 1_500;
const CHECKS_WARM_UP_MS = 2_000;
const CHECKS_MS = 4_000;
/** Days of rounds of the monitors whose results are listed. */
const DAYS = 1;

/**
 * A few short measurements of costs, as CPU time of all processes of the service, and its memory when idle. They are
 * for comparing two revisions on the same machine at the same time: `--quick` does that. `--only=requests` or
 * `--only=checks` runs a part; `--data=FOLDER` keeps the prepared database there and uses it again.
 */
export async function run(options: string[]): Promise<void> {
  const only = textOption(options, '--only');
  const data = textOption(options, '--data');
  const figures: Figure[] = [];
  if (only !== 'checks') {
    figures.push(...(await (data === null ? withFolder(onPrepared) : onPrepared(data))));
  }
  if (only !== 'requests') figures.push(await measureChecks());
  report('quick', figures);
}

async function onPrepared(template: string): Promise<Figure[]> {
  if ((await readdir(template)).length === 0) await prepare(template);
  return withFolder(async (folder) => {
    await cp(template, folder, { recursive: true });
    const service = await startService(folder);
    try {
      return await measureRequests(service);
    } finally {
      await service.stop();
    }
  });
}

/** Paused monitors with a day of rounds of four of them, and push monitors. */
async function prepare(folder: string): Promise<void> {
  // The first start creates the team, and builds the dashboard.
  await (await startService(folder)).stop();
  const database = await openDatabase({ engine: 'sqlite', directory: folder });
  await preloadTeam(database, MONITORS);
  await preloadRounds(database, DAYS, 4);
  await database.close();
  await preloadJobs(folder, JOBS, MONITORS);
}

async function measureRequests(service: Service): Promise<Figure[]> {
  const port = Number(new URL(service.url).port);
  await pause(IDLE_MS);
  const { memoryMiB } = await familyUsage(service.pid);
  const get = (paths: string[]) => (seconds: number) =>
    load({ port, paths, token: ADMIN_TOKEN, connections: CONNECTIONS, seconds });
  const lists = ['', '?sort=url', '?type=http', '?page=20'].map(
    (query) => `/api/v1/monitors${query}`,
  );
  const results = [1, 2, 3, 4].map((id) => `/api/v1/monitors/${id}/results?page=${id * 7}`);
  const pings = (seconds: number) =>
    loadWithPings({ port, jobs: JOBS, connections: CONNECTIONS, seconds });
  return [
    { name: 'memory, idle', value: memoryMiB, unit: 'MiB' },
    await costOf(service, 'CPU per list of monitors', get(lists)),
    await costOf(service, 'CPU per page of results', get(results)),
    await costOf(service, 'CPU per ping', pings),
  ];
}

async function costOf(
  service: Service,
  name: string,
  work: (seconds: number) => Promise<{ requests: number }>,
): Promise<Figure> {
  await work(WARM_UP_S);
  const before = await familyUsage(service.pid);
  const { requests } = await work(LOAD_S);
  const after = await familyUsage(service.pid);
  const cpuMs = (after.cpuSeconds - before.cpuSeconds) * 1000;
  return { name, value: cpuMs / requests, unit: 'ms' };
}

/** CPU of a check whose round is stored. */
async function measureChecks(): Promise<Figure> {
  return withFolder(async (folder) => {
    const target = await startTarget({ ports: 1 });
    await preloadMonitors(folder, CHECKED, `http://127.0.0.1:${target.port}/`);
    const service = await startService(folder);
    try {
      await pause(CHECKS_WARM_UP_MS);
      const before = await sample(service);
      await pause(CHECKS_MS);
      const after = await sample(service);
      const value =
        ((after.cpuSeconds - before.cpuSeconds) * 1000) / (after.checks - before.checks);
      return { name: 'CPU per check, stored', value, unit: 'ms' };
    } finally {
      await service.stop();
      target.stop();
    }
  });
}

async function sample(service: Service) {
  const { cpuSeconds } = await familyUsage(service.pid);
  return { cpuSeconds, checks: await service.metric('tocsin_checks_total') };
}
