import { type Histogram, type Registry, collectDefaultMetrics } from 'prom-client';
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
  exposeCounter,
} from '../lib/metrics.ts';
import type { Vote } from '../model/check.ts';
import type { OverloadDetector } from '../engine/schedule/overload.ts';
import type { Scheduler } from '../engine/schedule/scheduler.ts';
import type { RoundRecorder } from '../engine/verdict/round-recorder.ts';
import type { RegionHealthMonitor } from '../engine/verdict/region-health-monitor.ts';
import type { ProbeProcessState } from '../engine/bus/probe-process.ts';
import type { ProbeLoad } from '../model/probe-load.ts';
import type { Probes } from './probes.ts';
import type { AnsweredRequest } from '../api/answered.ts';

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

/** Gauges of prom-client that are named as counters; the same numbers stand by type beside them. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Exposes processor time, memory, event loop and garbage collection of this process, by prom-client. */
export function exposeProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
}

/** Exposes the load of the probes of this machine. */
export function exposeOwnProbes(
  registry: Registry,
  processes: () => Pick<ProbeProcessState, 'pid' | 'load'>[],
): void {
  const load = (name: keyof ProbeLoad) => () =>
    processes().reduce((total, one) => total + (one.load?.[name] ?? 0), 0);
  exposeValue(
    registry,
    'tocsin_probe_processes',
    () => processes().filter((one) => one.pid !== null).length,
  );
  exposeValue(registry, 'tocsin_probe_checks_running', load('running'));
  exposeValue(registry, 'tocsin_probe_checks_waiting', load('waiting'));
  exposeValue(registry, 'tocsin_probe_slots', load('capacity'));
}

/** Exposes the probes that this process reaches over NATS, and what it sent them. Nothing without NATS. */
export function exposeFleet(
  registry: Registry,
  { probes, regions }: { probes: Probes; regions: readonly string[] },
): void {
  const { sent } = probes;
  if (sent === null) return;
  exposeValue(registry, 'tocsin_nats_connected', () => (probes.isBusConnected() ? 1 : 0));
  exposeCount(registry, 'tocsin_nats_batches_sent_total', () => sent.batches_sent);
  exposeCount(registry, 'tocsin_nats_requests_resent_total', () => sent.requests_sent_again);
  exposeCount(registry, 'tocsin_nats_requests_lost_total', () => sent.requests_lost);
  exposeCount(registry, 'tocsin_nats_messages_unreadable_total', () => sent.messages_unreadable);
  const ofRegions = (measure: (infos: ReturnType<Probes['probesOf']>) => number) => () =>
    regions.map((region) => [{ region }, measure(probes.probesOf(region))] as const);
  const sum = (name: keyof ProbeLoad) =>
    ofRegions((infos) =>
      infos
        .filter(({ takesChecks }) => takesChecks)
        .flatMap(({ load }) => load)
        .reduce((total, load) => total + (load[name] ?? 0), 0),
    );
  exposeGauge(
    registry,
    'tocsin_region_probes',
    ofRegions((infos) => infos.filter(({ takesChecks }) => takesChecks).length),
  );
  exposeGauge(registry, 'tocsin_region_checks_running', sum('running'));
  exposeGauge(registry, 'tocsin_region_checks_waiting', sum('waiting'));
  exposeGauge(registry, 'tocsin_region_slots', sum('capacity'));
}

/** Counts requests that were answered. */
export interface AnsweredCounter {
  count(answered: AnsweredRequest): void;
  total(): number;
}

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Exposes requests by route and status, and their durations. */
export function createAnsweredCounter(registry: Registry): AnsweredCounter {
  const durations = createHistogram(registry, 'tocsin_http_request_duration_seconds', BUCKETS);
  const counts = new Map<
    string,
    { labels: Record<'method' | 'route' | 'code', string>; count: number }
  >();
  let total = 0;
  exposeCounter(registry, 'tocsin_http_requests_total', () =>
    [...counts.values()].map(({ labels, count }) => [labels, count] as const),
  );
  return {
    count({ method, route, status, durationMs }) {
      total += 1;
      const key = `${method} ${status} ${route}`;
      const known = counts.get(key);
      if (known !== undefined) known.count += 1;
      else counts.set(key, { labels: { method, route, code: String(status) }, count: 1 });
      durations.observe({ method, route }, durationMs / 1_000);
    },
    total: () => total,
  };
}
