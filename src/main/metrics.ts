import type { Histogram, Registry } from 'prom-client';
import type { Alive } from '../engine/heartbeat/alive.ts';
import type { PingIngest } from '../engine/heartbeat/ingest.ts';
import type { Sweep } from '../engine/heartbeat/sweep.ts';
import type { Inspector } from '../engine/inspect/inspector.ts';
import {
  createHistogram,
  exposeCount,
  exposeCounts,
  exposeGauge,
  exposeValue,
} from '../lib/metrics.ts';
import type { Vote } from '../model/check.ts';
import type { OverloadDetector } from '../engine/schedule/overload.ts';
import type { Scheduler } from '../engine/schedule/scheduler.ts';
import type { RoundRecorder } from '../engine/index.ts';
import type { RegionHealthMonitor } from '../engine/verdict/region-health-monitor.ts';

const LAG_BUCKETS = [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 5, 30];

/** Histograms of the lateness of rounds, and of checks up to their first packet. */
export function lagHistograms(registry: Registry): { rounds: Histogram; checks: Histogram } {
  return {
    rounds: createHistogram(registry, 'tocsin_round_start_lag_seconds', LAG_BUCKETS),
    checks: createHistogram(registry, 'tocsin_check_start_lag_seconds', LAG_BUCKETS),
  };
}

/** Exposes whether checks start in time. */
export function exposeLoad(
  registry: Registry,
  { scheduler, overload }: { scheduler: Scheduler; overload: Pick<OverloadDetector, 'overload'> },
): void {
  exposeCount(registry, 'tocsin_checks_due_total', () => scheduler.counters.checks_due);
  exposeCount(registry, 'tocsin_checks_late_total', () => scheduler.counters.checks_late);
  exposeValue(registry, 'tocsin_probe_overloaded', () => (overload.overload() === null ? 0 : 1));
}

export function exposeStages(
  registry: Registry,
  stages: {
    votes: Record<Vote, number>;
    recorder: RoundRecorder;
    scheduler: Scheduler;
  },
): void {
  const { votes, recorder, scheduler } = stages;
  const { counters } = scheduler;
  exposeCounts(registry, 'tocsin_checks_total', () => votes);
  exposeCounts(registry, 'tocsin_rounds_total', () => unprefixed(recorder.counters, 'rounds_'));
  exposeCount(registry, 'tocsin_rounds_started_total', () => counters.rounds_started);
  exposeCount(registry, 'tocsin_rounds_caught_up_total', () => counters.rounds_caught_up);
  exposeCounts(registry, 'tocsin_slots_without_round_total', () => unprefixed(counters, 'slots_'));
  exposeCount(registry, 'tocsin_clock_steps_total', () => counters.clock_steps);
  exposeCount(registry, 'tocsin_process_freezes_total', () => counters.freezes);
  exposeCount(registry, 'tocsin_monitors_unreadable_total', () => counters.plans_unreadable);
  exposeValue(registry, 'tocsin_monitors_scheduled', () => scheduler.monitors);
  exposeValue(registry, 'tocsin_rounds_in_flight', () => scheduler.roundsInFlight);
  exposeValue(registry, 'tocsin_rounds_waiting', () => recorder.waiting());
  exposeValue(registry, 'tocsin_schedule_lag_seconds', () => scheduler.lagMs() / 1000);
}

export function exposeRegions(
  registry: Registry,
  regions: readonly string[],
  tracker: Pick<RegionHealthMonitor, 'quarantines'>,
): void {
  exposeGauge(registry, 'tocsin_region_quarantined', () => {
    const quarantined = tracker.quarantines();
    return regions.map((region) => [{ region }, quarantined.has(region) ? 1 : 0] as const);
  });
}

export function exposeHeartbeats(
  registry: Registry,
  { alive, pings, sweep }: { alive: Alive; pings: PingIngest; sweep: Sweep },
): void {
  exposeCounts(registry, 'tocsin_pings_total', () => unprefixed(pings.counters, 'pings_'));
  exposeCount(registry, 'tocsin_ping_gaps_total', () => alive.counters.gaps);
  exposeCount(registry, 'tocsin_ping_stalls_total', () => alive.counters.stalls);
  exposeCount(registry, 'tocsin_ping_marks_failed_total', () => alive.counters.marks_failed);
  exposeCount(registry, 'tocsin_silences_evaluated_total', () => sweep.counters.evaluated);
  exposeCount(registry, 'tocsin_silences_failed_total', () => sweep.counters.failures);
}

export function exposeInspections(registry: Registry, { counters, underWay }: Inspector): void {
  exposeCounts(registry, 'tocsin_inspections_total', () => {
    const { ssl, dns, domain } = counters;
    return { ssl, dns, domain };
  });
  exposeCount(registry, 'tocsin_inspections_inconclusive_total', () => counters.unknown);
  exposeCount(registry, 'tocsin_inspections_failed_total', () => counters.failures);
  exposeValue(registry, 'tocsin_inspections_in_progress', underWay);
}

function unprefixed(counts: object, prefix: string): Record<string, number> {
  const entries = Object.entries(counts).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(
    entries.map(([name, count]) => [name.slice(prefix.length), count as number]),
  );
}
