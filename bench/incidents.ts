import { withDatabase } from './database-place.ts';
import { watchHealth } from './health.ts';
import { numberOption, textOption } from './options.ts';
import { load } from './load.ts';
import { preloadIncidents } from './preload-incidents.ts';
import { preloadRounds } from './preload-history.ts';
import { inDatabase } from './preload.ts';
import { preloadTeam } from './preload-team.ts';
import { ADMIN_TOKEN, cpuSeconds, startService, withService, type Service } from './process.ts';
import { ms, percentile, report, type Figure } from './report.ts';

const DAY_MS = 86_400_000;
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
const day = (back: number) => new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10);

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
  await withDatabase(options, async (place) => {
    // The first start creates the team.
    await (await startService(place.dataDir, place.environment)).stop();
    await inDatabase(place.options, async (database) => {
      await preloadTeam(database, MONITORS);
      await preloadIncidents(database, incidents, MONITORS);
      await preloadRounds(database, 4, Date.now() - 3 * DAY_MS);
    });
    // Autovacuum does this later.
    if (place.engine === 'postgres') await place.execute('vacuum analyze');
    const name = `incidents, ${incidents.toLocaleString('en')} of one team, ${place.engine}`;
    report(
      name,
      await withService(place, (service) => measure(service, { incidents, seconds, only })),
    );
  });
}

async function measure(
  service: Service,
  { incidents, seconds, only }: { incidents: number; seconds: number; only: string },
): Promise<Figure[]> {
  const { port } = service;
  const figures: Figure[] = [];
  for (const [name, path, bound] of questions(incidents).filter(([each]) => each.includes(only))) {
    const health = watchHealth(service, PROBE_EVERY_MS);
    const asked = { port, paths: [path], token: ADMIN_TOKEN, connections: 1, seconds };
    const cpuBefore = await cpuSeconds(service.pid);
    const { p50Ms, p99Ms, requests } = await load(asked).catch((error: unknown) => {
      throw new Error(`${path} failed.`, { cause: error });
    });
    const times = await health.stop();
    const cpuMs = ((await cpuSeconds(service.pid)) - cpuBefore) * 1000;
    figures.push(
      ms(`${name}, p50`, p50Ms),
      ms('  p99', p99Ms, bound),
      ms('  CPU of each, with its probes', cpuMs / requests),
      {
        name: '  /healthz meanwhile, p99 and slowest',
        value: `${percentile(times, 0.99).toFixed(1)} and ${Math.max(...times).toFixed(1)} ms`,
      },
    );
  }
  return figures;
}
