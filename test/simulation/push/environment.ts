import type { RuleCoverage } from '../coverage.ts';
import type { Database } from '../../../src/store/database/contract.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { TEAM, type Operator } from '../operator.ts';
import type { ProcessInstance } from '../process-instance.ts';
import type { Scenario } from '../scenario.ts';
import type { Process } from '../process.ts';
import { fixedRandom, type Random } from '../random.ts';
import type { Story } from '../story.ts';
import type { FaultInjector } from '../fault-injector.ts';
import type { WorldDatabase } from '../world-database.ts';
import { createJobs, type Attempt, type PingListener, type Jobs } from './jobs.ts';
import { createPushOwner, type PushOwner, type OwnedPush } from './owner.ts';
import { PushChecker } from './commit-checker.ts';
import { PING_LIMIT } from './scenario.ts';

interface AnswerContext {
  push: OwnedPush;
  /** All pings sent so far. */
  attempts: readonly Attempt[];
  /** Current time: epoch milliseconds, and milliseconds since the world began. */
  now: number;
  at: number;
  isClockSteady: boolean;
}

/** Why the answer to a ping is wrong; null when it is right. */
function answerFault(attempt: Attempt, context: AnswerContext): string | null {
  const { number, outcome, row } = attempt;
  const why = reasonAgainst(attempt, row ?? context.attempts[number]!.row, context);
  return why === null ? null : `ping ${number} was answered ${outcome}, but ${why}`;
}

function reasonAgainst(
  { monitorId, outcome, takenAt }: Attempt,
  row: Attempt['row'],
  { push, attempts, now, at, isClockSteady }: AnswerContext,
): string | null {
  if (outcome === 'unavailable') return null;
  if (outcome === 'recorded') return row === null ? 'it is not on disk' : null;
  if (row !== null) return 'it is on disk';
  const since = at - Math.max(0, now - takenAt!);
  const recent = push.eras.filter((_, index) => (push.eras[index + 1]?.from ?? Infinity) >= since);
  if (outcome === 'ignored')
    return recent.some((era) => era.isPaused || era.isDeleted) ? null : 'it was not paused';
  if (outcome === 'unknown')
    return recent.some((era) => era.isDeleted) ? null : 'its monitor exists';
  if (!isClockSteady) return null;
  const wasPaused = recent.some((era) => era.isPaused || era.isDeleted);
  const isCounted = (one: Attempt) =>
    one.row !== null ||
    // Still waiting for the database.
    one.outcome === null ||
    one.outcome === 'ignored' ||
    // The caller hung up, so that the answer is unknown.
    one.outcome === 'gone' ||
    // It may have been ignored in a commit whose answer was lost.
    (one.outcome === 'unavailable' && wasPaused);
  const counted = attempts.filter(
    (one) =>
      one.monitorId === monitorId &&
      one.takenAt !== null &&
      takenAt! - one.takenAt < 60_000 &&
      isCounted(one),
  );
  return counted.length < PING_LIMIT ? `only ${counted.length} came before it` : null;
}

/** The push monitors of a world: their owner, the jobs that ping, and the checker of their rules. */
export interface PushEnvironment {
  owner: PushOwner;
  jobs: Jobs;
  checker: PushChecker;
}

export interface PushEnvironmentOptions {
  scenario: Scenario;
  clock: FakeClock;
  database: Database;
  peek: WorldDatabase['peek'];
  random: Random;
  story: Story;
  operator: Operator;
  faultInjector: FaultInjector;
  coverage: RuleCoverage;
  /** The running process, or the last one. */
  process(): Process | null;
  undisturbedSince(): number | null;
  violate(rule: string): void;
}

const HICCUP_MS = 300;

/** Each of two processes records once a second that it has received all pings. */
const OTHERS_MS = 2_000;

export function createPushEnvironment(options: PushEnvironmentOptions): PushEnvironment {
  const { scenario, clock, random, operator, faultInjector, coverage, violate } = options;
  const { isClockSteady, wallAt } = faultInjector;

  function listener(): PingListener | null {
    const current = options.process();
    if (!current?.instance.isAlive() || !current.isListening()) return null;
    return { instance: current.instance, take: (ping) => current.ingest.take(ping) };
  }

  function pairedListener(): PingListener | null | undefined {
    return options.scenario.pair === null ? undefined : listener();
  }

  function arrives(number: number): void {
    const left = scenario.wildMs - clock.monotonic();
    if (left <= 0 || fixedRandom(scenario.seed, number, 'hiccup') >= scenario.hiccups) return;
    faultInjector.begin({ kind: 'refuse', at: clock.monotonic(), lastsMs: HICCUP_MS }, left);
  }

  function answered(attempt: Attempt, instance: ProcessInstance): void {
    if (attempt.outcome === 'recorded') coverage.recorded += 1;
    if (attempt.outcome === 'limited') coverage.limited += 1;
    const fault = answerFault(attempt, {
      push: owner.pushes.get(attempt.monitorId)!,
      attempts: jobs.attempts,
      now: instance.now(),
      at: clock.monotonic(),
      isClockSteady: isClockSteady(),
    });
    if (fault !== null) violate(fault);
  }

  const jobs: Jobs = createJobs({
    ...options,
    seed: scenario.seed,
    isPair: scenario.pair !== null,
    random: random.fork('jobs'),
    listener,
    pairedListener,
    arrives,
    answered,
  });
  const owner = createPushOwner({
    ...options,
    random: random.fork('owner of jobs'),
    wildMs: scenario.wildMs,
    team: TEAM,
    changed: (push) => jobs.applySettings(push),
  });
  const checker = new PushChecker({
    ...options,
    pushes: owner.pushes,
    attempts: () => jobs.attempts,
    erased: operator.erased,
    manualActionAt: operator.manualActionAt,
    isClockSteady,
    skewMs: scenario.pair?.skewMs ?? 0,
    othersMs: scenario.pair === null ? 0 : OTHERS_MS,
    wallAt,
  });
  return { owner, jobs, checker };
}
