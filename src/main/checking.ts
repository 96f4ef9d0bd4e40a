import { createBudgetWatch } from '../engine/error-budget-watch.ts';
import { createRoundRecorder } from '../engine/index.ts';
import { RegionHealthMonitor } from '../engine/verdict/region-health-monitor.ts';
import { Scheduler } from '../engine/schedule/scheduler.ts';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Registry } from 'prom-client';
import type { FleetBus } from '../engine/bus/contract.ts';
import { createHistoryJobs } from '../engine/history/jobs.ts';
import { createInspector } from '../engine/inspect/inspector.ts';
import { createNetworkDiagnosis } from '../engine/schedule/network-diagnosis.ts';
import { createOverloadDetector } from '../engine/schedule/overload.ts';
import { createSelfCheck } from '../engine/schedule/self-check.ts';
import {
  createHistogram,
  exposeCount,
  exposeCounts,
  exposeGauge,
  exposeValue,
} from '../lib/metrics.ts';
import { soleProbeHost, type CheckResult, type Vote } from '../model/check.ts';
import { createRegions } from '../model/regions.ts';
import { clock } from './clock.ts';
import { unprefixed } from './metrics.ts';
import type { Probes } from './probes.ts';
import type { Parts } from './resources.ts';

export type Checking = Awaited<ReturnType<typeof createChecking>>;

/** Checking stage: runs rounds and inspections, and records their outcomes. */
export async function createChecking(
  parts: Pick<Parts, 'settings' | 'database' | 'probes' | 'secretBox' | 'registry' | 'log'>,
) {
  const { settings, database, probes, secretBox, registry, log } = parts;
  const votes: Record<Vote, number> = { up: 0, down: 0, unknown: 0 };
  const count = <Result extends CheckResult>(result: Result): Result => {
    votes[result.vote]++;
    return result;
  };
  const bus: FleetBus = {
    ...probes,
    check: async (region, request) => count(await probes.check(region, request)),
    checkAll: async (regions, request) => (await probes.checkAll(regions, request)).map(count),
  };
  // Private regions are part of no judgment about the installation: their probes are in the hands of teams.
  const regionCodes = settings.regions.map(({ code }) => code);
  const allRegions = createRegions(settings.regions, settings.privateRegions);
  // Over NATS every region can be asked.
  const askedRegions = settings.natsUrls === null ? settings.probeRegions : regionCodes;
  const probeHost = () => soleProbeHost(regionCodes, bus.vantageOf)?.name ?? null;
  const regions = new RegionHealthMonitor({
    database,
    clock,
    log,
    regions: regionCodes,
    probeHost,
  });
  await regions.load();
  const recorder = createRoundRecorder({ database, clock, log, regions });
  const nodeId = randomUUID();
  const lagOfRounds = createHistogram(registry, 'tocsin_round_start_lag_seconds', LAG_BUCKETS);
  // Up to the first packet.
  const lagOfChecks = createHistogram(registry, 'tocsin_check_start_lag_seconds', LAG_BUCKETS);
  const scheduler = new Scheduler({
    database,
    bus,
    regions: allRegions,
    recorder,
    clock,
    log,
    nodeId,
    secrets: secretBox,
    onStart: (lagMs) => lagOfRounds.observe(lagMs / 1000),
    onSent: (lagMs) => lagOfChecks.observe(lagMs / 1000),
  });
  const overload = createOverloadDetector({
    database,
    clock,
    log,
    probe: `${hostname()}:${settings.port}`,
    observe: () => ({
      loads: loadsOf(probes, regionCodes),
      punctuality: scheduler.punctuality(),
    }),
  });
  await overload.load();
  const selfCheck = createSelfCheck({
    bus: probes,
    clock,
    log,
    regions: askedRegions,
    targets: settings.selfCheckTargets ?? [],
    tracker: regions,
  });
  const networkDiagnosis = createNetworkDiagnosis({
    bus: probes,
    inspectMachine: (region) => probes.inspectMachine(region),
    clock,
    log,
    scheduler,
    tracker: regions,
    regions: askedRegions,
  });
  const inspector = createInspector({ database, bus, regions: allRegions, clock, log });
  const history = createHistoryJobs({ database, clock, log, ...settings });
  const budgets = createBudgetWatch({ database, clock, log });
  const checking = {
    /** Owner of the shard leases of this process. */
    nodeId,
    /** Bus to the probes that counts their votes. */
    bus,
    votes,
    regions,
    recorder,
    scheduler,
    selfCheck,
    networkDiagnosis,
    overload,
    inspector,
    history,
    budgets,
  };
  exposeChecking(registry, regionCodes, checking);
  return checking;
}

/** Loads of the processes that check for this one, each once though it may serve several regions. */
function loadsOf(probes: Pick<Probes, 'processes' | 'probesOf'>, regions: readonly string[]) {
  const own = probes.processes().flatMap(({ load }) => load ?? []);
  const elsewhere = regions
    .flatMap((region) => probes.probesOf(region))
    .filter(({ isRemote, takesChecks }) => isRemote && takesChecks)
    .flatMap(({ load }) => load);
  return [...own, ...elsewhere];
}

const LAG_BUCKETS = [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 5, 30];

function exposeChecking(registry: Registry, regionCodes: readonly string[], checking: Checking) {
  const { votes, recorder, scheduler, overload, regions, inspector } = checking;
  const { counters } = scheduler;
  exposeCounts(registry, 'tocsin_checks_total', () => votes);
  exposeCount(registry, 'tocsin_checks_due_total', () => counters.checks_due);
  exposeCount(registry, 'tocsin_checks_late_total', () => counters.checks_late);
  exposeValue(registry, 'tocsin_probe_overloaded', () => (overload.overload() === null ? 0 : 1));
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
  exposeGauge(registry, 'tocsin_region_quarantined', () => {
    const quarantined = regions.quarantines();
    return regionCodes.map((region) => [{ region }, quarantined.has(region) ? 1 : 0] as const);
  });
  exposeCounts(registry, 'tocsin_inspections_total', () => {
    const { ssl, dns, domain } = inspector.counters;
    return { ssl, dns, domain };
  });
  exposeCount(registry, 'tocsin_inspections_inconclusive_total', () => inspector.counters.unknown);
  exposeCount(registry, 'tocsin_inspections_failed_total', () => inspector.counters.failures);
  exposeValue(registry, 'tocsin_inspections_in_progress', inspector.underWay);
}
