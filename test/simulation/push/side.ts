import type { Database } from '../../../src/store/database/contract.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { TEAM } from '../operator.ts';
import type { Life } from '../life.ts';
import type { Operator } from '../operator.ts';
import type { Plan } from '../plan.ts';
import type { Process } from '../process.ts';
import { fixedRandom } from '../random.ts';
import type { Random } from '../random.ts';
import type { Story } from '../story.ts';
import type { Troubles } from '../troubles.ts';
import type { WorldDatabase } from '../world-database.ts';
import { answerFault } from './answers.ts';
import { createJobs } from './jobs.ts';
import type { Attempt, Door, Jobs } from './jobs.ts';
import type { PushLooks } from './looks.ts';
import { createPushOwner } from './owner.ts';
import type { PushOwner } from './owner.ts';
import { PushWatcher } from './watcher.ts';

/** What a world has for push monitors: who owns them, the jobs that call, and who sees that all is well. */
export interface PushSide {
  owner: PushOwner;
  jobs: Jobs;
  watcher: PushWatcher;
}

export interface PushSideOptions {
  plan: Plan;
  clock: FakeClock;
  database: Database;
  peek: WorldDatabase['peek'];
  random: Random;
  story: Story;
  operator: Operator;
  troubles: Troubles;
  looks: PushLooks;
  /** The process that runs at this moment, or the last one. */
  process(): Process | null;
  lastTrouble(): number | null;
  violate(rule: string): void;
}

const HICCUP_MS = 300;
/** Each of two processes says once a second that it has heard all. */
const OTHERS_MS = 2_000;

export function createPushSide(options: PushSideOptions): PushSide {
  const { plan, clock, random, operator, troubles, looks, violate } = options;
  const { isClockSteady, wallAt } = troubles;

  function door(): Door | null {
    const current = options.process();
    if (!current?.life.isAlive() || !current.isListening()) return null;
    return { life: current.life, take: (ping) => current.ingest.take(ping) };
  }

  function reached(): Door | null | undefined {
    return options.plan.pair === null ? undefined : door();
  }

  function arrives(number: number): void {
    const left = plan.wildMs - clock.monotonic();
    if (left <= 0 || fixedRandom(plan.seed, number, 'hiccup') >= plan.hiccups) return;
    troubles.begin({ kind: 'refuse', at: clock.monotonic(), lastsMs: HICCUP_MS }, left);
  }

  function answered(attempt: Attempt, life: Life): void {
    if (attempt.outcome === 'recorded') looks.recorded += 1;
    if (attempt.outcome === 'limited') looks.limited += 1;
    const fault = answerFault(attempt, {
      push: owner.pushes.get(attempt.monitorId)!,
      attempts: jobs.attempts,
      now: life.now(),
      at: clock.monotonic(),
      isClockSteady: isClockSteady(),
    });
    if (fault !== null) violate(fault);
  }

  const jobs: Jobs = createJobs({
    ...options,
    seed: plan.seed,
    isPair: plan.pair !== null,
    random: random.fork('jobs'),
    door,
    reached,
    arrives,
    answered,
  });
  const owner = createPushOwner({
    ...options,
    random: random.fork('owner of jobs'),
    wildMs: plan.wildMs,
    team: TEAM,
    changed: (push) => jobs.follow(push),
  });
  const watcher = new PushWatcher({
    ...options,
    pushes: owner.pushes,
    attempts: () => jobs.attempts,
    erased: operator.erased,
    deedAt: operator.deedAt,
    isClockSteady,
    skewMs: plan.pair?.skewMs ?? 0,
    othersMs: plan.pair === null ? 0 : OTHERS_MS,
    wallAt,
  });
  return { owner, jobs, watcher };
}
