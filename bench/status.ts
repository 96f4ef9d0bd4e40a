import { setTimeout as pause } from 'node:timers/promises';
import { numberOption } from './options.ts';
import { converse, load } from './load.ts';
import { pingTokenOf } from './preload-jobs.ts';
import { preloadMonitors } from './preload.ts';
import { preloadPages, slugOf } from './preload-pages.ts';
import { cpuSeconds, startService, withFolder, withService, type Service } from './process.ts';
import { atLeast, exactly, ms, percentile, report, type Figure } from './report.ts';
import { startTarget } from './target.ts';

const SERVICES = 20;
const CONNECTIONS = 32;
const CORE_TARGET = 5_000;
const P99_TARGET_MS = 20;
/** As browsers send it. */
const HEADERS = 'accept-encoding: gzip, deflate, br\r\n';
const PING_EVERY_MS = 20;

/**
 * Public pages of 20 services while 10,000 monitors (`--monitors=N`) are checked each minute: views of one page over 32
 * kept connections for `--seconds=N` (10), with the latency of pings before and meanwhile; then all of 1,000 pages
 * (`--pages=N`) are viewed, changed by one maintenance window, and viewed again by all connections at once.
 */
export async function run(options: string[]): Promise<void> {
  const monitors = numberOption(options, '--monitors', 10_000);
  const pages = numberOption(options, '--pages', 1_000);
  const seconds = numberOption(options, '--seconds', 10);
  const target = await startTarget({ ports: 1 });
  await withFolder(async (folder) => {
    await (await startService(folder)).stop();
    await preloadMonitors(folder, monitors, `http://127.0.0.1:${target.port}/`, {
      interval: 1,
      regions: ['ash'],
    });
    await preloadPages(folder, {
      count: pages,
      monitors: Math.min(monitors, 1_000),
      services: SERVICES,
    });
    const environment = { ALLOW_PRIVATE_TARGETS: '127.0.0.1' };
    await withService({ dataDir: folder, environment }, async (service) => {
      const figures = await measureViews(service, seconds);
      figures.push(...(await measureStampede(service, pages, seconds)));
      report(`status, ${monitors.toLocaleString('en')} monitors`, figures);
    });
  });
  target.stop();
}

async function measureViews(service: Service, seconds: number): Promise<Figure[]> {
  const page = `/status/${slugOf(1)}`;
  const response = await fetch(service.url + page, { headers: { 'accept-encoding': 'br' } });
  const plain = Buffer.byteLength(await response.text());
  const quiet = await watched(service, seconds, () => pause(seconds * 1_000));
  await view(service, [page], 2);
  const busy = await watched(service, seconds, () => view(service, [page], seconds));
  const { requests, requestsPerSecond, p50Ms, p99Ms } = busy.found;
  const perCore = requests / (busy.cpu - quiet.cpu);
  return [
    { name: 'a page, plain bytes', value: plain },
    { name: '  sent with brotli', value: Number(response.headers.get('content-length')) },
    atLeast('views, one core', perCore, CORE_TARGET, 'per CPU s'),
    { name: '  per second', value: requestsPerSecond },
    ms('  p50', p50Ms),
    ms('  p99', p99Ms, P99_TARGET_MS),
    ms('pings without views, p99', quiet.pingP99),
    ms('  with views, p99', busy.pingP99),
    { name: 'checks late meanwhile', value: await service.metric('tocsin_checks_late_total') },
  ];
}

async function measureStampede(
  service: Service,
  pages: number,
  seconds: number,
): Promise<Figure[]> {
  const paths = Array.from({ length: pages }, (_, index) => `/status/${slugOf(index + 1)}`);
  for (const path of paths) await (await fetch(service.url + path)).arrayBuffer();
  const renders = () => service.metric('tocsin_status_page_renders_total');
  const before = await renders();
  const now = Date.now();
  await service.create('/api/v1/maintenance-windows', {
    name: 'All',
    // So far ahead that no announcement follows, which would be a second change.
    starts_at: new Date(now + 30 * 86_400_000).toISOString(),
    ends_at: new Date(now + 30 * 86_400_000 + 3_600_000).toISOString(),
  });
  await pause(600);
  const { p99Ms, requests } = await view(service, paths, seconds);
  while ((await service.metric('tocsin_status_pages_waiting')) > 0) await pause(100);
  const rendered = (await renders()) - before;
  return [
    exactly(`${pages.toLocaleString('en')} pages changed at once, rendered`, rendered, pages),
    { name: '  views meanwhile', value: requests },
    ms('  p99', p99Ms),
    {
      name: '  kept',
      value: (await service.metric('tocsin_status_pages_cached_bytes')) / 1024 / 1024,
      unit: 'MiB',
    },
  ];
}

const view = (service: Service, paths: string[], seconds: number) =>
  load({
    port: service.port,
    paths,
    token: '',
    headers: HEADERS,
    connections: CONNECTIONS,
    seconds,
  });

/** Runs work while pings are sent, and measures these and the CPU of the main process. */
async function watched<Found>(service: Service, seconds: number, work: () => Promise<Found>) {
  const before = await cpuSeconds(service.pid);
  const [found, pingP99] = await Promise.all([work(), latencyOfPings(service, seconds)]);
  return { found, cpu: (await cpuSeconds(service.pid)) - before, pingP99 };
}

/** Pings of a URL that no monitor has, 50 a second: they take the way of all others, and the database is asked. */
async function latencyOfPings(service: Service, seconds: number): Promise<number> {
  const latencies: number[] = [];
  const endsAt = performance.now() + seconds * 1_000;
  const text = `GET /ping/${pingTokenOf(1)} HTTP/1.1\r\nhost: bench\r\n\r\n`;
  while (performance.now() < endsAt) {
    let isSent = false;
    await converse(service.port, {
      next: () => (isSent ? null : ((isSent = true), { text })),
      answered: (_, { milliseconds }) => void latencies.push(milliseconds),
    });
    await pause(PING_EVERY_MS);
  }
  return percentile(latencies, 0.99);
}
