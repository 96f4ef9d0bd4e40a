import { MARK_HOLDS_MS, OBSERVED_INDEFINITELY } from './heartbeat.ts';

/** What decides until when the status of a monitor is known. Times are epoch milliseconds. */
export interface Observation {
  status: string;
  isPaused: boolean;
  /** End of what the newest verdict covers, as stored (`MonitorState`, `Heartbeat`); null before the first. */
  observedUntil: number | null;
  /** `check_interval` in minutes; null for push monitors. */
  checkInterval: number | null;
  /** When a process last recorded that it takes pings; null when none ever did. */
  aliveAt: number | null;
}

/** Longest time that a round takes: the largest `request_timeout`. */
const MAX_ROUND_MS = 60_000;
const MINUTE_MS = 60_000;

/** Time by which a round may start late, in milliseconds. */
const startToleranceMs = (intervalMs: number) => Math.max(5_000, intervalMs / 10);

/** End of the time that a verdict on a round covers: until the next one is due, and may start a little late (contract 24.12). */
export function endOfCover(startedAt: number, intervalMs: number): number {
  return startedAt + intervalMs + startToleranceMs(intervalMs);
}

/**
 * Time until which the status of a monitor is known (contract 6.30): the end of what its newest verdict covers; for a push
 * monitor, the end of what the newest mark covers. Null while it is pending or paused.
 */
export function knownUntil({ observedUntil, aliveAt, ...monitor }: Observation): number | null {
  if (monitor.isPaused || monitor.status === 'pending' || observedUntil === null) return null;
  if (observedUntil < OBSERVED_INDEFINITELY) return observedUntil;
  return aliveAt === null ? null : aliveAt + MARK_HOLDS_MS;
}

/**
 * Time from which a monitor counts as not observed unless another verdict or mark comes; null for one that is pending or
 * paused. The round that was due by `knownUntil` may still run, for a minute at most, and no longer than until two intervals
 * have passed since the last one began.
 */
export function unobservedFrom(monitor: Observation): number | null {
  const until = knownUntil(monitor);
  return until === null ? null : until + graceMs(monitor.checkInterval);
}

function graceMs(checkInterval: number | null): number {
  if (checkInterval === null) return MAX_ROUND_MS;
  const intervalMs = checkInterval * MINUTE_MS;
  return Math.min(MAX_ROUND_MS, intervalMs - startToleranceMs(intervalMs));
}

/**
 * Time since which nothing is known of a monitor whose checks or marks do not come; null for all others. Every list, count,
 * page, badge and metric decides by this function whether a status still holds.
 */
export function unobservedSince(monitor: Observation, now: number): number | null {
  const from = unobservedFrom(monitor);
  return from !== null && now > from ? knownUntil(monitor) : null;
}
