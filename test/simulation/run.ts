import type { RuleCoverage } from './coverage.ts';
import { HISTORY_SHARE } from './history/scenario.ts';
import { runHistoryWorld } from './history/world.ts';
import { worldScenarioOf } from './blips.ts';
import { runFinalChecks } from './final-checks.ts';
import type { Scenario } from './scenario.ts';
import type { Doubles } from './process.ts';
import { createRandom } from './random.ts';
import { createWorld, type World } from './world.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { occurrenceChanges } from '../../src/store/engine/maintenance.ts';
import { insertRow } from '../../src/store/database/rows.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { TEAM } from './operator.ts';
import type { Story } from './story.ts';
import {
  MAINTAINED_TAG,
  PARENT_GROUP,
  type MaintenanceScenario,
  type ScheduledWindow,
} from './maintenance/scenario.ts';

const DAY = 24 * 3_600_000;

/** Creates the maintenance windows of a world before it begins. */
async function createWindows(
  windows: MaintenanceScenario,
  { database, clock, story }: { database: Database; clock: FakeClock; story: Story },
): Promise<void> {
  const now = clock.now();
  for (const window of windows) {
    await createWindow(window, database, now);
    const { from, lengthMs, scope, goodRounds, isRecurring } = window;
    story.add(
      `maintenance of ${scope} is announced from ${from} ms on for ${lengthMs} ms` +
        (goodRounds === null ? '' : `, until ${goodRounds} good rounds`) +
        (isRecurring ? ', daily since yesterday' : ''),
    );
  }
}

/**
 * Creates a window as the service does. The first occurrence of a recurring window is over, and its next one not yet
 * written.
 */
async function createWindow(
  window: ScheduledWindow,
  database: Database,
  now: number,
): Promise<void> {
  const { from, lengthMs, scope, goodRounds, isRecurring } = window;
  const startsAt = now + from - (isRecurring ? DAY : 0);
  const time = { from: startsAt, to: startsAt + lengthMs };
  await database.transaction(async (tx) => {
    const id = await insertRow(tx, 'maintenance_window', {
      team_id: TEAM,
      name: 'Work',
      starts_at: time.from,
      ends_at: time.to,
      rrule: isRecurring ? 'FREQ=DAILY' : null,
      timezone: 'UTC',
      monitors: scope === 'monitor' ? '[1]' : '[]',
      groups: scope === 'group' ? JSON.stringify([PARENT_GROUP]) : '[]',
      tags: scope === 'tag' ? JSON.stringify([MAINTAINED_TAG]) : '[]',
      good_rounds: goodRounds,
      next_at: isRecurring ? now : time.from,
      created_at: now,
      updated_at: now,
    });
    await occurrenceChanges(tx).insert(id, [time]);
  });
}

export interface Outcome {
  seed: number;
  /** Broken rules in order; empty when all held. */
  violations: string[];
  /** The timeline in readable lines. */
  story: string[];
  /** How often each rule was exercised, so that a test can require it. */
  coverage: RuleCoverage;
  counts: Record<'rounds' | 'pings' | 'incidents' | 'instances' | 'edits' | 'virtualMs', number>;
}

export interface SimulationOptions {
  doubles?: Doubles;
  scenario?: Scenario;
}

const CHECK_EVERY_MS = 60_000;

/** Runs the world of a seed to its end. The same seed gives the same story, character by character. */
export async function runSimulation(
  seed: number,
  options: SimulationOptions = {},
): Promise<Outcome> {
  const world = await createWorld(options.scenario ?? worldScenarioOf(seed), options.doubles ?? {});
  const unhandled = (error: unknown) => world.violate(`unhandled rejection: ${String(error)}`);
  process.on('unhandledRejection', unhandled);
  try {
    await begin(world);
    await letTimePass(world);
    if (world.violations.length === 0) await runFinalChecks(world);
    if (world.violations.length === 0 && hasHistory(seed)) await runHistory(world, options);
  } finally {
    process.off('unhandledRejection', unhandled);
    world.supervisor.end();
    await world.database.close();
  }
  return outcomeOf(world);
}

function hasHistory(seed: number): boolean {
  return createRandom(seed).fork('has history').chance(HISTORY_SHARE);
}

async function runHistory(world: World, { doubles = {} }: SimulationOptions): Promise<void> {
  const { violations, story } = await runHistoryWorld(world.scenario.seed, world.coverage, doubles);
  world.story.append('Roll-ups and retention, in a separate world:', story);
  world.violations.push(...violations);
}

/** Creates the monitors, starts the process and schedules the events of the scenario. */
async function begin(world: World): Promise<void> {
  const { scenario, clock, operator, pushEnvironment, supervisor, disruptor } = world;
  if (scenario.maintenance !== null) await createWindows(scenario.maintenance, world);
  for (const settings of scenario.monitors) await operator.create(settings);
  for (const push of scenario.pushes) await pushEnvironment.owner.create(push);
  supervisor.begin();
  for (const disruption of scenario.disruptions)
    clock.after(disruption.at, () => disruptor.disrupt(disruption));
  for (const disruption of scenario.pair?.disruptions ?? [])
    clock.after(disruption.at, () => world.pair!.disrupt(disruption));
  for (const at of scenario.actions) clock.after(at, () => void editMonitor(world));
  for (const at of scenario.checkRequests) clock.after(at, () => void requestChecks(world));
  for (const at of scenario.pushActions) clock.after(at, () => void editPush(world));
  for (const at of scenario.manualActions) clock.after(at, () => void handleRandomIncident(world));
}

async function letTimePass({
  scenario,
  clock,
  pushEnvironment,
  pairRules,
  violations,
}: World): Promise<void> {
  const endsAt = scenario.wildMs + scenario.calmMs;
  while (clock.monotonic() < endsAt && violations.length === 0) {
    await clock.advance(Math.min(CHECK_EVERY_MS, endsAt - clock.monotonic()));
    pushEnvironment.checker.look();
    pairRules?.look();
  }
}

/** Changes a monitor; the process is usually woken. */
async function editMonitor({ faultInjector, operator, random, supervisor }: World): Promise<void> {
  if (faultInjector.isDatabaseDown()) return;
  const shard = await operator.makeRandomChange();
  if (shard !== null && random.chance(0.6)) supervisor.current()?.scheduler.wake(shard);
}

async function requestChecks({ faultInjector, operator, supervisor }: World): Promise<void> {
  if (faultInjector.isDatabaseDown()) return;
  await operator.requestChecks();
  supervisor.current()?.scheduler.wake();
}

async function editPush({ faultInjector, pushEnvironment }: World): Promise<void> {
  if (!faultInjector.isDatabaseDown()) await pushEnvironment.owner.makeRandomChange();
}

async function handleRandomIncident({ faultInjector, operator }: World): Promise<void> {
  if (!faultInjector.isDatabaseDown()) await operator.handleRandomIncident();
}

function outcomeOf(world: World): Outcome {
  const { scenario, clock, story, checker, operator, supervisor, coverage, violations } = world;
  const monitors = [...checker.tracked.values()];
  const sum = (of: (monitor: (typeof monitors)[number]) => number) =>
    monitors.reduce((total, monitor) => total + of(monitor), 0);
  return {
    seed: scenario.seed,
    violations,
    story: story.lines(),
    coverage,
    counts: {
      rounds: sum(({ counted }) => counted.length),
      pings: coverage.recorded,
      incidents: sum(({ reference }) => reference.incidents.length),
      instances: supervisor.count(),
      edits: [...operator.monitors.values()].reduce(
        (total, { eras }) => total + eras.length - 1,
        0,
      ),
      virtualMs: clock.monotonic(),
    },
  };
}
