import {
  emptyHistogram,
  mergeInto,
  percentile,
  type Histogram,
} from '../engine/history/summary.ts';
import type { Availability } from '../engine/history/availability.ts';
import type { Durations, Figures, OtherFigures, Percentiles } from './model.ts';

/** Measurements that figures are computed from. Sums of several monitors are of the same form, so a total is computed as one monitor is. */
export interface Measured extends Durations {
  outages: number;
  responseTimes: Histogram;
}

export function measuredOf(found: Availability): Measured {
  const { outages, responseTimes } = found;
  return { ...durationsOf(found), outages, responseTimes };
}

const DURATIONS = ['upMs', 'degradedMs', 'downMs', 'excludedMs', 'unobservedMs'] as const;

const eachDuration = (of: (name: keyof Durations) => number) =>
  Object.fromEntries(DURATIONS.map((name) => [name, of(name)])) as Record<keyof Durations, number>;

export const durationsOf = (times: Durations): Durations => eachDuration((name) => times[name]);

/**
 * Sum of several monitors: each counts by the time that it was observed. So a monitor that was created last week weighs
 * less in the total than one that was observed all month.
 */
export function sumOf(parts: readonly Measured[]): Measured {
  const responseTimes = emptyHistogram();
  for (const part of parts) mergeInto(responseTimes, part.responseTimes);
  const outages = parts.reduce((sum, part) => sum + part.outages, 0);
  return { ...sumOfDurations(parts), outages, responseTimes };
}

export const sumOfDurations = (parts: readonly Durations[]): Durations =>
  eachDuration((name) => parts.reduce((sum, part) => sum + part[name], 0));

export function figuresOf(measured: Measured): Figures {
  const { outages, responseTimes, ...durations } = measured;
  const up = measured.upMs + measured.degradedMs;
  return {
    ...durations,
    ...percentsOf(measured),
    outages,
    mttrMs: outages === 0 ? null : measured.downMs / outages,
    mtbfMs: outages === 0 ? null : up / outages,
    responseTimes: percentilesOf(responseTimes),
  };
}

/** Figures with the other choice about corrections; null where they are the same. */
export function otherFiguresOf(main: Durations, other: Durations): OtherFigures | null {
  if (DURATIONS.every((name) => main[name] === other[name])) return null;
  return { ...percentsOf(other), downMs: other.downMs, excludedMs: other.excludedMs };
}

export function percentsOf({ upMs, degradedMs, downMs, excludedMs, unobservedMs }: Durations) {
  const up = upMs + degradedMs;
  const observed = up + downMs + excludedMs;
  return {
    uptimePercent: flooredPercent(up, up + downMs),
    observedPercent: flooredPercent(observed, observed + unobservedMs),
  };
}

export function percentilesOf(times: Histogram): Percentiles {
  const [p50, p95, p99] = [50, 95, 99].map((percent) => {
    const found = percentile(times, percent);
    return found === null ? null : Math.round(found * 10) / 10;
  }) as [number | null, number | null, number | null];
  return { p50, p95, p99, count: times.count };
}

/** Percentage to three decimals, never rounded up, so that 100 is exact; null when `whole` is 0. */
export function flooredPercent(part: number, whole: number): number | null {
  return whole > 0 ? Math.floor((part * 100_000) / whole) / 1_000 : null;
}
