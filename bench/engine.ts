import { startBenchNameServer } from './name-server.ts';
import { familyUsage, folderBytes, startService, withFolder } from './process.ts';
import type { Service } from './process.ts';
import { preloadMixedMonitors } from './preload.ts';
import { preloadHistory, preloadLastHour, sumUpLastHour, summedUpTo } from './preload-history.ts';
import { report } from './report.ts';
import { startTarget } from './target.ts';

export interface EngineFigures {
  monitors: number;
  checksPerSecond: number;
  /** Milliseconds of CPU of all processes of the service. */
  cpuMsPerCheck: number;
  /** The same per round of all regions, called a beat by other programs. */
  cpuMsPerRound: number;
  cores: number;
  memoryMiB: number;
  lagP99Ms: number;
  skipped: number;
  unknownChecks: number;
  downChecks: number;
  lateChecks: number;
  bytesPerCheck: number;
  listP50Ms: number;
}

/**
 * Runs the whole service for that many seconds after it has settled, with targets by name of which some fail and some
 * hang.
 */
export async function measureEngine(options: {
  monitors: number;
  seconds: number;
  /**
   * Whether an hour of rounds is rolled up during the run. Three minutes are enough for 10,000 monitors, one is not.
   */
  withRollUp: boolean;
  /** Days of rounds and of roll-ups already stored. */
  history?: { rawDays: number; rollupDays: number };
}): Promise<EngineFigures> {
  return withFolder(async (folder) => {
    const target = await startTarget();
    const names = await startBenchNameServer();
    await preloadMixedMonitors(folder, options.monitors, target.port);
    if (options.history) await preloadHistory(folder, options.monitors, options.history);
    await preloadLastHour(folder, options.monitors);
    const service = await startService(folder, { RATE_LIMITS: 'off', DNS_SERVERS: names.address });
    try {
      await pause(SETTLE_MS);
      return await measure(service, folder, options);
    } finally {
      await service.stop();
      target.stop();
      names.stop();
    }
  });
}

/** Two intervals, so that every monitor has had its first round, and failures are confirmed. */
const SETTLE_MS = 75_000;

async function measure(
  service: Service,
  folder: string,
  { monitors, seconds, withRollUp }: { monitors: number; seconds: number; withRollUp: boolean },
): Promise<EngineFigures> {
  const before = await sample(service, folder);
  if (withRollUp) sumUpLastHour(folder);
  const summedUp = summedUpTo(folder);
  const latencies: number[] = [];
  const endsAt = performance.now() + seconds * 1000;
  while (performance.now() < endsAt) {
    const asked = performance.now();
    await (await service.get('/api/v1/monitors?per_page=20')).arrayBuffer();
    latencies.push(performance.now() - asked);
    await pause(1_000);
  }
  const after = await sample(service, folder);
  if (withRollUp && summedUpTo(folder) === summedUp)
    throw new Error('The hour was not summed up in this run.');
  const checks = after.checks - before.checks;
  const cpu = after.cpuSeconds - before.cpuSeconds;
  const elapsed = (after.at - before.at) / 1000;
  return {
    monitors,
    checksPerSecond: checks / elapsed,
    cpuMsPerCheck: (cpu * 1000) / checks,
    cpuMsPerRound: (cpu * 4000) / checks,
    cores: cpu / elapsed,
    memoryMiB: after.memoryMiB,
    lagP99Ms: histogramPercentile(before.lag, after.lag, 0.99) * 1000,
    skipped: after.skipped - before.skipped,
    unknownChecks: after.unknown - before.unknown,
    downChecks: after.down - before.down,
    lateChecks: after.late - before.late,
    bytesPerCheck: (after.bytes - before.bytes) / checks,
    listP50Ms: latencies.toSorted((a, b) => a - b)[latencies.length >> 1]!,
  };
}

async function sample(service: Service, folder: string) {
  const text = await service.metricsText();
  const usage = await familyUsage(service.pid);
  return {
    at: performance.now(),
    cpuSeconds: usage.cpuSeconds,
    memoryMiB: usage.memoryMiB,
    checks: await service.metric('tocsin_checks_total'),
    unknown: sumOf(text, 'tocsin_checks_total', 'vote="unknown"'),
    down: sumOf(text, 'tocsin_checks_total', 'vote="down"'),
    late: await service.metric('tocsin_checks_late_total'),
    skipped: sumOf(text, 'tocsin_slots_without_round_total', 'reason="skipped"'),
    lag: bucketsOf(text, 'tocsin_check_start_lag_seconds_bucket'),
    bytes: await folderBytes(folder),
  };
}

function sumOf(text: string, name: string, label: string): number {
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && line.includes(label));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

function bucketsOf(text: string, name: string): Map<number, number> {
  const buckets = new Map<number, number>();
  for (const [, bound, count] of text.matchAll(
    new RegExp(`^${name}\\{le="([^"]+)"\\} (\\d+)`, 'gm'),
  )) {
    buckets.set(bound === '+Inf' ? Infinity : Number(bound), Number(count));
  }
  return buckets;
}

/** Upper bound of the histogram bucket that contains that share of the new values, in the buckets' unit. */
function histogramPercentile(
  before: Map<number, number>,
  after: Map<number, number>,
  share: number,
): number {
  const counted = [...after].map(
    ([bound, count]) => [bound, count - (before.get(bound) ?? 0)] as const,
  );
  const total = counted.at(-1)?.[1] ?? 0;
  return counted.find(([, count]) => count >= total * share)?.[0] ?? Number.NaN;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** CPU per check of uptime-kuma, measured on a comparable machine (milliseconds). */
const PEER_CPU_MS = 2.4;

/**
 * `--monitors=N` (10,000), `--seconds=N` (300), `--history` to fill the store with 3 days of rounds and 90 days of
 * roll-ups first (takes minutes, and about 10 GB of disk).
 */
export async function run(options: string[]): Promise<void> {
  const monitors = numberOption(options, '--monitors', 10_000);
  const seconds = numberOption(options, '--seconds', 300);
  const history = options.includes('--history') ? { rawDays: 3, rollupDays: 90 } : undefined;
  const figures = await measureEngine({
    monitors,
    seconds,
    withRollUp: true,
    ...(history ? { history } : {}),
  });
  const expected = (monitors * 4) / 30;
  report(`engine, ${monitors.toLocaleString('en')} monitors, ${seconds} s`, [
    {
      name: 'checks',
      value: figures.checksPerSecond,
      unit: '/s',
      target: `≥ ${Math.round(expected * 0.99)}`,
      reached: figures.checksPerSecond >= expected * 0.99,
    },
    { name: 'slots skipped', value: figures.skipped, target: '0', reached: figures.skipped === 0 },
    { name: 'checks unknown', value: figures.unknownChecks },
    { name: 'checks down', value: figures.downChecks },
    { name: 'checks late', value: figures.lateChecks },
    {
      name: 'first packet late, p99',
      value: figures.lagP99Ms,
      unit: 'ms',
      target: '≤ 100',
      reached: figures.lagP99Ms <= 100,
    },
    { name: 'cores', value: figures.cores, target: '≤ 1', reached: figures.cores <= 1 },
    {
      name: 'CPU per check',
      value: figures.cpuMsPerCheck,
      unit: 'ms',
      target: `≤ ${PEER_CPU_MS / 10}`,
      reached: figures.cpuMsPerCheck <= PEER_CPU_MS / 10,
    },
    {
      name: 'CPU per round',
      value: figures.cpuMsPerRound,
      unit: 'ms',
    },
    {
      name: 'memory, all processes',
      value: figures.memoryMiB,
      unit: 'MiB',
      target: '≤ 600',
      reached: figures.memoryMiB <= 600,
    },
    {
      name: 'disk per check',
      value: figures.bytesPerCheck,
      unit: 'bytes',
      target: '≤ 25',
      reached: figures.bytesPerCheck <= 25,
    },
    { name: 'list of 20, p50', value: figures.listP50Ms, unit: 'ms' },
  ]);
}

export function numberOption(options: string[], name: string, otherwise: number): number {
  const found = options.find((option) => option.startsWith(`${name}=`));
  return found ? Number(found.slice(name.length + 1)) : otherwise;
}
