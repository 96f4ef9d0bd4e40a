import { randomInt } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { amounts } from '../support/depth.ts';
import { worldScenarioOf } from './blips.ts';
import { runSimulation } from './run.ts';
import { addToTally, createTally, reportOf, runSeeds, seedsFrom } from './seeds.ts';

/** Of each STRIDE fixed seeds, the last few are worlds with maintenance windows, which are rare otherwise. */
const STRIDE = 25;
const MAINTAINED_OF_STRIDE = 3;
/** Rules that need two rare events at once. */
const RARE_RULES = [
  'excusedRuns',
  'missedAfterPostponement',
  'resent',
  'deliveryGaps',
  'flapping',
  'grouped',
  'purged',
];
/** Rules that few worlds exercise at all. */
const RARE_WORLD_RULES = [
  'held',
  'neverNotified',
  'endedEarly',
  'excluded',
  'purgedTeams',
  'expired',
];
/** Rules that few worlds exercise, but often. */
const CLUSTERED_RULES = ['limited', 'missedAfterPostponement'];
/** With fewer worlds, rare rules may not be exercised. */
const ENOUGH_FOR_RARE = 200;

/** Seeds that are the same in each run. */
function fixedSeeds([from, to]: readonly [number, number]): number[] {
  const maintained = maintainedSeeds();
  let plain = 0;
  const seeds = Array.from({ length: to }, (_, index) =>
    index % STRIDE < STRIDE - MAINTAINED_OF_STRIDE ? (plain += 1) : maintained.next().value,
  );
  return seeds.slice(from);
}

function* maintainedSeeds(): Generator<number, never> {
  for (let seed = 1_000; ; seed += 1) if (worldScenarioOf(seed).maintenance !== null) yield seed;
}

function leastCoverage(rule: string, worlds: number): number {
  if (worlds < ENOUGH_FOR_RARE && [...RARE_WORLD_RULES, ...CLUSTERED_RULES].includes(rule))
    return -1;
  if (RARE_WORLD_RULES.includes(rule)) return 0;
  return RARE_RULES.includes(rule) ? worlds / 100 : worlds / 10;
}

/** A failed seed prints its story; `npm run simulate -- --from SEED --seeds 1 --story` prints it again. */
describe('the simulation', { timeout: 1_200_000 }, () => {
  const { fixedWorlds, freshWorlds } = amounts;
  const fixed = fixedSeeds(fixedWorlds);
  const worlds = fixed.length + freshWorlds;

  test(`${worlds} random worlds keep every rule, and each rule is exercised [40.2]`, async () => {
    const from = randomInt(10_000_000, 2_000_000_000);
    if (freshWorlds > 0)
      console.log(`Fresh seeds: npm run simulate -- --from ${from} --seeds ${freshWorlds}`);
    const seeds = [...fixed, ...seedsFrom(from, freshWorlds)];
    const tally = createTally();
    await runSeeds(seeds, (outcome) => addToTally(tally, outcome));
    const [first] = tally.failed;
    expect(first ? reportOf(first) : 'no seed failed').toBe('no seed failed');
    for (const [rule, coverage] of Object.entries(tally.coverage))
      expect(coverage, rule).toBeGreaterThan(leastCoverage(rule, worlds));
    for (const [what, count] of Object.entries(tally.counts))
      expect(count, what).toBeGreaterThan(worlds);
  });

  test('the same seed gives the same story, and another seed a different one', async () => {
    const [first, second] = [await runSimulation(7), await runSimulation(7)];
    expect(second).toEqual(first);
    expect(first.story.length).toBeGreaterThan(20);
    expect((await runSimulation(8)).story).not.toEqual(first.story);
  });
});
