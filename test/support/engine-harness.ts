import { NO_PRIVATE_REGIONS } from './regions.ts';
import { createRoundRecorder } from '../../src/engine/index.ts';
import type { RoundRecorder } from '../../src/engine/index.ts';
import { RegionHealthMonitor } from '../../src/engine/verdict/region-health-monitor.ts';
import type { Bus } from '../../src/engine/bus/contract.ts';
import { Dropped } from '../../src/lib/group-commit.ts';
import { silentLog } from '../../src/lib/log.ts';
import { shardOf } from '../../src/model/monitor.ts';
import type { CheckRequest, CheckResult } from '../../src/model/check.ts';
import type { Region } from '../../src/model/monitor.ts';
import { createNetworkDiagnosis } from '../../src/engine/schedule/network-diagnosis.ts';
import type { NetworkDiagnosis } from '../../src/engine/schedule/network-diagnosis.ts';
import type { MachineReport } from '../../src/model/machine.ts';
import { Scheduler } from '../../src/engine/schedule/scheduler.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { DatabaseUnavailable } from '../../src/store/database/errors.ts';
import { createFakeClock } from './fake-clock.ts';
import type { FakeClock } from './fake-clock.ts';
import { createMonitor, editMonitor } from './monitor-rows.ts';
import type { MonitorFields } from './monitor-rows.ts';
import { REGIONS, checkResult, inspectNothing } from './rounds.ts';
import { openInMemory } from './memory-database.ts';
import { wrapDatabase } from './wrapped-database.ts';
import { PLAIN_SECRETS } from './plain-secrets.ts';

/** What a target answers to a check from a region: a result, or a promise of one. */
export type Target = (region: Region, request: CheckRequest) => CheckResult | Promise<CheckResult>;

/** The engine from schedule to incident on SQLite in memory, with a fake clock and scripted targets. */
export interface EngineHarness {
  clock: FakeClock;
  database: Database;
  scheduler: Scheduler;
  recorder: RoundRecorder;
  regions: RegionHealthMonitor;
  networkDiagnosis: NetworkDiagnosis;
  /** The probes' report on their own machine; null reports nothing. */
  machine: MachineReport | null;
  /** Targets by monitor id; a monitor without one is up. */
  targets: Map<number, Target>;
  /** Regions without a live probe: their checks are unknown. */
  deadRegions: Set<Region>;
  /** Makes the database refuse all work, or accept it again. */
  setDatabaseDown(away: boolean): void;
  /** Checks that were requested so far. */
  checks: { monitorId: number; region: Region; at: number }[];
  createMonitor(fields?: MonitorFields): Promise<number>;
  /** Edits a monitor as the service does: its columns, its version, and a round at once. */
  editMonitor(id: number, fields: MonitorFields): Promise<void>;
  incidents(id: number): Promise<{ type: string; started_at: number; ended_at: number | null }[]>;
  status(id: number): Promise<string>;
  /** Kills the process and starts a new one on the same database. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** A log whose errors fail the test, except those of an unavailable database. */
export const throwingLog = {
  ...silentLog,
  error(fields: { error?: unknown }, message: string) {
    const isExpected =
      fields.error instanceof DatabaseUnavailable || fields.error instanceof Dropped;
    if (!isExpected) throw new Error(message, { cause: fields });
  },
};

/** @param options.shards number of shards, more than the largest monitor id; fewer are read faster. */
export async function openEngineHarness(
  options: { capacity?: number; shards?: number } = {},
): Promise<EngineHarness> {
  const clock = createFakeClock({ now: Date.UTC(2030, 0, 1) });
  const stored = await openInMemory({ shards: options.shards ?? 48 });
  let isDown = false;
  const database = interruptible(stored, () => isDown);
  const targets = new Map<number, Target>();
  const deadRegions = new Set<Region>();
  const lastSeen = new Map<Region, number>(REGIONS.map((region) => [region, clock.now()]));
  const checks: EngineHarness['checks'] = [];
  let generation = 0;
  let harness: EngineHarness;

  const bus: Bus = {
    async check(region, request) {
      const born = generation;
      checks.push({ monitorId: request.monitorId, region, at: clock.now() });
      if (deadRegions.has(region)) return checkResult('unknown');
      const result = await (targets.get(request.monitorId)?.(region, request) ?? checkResult('up'));
      // Checks of a killed process never settle.
      return born === generation ? result : new Promise<never>(() => {});
    },
    inspect: inspectNothing,
    lastSeen(region) {
      if (!deadRegions.has(region)) lastSeen.set(region, clock.now());
      return lastSeen.get(region) ?? null;
    },
    vantageOf: () => null,
    async close() {},
  };

  const start = async () => {
    const regions = new RegionHealthMonitor({
      database,
      clock,
      log: throwingLog,
      regions: REGIONS,
    });
    await regions.load();
    const recorder = createRoundRecorder({
      database,
      clock,
      log: throwingLog,
      regions,
      ...options,
    });
    const scheduler = new Scheduler({
      database,
      bus,
      recorder,
      clock,
      log: throwingLog,
      nodeId: `node-${generation}`,
      regions: NO_PRIVATE_REGIONS,
      secrets: PLAIN_SECRETS,
    });
    const networkDiagnosis = createNetworkDiagnosis({
      bus,
      inspectMachine: async () => harness?.machine ?? null,
      clock,
      log: throwingLog,
      scheduler,
      tracker: regions,
      regions: REGIONS,
    });
    const started = scheduler.start();
    await clock.settle();
    await started;
    networkDiagnosis.start();
    return { recorder, regions, scheduler, networkDiagnosis };
  };

  harness = {
    machine: null,
    clock,
    database,
    ...(await start()),
    targets,
    deadRegions,
    setDatabaseDown: (away) => void (isDown = away),
    checks,
    async createMonitor(fields = {}) {
      const regions = { monitored_regions: JSON.stringify(REGIONS) };
      const id = await createMonitor(database, clock.now(), { ...regions, ...fields });
      harness.scheduler.wake(shardOf(id));
      return id;
    },
    async editMonitor(id, fields) {
      await editMonitor(database, id, fields, fields.is_paused === 1 ? null : clock.now());
      harness.scheduler.wake(shardOf(id));
    },
    incidents: (id) =>
      database.read
        .selectFrom('incident')
        .select(['type', 'started_at', 'ended_at'])
        .where('monitor_id', '=', id)
        .orderBy('id')
        .execute(),
    async status(id) {
      const query = database.read.selectFrom('monitor_state').select('status');
      return (await query.where('monitor_id', '=', id).executeTakeFirstOrThrow()).status;
    },
    async restart() {
      generation++;
      const old = harness.scheduler;
      harness.networkDiagnosis.stop();
      void old.stop();
      await clock.settle();
      Object.assign(harness, await start());
    },
    async close() {
      generation++;
      harness.networkDiagnosis.stop();
      void harness.scheduler.stop();
      void harness.recorder.close();
      await clock.advance(60_000);
      await database.close();
    },
  };
  return harness;
}

/** The same database, which throws DatabaseUnavailable while it is down. */
export function interruptible(database: Database, isDown: () => boolean): Database {
  const orRefuse = <T>(value: T): T => {
    if (isDown()) throw new DatabaseUnavailable('the test made it unavailable');
    return value;
  };
  return wrapDatabase(database, {
    get read() {
      return orRefuse(database.read);
    },
    get scan() {
      return orRefuse(database.scan);
    },
    transaction: async (work) => orRefuse(database).transaction(work),
  });
}
