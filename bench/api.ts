import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../src/lib/clock.ts';
import type { Database } from '../src/store/database/contract.ts';
import { createMonitorList } from '../src/store/resources/monitor-list.ts';
import {
  createMonitorReads,
  NO_FILTER,
  type MonitorFilter,
  type MonitorSort,
  type Paging,
} from '../src/store/resources/monitors.ts';
import { inChild, serveParent } from './child.ts';
import { engineTitle, withDatabase } from './database-place.ts';
import { load, type LoadFigures } from './load.ts';
import { numberOption } from './options.ts';
import { preloadTeam, resumeSome } from './preload-team.ts';
import { inDatabase } from './preload.ts';
import { ADMIN_TOKEN, cpuSeconds, startService, withService, type Service } from './process.ts';
import { atLeast, ms, report, type Figure } from './report.ts';
import { startTarget } from './target.ts';

const LIST = '/api/v1/monitors';
const CONNECTIONS = 64;
const CORE_TARGET = 10_000;

/** Orders and filters covered by an index. */
const INDEXED: [Partial<MonitorFilter>, Partial<Paging<MonitorSort>>][] = [
  [{}, {}],
  [{}, { sort: 'url', direction: 'asc' }],
  [{}, { sort: 'check_interval' }],
  [{}, { sort: 'status', direction: 'asc' }],
  [{}, { offset: 400 }],
  [{ type: 'http' }, {}],
  [{ interval: 5 }, { sort: 'url' }],
  [{ status: 'offline' }, {}],
  [{ status: 'online', type: 'http' }, {}],
];
const SEARCHES = [
  'search=customer-77.',
  'search=no+such+url',
  'q=service+9999&sort=url',
  'q=team-7',
  'sort=last_checked_at',
].map((query) => `${LIST}?${query}`);
/** Another text in each request, as a page that is requested again is remembered. */
const OTHER_TEXTS = [`${LIST}?search=/health/{n}`];

/** Start of the service until its first rounds are stored. */
const SETTLE_MS = 8_000;
const IDLE_MS = 5_000;

/**
 * A team of 100,000 monitors (`--monitors=N`), some of which run, 20 per page: the rate of the store on one core, of HTTP
 * with 64 connections for `--seconds=N` (10) each, and of a bare node:http server with the same bytes. On Postgres with
 * `--engine=postgres`.
 */
export async function run(options: string[]): Promise<void> {
  const monitors = numberOption(options, '--monitors', 100_000);
  const seconds = numberOption(options, '--seconds', 10);
  const target = await startTarget();
  try {
    await withDatabase(options, async (place) => {
      // The first start creates the team.
      await (await startService(place.dataDir, place.environment)).stop();
      const figures = await inDatabase(place.options, async (database) => {
        await preloadTeam(database, monitors);
        await resumeSome(database, monitors, target.port);
        // Autovacuum does this later.
        if (place.engine === 'postgres') await place.execute('vacuum analyze');
        return measureStore(database, monitors);
      });
      const measure = (service: Service) => measureHttp(service, monitors, seconds);
      figures.push(...(await withService(place, measure)));
      report(`api, ${monitors.toLocaleString('en')} monitors, ${engineTitle(place)}`, figures);
    });
  } finally {
    target.stop();
  }
}

async function measureStore(database: Database, monitors: number): Promise<Figure[]> {
  const list = createMonitorList({ database, clock: systemClock });
  const paging = { sort: 'created_at', direction: 'desc', limit: 20, offset: 0 } as const;
  const reads = createMonitorReads(database);
  /** With all 20 rows: the service caches most of them and reads only their revisions from the store. */
  const page = async (asked: (typeof INDEXED)[number]) => {
    const { ids } = await list.page(1, { ...NO_FILTER, ...asked[0] }, { ...paging, ...asked[1] });
    return reads.whole(1, ids);
  };
  const lists = await perCore((turn) => page(INDEXED[turn % INDEXED.length]!));
  const newest = await perCore(() => page([{}, {}]));
  const single = await perCore((turn) => reads.whole(1, [1 + ((turn * 7919) % monitors)]));
  return [
    atLeast('store: list, newest first', newest, CORE_TARGET, 'per CPU s'),
    atLeast('store: lists, orders and filters in turn', lists, CORE_TARGET, 'per CPU s'),
    atLeast('store: single monitor', single, CORE_TARGET, 'per CPU s'),
  ];
}

/** Executions per second of this thread's CPU time. */
async function perCore(work: (turn: number) => Promise<unknown>): Promise<number> {
  const TURNS = 10_000;
  for (let turn = 0; turn < TURNS / 4; turn += 1) await work(turn);
  const before = process.threadCpuUsage();
  for (let turn = 0; turn < TURNS; turn += 1) await work(turn);
  const { user, system } = process.threadCpuUsage(before);
  return TURNS / ((user + system) / 1e6);
}

async function measureHttp(service: Service, monitors: number, seconds: number): Promise<Figure[]> {
  const { port } = service;
  const idle = await idleCores(service.pid);
  const ask = (paths: string[], connections = CONNECTIONS, duration = seconds) =>
    loadedBy(service.pid, { port, paths, connections, seconds: duration }, idle);
  const lists = INDEXED.map(([filter, paging]) => `${LIST}?${queryOf(filter, paging)}`);
  const orders = [
    'status=offline',
    'status=online&type=http',
    'interval=5&sort=url',
    'sort=last_checked_at',
  ].map((query) => `${LIST}?${query}`);
  const singles = Array.from({ length: 500 }, (_, n) => `${LIST}/${1 + ((n * 7919) % monitors)}`);
  await ask([...lists, ...singles], CONNECTIONS, 3);

  const newest = await ask([LIST]);
  const body = await (await service.get(LIST)).text();
  const raw = await measureRaw(body, seconds);
  const varied = await ask(lists);
  const single = await ask(singles);
  const oneBody = await (await service.get(singles[0]!)).text();
  const rawOne = await measureRaw(oneBody, seconds);
  const searches = await ask(SEARCHES, 2);
  const others = await ask(OTHER_TEXTS, 4);
  const odd = await ask([...orders, ...SEARCHES], 4);
  const deep = await ask(
    [3_000, 2_500, 4_990].map((page) => `${LIST}?page=${page}`),
    4,
  );
  const [beside, searching] = await Promise.all([ask(lists, 16), ask(SEARCHES, 1)]);
  return [
    ...shown('list, newest first', newest, 15),
    ratio('list / raw node:http', newest, raw),
    ...shown('lists, orders and filters in turn', varied, 15),
    ...shown('single monitor with history', single, 15),
    ratio('single / raw node:http', single, rawOne),
    ...shown('searches and order of the last check, 2 connections', searches, 100),
    ...shown('searches for new texts, 4 connections', others, 30),
    ...shown('odd orders and searches, 4 connections', odd, 30),
    ...shown('deep pages, 4 connections', deep, 100),
    ...shown('lists by 16 connections while one searches', beside, 15),
    ...shown('that one', searching, 100),
  ];
}

/** CPU seconds per second that the rounds take without requests. */
async function idleCores(pid: number): Promise<number> {
  await pause(SETTLE_MS);
  const before = await cpuSeconds(pid);
  await pause(IDLE_MS);
  return ((await cpuSeconds(pid)) - before) / (IDLE_MS / 1_000);
}

/** `perCore` is null when the requests took too little CPU time to separate it from that of the rounds. */
type Loaded = LoadFigures & { perCore: number | null };

/** Assumed difference between the CPU time of the rounds now and in the idle seconds, as a share of the latter. */
const IDLE_VARIES = 0.5;
/** Seconds. The system counts CPU time in hundredths of a second, so that a shorter time has a large error. */
const MIN_USED_S = 0.1;

/** Figures of a load, and requests answered per second of the CPU time that the server takes for them. */
async function loadedBy(
  pid: number,
  options: { port: number; paths: string[]; connections: number; seconds: number },
  idle = 0,
): Promise<Loaded> {
  const before = await cpuSeconds(pid);
  const figures = await load({ ...options, token: ADMIN_TOKEN });
  const ofRounds = idle * options.seconds;
  const used = (await cpuSeconds(pid)) - before - ofRounds;
  const isMeasurable = used >= Math.max(MIN_USED_S, ofRounds * IDLE_VARIES);
  return { ...figures, perCore: isMeasurable ? figures.requests / used : null };
}

async function measureRaw(body: string, seconds: number): Promise<Loaded> {
  const { child, first } = inChild<number>(import.meta.url, ['raw', body]);
  try {
    const options = { port: await first, paths: ['/'], connections: CONNECTIONS };
    await loadedBy(child.pid!, { ...options, seconds: 2 });
    return await loadedBy(child.pid!, { ...options, seconds });
  } finally {
    child.kill();
  }
}

if (process.argv[2] === 'raw') {
  const body = process.argv[3]!;
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('content-length', Buffer.byteLength(body));
    response.end(body);
  });
  serveParent(server);
}

function queryOf(
  filter: Partial<MonitorFilter>,
  { offset, ...paging }: Partial<Paging<MonitorSort>>,
) {
  const page = offset === undefined ? {} : { page: offset / 20 + 1 };
  return Object.entries({ ...filter, ...paging, ...page })
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function shown(name: string, loaded: Loaded, p99Target: number): Figure[] {
  const { perCore: value, p50Ms, p99Ms } = loaded;
  return [
    value === null ? { name, value: 'too little CPU time' } : { name, value, unit: 'per CPU s' },
    ms('  p50', p50Ms),
    ms('  p99', p99Ms, p99Target),
  ];
}

function ratio(name: string, ours: Loaded, raw: Loaded): Figure {
  if (ours.perCore === null || raw.perCore === null) return { name, value: 'too little CPU time' };
  return atLeast(name, ours.perCore / raw.perCore, 0.4, `(raw ${Math.round(raw.perCore)})`);
}
