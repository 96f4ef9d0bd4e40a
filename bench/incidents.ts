import { sql } from 'kysely';
import {
  openDatabase,
  type DatabaseOptions,
  type OpenDatabase,
} from '../src/store/database/database.ts';
import { numberOption, textOption } from './options.ts';
import { load } from './load.ts';
import { startPostgres } from './postgres.ts';
import { preloadIncidents } from './preload-incidents.ts';
import { preloadRounds } from './preload-rounds.ts';
import { preloadTeam } from './preload-team.ts';
import { ADMIN_TOKEN, cpuSeconds, startService, withFolder, type Service } from './process.ts';
import { percentile, report, type Figure } from './report.ts';

const MONITORS = 1_000;
const LIST = '/api/v1/incidents';
const LIST_MS = 20;
const RESULTS_MS = 5;
const DEEP_MS = 200;
/** Time between two requests that measure how long the service doesn't respond. */
const PROBE_EVERY_MS = 5;

/** Name, path and upper bound of the p99 in milliseconds. */
type Question = [name: string, path: string, bound: number];

/** Start of the UTC day this many days ago. */
const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);

function questions(incidents: number): Question[] {
  const lastPage = Math.ceil(incidents / 20);
  const list = (name: string, query: string, bound = LIST_MS): Question => [
    name,
    `${LIST}?${query}`,
    bound,
  ];
  return [
    list('newest first', ''),
    list('100 a page', 'per_page=100'),
    list('page 50', 'page=50'),
    list('status=open', 'status=open'),
    list('status=open, oldest first', 'status=open&sort=started_at'),
    list('status=resolved', 'status=resolved'),
    list('type=regional', 'type=regional'),
    list('type=domain, 200 old ones', 'type=domain'),
    list('severity=info', 'severity=info'),
    list('type=domain by duration', 'type=domain&sort=duration'),
    list('one month', `start_date=${day(60)}&end_date=${day(30)}`),
    list(
      'one month, type=ssl, resolved',
      `type=ssl&status=resolved&start_date=${day(60)}&end_date=${day(30)}`,
    ),
    list('sort=ended_at', 'sort=ended_at'),
    list('sort=ended_at, desc', 'sort=ended_at&direction=desc'),
    list('sort=duration, desc', 'sort=duration&direction=desc'),
    list('sort=status', 'sort=status'),
    list('sort=status, desc', 'sort=status&direction=desc'),
    list('severity=info by duration', 'severity=info&sort=duration'),
    list('monitor_id=500', 'monitor_id=500'),
    ['one monitor, by duration', '/api/v1/monitors/500/incidents?sort=duration', LIST_MS],
    ['a monitor with its newest', '/api/v1/monitors/500', LIST_MS],
    list('last page', `page=${lastPage}`),
    list('page in the middle', `page=${Math.floor(lastPage / 2)}`, DEEP_MS),
    list(
      'page in the middle, by duration',
      `sort=duration&page=${Math.floor(lastPage / 2)}`,
      DEEP_MS,
    ),
    ['results, page 1', '/api/v1/monitors/1/results', RESULTS_MS],
    ['results, page 800', '/api/v1/monitors/1/results?page=800', RESULTS_MS],
    ['results of one region', '/api/v1/monitors/1/results?region=sin', RESULTS_MS],
  ];
}

/**
 * One team with 1,000,000 incidents (`--incidents=N`) of 1,000 monitors, and three days of rounds every 30 s of four of
 * them. Queries each kind of list on one connection for `--seconds=N` (2), while another connection requests `/healthz`
 * every 5 ms, whose slowest response shows how long the service was blocked. `--engine=postgres` starts a Postgres
 * server for the benchmark; `--only=TEXT` runs the queries with this text in their names.
 */
export async function run(options: string[]): Promise<void> {
  const incidents = numberOption(options, '--incidents', 1_000_000);
  const seconds = numberOption(options, '--seconds', 2);
  const only = textOption(options, '--only') ?? '';
  const onPostgres = textOption(options, '--engine') === 'postgres';
  await withFolder(async (folder) => {
    const server = onPostgres ? await startPostgres() : null;
    try {
      const environment = server
        ? { DATABASE_URL: server.url, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
        : {};
      const place: DatabaseOptions = server
        ? { engine: 'postgres', url: server.url }
        : { engine: 'sqlite', directory: folder };
      // The first start creates the team.
      await (await startService(folder, environment)).stop();
      await fill(place, incidents);
      const service = await startService(folder, environment);
      try {
        const name = `incidents, ${incidents.toLocaleString('en')} of one team, ${place.engine}`;
        report(name, await measure(service, { incidents, seconds, only }));
      } finally {
        await service.stop();
      }
    } finally {
      await server?.stop();
    }
  });
}

async function fill(place: DatabaseOptions, incidents: number): Promise<void> {
  const database = await openDatabase(place);
  await preloadTeam(database, MONITORS);
  await preloadIncidents(database, incidents, MONITORS);
  await preloadRounds(database, 3, 4);
  if (place.engine === 'postgres') await vacuum(database);
  await database.close();
}

/** Autovacuum does this later. */
async function vacuum(database: OpenDatabase): Promise<void> {
  await sql`vacuum analyze`.execute(database.scan);
}

async function measure(
  service: Service,
  { incidents, seconds, only }: { incidents: number; seconds: number; only: string },
): Promise<Figure[]> {
  const port = Number(new URL(service.url).port);
  const figures: Figure[] = [];
  for (const [name, path, bound] of questions(incidents).filter(([each]) => each.includes(only))) {
    const probe = probeHealth(service);
    const asked = { port, paths: [path], token: ADMIN_TOKEN, connections: 1, seconds };
    const cpuBefore = await cpuSeconds(service.pid);
    const { p50Ms, p99Ms, requests } = await load(asked).catch((error: unknown) => {
      throw new Error(`${path} failed.`, { cause: error });
    });
    const slowest = await probe.stop();
    const cpuMs = ((await cpuSeconds(service.pid)) - cpuBefore) * 1000;
    figures.push(
      { name: `${name}, p50`, value: p50Ms, unit: 'ms' },
      { name: '  p99', value: p99Ms, unit: 'ms', target: `≤ ${bound}`, reached: p99Ms <= bound },
      { name: '  CPU of each, with its probes', value: cpuMs / requests, unit: 'ms' },
      {
        name: '  /healthz meanwhile, p99 and slowest',
        value: `${slowest.p99.toFixed(1)} and ${slowest.most.toFixed(1)} ms`,
      },
    );
  }
  return figures;
}

/** Requests `/healthz` until stopped, one request at a time. */
function probeHealth(service: Service) {
  const stop = new AbortController();
  const times: number[] = [];
  const ask = async () => {
    while (!stop.signal.aborted) {
      const askedAt = performance.now();
      await (await service.get('/healthz')).text();
      times.push(performance.now() - askedAt);
      await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
    }
  };
  // A failed benchmark stops the service, and with it this request.
  const asking = ask().catch(() => {});
  return {
    async stop() {
      stop.abort();
      await asking;
      return { p99: percentile(times, 0.99), most: Math.max(...times) };
    },
  };
}
