import type { createHistoryJobs } from '../../../src/engine/history/jobs.ts';
import type { HistoryJobs } from '../../../src/engine/history/jobs.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import type { Log } from '../../../src/lib/log.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import type { CountedDatabase } from '../counted-database.ts';
import { createInstance, crashableClock, neverFrozen } from '../process-instance.ts';
import type { ProcessInstance } from '../process-instance.ts';
import { crashableDatabase } from '../crashable-database.ts';
import type { Story } from '../story.ts';
import type { WorldDatabase } from '../world-database.ts';
import type { HistoryScenario } from './scenario.ts';

/** Runs processes that share a database; each has its own wall clock. */
export interface HistoryProcesses {
  begin(): void;
  /** Kills a process after that many crash points; the next one starts `downMs` later. */
  killAfter(process: number, crashPoints: number, downMs: number): void;
  refuse(lastsMs: number): void;
  /** When the last fault ended, in monotonic milliseconds; null during one. */
  undisturbedSince(): number | null;
  end(): void;
}

export interface HistoryProcessesOptions {
  scenario: HistoryScenario;
  clock: FakeClock;
  counted: CountedDatabase;
  read: WorldDatabase['read'];
  story: Story;
  log: Log;
  createJobs: typeof createHistoryJobs;
}

export function createHistoryProcesses(options: HistoryProcessesOptions): HistoryProcesses {
  const { scenario, clock, counted, read, story, log } = options;
  const running: { instance: ProcessInstance; jobs: HistoryJobs }[] = [];
  let instances = 0;
  let away = 0;
  let refusing = 0;
  let disturbedAt = 0;
  let hasEnded = false;

  function start(process: number): void {
    if (hasEnded) return;
    instances += 1;
    const instance = createInstance(
      `process ${process}, instance ${instances}`,
      neverFrozen(clock),
    );
    story.add(`${instance.name} starts`);
    const database = crashableDatabase({
      real: counted.database,
      read,
      instance,
      faults: {
        isRefusing: () => refusing > 0,
        delay: async () => undefined,
        losesAnswer: () => false,
      },
      writes: counted.writes,
      now: clock.now,
      observe: async () => ({}),
      committed: () => undefined,
    });
    const crashable = crashableClock(clock, instance);
    const own: Clock = { ...crashable, now: () => clock.now() + scenario.offsets[process]! };
    const jobs = options.createJobs({
      database,
      clock: own,
      log,
      rawRetentionDays: scenario.rawRetentionDays,
      rollupRetentionDays: scenario.rollupRetentionDays,
      auditRetentionDays: 400,
    });
    running[process] = { instance, jobs };
    jobs.start();
  }

  return {
    begin: () => scenario.offsets.forEach((_, process) => start(process)),
    killAfter(process, crashPoints, downMs) {
      const { instance } = running[process]!;
      if (!instance.isAlive()) return;
      instance.killAfter(crashPoints, () => {
        story.add(`${instance.name} is killed`);
        away += 1;
        clock.after(downMs, () => {
          away -= 1;
          disturbedAt = clock.monotonic();
          start(process);
        });
      });
    },
    refuse(lastsMs) {
      story.add(`the database refuses for ${lastsMs} ms`);
      refusing += 1;
      clock.after(lastsMs, () => {
        refusing -= 1;
        disturbedAt = clock.monotonic();
      });
    },
    undisturbedSince: () => (away + refusing > 0 ? null : disturbedAt),
    end() {
      hasEnded = true;
      for (const { instance } of running) instance.kill();
    },
  };
}
