import type { createHistoryJobs } from '../../../src/engine/history/jobs.ts';
import type { HistoryJobs } from '../../../src/engine/history/jobs.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import type { Log } from '../../../src/lib/log.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import type { CountedDatabase } from '../counted-database.ts';
import { createLife, mortalClock, wakeful } from '../life.ts';
import type { Life } from '../life.ts';
import { mortalDatabase } from '../mortal-database.ts';
import type { Story } from '../story.ts';
import type { WorldDatabase } from '../world-database.ts';
import type { HistoryPlan } from './plan.ts';

/** Processes that share a database; the wall clock of each is its own. */
export interface HistoryProcesses {
  begin(): void;
  /** Kills a process after so many steps; another one takes its place after that time. */
  killSoon(process: number, touches: number, awayMs: number): void;
  refuse(lastsMs: number): void;
  /** Since when all processes have run without a break, in monotonic milliseconds; null while one is away. */
  undisturbedSince(): number | null;
  end(): void;
}

export interface HistoryProcessesOptions {
  plan: HistoryPlan;
  clock: FakeClock;
  counted: CountedDatabase;
  read: WorldDatabase['read'];
  story: Story;
  log: Log;
  createJobs: typeof createHistoryJobs;
}

export function createHistoryProcesses(options: HistoryProcessesOptions): HistoryProcesses {
  const { plan, clock, counted, read, story, log } = options;
  const running: { life: Life; jobs: HistoryJobs }[] = [];
  let lives = 0;
  let away = 0;
  let refusing = 0;
  let disturbedAt = 0;
  let hasEnded = false;

  function start(process: number): void {
    if (hasEnded) return;
    lives += 1;
    const life = createLife(`process ${process}, life ${lives}`, wakeful(clock));
    story.tell(`${life.name} begins`);
    const database = mortalDatabase({
      real: counted.database,
      read,
      life,
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
    const mortal = mortalClock(clock, life);
    const own: Clock = { ...mortal, now: () => clock.now() + plan.offsets[process]! };
    const jobs = options.createJobs({
      database,
      clock: own,
      log,
      rawRetentionDays: plan.rawRetentionDays,
      rollupRetentionDays: plan.rollupRetentionDays,
      auditRetentionDays: 400,
    });
    running[process] = { life, jobs };
    jobs.start();
  }

  return {
    begin: () => plan.offsets.forEach((_, process) => start(process)),
    killSoon(process, touches, awayMs) {
      const { life } = running[process]!;
      if (!life.isAlive()) return;
      life.dieAfter(touches, () => {
        story.tell(`${life.name} is killed`);
        away += 1;
        clock.after(awayMs, () => {
          away -= 1;
          disturbedAt = clock.monotonic();
          start(process);
        });
      });
    },
    refuse(lastsMs) {
      story.tell(`the database refuses for ${lastsMs} ms`);
      refusing += 1;
      clock.after(lastsMs, () => {
        refusing -= 1;
        disturbedAt = clock.monotonic();
      });
    },
    undisturbedSince: () => (away + refusing > 0 ? null : disturbedAt),
    end() {
      hasEnded = true;
      for (const { life } of running) life.kill();
    },
  };
}
