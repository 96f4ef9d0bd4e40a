import type { Bus } from '../../src/bus/contract.ts';
import type { Log } from '../../src/lib/log.ts';
import type { Round } from '../../src/model/round.ts';
import { createScheduler } from '../../src/schedule/scheduler.ts';
import type { Scheduler } from '../../src/schedule/scheduler.ts';
import type { createIncidentService } from '../../src/service/incidents.ts';
import type { Database } from '../../src/store/contract.ts';
import { createJudge } from '../../src/verdict/judge.ts';
import type { Judge } from '../../src/verdict/judge.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { mortalBus, mortalClock } from './life.ts';
import type { Life } from './life.ts';

/** What a world runs in place of the real parts: only to show that the invariants can fail. */
export interface Doubles {
  createJudge?: typeof createJudge;
  createScheduler?: typeof createScheduler;
  createIncidentService?: typeof createIncidentService;
}

/** The engine as main.ts puts it together, for one life of the process. */
export interface Process {
  life: Life;
  scheduler: Scheduler;
  judge: Judge;
  /** Ends as on SIGTERM. */
  stop(): Promise<void>;
}

export interface ProcessOptions {
  life: Life;
  clock: FakeClock;
  bus: Bus;
  database: Database;
  log: Log;
  doubles: Doubles;
  submitted(round: Round): void;
}

export function startProcess(options: ProcessOptions): Process {
  const { life, doubles, log, submitted } = options;
  const clock = mortalClock(options.clock, life);
  const bus = mortalBus(options.bus, life);
  const { database } = options;
  const judge = (doubles.createJudge ?? createJudge)({ database, clock, log });
  const scheduler = (doubles.createScheduler ?? createScheduler)({
    database,
    bus,
    clock,
    log,
    judge: {
      submit(round) {
        submitted(round);
        return judge.submit(round);
      },
    },
    nodeId: life.name,
    secrets: { open: (sealed) => sealed },
  });
  scheduler.start();
  return {
    life,
    scheduler,
    judge,
    async stop() {
      await scheduler.stop(2_000);
      await judge.close();
    },
  };
}
