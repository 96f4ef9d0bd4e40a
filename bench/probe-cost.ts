import type { LayoutName } from './scale-layouts.ts';
import { coresOf, countOf } from './scale-report.ts';
import type { ScalingParts } from './scaling-parts.ts';
import type { Measured } from './scale-sample.ts';

/** What one probe process used at its share of a measured load. */
export interface ProbePoint {
  layout: LayoutName;
  monitors: number;
  /** Of one process, as are the cores. */
  checksPerSecond: number;
  cores: number;
}

/**
 * Cores of a probe process by its checks a second: a line, which the rate per process decides and not the layout. A process
 * that checks wakes up, sends and receives for each moment at which something is due, for one check or for twenty: that is
 * the fixed part.
 */
export interface ProbeCost {
  fixedCores: number;
  /** Core seconds. */
  cpuPerCheck: number;
  /** Below the lowest measured rate the line does not hold: from an idle process, each check costs as much as at that rate. */
  idleCores: number;
  slowCpuPerCheck: number;
}

/** Measured processes, the one with the fewest checks first; without the loads that are left out. */
export function probePoints(
  { layouts }: ScalingParts,
  leftOut: readonly Measured[] = [],
): ProbePoint[] {
  return layouts
    .flatMap(({ layout, loads }) => {
      const processes = countOf(layout, 'probe');
      if (processes === 0) return [];
      return loads
        .filter((load) => !leftOut.includes(load))
        .map((load) => ({
          layout,
          monitors: load.monitors,
          checksPerSecond: load.perSecond['checks']! / processes,
          cores: coresOf(load, 'probe') / processes,
        }));
    })
    .toSorted((a, b) => a.checksPerSecond - b.checksPerSecond);
}

/** Rates that differ by less are one rate: a line through them would follow their noise. */
const RATES_DIFFER = 1.2;

/**
 * The line of the least squares through the points. With a single rate, what exceeds the idle cores is divided by its checks.
 *
 * @param points the one with the fewest checks first, at least one.
 */
export function fitProbeCost(points: readonly ProbePoint[], idleCores: number): ProbeCost {
  const [slowest, fastest] = [points[0]!, points.at(-1)!];
  const slowCpuPerCheck = Math.max(0, slowest.cores - idleCores) / slowest.checksPerSecond;
  const rate = mean(points.map(({ checksPerSecond }) => checksPerSecond));
  const cores = mean(points.map((point) => point.cores));
  if (fastest.checksPerSecond < slowest.checksPerSecond * RATES_DIFFER) {
    const cpuPerCheck = Math.max(0, cores - idleCores) / rate;
    return { fixedCores: idleCores, cpuPerCheck, idleCores, slowCpuPerCheck: cpuPerCheck };
  }
  const sum = (read: (point: ProbePoint) => number) =>
    points.reduce((total, point) => total + read(point), 0);
  const cpuPerCheck =
    sum((point) => (point.checksPerSecond - rate) * (point.cores - cores)) /
    sum((point) => (point.checksPerSecond - rate) ** 2);
  return { fixedCores: cores - cpuPerCheck * rate, cpuPerCheck, idleCores, slowCpuPerCheck };
}

/** Cores that one process uses at this rate. */
export function probeCores(cost: ProbeCost, checksPerSecond: number): number {
  return Math.min(
    cost.fixedCores + cost.cpuPerCheck * checksPerSecond,
    cost.idleCores + cost.slowCpuPerCheck * checksPerSecond,
  );
}

/** Checks a second at which one process uses this number of cores. */
export function probeRate(cost: ProbeCost, cores: number): number {
  return Math.max(
    (cores - cost.fixedCores) / cost.cpuPerCheck,
    (cores - cost.idleCores) / cost.slowCpuPerCheck,
  );
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
