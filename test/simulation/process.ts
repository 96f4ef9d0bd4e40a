import { createRoundRecorder } from '../../src/engine/index.ts';
import type { RoundRecorder } from '../../src/engine/index.ts';
import { RegionHealthMonitor } from '../../src/engine/verdict/region-health-monitor.ts';
import { NO_PRIVATE_REGIONS } from '../support/regions.ts';
import type { Bus } from '../../src/engine/bus/contract.ts';
import { Alive, type AliveDependencies } from '../../src/engine/heartbeat/alive.ts';
import type { createHistoryJobs } from '../../src/engine/history/jobs.ts';
import { createIngest, type PingIngest } from '../../src/engine/heartbeat/ingest.ts';
import { createSweep } from '../../src/engine/heartbeat/sweep.ts';
import { createInspector } from '../../src/engine/inspect/inspector.ts';
import { sleep, type Clock } from '../../src/lib/clock.ts';
import type { Log } from '../../src/lib/log.ts';
import type { Round } from '../../src/model/round.ts';
import type { leasedOwnership } from '../../src/engine/schedule/shards.ts';
import { Scheduler, type SchedulerDependencies } from '../../src/engine/schedule/scheduler.ts';
import type { createIncidentService } from '../../src/resources/incidents/incidents.ts';
import type { Database } from '../../src/store/database/contract.ts';
import type { createMaintenanceScheduler } from '../../src/engine/maintenance/scheduler.ts';
import type { createNotifier } from '../../src/alerting/notifier.ts';
import type { createDeliveryWorker } from '../../src/alerting/delivery/worker.ts';
import { createAlerting, type AlertingOptions } from './alerts/alerting.ts';
import { crashableBus, crashableClock, type ProcessInstance } from './process-instance.ts';
import { WORLD_REGIONS } from './targets.ts';
import { PING_LIMIT } from './push/scenario.ts';
import { PLAIN_SECRETS } from '../support/plain-secrets.ts';

/** Faulty parts that a world runs in place of the real ones, to show that the rules can fail. */
export interface Doubles {
  createRoundRecorder?: typeof createRoundRecorder;
  createScheduler?: (dependencies: SchedulerDependencies) => Scheduler;
  /** Used in worlds with two processes only. */
  createOwnership?: typeof leasedOwnership;
  createIncidentService?: typeof createIncidentService;
  createIngest?: typeof createIngest;
  createAlive?: (dependencies: AliveDependencies) => Alive;
  createSweep?: typeof createSweep;
  createInspector?: typeof createInspector;
  createNotifier?: typeof createNotifier;
  createDeliveryWorker?: typeof createDeliveryWorker;
  createHistoryJobs?: typeof createHistoryJobs;
  createMaintenanceScheduler?: typeof createMaintenanceScheduler;
}

/** One running instance of the engine, wired as in main.ts. */
export interface Process {
  instance: ProcessInstance;
  scheduler: Scheduler;
  recorder: RoundRecorder;
  ingest: PingIngest;
  /** Whether it accepts pings. */
  isListening(): boolean;
  /** Stops as on SIGTERM. */
  stop(): Promise<void>;
}

export interface ProcessOptions {
  instance: ProcessInstance;
  clock: Clock;
  bus: Bus;
  database: Database;
  /** The same database for the inspector; null in worlds without inspections. */
  inspectorsDatabase: Database | null;
  /** Dependencies of the alerting stages; null in worlds without alerting. */
  alerting: Pick<AlertingOptions, 'database' | 'random' | 'receivers' | 'isMaintained'> | null;
  log: Log;
  doubles: Doubles;
  /** Whether the world has push monitors: without any, no sweep runs. */
  hasPushes: boolean;
  submitted(round: Round): void;
  /** How it shares the monitors with another process; unset when it owns all of them. */
  createOwnership?: SchedulerDependencies['createOwnership'];
}

/** Time in which the last requests are answered. */
const DRAIN_MS = 700;

export function startProcess(options: ProcessOptions): Process {
  const { instance, doubles, log, submitted } = options;
  const clock = crashableClock(options.clock, instance);
  const bus = crashableBus(options.bus, instance);
  const { database } = options;
  const regions = new RegionHealthMonitor({ database, clock, log, regions: WORLD_REGIONS });
  const recorder = (doubles.createRoundRecorder ?? createRoundRecorder)({
    database,
    clock,
    log,
    regions,
  });
  const scheduler = (doubles.createScheduler ?? ((dependencies) => new Scheduler(dependencies)))({
    database,
    bus,
    clock,
    log,
    recorder: {
      submit(round) {
        submitted(round);
        return recorder.submit(round);
      },
    },
    nodeId: instance.name,
    regions: NO_PRIVATE_REGIONS,
    secrets: PLAIN_SECRETS,
    ...(options.createOwnership && { createOwnership: options.createOwnership }),
  });
  const alive = (doubles.createAlive ?? ((dependencies) => new Alive(dependencies)))({
    database,
    clock,
    log,
    processId: instance.name,
    oldestWaitingAt: () => ingest.oldestWaitingAt(),
  });
  const ingest: PingIngest = (doubles.createIngest ?? createIngest)({
    database,
    clock,
    limit: PING_LIMIT,
    onRefused: (receivedAt) => alive.reportFailure(receivedAt),
  });
  const sweep = (doubles.createSweep ?? createSweep)({
    database,
    clock,
    log,
    isCertain: () => alive.isCertain(),
    oldestWaitingAt: () => ingest.oldestWaitingAt(),
    heldUpSince: (monitorId) => ingest.heldUpSince(monitorId),
    heardByOthers: (tx) => alive.heardByOthers(tx),
  });
  const inspector =
    options.inspectorsDatabase &&
    (doubles.createInspector ?? createInspector)({
      database: options.inspectorsDatabase,
      bus,
      regions: NO_PRIVATE_REGIONS,
      clock,
      log,
    });
  const alerting =
    options.alerting && createAlerting({ instance, clock, log, doubles, ...options.alerting });
  scheduler.start();
  inspector?.start();
  alerting?.start();
  if (options.hasPushes) {
    void alive.start();
    sweep.start();
  }
  let isListening = true;
  return {
    instance,
    scheduler,
    recorder,
    ingest,
    isListening: () => isListening,
    async stop() {
      const lastMark = alive.stop();
      const lastDeliveries = alerting?.stop();
      isListening = false;
      // The last rounds end now, so that the unobserved time begins with the stop.
      const lastRounds = scheduler.stop(2_000);
      const lastInspections = inspector?.stop();
      await bus.close();
      await Promise.all([sweep.stop(), sleep(clock, DRAIN_MS)]);
      await ingest.close();
      await lastMark;
      await lastRounds;
      await lastInspections;
      await recorder.close();
      await lastDeliveries;
    },
  };
}
