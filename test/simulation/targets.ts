import type { Region } from '../../src/model/monitor.ts';
import { targetScripts } from './inspection/scenario.ts';
import type { TargetScripts } from './inspection/scenario.ts';
import type { Random } from './random.ts';
import { alternate } from './segments.ts';
import type { Segment } from './segments.ts';

export const WORLD_REGIONS: Region[] = ['ash', 'pdx', 'nbg', 'sin'];

export const DOMAIN = 'world.test';

/** What a region gets from a target: an answer after `ms`, none, or one around the deadline. */
export type RegionView =
  | { kind: 'up'; ms: number }
  /** Refuses the connection, or answers with an error (`isAnswer`). */
  | { kind: 'down'; ms: number; isAnswer: boolean }
  | { kind: 'silent' }
  | { kind: 'crawling' };

export interface Target {
  host: string;
  kind: string;
  segments: Segment<Record<Region, RegionView>>[];
  /** The regions that get wrong content. */
  content: Segment<readonly Region[]>[];
  /** Whether it only answers over IPv4. */
  isIpv4Only: Segment<boolean>[];
  inspected: TargetScripts;
}

const MINUTE = 60_000;

/** Draws the targets of a world, and when each of them fails. */
export function targetsOf(random: Random, wildMs: number, survivor: boolean): Target[] {
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
    const more = random.fork(`more of ${index}`);
    return {
      host: `t${index}.${DOMAIN}`,
      kind: shown,
      segments: segmentsOf(random, shown, wildMs),
      content: contentScript(more, wildMs),
      isIpv4Only: more.chance(0.6) ? nowAndThen(more, wildMs) : [{ from: 0, value: false }],
      inspected: targetScripts(more, wildMs),
    };
  });
}

const right = (): Region[] => [];

function contentScript(random: Random, wildMs: number): Target['content'] {
  const wrong = () =>
    random.chance(0.6) ? WORLD_REGIONS : random.sample(WORLD_REGIONS, random.integer(1, 3));
  switch (random.weighted({ good: 4, bad: 2, outage: 5 })) {
    case 'bad':
      return [{ from: 0, value: WORLD_REGIONS }];
    case 'outage':
      return alternate<readonly Region[]>(
        random,
        wildMs,
        right,
        wrong,
        [MINUTE, 8 * MINUTE],
        [20_000, 8 * MINUTE],
      );
    default:
      return [{ from: 0, value: right() }];
  }
}

function nowAndThen(random: Random, wildMs: number): Segment<boolean>[] {
  return alternate(
    random,
    wildMs,
    () => false,
    () => true,
    [MINUTE, 8 * MINUTE],
    [MINUTE, 8 * MINUTE],
  );
}

export type RegionViews = Record<Region, RegionView>;

export function everywhere(view: () => RegionView): RegionViews {
  return Object.fromEntries(WORLD_REGIONS.map((region) => [region, view()]));
}

const everywhereCrawling = () => everywhere(() => ({ kind: 'crawling' }));

function segmentsOf(random: Random, kind: string, wildMs: number): Segment<RegionViews>[] {
  const up = () => everywhere(() => ({ kind: 'up', ms: random.skewed(2, 400) }));
  const down = () => {
    const silent = random.chance(0.25);
    const isAnswer = random.chance(0.4);
    return everywhere(() =>
      silent ? { kind: 'silent' } : { kind: 'down', ms: random.skewed(1, 300), isAnswer },
    );
  };
  const slow = () => everywhere(() => ({ kind: 'up', ms: random.integer(1_300, 1_800) }));
  const partial = (): RegionViews => {
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
