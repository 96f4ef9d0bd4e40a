import type { Database } from '../../src/store/database/contract.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { noCoverage, type RuleCoverage } from './coverage.ts';
import { createAlertEnvironment, type AlertEnvironment } from './alerts/environment.ts';
import { createCheckRules } from './check-rules.ts';
import { countedDatabase } from './counted-database.ts';
import { createInspectionChecker, type InspectionChecker } from './inspection/commit-checker.ts';
import type { ProcessInstance } from './process-instance.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';
import { createWorldLog } from './log.ts';
import { createOperator, type Operator } from './operator.ts';
import type { Scenario, Disruption } from './scenario.ts';
import { createProbes, type Probes } from './probes.ts';
import type { Doubles } from './process.ts';
import { createProcessPair, type ProcessPair } from './processes/pair.ts';
import { createPairRules, type PairRules } from './processes/rules.ts';
import { createPushEnvironment, type PushEnvironment } from './push/environment.ts';
import { createRandom, type Random } from './random.ts';
import { createStory, type Story } from './story.ts';
import { createFaultInjector, type FaultInjector } from './fault-injector.ts';
import { createCommitChecker } from './commit-checker.ts';
import { openWorldDatabase } from './world-database.ts';
import type { DeliveryDisruption } from './alerts/scenario.ts';
import type { Jobs } from './push/jobs.ts';

/** Applies the disruptions of a scenario when their time has come. */
interface Disruptor {
  /** Applies a disruption now. */
  disrupt(disruption: Disruption): void;
  /** Applies a disruption while a delivery is in flight. */
  disruptDelivery(disruption: DeliveryDisruption): void;
}

interface DisruptorOptions {
  scenario: Scenario;
  clock: FakeClock;
  faultInjector: FaultInjector;
  supervisor: Supervisor;
  jobs: Jobs;
  coverage: RuleCoverage;
}

function createDisruptor(options: DisruptorOptions): Disruptor {
  const { scenario, clock, faultInjector, supervisor, jobs, coverage } = options;
  return {
    disrupt(disruption) {
      const left = Math.max(100, scenario.wildMs - clock.monotonic());
      if (!('downMs' in disruption)) {
        faultInjector.begin(disruption, left);
        if (disruption.kind === 'step') jobs.stepped();
        return;
      }
      const downMs = Math.min(disruption.downMs, left);
      if (disruption.kind === 'kill') supervisor.killAfter(disruption.crashPoints, downMs);
      else void supervisor.stop(downMs);
    },
    disruptDelivery(disruption) {
      const left = scenario.wildMs - clock.monotonic();
      if (left <= 0 || supervisor.isDown()) return;
      coverage.deliveryDisruptions += 1;
      if (disruption.kind === 'freeze') faultInjector.begin(disruption, left);
      else supervisor.killAfter(disruption.crashPoints, Math.min(disruption.downMs, left));
    },
  };
}

/** One simulated world: the process, its environment, and the checkers of the rules. */
export interface World {
  scenario: Scenario;
  clock: FakeClock;
  random: Random;
  database: Database;
  story: Story;
  faultInjector: FaultInjector;
  probes: Probes;
  operator: Operator;
  pushEnvironment: PushEnvironment;
  /** Null in worlds without alerting. */
  alertEnvironment: AlertEnvironment | null;
  checker: ReturnType<typeof createCommitChecker>;
  supervisor: Supervisor;
  /** Null in worlds with a single process. */
  pair: ProcessPair | null;
  pairRules: PairRules | null;
  disruptor: Disruptor;
  coverage: RuleCoverage;
  /** Broken rules in order. */
  violations: string[];
  violate(rule: string): void;
}

/** Creates a world in which nothing runs yet and no monitor exists. */
export async function createWorld(scenario: Scenario, doubles: Doubles): Promise<World> {
  const random = createRandom(scenario.seed).fork('world');
  const clock = createFakeClock({ now: beginningOf(random) });
  const real = await openWorldDatabase(clock, scenario.pair !== null);
  const story = createStory(() => clock.monotonic());
  const coverage = noCoverage();
  const violations: string[] = [];
  const violate = (rule: string): void => {
    violations.push(rule);
    story.add(`VIOLATED: ${rule}`);
  };
  const counted = countedDatabase(real.database, clock, () => {
    if (supervisor.current()?.instance.isAlive()) violate('the process never becomes idle');
    supervisor.end();
  });
  const { database } = counted;
  const faultInjector = createFaultInjector(clock, story, scenario.pair?.skewMs);
  const checkRules = createCheckRules({
    scenario,
    clock,
    operator: () => operator,
    faultInjector,
    isDown: () => supervisor.isDown(),
    violate,
  });
  const probes = createProbes(scenario, clock, checkRules.checked);
  const operator = createOperator(
    scenario,
    database,
    clock,
    random.fork('operator'),
    story,
    doubles,
  );
  const common = {
    scenario,
    clock,
    database,
    random,
    story,
    operator,
    faultInjector,
    coverage,
    violate,
  };
  const pushEnvironment = createPushEnvironment({
    ...common,
    peek: real.peek,
    process: () => supervisor.current(),
    undisturbedSince: () =>
      pair
        ? pairUndisturbedSince(pair, faultInjector)
        : undisturbedSince(supervisor, faultInjector),
  });
  const checker = createCommitChecker({
    ...common,
    peek: real.peek,
    checks: probes.checks,
    pushChecker: scenario.pushes.length > 0 ? pushEnvironment.checker : null,
    inspectionChecker: () => inspectionChecker,
    isClockSteady: faultInjector.isClockSteady,
  });
  const inspectionChecker: InspectionChecker = createInspectionChecker({
    ...common,
    referenceOf: checker.referenceOf,
  });
  const supervisorOptions = {
    ...common,
    doubles,
    counted,
    read: real.read,
    probes,
    checkRules,
    checker,
    inspectionChecker,
    receivers: () => alertEnvironment?.receivers ?? null,
    log: createWorldLog(story, violate),
    instanceEnded: (instance: ProcessInstance) => pushEnvironment.jobs.instanceEnded(instance),
  };
  const pairRules: PairRules | null =
    scenario.pair &&
    createPairRules({
      ...common,
      peek: real.peek,
      disturbances: faultInjector.disturbances,
      isDatabaseDisturbed: faultInjector.isDatabaseDisturbed,
      running: () => pair!.running(),
    });
  const pair: ProcessPair | null =
    scenario.pair &&
    createProcessPair({ ...supervisorOptions, pair: scenario.pair, rules: pairRules! });
  const supervisor: Supervisor = pair ?? createSupervisor(supervisorOptions);
  const disruptor = createDisruptor({ ...common, supervisor, jobs: pushEnvironment.jobs });
  const alertEnvironment: AlertEnvironment | null =
    scenario.alerts &&
    (await createAlertEnvironment({
      scenario: scenario.alerts,
      database,
      clock,
      random: random.fork('alerts'),
      disruptDelivery: disruptor.disruptDelivery,
    }));
  return {
    ...common,
    probes,
    pushEnvironment,
    alertEnvironment,
    checker,
    supervisor,
    pair,
    pairRules,
    disruptor,
    violations,
  };
}

/** Start of the world in epoch milliseconds, often close to midnight, since results lie in one table per day. */
function beginningOf(random: Random): number {
  const minute = random.chance(0.3)
    ? 24 * 60 - random.integer(1, 20)
    : random.integer(0, 24 * 60 - 1);
  return Date.UTC(2030, 4, 17) + minute * 60_000 + random.integer(0, 59_999);
}

/** When the last disturbance ended; null during one. */
function undisturbedSince(supervisor: Supervisor, faultInjector: FaultInjector): number | null {
  const isDown = supervisor.isDown() || !supervisor.current()?.instance.isAlive();
  if (isDown || faultInjector.isDatabaseDisturbed()) return null;
  return Math.max(0, ...faultInjector.disturbances.map(({ to }) => to));
}

/** The same for two processes: the other one goes on once the lease of the disturbed one has ended. */
function pairUndisturbedSince(pair: ProcessPair, faultInjector: FaultInjector): number | null {
  const since = pair.servingSince();
  if (since === null || faultInjector.isDatabaseDisturbed()) return null;
  return Math.max(since, ...faultInjector.disturbances.map(({ to }) => to));
}
