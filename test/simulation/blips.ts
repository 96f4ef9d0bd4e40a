import type { OwnedMonitor } from './operator.ts';
import { planOf, WORLD_REGIONS } from './plan.ts';
import type { Plan, Sight } from './plan.ts';
import { withSecondProcess } from './processes/plan.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import type { Segment } from './segments.ts';
import type { Watched } from './watcher.ts';

/** Targets of these worlds never fail for longer, and are well for minutes in between. */
const LONGEST_BLIP_MS = 8_900;
const WELL_MS: [number, number] = [4 * 60_000, 8 * 60_000];

type Sights = Record<string, Sight>;

/**
 * As `planOf`, but every tenth world has targets that fail for moments only, and in a share of the worlds two processes
 * run.
 */
export function worldPlanOf(seed: number): Plan {
  const plan = planOf(seed);
  return withSecondProcess(
    seed % 10 === 5 ? withBlips(plan, createRandom(seed).fork('blips')) : plan,
  );
}

/**
 * The same world, but its targets fail for moments only, all of its probes work, and people ask for rounds just then:
 * no outage may come of that.
 */
function withBlips(plan: Plan, random: Random): Plan {
  const moments: number[] = [];
  const wishes: number[] = [];
  const targets = plan.targets.map((target) => {
    const blips = blipsOf(random, plan.wildMs);
    for (const { from, lastsMs } of blips) {
      const within = () => from + random.integer(1, lastsMs);
      if (random.chance(0.5)) moments.push(within(), within());
      wishes.push(...Array.from({ length: random.integer(1, 5) }, within));
    }
    return { ...target, kind: 'blips', segments: segmentsOf(blips), content: RIGHT };
  });
  return {
    ...plan,
    targets,
    probes: Object.fromEntries(
      WORLD_REGIONS.map((region) => [region, [{ from: 0, value: 'alive' as const }]]),
    ),
    monitors: plan.monitors.map((settings) => ({
      ...settings,
      failureThreshold: Math.max(2, settings.failureThreshold),
    })),
    actions: [...plan.actions, ...moments].toSorted((a, b) => a - b),
    hasBlips: true,
    wishes: wishes.toSorted((a, b) => a - b),
  };
}

const RIGHT: Plan['targets'][number]['content'] = [{ from: 0, value: [] }];

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

function segmentsOf(blips: readonly Blip[]): Segment<Sights>[] {
  return [
    { from: 0, value: everywhere({ kind: 'up', ms: 20 }) },
    ...blips.flatMap(({ from, lastsMs }) => [
      { from, value: everywhere({ kind: 'down', ms: 3, isAnswer: false }) },
      { from: from + lastsMs, value: everywhere({ kind: 'up', ms: 20 }) },
    ]),
  ];
}

function everywhere(sight: Sight): Sights {
  return Object.fromEntries(WORLD_REGIONS.map((region) => [region, sight]));
}

const OF_ROUNDS = ['uptime', 'regional', 'keyword', 'json_assertion'];

/** No outage comes of a disturbance shorter than 9 s, unless a single bad round is enough. */
export function checkBlips(
  plan: Plan,
  { eras }: OwnedMonitor,
  { timeline }: Watched,
  violate: (rule: string) => void,
): void {
  if (!plan.hasBlips || eras.some(({ settings }) => settings.failureThreshold < 2)) return;
  const accused = timeline.find(({ open }) => open.some((type) => OF_ROUNDS.includes(type)));
  if (accused) violate(`it has [${accused.open.join(', ')}] though it never failed for 9 s`);
}
