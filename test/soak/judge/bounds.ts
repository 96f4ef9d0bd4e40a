import type { Fault, Plan } from './records.ts';

/** What is promised, and how much a slow machine may add. Milliseconds. */
export interface Bounds {
  /** A monitor of a process that died is checked by another one within this time after its check was due. */
  leaseMs: number;
  /** Added to each bound, for a machine that is busy. */
  slackMs: number;
}

/** The least distance of the two bad rounds that confirm an outage. */
export const CONFIRMATION_MS = 10_000;

/** Tolerance for the difference between the time of a request and the one that is stored for it. */
export const CLOCK_MS = 1_000;

export const clockTolerance = ({ skewMs }: Plan): number => CLOCK_MS + skewMs;

/**
 * Milliseconds of a period in which Postgres or NATS took no connections. A role that began to be away in it counts until
 * it is back, since nothing can happen before.
 */
export function serversAway(faults: readonly Fault[], from: number, to: number): number {
  const times = faults
    .filter(({ process }) => process === null)
    .map(({ at, until, role }) => ({
      from: Math.max(from, at),
      to: role !== undefined && at < to ? (until ?? to) : Math.min(to, until ?? to),
    }))
    .filter((time) => time.to > time.from)
    .toSorted((a, b) => a.from - b.from);
  let [sum, end] = [0, -Infinity];
  for (const time of times) {
    sum += Math.max(0, time.to - Math.max(time.from, end));
    end = Math.max(end, time.to);
  }
  return sum;
}

/** Number of shards that monitors are divided into. */
const SHARDS = 256;

export const shardOf = (monitor: number): number => monitor % SHARDS;

/**
 * How many owners a check that came due at that time may have had to wait for: one, and one more for each further owner
 * that a fault befell before it was made.
 */
export function ownersLost(
  faults: readonly Fault[],
  { monitor, dueAt, to }: { monitor: number; dueAt: number; to: number },
  leaseMs: number,
): number {
  const lost = faults.filter(
    ({ at, shards }) => at >= dueAt - leaseMs && at <= to && shards.includes(shardOf(monitor)),
  );
  return Math.max(1, lost.length);
}

/** How many leases may delay what takes from `from` to `to`: one for each fault then, and at least one. */
export function leasesWithin(faults: readonly Fault[], from: number, to: number): number {
  const began = faults.filter(({ at }) => at >= from && at <= to).length;
  return Math.max(1, began);
}
