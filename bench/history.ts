import { setTimeout as pause } from 'node:timers/promises';
import { engineTitle, withDatabase, type DatabasePlace } from './database-place.ts';
import { load } from './load.ts';
import { numberOption } from './options.ts';
import { preloadHistory, preloadRounds } from './preload-history.ts';
import { preloadSpans } from './preload-spans.ts';
import { inDatabase, preloadMonitors } from './preload.ts';
import { ADMIN_TOKEN, familyUsage, withService, type Service } from './process.ts';
import { atMost, report, type Figure } from './report.ts';
import { startTarget } from './target.ts';

const DAY_MS = 86_400_000;
const DAYS = 365;
const P50_MS = 3;
const P99_MS = 50;
const CPU_MS = 1.5;
const ASKED = 100;
const CONNECTIONS = 1;

/** Start of the service until its first work is done, and the time for which its own work is measured. */
const SETTLE_MS = 5_000;
const IDLE_MS = 5_000;
const WARM_UP_S = 2;

/** Pages of results of a day in four regions, and of one of them. */
const RESULTS = ['', 'page=2', 'page=40&per_page=50', 'page=3&per_page=100', 'region=nbg&page=5'];

/**
 * 1,000 monitors (`--monitors=N`) with a year of spans and roll-ups and a day of rounds, 100 of which are queried for the
 * hourly chart of the last 24 hours, for their daily uptime over 90 days and for pages of their results; `--seconds=N`
 * (10) each, one request after another, while all monitors are checked every five minutes. On Postgres with
 * `--engine=postgres`.
 */
export async function run(options: string[]): Promise<void> {
  const monitors = numberOption(options, '--monitors', 1_000);
  const seconds = numberOption(options, '--seconds', 10);
  await withDatabase(options, async (place) => {
    const target = await startTarget();
    const url = `http://127.0.0.1:${target.port}/`;
    await preloadMonitors(place.options, monitors, url, { interval: 5 });
    await preloadSpans(place.options, DAYS);
    await preloadHistory(place.options, monitors, { rawDays: 1, rollupDays: DAYS });
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    await inDatabase(place.options, (database) => preloadRounds(database, monitors, today));
    if (place.engine === 'postgres') await place.execute('vacuum analyze');
    const figures = await withService(place, (service) =>
      measure(service, place, { monitors, seconds }),
    ).finally(target.stop);
    const name = `history, ${monitors.toLocaleString('en')} monitors, a year, ${engineTitle(place)}`;
    report(name, figures);
  });
}

async function measure(
  service: Service,
  place: DatabasePlace,
  { monitors, seconds }: { monitors: number; seconds: number },
): Promise<Figure[]> {
  const { port } = service;
  const usage = async (): Promise<Usage> => ({
    service: (await familyUsage(service.pid)).cpuSeconds,
    server: await place.serverCpuSeconds(),
  });
  const idle = await idleUsage(usage);
  const of = (path: string) =>
    Array.from({ length: ASKED }, (_, n) => {
      const id = 1 + ((n * Math.max(1, Math.floor(monitors / ASKED))) % monitors);
      return `/api/v1/monitors/${id}/${path}`;
    });
  const ask = async (name: string, paths: string[]): Promise<Figure[]> => {
    const options = { port, paths, token: ADMIN_TOKEN, connections: CONNECTIONS };
    await load({ ...options, seconds: WARM_UP_S });
    const before = await usage();
    const { requests, p50Ms, p99Ms } = await load({ ...options, seconds });
    const after = await usage();
    const cpuMs = (from: number, to: number, idleCores: number) =>
      ((to - from - idleCores * seconds) * 1_000) / requests;
    return [
      atMost(`${name}, p50`, p50Ms, P50_MS, 'ms'),
      atMost(`${name}, p99`, p99Ms, P99_MS, 'ms'),
      atMost(`${name}, CPU`, cpuMs(before.service, after.service, idle.service), CPU_MS, 'ms'),
      ...(before.server === null
        ? []
        : [
            {
              name: `${name}, CPU of Postgres`,
              value: cpuMs(before.server, after.server!, idle.server!),
              unit: 'ms',
            },
          ]),
    ];
  };
  return [
    ...(await ask('24 hours by the hour', of(`uptime?from=${since(1)}&interval=hour`))),
    ...(await ask('90 days by the day', of(`uptime?from=${since(90)}&interval=day`))),
    ...(await ask(
      'pages of results',
      RESULTS.flatMap((query) => of(`results?${query}`)),
    )),
  ];
}

const since = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** CPU seconds of all processes of the service, and of the database server. */
interface Usage {
  service: number;
  server: number | null;
}

/** What the rounds take without requests, CPU seconds per second. */
async function idleUsage(usage: () => Promise<Usage>): Promise<Usage> {
  await pause(SETTLE_MS);
  const before = await usage();
  await pause(IDLE_MS);
  const after = await usage();
  const perSecond = (from: number, to: number) => (to - from) / (IDLE_MS / 1_000);
  return {
    service: perSecond(before.service, after.service),
    server: before.server === null ? null : perSecond(before.server, after.server!),
  };
}
