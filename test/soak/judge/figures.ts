import { shardOf } from './bounds.ts';
import { gapsOf, lateness, seconds } from './gaps.ts';
import { statusTimes } from './history.ts';
import type { Fault, Records } from './records.ts';
import type { Tables } from './tables.ts';

/** Lateness of checks that were due when a fault had just happened, milliseconds. */
export interface FaultFigures {
  /** The fault, and the kind of process that it befell. */
  fault: string;
  faults: number;
  checks: number;
  p50: number;
  p99: number;
  max: number;
  /** Longest time until all shards of the process had another owner. */
  movedMs: number | null;
}

/**
 * For each kind of fault: how late those checks were that came due within a lease after it, of the monitors that the
 * process owned, or of all if it owned none.
 */
export function faultFigures(
  records: Pick<Records, 'plan' | 'requests' | 'faults'>,
  leaseMs: number,
): FaultFigures[] {
  const gaps = gapsOf(records);
  const kinds = Map.groupBy(records.faults, nameOf);
  return [...kinds].map(([fault, faults]) => {
    const late = faults.flatMap(({ at, shards }) => {
      const owned = new Set(shards);
      return gaps
        .filter(({ monitor }) => owned.size === 0 || owned.has(shardOf(monitor)))
        .filter(({ from, to, intervalMs }) => {
          const dueAt = from + intervalMs;
          return from < at && to > at && dueAt > at - leaseMs && dueAt < at + leaseMs;
        })
        .map((gap) => Math.max(0, lateness(gap, records.faults)));
    });
    const moved = faults.flatMap(({ movedMs }) => movedMs ?? []);
    return {
      fault,
      faults: faults.length,
      checks: late.length,
      p50: quantile(late, 0.5),
      p99: quantile(late, 0.99),
      max: quantile(late, 1),
      movedMs: moved.length === 0 ? null : Math.max(...moved),
    };
  });
}

const nameOf = ({ kind, process }: Fault) =>
  process === null ? kind : `${kind} ${process.replace(/-\d+$/, '')}`;

/** The value below which that share of them lies; 0 of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** Lines for people. */
export function report(records: Records, tables: Tables, leaseMs: number): string[] {
  const { plan, requests, outages, events, pings, faults } = records;
  const times = statusTimes(
    records,
    tables.spans.filter(({ monitor }) => plan.monitors.some(({ id }) => id === monitor)),
  );
  const total = Object.values(times).reduce((a, b) => a + b, 0);
  const shares = Object.entries(times).map(
    ([status, ms]) => `${status} ${((100 * ms) / total).toFixed(2)} %`,
  );
  const lines = faultFigures(records, leaseMs).map(
    (one) =>
      `${one.fault.padEnd(18)} ${String(one.faults).padStart(5)} ${String(one.checks).padStart(7)} ` +
      [one.p50, one.p99, one.max].map((ms) => seconds(ms).padStart(8)).join(' ') +
      ` ${(one.movedMs === null ? '–' : seconds(one.movedMs)).padStart(10)}`,
  );
  return [
    `${plan.monitors.length} monitors and ${plan.jobs.length} jobs for ${seconds(plan.to - plan.from)}: ` +
      `${requests.length} requests, ${tables.rounds.length} rounds, ${outages.length} outages, ` +
      `${tables.incidents.length} incidents, ${events.length} messages, ${pings.length} pings, ${faults.length} faults`,
    `Status of monitors: ${shares.join(', ')}`,
    'fault              times  checks      p50      p99      max shards in',
    ...lines,
  ];
}
