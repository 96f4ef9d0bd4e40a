import { cp, readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { load } from './load.ts';
import { textOption } from './options.ts';
import { loadWithPings } from './ping-load.ts';
import { preloadJobs } from './preload-jobs.ts';
import { inDatabase, preloadMonitors } from './preload.ts';
import { preloadRounds } from './preload-history.ts';
import { preloadTeam } from './preload-team.ts';
import {
  ADMIN_TOKEN,
  familyUsage,
  startService,
  withFolder,
  withService,
  type Service,
} from './process.ts';
import { ms, report, type Figure } from './report.ts';
import { takeSample, workBetween } from './sample.ts';
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
/** Time for which the monitors have rounds whose results are listed. */
const DAY_MS = 86_400_000;

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
    return withService(folder, measureRequests);
  });
}

/** Paused monitors with a day of rounds of four of them, and push monitors. */
async function prepare(folder: string): Promise<void> {
  // The first start creates the team, and builds the dashboard.
  await (await startService(folder)).stop();
  await inDatabase(folder, async (database) => {
    await preloadTeam(database, MONITORS);
    await preloadRounds(database, 4, Date.now() - DAY_MS);
  });
  await preloadJobs(folder, JOBS, MONITORS);
}

async function measureRequests(service: Service): Promise<Figure[]> {
  const { port } = service;
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
  return ms(name, ((after.cpuSeconds - before.cpuSeconds) * 1000) / requests);
}

/** CPU of a check whose round is stored. */
async function measureChecks(): Promise<Figure> {
  return withFolder(async (folder) => {
    const target = await startTarget({ ports: 1 });
    await preloadMonitors(folder, CHECKED, `http://127.0.0.1:${target.port}/`);
    return withService(folder, async (service) => {
      await pause(CHECKS_WARM_UP_MS);
      const before = await takeSample(service);
      await pause(CHECKS_MS);
      const { cpuMsPerCheck } = workBetween(before, await takeSample(service));
      return ms('CPU per check, stored', cpuMsPerCheck);
    }).finally(target.stop);
  });
}
