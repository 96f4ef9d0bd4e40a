import { createRoundRecorder } from '../../src/engine/verdict/round-recorder.ts';
import type { RoundRecorder } from '../../src/engine/verdict/round-recorder.ts';
import { createRegionHealthMonitor } from '../../src/engine/verdict/region-health-monitor.ts';
import type { RegionHealthMonitor } from '../../src/engine/verdict/region-health-monitor.ts';
import type { Bus } from '../../src/engine/bus/contract.ts';
import { Dropped } from '../../src/lib/group-commit.ts';
import { silentLog } from '../../src/lib/log.ts';
import { shardOf } from '../../src/model/monitor.ts';
import type { CheckRequest, CheckResult } from '../../src/model/check.ts';
import type { Region } from '../../src/model/monitor.ts';
import { createNetworkDiagnosis } from '../../src/engine/schedule/network-diagnosis.ts';
import type { NetworkDiagnosis } from '../../src/engine/schedule/network-diagnosis.ts';
import type { MachineReport } from '../../src/model/machine.ts';
import { createScheduler } from '../../src/engine/schedule/scheduler.ts';
import type { Scheduler } from '../../src/engine/schedule/scheduler.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { DatabaseUnavailable } from '../../src/store/database/errors.ts';
import { createFakeClock } from './fake-clock.ts';
import type { FakeClock } from './fake-clock.ts';
import { createMonitor, editMonitor } from './monitor-rows.ts';
import type { MonitorFields } from './monitor-rows.ts';
import { REGIONS, checkResult, inspectNothing } from './rounds.ts';
import { openInMemory } from './memory-database.ts';

/** What a target does when a region looks at it: a result, or one that comes later. */
export type Target = (region: Region, request: CheckRequest) => CheckResult | Promise<CheckResult>;

/** The whole line from schedule to incident over SQLite in memory, with scripted targets and a clock of its own. */
export interface House {
  clock: FakeClock;
  database: Database;
  scheduler: Scheduler;
  recorder: RoundRecorder;
  regions: RegionHealthMonitor;
  networkDiagnosis: NetworkDiagnosis;
  /** What the machine of all probes knows of its network; null at first: nothing. */
  machine: MachineReport | null;
  /** By monitor id; without one a target is up. */
  targets: Map<number, Target>;
  /** Regions whose probe is gone: they answer unknown and are not seen any more. */
  deadRegions: Set<Region>;
  /** From then on the database refuses all work, or does it again. */
  setDatabaseAway(away: boolean): void;
  /** Checks handed out so far. */
  checks: { monitorId: number; region: Region; at: number }[];
  createMonitor(fields?: MonitorFields): Promise<number>;
  /** As the service edits: what is set, its version, and a round at once. */
  editMonitor(id: number, fields: MonitorFields): Promise<void>;
  incidents(id: number): Promise<{ type: string; started_at: number; ended_at: number | null }[]>;
  status(id: number): Promise<string>;
  /** The process ends without a word and a new one starts on the same database. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** An error that is logged fails the test that caused it, but for those that tell that the database is away. */
export const loudLog = {
  ...silentLog,
  error(fields: { error?: unknown }, message: string) {
    const isExpected =
      fields.error instanceof DatabaseUnavailable || fields.error instanceof Dropped;
    if (!isExpected) throw new Error(message, { cause: fields });
  },
};

/** `shards`: no monitor is numbered higher; fewer are read faster. */
export async function openHouse(
  options: { capacity?: number; shards?: number } = {},
): Promise<House> {
  const clock = createFakeClock({ now: Date.UTC(2030, 0, 1) });
  const stored = await openInMemory({ shards: options.shards ?? 48 });
  let isAway = false;
  const database = departing(stored, () => isAway);
  const targets = new Map<number, Target>();
  const deadRegions = new Set<Region>();
  const lastSeen = new Map<Region, number>(REGIONS.map((region) => [region, clock.now()]));
  const checks: House['checks'] = [];
  let generation = 0;
  let house: House;

  const bus: Bus = {
    async check(region, request) {
      const born = generation;
      checks.push({ monitorId: request.monitorId, region, at: clock.now() });
      if (deadRegions.has(region)) return checkResult('unknown');
      const result = await (targets.get(request.monitorId)?.(region, request) ?? checkResult('up'));
      // What a killed process was waiting for never comes.
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
    const regions = createRegionHealthMonitor({ database, clock, log: loudLog, regions: REGIONS });
    await regions.load();
    const recorder = createRoundRecorder({ database, clock, log: loudLog, regions, ...options });
    const secrets = { open: (text: string) => text };
    const scheduler = createScheduler({
      database,
      bus,
      recorder,
      clock,
      log: loudLog,
      nodeId: `node-${generation}`,
      secrets,
    });
    const networkDiagnosis = createNetworkDiagnosis({
      bus,
      inspectMachine: async () => house?.machine ?? null,
      clock,
      log: loudLog,
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

  house = {
    machine: null,
    clock,
    database,
    ...(await start()),
    targets,
    deadRegions,
    setDatabaseAway: (away) => void (isAway = away),
    checks,
    async createMonitor(fields = {}) {
      const regions = { monitored_regions: JSON.stringify(REGIONS) };
      const id = await createMonitor(database, clock.now(), { ...regions, ...fields });
      house.scheduler.wake(shardOf(id));
      return id;
    },
    async editMonitor(id, fields) {
      await editMonitor(database, id, fields, fields.is_paused === 1 ? null : clock.now());
      house.scheduler.wake(shardOf(id));
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
      const old = house.scheduler;
      house.networkDiagnosis.stop();
      void old.stop();
      await clock.settle();
      Object.assign(house, await start());
    },
    async close() {
      generation++;
      house.networkDiagnosis.stop();
      void house.scheduler.stop();
      void house.recorder.close();
      await clock.advance(60_000);
      await database.close();
    },
  };
  return house;
}

/** The same database, which refuses while it is away. */
export function departing(database: Database, isAway: () => boolean): Database {
  const orRefuse = <T>(value: T): T => {
    if (isAway()) throw new DatabaseUnavailable('the test took it away');
    return value;
  };
  return {
    engine: database.engine,
    isShared: database.isShared,
    get read() {
      return orRefuse(database.read);
    },
    get scan() {
      return orRefuse(database.scan);
    },
    transaction: async (work) => orRefuse(database).transaction(work),
    now: (tx) => database.now(tx),
    close: () => database.close(),
  };
}
