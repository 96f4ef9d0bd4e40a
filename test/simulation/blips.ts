import type { OwnedMonitor } from './operator.ts';
import { scenarioOf } from './scenario.ts';
import { everywhere, WORLD_REGIONS } from './targets.ts';
import type { Scenario } from './scenario.ts';
import type { RegionViews } from './targets.ts';
import { withSecondProcess } from './processes/scenario.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import type { Segment } from './segments.ts';
import type { TrackedMonitor } from './commit-checker.ts';

/** Targets of these worlds never fail for longer, and are up for minutes in between. */
const LONGEST_BLIP_MS = 8_900;
const WELL_MS: [number, number] = [4 * 60_000, 8 * 60_000];

/**
 * Draws the scenario of a seed: that of `scenarioOf`, but in every tenth world targets fail only briefly, and a share
 * of the worlds has two processes.
 */
export function worldScenarioOf(seed: number): Scenario {
  const scenario = scenarioOf(seed);
  return withSecondProcess(
    seed % 10 === 5 ? withBlips(scenario, createRandom(seed).fork('blips')) : scenario,
  );
}

/**
 * The same scenario, except that targets fail only briefly, all probes work, and checks are requested during the
 * failures: none of them may become an outage.
 */
function withBlips(scenario: Scenario, random: Random): Scenario {
  const moments: number[] = [];
  const checkRequests: number[] = [];
  const targets = scenario.targets.map((target) => {
    const blips = blipsOf(random, scenario.wildMs);
    for (const { from, lastsMs } of blips) {
      const within = () => from + random.integer(1, lastsMs);
      if (random.chance(0.5)) moments.push(within(), within());
      checkRequests.push(...Array.from({ length: random.integer(1, 5) }, within));
    }
    return { ...target, kind: 'blips', segments: segmentsOf(blips), content: RIGHT };
  });
  return {
    ...scenario,
    targets,
    probes: Object.fromEntries(
      WORLD_REGIONS.map((region) => [region, [{ from: 0, value: 'alive' as const }]]),
    ),
    monitors: scenario.monitors.map((settings) => ({
      ...settings,
      failureThreshold: Math.max(2, settings.failureThreshold),
    })),
    actions: [...scenario.actions, ...moments].toSorted((a, b) => a - b),
    hasBlips: true,
    checkRequests: checkRequests.toSorted((a, b) => a - b),
  };
}

const RIGHT: Scenario['targets'][number]['content'] = [{ from: 0, value: [] }];

interface Blip {
  from: number;
  lastsMs: number;
}

function blipsOf(random: Random, wildMs: number): Blip[] {
  const blips: Blip[] = [];
  let from = random.integer(30_000, WELL_MS[0]);
  while (from < wildMs) {
    const lastsMs = random.skewed(50, LONGEST_BLIP_MS);
    blips.push({ from, lastsMs });
    from += lastsMs + random.integer(...WELL_MS);
  }
  return blips;
}

function segmentsOf(blips: readonly Blip[]): Segment<RegionViews>[] {
  return [
    { from: 0, value: everywhere(() => ({ kind: 'up', ms: 20 })) },
    ...blips.flatMap(({ from, lastsMs }) => [
      { from, value: everywhere(() => ({ kind: 'down', ms: 3, isAnswer: false })) },
      { from: from + lastsMs, value: everywhere(() => ({ kind: 'up', ms: 20 })) },
    ]),
  ];
}

const ROUND_INCIDENTS = ['uptime', 'regional', 'keyword', 'json_assertion'];

/** A failure shorter than 9 s causes no incident, unless a single failed round is enough. */
export function checkBlips(
  scenario: Scenario,
  { eras }: OwnedMonitor,
  { timeline }: TrackedMonitor,
  violate: (rule: string) => void,
): void {
  if (!scenario.hasBlips || eras.some(({ settings }) => settings.failureThreshold < 2)) return;
  const unexpected = timeline.find(({ open }) =>
    open.some((type) => ROUND_INCIDENTS.includes(type)),
  );
  if (unexpected) violate(`it has [${unexpected.open.join(', ')}] though it never failed for 9 s`);
}
