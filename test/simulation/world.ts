import type { Database } from '../../src/store/database/contract.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { createAlertSide } from './alerts/side.ts';
import type { AlertSide } from './alerts/side.ts';
import { createCheckRules } from './check-rules.ts';
import { countedDatabase } from './counted-database.ts';
import { createInspectionWatcher } from './inspection/watcher.ts';
import type { InspectionWatcher } from './inspection/watcher.ts';
import type { Life } from './life.ts';
import { createLives } from './lives.ts';
import type { Lives } from './lives.ts';
import { createWorldLog } from './log.ts';
import { noLooks } from './looks.ts';
import type { AllLooks } from './looks.ts';
import { createMishaps } from './mishaps.ts';
import type { Mishaps } from './mishaps.ts';
import { createOperator } from './operator.ts';
import type { Operator } from './operator.ts';
import type { Plan } from './plan.ts';
import { createProbes } from './probes.ts';
import type { Probes } from './probes.ts';
import type { Doubles } from './process.ts';
import { createPair } from './processes/pair.ts';
import type { Pair } from './processes/pair.ts';
import { createPairRules } from './processes/rules.ts';
import type { PairRules } from './processes/rules.ts';
import { createPushSide } from './push/side.ts';
import type { PushSide } from './push/side.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { createStory } from './story.ts';
import type { Story } from './story.ts';
import { createTroubles } from './troubles.ts';
import type { Troubles } from './troubles.ts';
import { createWatcher } from './watcher.ts';
import { openWorldDatabase } from './world-database.ts';

/** The process, all that is around it, and those who see that the rules hold. */
export interface World {
  plan: Plan;
  clock: FakeClock;
  random: Random;
  database: Database;
  story: Story;
  troubles: Troubles;
  probes: Probes;
  operator: Operator;
  pushSide: PushSide;
  /** Null where nobody is told what happens. */
  alertSide: AlertSide | null;
  watcher: ReturnType<typeof createWatcher>;
  lives: Lives;
  /** Null where one process runs alone. */
  pair: Pair | null;
  pairRules: PairRules | null;
  mishaps: Mishaps;
  looks: AllLooks;
  /** The rules that were broken, the first one first. */
  violations: string[];
  violate(rule: string): void;
}

/** A world before its beginning: nothing runs yet, and there is no monitor. */
export async function createWorld(plan: Plan, doubles: Doubles): Promise<World> {
  const random = createRandom(plan.seed).fork('world');
  const clock = createFakeClock({ now: beginningOf(random) });
  const real = await openWorldDatabase(clock, plan.pair !== null);
  const story = createStory(() => clock.monotonic());
  const looks = noLooks();
  const violations: string[] = [];
  const violate = (rule: string): void => {
    violations.push(rule);
    story.tell(`VIOLATED: ${rule}`);
  };
  const counted = countedDatabase(real.database, clock, () => {
    if (lives.current()?.life.isAlive()) violate('the process never comes to rest');
    lives.end();
  });
  const { database } = counted;
  const troubles = createTroubles(clock, story, plan.pair?.skewMs);
  const checkRules = createCheckRules({
    plan,
    clock,
    operator: () => operator,
    troubles,
    isAway: () => lives.isAway(),
    violate,
  });
  const probes = createProbes(plan, clock, checkRules.checked);
  const operator = createOperator(plan, database, clock, random.fork('operator'), story, doubles);
  const common = { plan, clock, database, random, story, operator, troubles, looks, violate };
  const pushSide = createPushSide({
    ...common,
    peek: real.peek,
    process: () => lives.current(),
    lastTrouble: () => (pair ? lastTroubleOf(pair, troubles) : lastTrouble(lives, troubles)),
  });
  const watcher = createWatcher({
    ...common,
    peek: real.peek,
    checks: probes.checks,
    pushWatcher: plan.pushes.length > 0 ? pushSide.watcher : null,
    inspectionWatcher: () => inspectionWatcher,
    isClockSteady: troubles.isClockSteady,
  });
  const inspectionWatcher: InspectionWatcher = createInspectionWatcher({
    ...common,
    referenceOf: watcher.referenceOf,
  });
  const livesOptions = {
    ...common,
    doubles,
    counted,
    read: real.read,
    probes,
    checkRules,
    watcher,
    inspectionWatcher,
    receivers: () => alertSide?.receivers ?? null,
    log: createWorldLog(story, violate),
    died: (life: Life) => pushSide.jobs.died(life),
  };
  const pairRules: PairRules | null =
    plan.pair &&
    createPairRules({
      ...common,
      peek: real.peek,
      disturbances: troubles.disturbances,
      isDatabaseHindered: troubles.isDatabaseHindered,
      running: () => pair!.running(),
    });
  const pair: Pair | null =
    plan.pair && createPair({ ...livesOptions, pair: plan.pair, rules: pairRules! });
  const lives: Lives = pair ?? createLives(livesOptions);
  const mishaps = createMishaps({ ...common, lives, jobs: pushSide.jobs });
  const alertSide: AlertSide | null =
    plan.alerts &&
    (await createAlertSide({
      plan: plan.alerts,
      database,
      clock,
      random: random.fork('alerts'),
      strike: mishaps.strike,
    }));
  return {
    ...common,
    probes,
    pushSide,
    alertSide,
    watcher,
    lives,
    pair,
    pairRules,
    mishaps,
    violations,
  };
}

/** Often close to midnight, since results lie in tables of a day each. Epoch milliseconds. */
function beginningOf(random: Random): number {
  const minute = random.chance(0.3)
    ? 24 * 60 - random.integer(1, 20)
    : random.integer(0, 24 * 60 - 1);
  return Date.UTC(2030, 4, 17) + minute * 60_000 + random.integer(0, 59_999);
}

/** When the last thing that hindered us was over; null while one goes on. */
function lastTrouble(lives: Lives, troubles: Troubles): number | null {
  const isAway = lives.isAway() || !lives.current()?.life.isAlive();
  if (isAway || troubles.isDatabaseHindered()) return null;
  return Math.max(0, ...troubles.disturbances.map(({ to }) => to));
}

/** The same of two processes: the other one goes on, once it took the one that is hindered for dead. */
function lastTroubleOf(pair: Pair, troubles: Troubles): number | null {
  const since = pair.servingSince();
  if (since === null || troubles.isDatabaseHindered()) return null;
  return Math.max(since, ...troubles.disturbances.map(({ to }) => to));
}
