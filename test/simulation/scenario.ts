import type { ContentKind } from '../../src/model/content.ts';
import type { InspectionKind } from '../../src/model/inspection.ts';
import type { Region } from '../../src/model/monitor.ts';
import { alertScenarioOf } from './alerts/scenario.ts';
import type { AlertScenario } from './alerts/scenario.ts';
import { domainScript, targetScripts } from './inspection/scenario.ts';
import type { Script, TargetScripts } from './inspection/scenario.ts';
import { maintenanceScenarioOf } from './maintenance/scenario.ts';
import type { MaintenanceScenario } from './maintenance/scenario.ts';
import type { PairScenario } from './processes/scenario.ts';
import { pushScenariosOf } from './push/scenario.ts';
import type { PushScenario } from './push/scenario.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { alternate } from './segments.ts';
import type { Segment } from './segments.ts';

/** What happens in a world, decided by its seed before it begins. All times are milliseconds since the beginning. */
export interface Scenario {
  seed: number;
  /** Until when the world is wild; afterwards nobody disturbs anything for `calmMs`. */
  wildMs: number;
  calmMs: number;
  targets: Target[];
  /** Of the domain that all targets are in. */
  registration: Script<'domain'>;
  /** Whether anything is inspected in this world. */
  isInspected: boolean;
  probes: Record<Region, Segment<ProbeState>[]>;
  monitors: MonitorSettings[];
  disruptions: Disruption[];
  /** When somebody edits, pauses, resumes, deletes or creates a monitor. */
  actions: number[];
  pushes: PushScenario[];
  /** How often the database fails for a moment just when a ping comes. */
  hiccups: number;
  /** When somebody does so with a push monitor. */
  pushActions: number[];
  /** When somebody resolves, reopens or deletes an incident. */
  manualActions: number[];
  /** Null where nobody is told what happens. */
  alerts: AlertScenario | null;
  /** Null in a world without maintenance. */
  maintenance: MaintenanceScenario | null;
  /** Whether targets fail for moments only (blips.ts), and when somebody asks for a check of every monitor then. */
  hasBlips: boolean;
  checkRequests: number[];
  /** Null where one process runs alone. */
  pair: PairScenario | null;
}

export const WORLD_REGIONS: Region[] = ['ash', 'pdx', 'nbg', 'sin'];

/** What a region sees of a target: an answer after `ms`, none at all, or one around the deadline. */
export type RegionView =
  | { kind: 'up'; ms: number }
  /** Refuses to connect, or answers with an error. */
  | { kind: 'down'; ms: number; isAnswer: boolean }
  | { kind: 'silent' }
  | { kind: 'crawling' };

export interface Target {
  host: string;
  kind: string;
  segments: Segment<Record<Region, RegionView>>[];
  /** The regions that get another content than they should. */
  content: Segment<readonly Region[]>[];
  /** Whether it answers by IPv4 only. */
  isIpv4Only: Segment<boolean>[];
  inspected: TargetScripts;
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
  /** Sub-checks that are switched on, those that do not run for such a monitor too. */
  content: ContentKind | null;
  inspections: InspectionKind[];
  isHttps: boolean;
  checkBothFamilies: boolean;
  /** Days. */
  sslExpiryThreshold: number;
  domainExpiryThreshold: number;
}

export type Disruption = ProcessDisruption | ClockDisruption | DatabaseDisruption;

/** The process dies at the `touches`-th step after `at`, or is asked to stop, and a new one starts `awayMs` later. */
export interface ProcessDisruption {
  kind: 'kill' | 'stop';
  at: number;
  downMs: number;
  crashPoints: number;
}

export interface ClockDisruption {
  kind: 'freeze' | 'step';
  at: number;
  byMs: number;
}

export interface DatabaseDisruption {
  kind: 'refuse' | 'slow';
  at: number;
  lastsMs: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const SLOW_THRESHOLD_MS = 1_000;

export function scenarioOf(seed: number): Scenario {
  const random = createRandom(seed);
  const wildMs = random.integer(8, 22) * MINUTE;
  const survivor = random.chance(0.1);
  const targets = targetsOf(random.fork('targets'), wildMs, survivor);
  const isInspected = random.fork('inspections').chance(INSPECTED_SHARE);
  const settings = random.fork('monitors');
  const monitors = targets.map((_, index) => settingsFor(settings, index, isInspected));
  // Another one of the same target shares its inspections.
  if (isInspected) monitors.push(settingsFor(settings, 0, isInspected));
  const pushes = pushScenariosOf(random.fork('pushes'), wildMs);
  const alerts = alertScenarioOf(random.fork('alerts'), wildMs);
  // What waits for longer than a day is told to nobody.
  const isLeaping = isInspected && !survivor && alerts === null;
  return {
    seed,
    wildMs,
    calmMs: 6 * MINUTE,
    targets,
    registration: domainScript(random.fork('registration'), wildMs),
    isInspected,
    probes: survivor
      ? survivorOf(random.fork('probes'), wildMs)
      : probesOf(random.fork('probes'), wildMs),
    monitors,
    disruptions: [
      ...disruptionsOf(random.fork('disruptions'), wildMs, survivor),
      ...(isLeaping ? leapsOf(random.fork('leaps'), wildMs) : []),
    ].toSorted((a, b) => a.at - b.at),
    actions: random.chance(0.5)
      ? []
      : moments(random.fork('actions'), random.integer(1, 8), wildMs),
    pushes,
    hiccups: random.fork('hiccups').chance(0.3) ? 0.08 : 0,
    pushActions:
      pushes.length === 0 || random.chance(0.5)
        ? []
        : moments(random.fork('push actions'), random.integer(1, 6), wildMs),
    manualActions: manualActionsOf(random.fork('deeds'), wildMs),
    alerts,
    maintenance: alerts && maintenanceScenarioOf(random.fork('maintenance windows'), wildMs),
    hasBlips: false,
    checkRequests: [],
    pair: null,
  };
}

/** Of these worlds, since nothing else in them takes more time to run. */
const INSPECTED_SHARE = 0.25;

export function settingsFor(random: Random, target: number, isInspected: boolean): MonitorSettings {
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
    ...subChecksFor(random, isInspected),
  };
}

function subChecksFor(
  random: Random,
  isInspected: boolean,
): Pick<
  MonitorSettings,
  | 'content'
  | 'inspections'
  | 'isHttps'
  | 'checkBothFamilies'
  | 'sslExpiryThreshold'
  | 'domainExpiryThreshold'
> {
  const content = random.weighted({ none: 4, keyword: 3, json: 3 });
  const kinds: InspectionKind[] = ['ssl', 'dns', 'domain'];
  return {
    content: content === 'none' ? null : content,
    inspections: isInspected ? kinds.filter(() => random.chance(0.6)) : [],
    isHttps: random.chance(0.8),
    checkBothFamilies: random.chance(0.4),
    sslExpiryThreshold: random.pick([1, 14, 14, 30]),
    domainExpiryThreshold: random.pick([1, 30, 30, 60]),
  };
}

/** What is looked at beside a monitor's target itself: contents are those of http, certificates those of https. */
export function contentOf({ type, content }: MonitorSettings): ContentKind | null {
  return type === 'http' ? content : null;
}

export function inspectionsOf(settings: MonitorSettings): InspectionKind[] {
  return settings.inspections.filter((kind) => kind !== 'ssl' || isSecure(settings));
}

/** Others speak plain http, so that a bad certificate is a matter of inspections alone. */
export function isSecure({ type, inspections, isHttps }: MonitorSettings): boolean {
  return type === 'http' && isHttps && inspections.includes('ssl');
}

export const HTTPS_PORT = 443;

/** As inspections name what they look at: a host and port, a host, a registrable domain. */
export function inspectedName(
  scenario: Scenario,
  settings: MonitorSettings,
  kind: InspectionKind,
): string {
  const { host } = scenario.targets[settings.target]!;
  return { ssl: `${host}:${HTTPS_PORT}`, dns: host, domain: DOMAIN }[kind];
}

const DOMAIN = 'world.test';

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

type RegionViews = Record<Region, RegionView>;

function everywhere(view: () => RegionView): RegionViews {
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

function probesOf(random: Random, wildMs: number): Scenario['probes'] {
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
function survivorOf(random: Random, wildMs: number): Scenario['probes'] {
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
      downMs: away(),
      crashPoints: random.skewed(1, 60) - 1,
    })),
    ...some(0.2, 2).map((at): Disruption => ({ kind: 'stop', at, downMs: away(), crashPoints: 0 })),
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

/** Long periods pass at once: inspections that come every hour and every day are due. */
function leapsOf(random: Random, wildMs: number): Disruption[] {
  if (random.chance(0.5)) return [];
  return moments(random, random.integer(1, 2), wildMs).map((at) => ({
    kind: 'step',
    at,
    byMs: random.pick([HOUR, 25 * HOUR]) + random.integer(0, 10 * MINUTE),
  }));
}

function manualActionsOf(random: Random, wildMs: number): number[] {
  return random.chance(0.4) ? [] : moments(random, random.integer(1, 12), wildMs);
}

function moments(random: Random, count: number, until: number): number[] {
  return Array.from({ length: count }, () => random.integer(1_000, until)).toSorted(
    (a, b) => a - b,
  );
}
