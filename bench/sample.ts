import { familyUsage, machineCpuSeconds, sumOf, type Service } from './process.ts';
import { histogramPercentile, type Buckets } from './statistics.ts';

const SLOTS = 'tocsin_slots_without_round_total';
/** Counters of a service: the name of a metric, and what its labels contain. */
const COUNTERS = {
  checks: ['tocsin_checks_total', ''],
  down: ['tocsin_checks_total', 'vote="down"'],
  unknown: ['tocsin_checks_total', 'vote="unknown"'],
  due: ['tocsin_checks_due_total', ''],
  late: ['tocsin_checks_late_total', ''],
  /** That were stored and counted. */
  rounds: ['tocsin_rounds_total', 'outcome="counted"'],
  skipped: [SLOTS, 'reason="skipped"'],
  absorbed: [SLOTS, 'reason="absorbed"'],
  missed: [SLOTS, 'reason="missed'],
  caughtUp: ['tocsin_rounds_caught_up_total', ''],
} as const;

type Counts = Record<keyof typeof COUNTERS, number>;

/** Something for each of these counters. */
function eachCounter(value: (name: keyof Counts) => number): Counts {
  const names = Object.keys(COUNTERS) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Counts;
}

/** The counters in the text of a service's metrics. */
export function countsIn(metrics: string): Counts {
  return eachCounter((counter) => {
    const [name, label] = COUNTERS[counter];
    return sumOf(metrics, name, label);
  });
}

/** What a service has done and used since its start. */
export interface Sample extends Counts {
  /** Milliseconds of the monotonic clock. */
  at: number;
  cpuSeconds: number;
  /** Of all programs on the machine. */
  machineCpuSeconds: number;
  memoryMiB: number;
  lag: Buckets;
}

/** Reads CPU, memory and metrics of a running service. */
export async function takeSample(service: Service): Promise<Sample> {
  const text = await service.metricsText();
  return {
    ...(await familyUsage(service.pid)),
    at: performance.now(),
    machineCpuSeconds: await machineCpuSeconds(),
    ...countsIn(text),
    lag: bucketsOf(text, 'tocsin_check_start_lag_seconds_bucket'),
  };
}

/** What a service did between two samples. */
export interface Work extends Counts {
  seconds: number;
  checksPerSecond: number;
  cpuMsPerCheck: number;
  cpuMsPerRound: number;
  cores: number;
  /** Used by all programs on the machine. */
  machineCores: number;
  /** At the end. */
  memoryMiB: number;
  lagP99Ms: number;
}

/** The difference of two samples. */
export function workBetween(before: Sample, after: Sample): Work {
  const seconds = (after.at - before.at) / 1000;
  const cpuMs = (after.cpuSeconds - before.cpuSeconds) * 1000;
  const grown = eachCounter((name) => after[name] - before[name]);
  return {
    ...grown,
    seconds,
    checksPerSecond: grown.checks / seconds,
    cpuMsPerCheck: cpuMs / grown.checks,
    cpuMsPerRound: cpuMs / grown.rounds,
    cores: cpuMs / 1000 / seconds,
    machineCores: (after.machineCpuSeconds - before.machineCpuSeconds) / seconds,
    memoryMiB: after.memoryMiB,
    lagP99Ms: histogramPercentile(before.lag, after.lag, 0.99) * 1000,
  };
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
