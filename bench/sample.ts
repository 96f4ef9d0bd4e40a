import { familyUsage, machineCpuSeconds, type Service } from './process.ts';
import { histogramPercentile, type Buckets } from './statistics.ts';

/** What a service has done and used since its start. */
export interface Sample {
  /** Milliseconds of the monotonic clock. */
  at: number;
  cpuSeconds: number;
  /** Of all programs on the machine. */
  machineCpuSeconds: number;
  memoryMiB: number;
  checks: number;
  up: number;
  down: number;
  unknown: number;
  due: number;
  late: number;
  /** Rounds that were stored and counted. */
  rounds: number;
  skipped: number;
  absorbed: number;
  missed: number;
  caughtUp: number;
  lag: Buckets;
}

/** Reads CPU, memory and metrics of a running service. */
export async function takeSample(service: Service): Promise<Sample> {
  const text = await service.metricsText();
  const { cpuSeconds, memoryMiB } = await familyUsage(service.pid);
  const slots = (reason: string) => sumOf(text, 'tocsin_slots_without_round_total', reason);
  const votes = (vote: string) => sumOf(text, 'tocsin_checks_total', `vote="${vote}"`);
  return {
    at: performance.now(),
    cpuSeconds,
    machineCpuSeconds: await machineCpuSeconds(),
    memoryMiB,
    checks: sumOf(text, 'tocsin_checks_total'),
    up: votes('up'),
    down: votes('down'),
    unknown: votes('unknown'),
    due: sumOf(text, 'tocsin_checks_due_total'),
    late: sumOf(text, 'tocsin_checks_late_total'),
    rounds: sumOf(text, 'tocsin_rounds_total', 'outcome="counted"'),
    skipped: slots('reason="skipped"'),
    absorbed: slots('reason="absorbed"'),
    missed: slots('reason="missed'),
    caughtUp: sumOf(text, 'tocsin_rounds_caught_up_total'),
    lag: bucketsOf(text, 'tocsin_check_start_lag_seconds_bucket'),
  };
}

/** What a service did between two samples. */
export interface Work {
  seconds: number;
  checks: number;
  rounds: number;
  checksPerSecond: number;
  cpuMsPerCheck: number;
  cpuMsPerRound: number;
  cores: number;
  /** Used by all programs on the machine. */
  machineCores: number;
  /** At the end. */
  memoryMiB: number;
  lagP99Ms: number;
  down: number;
  unknown: number;
  due: number;
  late: number;
  skipped: number;
  absorbed: number;
  missed: number;
  caughtUp: number;
}

/** The difference of two samples. */
export function workBetween(before: Sample, after: Sample): Work {
  const seconds = (after.at - before.at) / 1000;
  const cpuMs = (after.cpuSeconds - before.cpuSeconds) * 1000;
  const checks = after.checks - before.checks;
  const rounds = after.rounds - before.rounds;
  const grown = (key: 'down' | 'unknown' | 'due' | 'late' | SlotCount) => after[key] - before[key];
  return {
    seconds,
    checks,
    rounds,
    checksPerSecond: checks / seconds,
    cpuMsPerCheck: cpuMs / checks,
    cpuMsPerRound: cpuMs / rounds,
    cores: cpuMs / 1000 / seconds,
    machineCores: (after.machineCpuSeconds - before.machineCpuSeconds) / seconds,
    memoryMiB: after.memoryMiB,
    lagP99Ms: histogramPercentile(before.lag, after.lag, 0.99) * 1000,
    down: grown('down'),
    unknown: grown('unknown'),
    due: grown('due'),
    late: grown('late'),
    skipped: grown('skipped'),
    absorbed: grown('absorbed'),
    missed: grown('missed'),
    caughtUp: grown('caughtUp'),
  };
}

type SlotCount = 'skipped' | 'absorbed' | 'missed' | 'caughtUp';

/** Sum of a metric's values over its labels, or over those that contain a text. */
export function sumOf(text: string, name: string, label = ''): number {
  const lines = text
    .split('\n')
    .filter(
      (line) => line.startsWith(name) && /[ {]/.test(line[name.length]!) && line.includes(label),
    );
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

function bucketsOf(text: string, name: string): Buckets {
  const buckets = new Map<number, number>();
  for (const [, bound, count] of text.matchAll(
    new RegExp(`^${name}\\{le="([^"]+)"\\} (\\d+)`, 'gm'),
  )) {
    buckets.set(bound === '+Inf' ? Infinity : Number(bound), Number(count));
  }
  return buckets;
}
