import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Registry } from 'prom-client';
import type { FleetBus } from '../engine/bus/contract.ts';
import type { Config } from '../config/config.ts';
import { createHistoryJobs } from '../engine/history/jobs.ts';
import type { HistoryJobs } from '../engine/history/jobs.ts';
import { createInspector } from '../engine/inspect/inspector.ts';
import type { Inspector } from '../engine/inspect/inspector.ts';
import { clock } from './clock.ts';
import type { Log } from '../lib/log.ts';
import { createRegions } from '../model/regions.ts';
import { soleVantage, type CheckResult, type Vote } from '../model/check.ts';
import { createOverloadDetector } from '../engine/schedule/overload.ts';
import type { OverloadDetector } from '../engine/schedule/overload.ts';
import { createNetworkDiagnosis } from '../engine/schedule/network-diagnosis.ts';
import type { NetworkDiagnosis } from '../engine/schedule/network-diagnosis.ts';
import { Scheduler } from '../engine/schedule/scheduler.ts';
import { createBudgetWatch, type BudgetWatch } from '../engine/error-budget-watch.ts';
import { createSelfCheck } from '../engine/schedule/self-check.ts';
import type { SelfCheck } from '../engine/schedule/self-check.ts';
import { createRoundRecorder } from '../engine/index.ts';
import type { RoundRecorder } from '../engine/index.ts';
import { RegionHealthMonitor } from '../engine/verdict/region-health-monitor.ts';
import {
  exposeInspections,
  exposeLoad,
  exposeRegions,
  exposeStages,
  lagHistograms,
} from './metrics.ts';
import type { Probes } from './probes.ts';
import type { Resources } from './resources.ts';

/** Checking stage: runs rounds and inspections, and records their outcomes. */
export interface Checking {
  /** Owner of the shard leases of this process. */
  nodeId: string;
  /** Bus to the probes that counts their votes. */
  bus: FleetBus;
  /** Checks by their vote since the start of this process. */
  votes: Readonly<Record<Vote, number>>;
  regions: RegionHealthMonitor;
  recorder: RoundRecorder;
  scheduler: Scheduler;
  selfCheck: SelfCheck;
  overload: OverloadDetector;
  networkDiagnosis: NetworkDiagnosis;
  inspector: Inspector;
  history: HistoryJobs;
  budgets: BudgetWatch;
}

export async function createChecking(
  settings: Config,
  parts: Pick<Resources, 'database' | 'probes' | 'secretBox'> & { registry: Registry; log: Log },
): Promise<Checking> {
  const { database, probes, secretBox, registry, log } = parts;
  const votes = { up: 0, down: 0, unknown: 0 };
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
  const probeHost = () => soleVantage(regionCodes, bus.vantageOf)?.name ?? null;
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
  const lag = lagHistograms(registry);
  const scheduler = new Scheduler({
    database,
    bus,
    regions: allRegions,
    recorder,
    clock,
    log,
    nodeId,
    secrets: secretBox,
    onStart: (lagMs) => lag.rounds.observe(lagMs / 1000),
    onSent: (lagMs) => lag.checks.observe(lagMs / 1000),
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
  exposeStages(registry, { votes, recorder, scheduler });
  exposeLoad(registry, { scheduler, overload });
  exposeRegions(registry, regionCodes, regions);
  exposeInspections(registry, inspector);
  return {
    nodeId,
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
