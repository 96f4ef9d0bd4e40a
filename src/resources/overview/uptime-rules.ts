import { z } from 'zod';
import type { Uptime } from '../../engine/history/uptime.ts';
import { MONITOR_STATUSES } from '../../model/monitor.ts';
import { unobservedSince, type Observation } from '../../model/observation.ts';
import type { MonitorStanding } from '../../store/resources/overview.ts';

/**
 * Status of a monitor in overviews, where a paused one counts as paused alone, and one whose status is not known any more as
 * not observed alone.
 */
export const STANDINGS = [...MONITOR_STATUSES, 'paused', 'not_observed'] as const;
export type Standing = (typeof STANDINGS)[number];

const count = z.int().min(0);

/** Number of monitors of each status. A paused one counts as paused alone. */
export const standingCounts = {
  online: count,
  degraded: count,
  offline: count,
  pending: count.meta({ description: 'Without a first verdict.' }),
  paused: count.meta({ description: 'Whatever their status; not counted in the others.' }),
  not_observed: count.meta({
    description:
      'Whatever their last status: their checks do not come, or pings are not taken. Not counted in the others.',
  }),
};

/** What the standing of a monitor follows from. */
type Standable = Observation & Pick<MonitorStanding, 'status'>;

export function standingOf(monitor: Standable, now: number): Standing {
  if (monitor.isPaused) return 'paused';
  return unobservedSince(monitor, now) === null ? monitor.status : 'not_observed';
}

/** Number of monitors of each status: each is counted once. */
export function countStandings(monitors: readonly Standable[], now: number) {
  const counts = { online: 0, offline: 0, degraded: 0, pending: 0, paused: 0, not_observed: 0 };
  for (const monitor of monitors) counts[standingOf(monitor, now)] += 1;
  return counts;
}

/** A monitor with its uptime during a period. */
export interface MeasuredMonitor {
  id: number;
  uptime: Uptime;
  /** Number of its incidents that began in the period. */
  incidents: number;
}

/**
 * Orders monitors from the worst: by the least uptime, then the most downtime, then the most incidents. Those that were
 * not observed come last. Ties by id.
 */
export function byUptime(one: MeasuredMonitor, other: MeasuredMonitor): number {
  return (
    (one.uptime.uptimePercent ?? Infinity) - (other.uptime.uptimePercent ?? Infinity) ||
    other.uptime.downMs - one.uptime.downMs ||
    other.incidents - one.incidents ||
    one.id - other.id
  );
}

/**
 * Mean uptime of monitors, each of the same weight: of those that were observed, and of those with a period that is not
 * empty; null without any. Percentages to three decimals, rounded down.
 */
export function meanUptime(uptimes: readonly Uptime[]) {
  return {
    uptimePercent: flooredMean(uptimes.map(uptimeShare)),
    observedPercent: flooredMean(uptimes.map(observedShare)),
    downMs: uptimes.reduce((sum, { downMs }) => sum + downMs, 0),
  };
}

/** Percentages of one monitor, to three decimals and never rounded up, as in its own uptime (contract 24.9). */
export function percentagesOf(uptime: Uptime) {
  const { uptimePercent, observedPercent } = meanUptime([uptime]);
  return { uptime_percent: uptimePercent, observed_percent: observedPercent };
}

/** Thousandths of a percent, in which shares are summed before they are rounded down. */
const SCALE = 100_000;

/** @returns a number up to `SCALE`; null when nothing was observed. */
function uptimeShare({ upMs, degradedMs, downMs }: Uptime): number | null {
  const up = upMs + degradedMs;
  return up + downMs > 0 ? (up * SCALE) / (up + downMs) : null;
}

function observedShare({ upMs, degradedMs, downMs, excludedMs, unobservedMs }: Uptime) {
  const observed = upMs + degradedMs + downMs + excludedMs;
  const period = observed + unobservedMs;
  return period > 0 ? (observed * SCALE) / period : null;
}

function flooredMean(shares: readonly (number | null)[]): number | null {
  const known = shares.filter((share) => share !== null);
  if (known.length === 0) return null;
  return Math.floor(known.reduce((sum, share) => sum + share, 0) / known.length) / 1_000;
}
