import { WITH_HISTORY } from './history/plan.ts';
import { runHistoryWorld } from './history/world.ts';
import { worldPlanOf } from './blips.ts';
import { checkTheEnd } from './last-checks.ts';
import type { AllLooks } from './looks.ts';
import { announceWindows } from './maintenance/side.ts';
import type { Plan } from './plan.ts';
import type { Doubles } from './process.ts';
import { createRandom } from './random.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

export interface Outcome {
  seed: number;
  /** The rules that were broken, the first one first; empty when all held. */
  violations: string[];
  /** The timeline, for people. */
  story: string[];
  /** What there was to look at, so that a test can see that no rule sleeps. */
  looks: AllLooks;
  counts: Record<'rounds' | 'pings' | 'incidents' | 'lives' | 'edits' | 'virtualMs', number>;
}

export interface SimulationOptions {
  doubles?: Doubles;
  plan?: Plan;
}

const LOOK_EVERY_MS = 60_000;

/** Runs one world from beginning to end. The same seed gives the same story, to the letter. */
export async function runSimulation(
  seed: number,
  options: SimulationOptions = {},
): Promise<Outcome> {
  const world = await createWorld(options.plan ?? worldPlanOf(seed), options.doubles ?? {});
  const unhandled = (error: unknown) =>
    world.violate(`a promise was rejected and nobody looked: ${String(error)}`);
  process.on('unhandledRejection', unhandled);
  try {
    await begin(world);
    await letTimePass(world);
    if (world.violations.length === 0) await checkTheEnd(world);
    if (world.violations.length === 0 && hasHistory(seed)) await runHistory(world, options);
  } finally {
    process.off('unhandledRejection', unhandled);
    world.lives.end();
    await world.database.close();
  }
  return outcomeOf(world);
}

function hasHistory(seed: number): boolean {
  return createRandom(seed).fork('has history').chance(WITH_HISTORY);
}

async function runHistory(world: World, { doubles = {} }: SimulationOptions): Promise<void> {
  const { violations, story } = await runHistoryWorld(world.plan.seed, world.looks, doubles);
  world.story.append('Roll-ups and retention, in a world of their own:', story);
  world.violations.push(...violations);
}

/** There is something to watch, somebody watches, and what the plan has in store waits for its time. */
async function begin(world: World): Promise<void> {
  const { plan, clock, operator, pushSide, lives, mishaps } = world;
  if (plan.maintenance !== null) await announceWindows(plan.maintenance, world);
  for (const settings of plan.monitors) await operator.create(settings);
  for (const push of plan.pushes) await pushSide.owner.create(push);
  lives.begin();
  for (const disruption of plan.disruptions)
    clock.after(disruption.at, () => mishaps.disrupt(disruption));
  for (const trouble of plan.pair?.troubles ?? [])
    clock.after(trouble.at, () => world.pair!.befall(trouble));
  for (const at of plan.actions) clock.after(at, () => void edit(world));
  for (const at of plan.wishes) clock.after(at, () => void wish(world));
  for (const at of plan.pushActions) clock.after(at, () => void editPush(world));
  for (const at of plan.deeds) clock.after(at, () => void handle(world));
}

async function letTimePass({ plan, clock, pushSide, pairRules, violations }: World): Promise<void> {
  const endsAt = plan.wildMs + plan.calmMs;
  while (clock.monotonic() < endsAt && violations.length === 0) {
    await clock.advance(Math.min(LOOK_EVERY_MS, endsAt - clock.monotonic()));
    pushSide.watcher.look();
    pairRules?.look();
  }
}

/** Often, but not always, the process is told of it. */
async function edit({ troubles, operator, random, lives }: World): Promise<void> {
  if (troubles.isDatabaseAway()) return;
  const shard = await operator.act();
  if (shard !== null && random.chance(0.6)) lives.current()?.scheduler.wake(shard);
}

async function wish({ troubles, operator, lives }: World): Promise<void> {
  if (troubles.isDatabaseAway()) return;
  await operator.hastenAll();
  lives.current()?.scheduler.wake();
}

async function editPush({ troubles, pushSide }: World): Promise<void> {
  if (!troubles.isDatabaseAway()) await pushSide.owner.act();
}

async function handle({ troubles, operator }: World): Promise<void> {
  if (!troubles.isDatabaseAway()) await operator.handle();
}

function outcomeOf(world: World): Outcome {
  const { plan, clock, story, watcher, operator, lives, looks, violations } = world;
  const monitors = [...watcher.watched.values()];
  const sum = (of: (monitor: (typeof monitors)[number]) => number) =>
    monitors.reduce((total, monitor) => total + of(monitor), 0);
  return {
    seed: plan.seed,
    violations,
    story: story.lines(),
    looks,
    counts: {
      rounds: sum(({ counted }) => counted.length),
      pings: looks.recorded,
      incidents: sum(({ reference }) => reference.incidents.length),
      lives: lives.count(),
      edits: [...operator.monitors.values()].reduce(
        (total, { eras }) => total + eras.length - 1,
        0,
      ),
      virtualMs: clock.monotonic(),
    },
  };
}
