import { Gauge, Histogram, type Registry } from 'prom-client';
import type { LocalBus } from '../engine/bus/local.ts';
import type { Alive } from '../engine/heartbeat/alive.ts';
import type { PingIngest } from '../engine/heartbeat/ingest.ts';
import type { Sweep } from '../engine/heartbeat/sweep.ts';
import type { Inspector } from '../engine/inspect/inspector.ts';
import { exposeCount, exposeCounts, exposeValue } from '../lib/metrics.ts';
import type { Vote } from '../model/check.ts';
import type { ProbeLoad } from '../model/probe-load.ts';
import type { OverloadDetector } from '../engine/schedule/overload.ts';
import type { Scheduler } from '../engine/schedule/scheduler.ts';
import type { RoundRecorder } from '../engine/verdict/round-recorder.ts';
import type { RegionHealthMonitor } from '../engine/verdict/region-health-monitor.ts';

const LAG_BUCKETS = [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 5, 30];

/** Histograms of the lateness of rounds, and of checks up to their first packet. */
export function lagHistograms(registry: Registry): { rounds: Histogram; checks: Histogram } {
  const lag = (name: string, help: string) =>
    new Histogram({ name, help, buckets: LAG_BUCKETS, registers: [registry] });
  return {
    rounds: lag('tocsin_round_start_lag_seconds', 'Lateness of rounds at their start.'),
    checks: lag(
      'tocsin_check_start_lag_seconds',
      'Lateness of the first packet of a check: a DNS query, a SYN or an ICMP echo.',
    ),
  };
}

/** Exposes the load of the probes. */
export function exposeLoad(
  registry: Registry,
  parts: { bus: LocalBus; scheduler: Scheduler; overload: Pick<OverloadDetector, 'overload'> },
): void {
  const { bus, scheduler, overload } = parts;
  const value = (name: string, help: string, read: () => number) =>
    exposeValue(registry, name, help, read);
  const load = (name: keyof ProbeLoad) => () =>
    bus.processes().reduce((total, one) => total + (one.load?.[name] ?? 0), 0);
  exposeCount(
    registry,
    'tocsin_checks_due_total',
    'Checks that came due, including those of skipped slots.',
    () => scheduler.counters.checks_due,
  );
  exposeCount(
    registry,
    'tocsin_checks_late_total',
    'Checks whose first packet left more than 0.5 s after they were due, or that were skipped.',
    () => scheduler.counters.checks_late,
  );
  value('tocsin_probe_checks_running', 'Checks running in probe processes.', load('running'));
  value('tocsin_probe_checks_waiting', 'Checks waiting for a slot.', load('waiting'));
  value('tocsin_probe_slots', 'Maximum number of concurrent checks.', load('capacity'));
  value('tocsin_probe_overloaded', '1 while the probes of this process are overloaded.', () =>
    overload.overload() === null ? 0 : 1,
  );
}

export function exposeStages(
  registry: Registry,
  stages: {
    votes: Record<Vote, number>;
    recorder: RoundRecorder;
    scheduler: Scheduler;
    bus: LocalBus;
  },
): void {
  const { votes, recorder, scheduler, bus } = stages;
  const checks = { name: 'tocsin_checks_total', help: 'Checks by their vote.', label: 'vote' };
  exposeCounts(registry, checks, () => votes);
  const rounds = {
    name: 'tocsin_rounds_total',
    help: 'Evaluated rounds by outcome.',
    label: 'outcome',
  };
  exposeCounts(registry, rounds, () => unprefixed(recorder.counters, 'rounds_'));
  const slots = {
    name: 'tocsin_slots_total',
    help: 'Grid slots without a round of their own.',
    label: 'kind',
  };
  exposeCounts(registry, slots, () => unprefixed(scheduler.counters, 'slots_'));
  const schedule = {
    name: 'tocsin_schedule_total',
    help: 'Counters of the scheduler.',
    label: 'kind',
  };
  exposeCounts(registry, schedule, () => ({ ...scheduler.counters }));
  const value = (name: string, help: string, read: () => number) =>
    exposeValue(registry, name, help, read);
  value('tocsin_monitors', 'Monitors this process checks.', () => scheduler.monitors);
  value(
    'tocsin_rounds_in_flight',
    'Rounds whose checks are running.',
    () => scheduler.roundsInFlight,
  );
  value('tocsin_rounds_waiting', 'Finished rounds waiting to be stored.', () => recorder.waiting());
  value(
    'tocsin_schedule_lag_seconds',
    'Lateness of the next round.',
    () => scheduler.lagMs() / 1000,
  );
  value(
    'tocsin_probe_processes',
    'Live probe processes.',
    () => bus.processes().filter((one) => one.pid !== null).length,
  );
}

export function exposeRegions(
  registry: Registry,
  regions: readonly string[],
  tracker: Pick<RegionHealthMonitor, 'quarantines'>,
): void {
  const gauge: Gauge = new Gauge({
    name: 'tocsin_region_quarantined',
    help: "1 while a region's own network is suspect and its votes do not count.",
    labelNames: ['region'],
    registers: [registry],
    collect() {
      const quarantined = tracker.quarantines();
      for (const region of regions) gauge.set({ region }, quarantined.has(region) ? 1 : 0);
    },
  });
}

export function exposeHeartbeats(
  registry: Registry,
  { alive, pings, sweep }: { alive: Alive; pings: PingIngest; sweep: Sweep },
): void {
  const outcomes = { name: 'tocsin_pings_total', help: 'Pings by outcome.', label: 'outcome' };
  exposeCounts(registry, outcomes, () => unprefixed(pings.counters, 'pings_'));
  const listening = {
    name: 'tocsin_listening_total',
    help: 'Periods in which pings may have been lost, and other causes of uncertain silence.',
    label: 'kind',
  };
  exposeCounts(registry, listening, () => ({ ...alive.counters }));
  const silence = {
    name: 'tocsin_silence_total',
    help: 'Evaluations of jobs that may be overdue, and failed ones.',
    label: 'kind',
  };
  exposeCounts(registry, silence, () => ({ ...sweep.counters }));
}

export function exposeInspections(registry: Registry, { counters, underWay }: Inspector): void {
  const looks = {
    name: 'tocsin_inspections_total',
    help: 'Inspections of certificates, DNS records and registrations, inconclusive ones, and internal failures.',
    label: 'kind',
  };
  exposeCounts(registry, looks, () => ({ ...counters }));
  exposeValue(registry, 'tocsin_inspections_under_way', 'Inspections in progress.', underWay);
}

function unprefixed(counts: object, prefix: string): Record<string, number> {
  const entries = Object.entries(counts).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(
    entries.map(([name, count]) => [name.slice(prefix.length), count as number]),
  );
}
