import type { Region } from '../../src/model/monitor.ts';
import { pushesOf } from './push/plan.ts';
import type { PushPlan } from './push/plan.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';

/** What happens in a world, decided by its seed before it begins. All times are milliseconds since the beginning. */
export interface Plan {
  seed: number;
  /** Until when the world is wild; afterwards nobody disturbs anything for `calmMs`. */
  wildMs: number;
  calmMs: number;
  targets: Target[];
  probes: Record<Region, Segment<ProbeState>[]>;
  monitors: MonitorSettings[];
  disruptions: Disruption[];
  /** When somebody edits, pauses, resumes, deletes or creates a monitor. */
  actions: number[];
  pushes: PushPlan[];
  /** How often the database fails for a moment just when a ping comes. */
  hiccups: number;
  /** When somebody does so with a push monitor. */
  pushActions: number[];
  /** When somebody resolves, reopens or deletes an incident. */
  deeds: number[];
}

export const WORLD_REGIONS: Region[] = ['ash', 'pdx', 'nbg', 'sin'];

export interface Segment<Value> {
  from: number;
  value: Value;
}

/** What a region sees of a target: an answer after `ms`, none at all, or one around the deadline. */
export type Sight = { kind: 'up' | 'down'; ms: number } | { kind: 'silent' } | { kind: 'crawling' };

export interface Target {
  host: string;
  kind: string;
  segments: Segment<Record<Region, Sight>>[];
}

/** `lossy` loses checks, `late` answers late, `split` can reach nothing though its own network seems fine. */
export type ProbeState = 'alive' | 'dead' | 'lossy' | 'late' | 'split';

export interface MonitorSettings {
  type: 'http' | 'ping' | 'port';
  /** Index into the targets. */
  target: number;
  intervalMs: number;
  timeoutMs: number;
  failureThreshold: number;
  recoveryThreshold: number;
  slowResponseThresholdMs: number | null;
  regions: Region[];
}

export type Disruption = ProcessTrouble | ClockTrouble | DatabaseTrouble;

/** The process dies at the `touches`-th step after `at`, or is asked to stop, and a new one starts `awayMs` later. */
export interface ProcessTrouble {
  kind: 'kill' | 'stop';
  at: number;
  awayMs: number;
  touches: number;
}

export interface ClockTrouble {
  kind: 'freeze' | 'step';
  at: number;
  byMs: number;
}

export interface DatabaseTrouble {
  kind: 'refuse' | 'slow';
  at: number;
  lastsMs: number;
}

const MINUTE = 60_000;
export const SLOW_THRESHOLD_MS = 1_000;

export function planOf(seed: number): Plan {
  const random = createRandom(seed);
  const wildMs = random.integer(8, 22) * MINUTE;
  const survivor = random.chance(0.1);
  const targets = targetsOf(random.fork('targets'), wildMs, survivor);
  const settings = random.fork('monitors');
  const monitors = targets.map((_, index) => settingsFor(settings, index));
  const pushes = pushesOf(random.fork('pushes'), wildMs);
  return {
    seed,
    wildMs,
    calmMs: 6 * MINUTE,
    targets,
    probes: survivor
      ? survivorOf(random.fork('probes'), wildMs)
      : probesOf(random.fork('probes'), wildMs),
    monitors,
    disruptions: disruptionsOf(random.fork('disruptions'), wildMs, survivor),
    actions: random.chance(0.5)
      ? []
      : moments(random.fork('actions'), random.integer(1, 8), wildMs),
    pushes,
    hiccups: random.fork('hiccups').chance(0.3) ? 0.08 : 0,
    pushActions:
      pushes.length === 0 || random.chance(0.5)
        ? []
        : moments(random.fork('push actions'), random.integer(1, 6), wildMs),
    deeds: deedsOf(random.fork('deeds'), wildMs),
  };
}

export function valueAt<Value>(segments: Segment<Value>[], at: number): Value {
  return segments.findLast((segment) => segment.from <= at)!.value;
}

export function settingsFor(random: Random, target: number): MonitorSettings {
  return {
    type: random.weighted({ http: 6, ping: 2, port: 2 }),
    target,
    intervalMs: random.pick([30_000, 60_000, 60_000, 90_000, 120_000]),
    timeoutMs: random.pick([2_000, 5_000, 10_000, 30_000]),
    failureThreshold: Number(random.weighted({ 1: 2, 2: 6, 3: 2, 4: 1 })),
    recoveryThreshold: Number(random.weighted({ 1: 6, 2: 2, 3: 1 })),
    slowResponseThresholdMs: random.chance(0.4) ? SLOW_THRESHOLD_MS : null,
    regions: random.chance(0.6)
      ? WORLD_REGIONS
      : random.sample(WORLD_REGIONS, random.integer(1, 4)),
  };
}

function targetsOf(random: Random, wildMs: number, survivor: boolean): Target[] {
  const count = random.integer(1, 3);
  return Array.from({ length: count }, (_, index) => {
    const kind = random.weighted({
      good: 3,
      bad: 2,
      outage: 4,
      flap: 2,
      partial: 2,
      slow: 2,
      crawling: 1,
    });
    const shown = survivor && random.chance(0.6) ? 'outage' : kind;
    return { host: `t${index}.test`, kind: shown, segments: segmentsOf(random, shown, wildMs) };
  });
}

type Sights = Record<Region, Sight>;

function everywhere(sight: () => Sight): Sights {
  return Object.fromEntries(WORLD_REGIONS.map((region) => [region, sight()]));
}

const everywhereCrawling = () => everywhere(() => ({ kind: 'crawling' }));

function segmentsOf(random: Random, kind: string, wildMs: number): Segment<Sights>[] {
  const up = () => everywhere(() => ({ kind: 'up', ms: random.skewed(2, 400) }));
  const down = () => {
    const silent = random.chance(0.25);
    return everywhere(() =>
      silent ? { kind: 'silent' } : { kind: 'down', ms: random.skewed(1, 300) },
    );
  };
  const slow = () => everywhere(() => ({ kind: 'up', ms: random.integer(1_300, 1_800) }));
  const partial = (): Sights => {
    const blind = random.sample(WORLD_REGIONS, random.integer(1, 3));
    const bad = down();
    const seen = up();
    return Object.fromEntries(
      WORLD_REGIONS.map((region) => [region, (blind.includes(region) ? bad : seen)[region]!]),
    );
  };
  switch (kind) {
    case 'bad':
      return [{ from: 0, value: down() }];
    case 'outage':
      return alternate(random, wildMs, up, down, [2 * MINUTE, 12 * MINUTE], [5_000, 10 * MINUTE]);
    case 'flap':
      return alternate(random, wildMs, up, down, [5_000, 90_000], [5_000, 90_000]);
    case 'partial':
      return alternate(random, wildMs, up, partial, [MINUTE, 8 * MINUTE], [20_000, 8 * MINUTE]);
    case 'slow':
      return alternate(random, wildMs, up, slow, [MINUTE, 8 * MINUTE], [MINUTE, 8 * MINUTE]);
    case 'crawling':
      return alternate(
        random,
        wildMs,
        up,
        everywhereCrawling,
        [MINUTE, 5 * MINUTE],
        [MINUTE, 5 * MINUTE],
      );
    default:
      return [{ from: 0, value: up() }];
  }
}

function alternate<Value>(
  random: Random,
  until: number,
  usual: () => Value,
  trouble: () => Value,
  usualMs: [number, number],
  troubleMs: [number, number],
): Segment<Value>[] {
  const segments: Segment<Value>[] = [{ from: 0, value: usual() }];
  let at = random.chance(0.1) ? 1 : random.skewed(...usualMs);
  for (let isTrouble = true; at < until; isTrouble = !isTrouble) {
    segments.push({ from: at, value: isTrouble ? trouble() : usual() });
    at += random.skewed(...(isTrouble ? troubleMs : usualMs));
  }
  return segments;
}

function probesOf(random: Random, wildMs: number): Plan['probes'] {
  const ragged = random.chance(0.4) ? 0.6 : random.chance(0.3) ? 0.15 : 0;
  return Object.fromEntries(
    WORLD_REGIONS.map((region) => {
      if (!random.chance(ragged)) return [region, [{ from: 0, value: 'alive' as ProbeState }]];
      const trouble = () =>
        random.weighted<ProbeState>({ alive: 0, dead: 4, lossy: 2, late: 1, split: 2 });
      const segments = alternate<ProbeState>(
        random,
        wildMs,
        () => 'alive',
        trouble,
        [MINUTE, 10 * MINUTE],
        [10_000, 10 * MINUTE],
      );
      if (random.chance(0.1)) segments[0]!.value = 'dead';
      return [region, [...segments, { from: wildMs, value: 'alive' as ProbeState }]];
    }),
  );
}

/** Three of four regions lose their probes for good: whatever the last one sees is no outage. */
function survivorOf(random: Random, wildMs: number): Plan['probes'] {
  const alone = random.pick(WORLD_REGIONS);
  return Object.fromEntries(
    WORLD_REGIONS.map((region) => {
      const segments: Segment<ProbeState>[] = [{ from: 0, value: 'alive' }];
      if (region !== alone)
        segments.push({ from: random.integer(MINUTE, wildMs / 3), value: 'dead' });
      return [region, segments];
    }),
  );
}

function disruptionsOf(random: Random, wildMs: number, survivor: boolean): Disruption[] {
  if (random.chance(0.3)) return [];
  const some = (probability: number, most: number) =>
    random.chance(probability) ? moments(random, random.integer(1, most), wildMs) : [];
  const away = () => random.skewed(200, 8 * MINUTE);
  const step = () => random.pick([-1, 1]) * random.skewed(200, survivor ? MINUTE / 2 : 20 * MINUTE);
  const all: Disruption[] = [
    ...some(0.5, 4).map((at): Disruption => ({
      kind: 'kill',
      at,
      awayMs: away(),
      touches: random.skewed(1, 60) - 1,
    })),
    ...some(0.2, 2).map((at): Disruption => ({ kind: 'stop', at, awayMs: away(), touches: 0 })),
    ...some(0.3, 2).map((at): Disruption => ({
      kind: 'freeze',
      at,
      byMs: random.skewed(500, 10 * MINUTE),
    })),
    ...some(0.25, 2).map((at): Disruption => ({ kind: 'step', at, byMs: step() })),
    ...some(0.35, 3).map((at): Disruption => ({
      kind: 'refuse',
      at,
      lastsMs: random.skewed(100, 8 * MINUTE),
    })),
    ...some(0.2, 2).map((at): Disruption => ({
      kind: 'slow',
      at,
      lastsMs: random.skewed(1_000, 2 * MINUTE),
    })),
  ];
  return all.toSorted((a, b) => a.at - b.at);
}

function deedsOf(random: Random, wildMs: number): number[] {
  return random.chance(0.5) ? [] : moments(random, random.integer(1, 10), wildMs);
}

function moments(random: Random, count: number, until: number): number[] {
  return Array.from({ length: count }, () => random.integer(1_000, until)).toSorted(
    (a, b) => a - b,
  );
}
