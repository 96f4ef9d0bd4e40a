import type { ContentKind } from '../../src/model/content.ts';
import type { InspectionKind } from '../../src/model/inspection.ts';
import type { Region } from '../../src/model/monitor.ts';
import { alertScenarioOf } from './alerts/scenario.ts';
import type { AlertScenario } from './alerts/scenario.ts';
import { domainScript } from './inspection/scenario.ts';
import type { Script } from './inspection/scenario.ts';
import { maintenanceScenarioOf } from './maintenance/scenario.ts';
import type { MaintenanceScenario } from './maintenance/scenario.ts';
import type { PairScenario } from './processes/scenario.ts';
import { pushScenariosOf } from './push/scenario.ts';
import type { PushScenario } from './push/scenario.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { alternate } from './segments.ts';
import type { Segment } from './segments.ts';
import { DOMAIN, targetsOf, WORLD_REGIONS } from './targets.ts';
import type { Target } from './targets.ts';

/** What happens in a world, drawn from its seed before it begins. All times are milliseconds since the beginning. */
export interface Scenario {
  seed: number;
  /** Faults and edits occur until `wildMs`; nothing is disturbed in the `calmMs` after that. */
  wildMs: number;
  calmMs: number;
  targets: Target[];
  /** The registration of the domain of all targets. */
  registration: Script<'domain'>;
  /** Whether monitors of this world have inspections. */
  isInspected: boolean;
  probes: Record<Region, Segment<ProbeState>[]>;
  monitors: MonitorSettings[];
  disruptions: Disruption[];
  /** When a monitor is edited, paused, resumed, deleted or created. */
  actions: number[];
  pushes: PushScenario[];
  /** Probability that the database fails for a moment when a ping arrives. */
  hiccups: number;
  /** When a push monitor is edited, paused, resumed, deleted or created. */
  pushActions: number[];
  /** When an incident is resolved, reopened or deleted by hand. */
  manualActions: number[];
  /** Null in worlds without alerting. */
  alerts: AlertScenario | null;
  /** Null in a world without maintenance. */
  maintenance: MaintenanceScenario | null;
  /** Whether targets fail only briefly (blips.ts), and when checks of all monitors are requested then. */
  hasBlips: boolean;
  checkRequests: number[];
  /** Null in worlds with a single process. */
  pair: PairScenario | null;
}

/** `lossy` loses checks, `late` answers late, `split` reaches no target though its own network seems fine. */
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
  /** Enabled sub-checks, including those that do not run for such a monitor. */
  content: ContentKind | null;
  inspections: InspectionKind[];
  isHttps: boolean;
  checkBothFamilies: boolean;
  /** Days. */
  sslExpiryThreshold: number;
  domainExpiryThreshold: number;
}

export type Disruption = ProcessDisruption | ClockDisruption | DatabaseDisruption;

/** The process is killed at a crash point after `at`, or stopped, and starts again `downMs` later. */
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
  // Another monitor of the same target shares its inspections.
  if (isInspected) monitors.push(settingsFor(settings, 0, isInspected));
  const pushes = pushScenariosOf(random.fork('pushes'), wildMs);
  const alerts = alertScenarioOf(random.fork('alerts'), wildMs);
  const further = random.fork('further monitors');
  for (let left = alerts?.furtherMonitors ?? 0; left > 0; left -= 1)
    monitors.push(settingsFor(further, further.integer(0, targets.length - 1), isInspected));
  // Only without alerting: what waits for longer than a day is not delivered.
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

/** Share of worlds with inspections, which take most of the run time. */
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

/** The content check that runs for a monitor: only http monitors have one. */
export function contentOf({ type, content }: MonitorSettings): ContentKind | null {
  return type === 'http' ? content : null;
}

export function inspectionsOf(settings: MonitorSettings): InspectionKind[] {
  return settings.inspections.filter((kind) => kind !== 'ssl' || isSecure(settings));
}

/** Whether the target is checked over https. Others use http, so that a bad certificate only affects inspections. */
export function isSecure({ type, inspections, isHttps }: MonitorSettings): boolean {
  return type === 'http' && isHttps && inspections.includes('ssl');
}

export const HTTPS_PORT = 443;

/** Name of the inspected target: host and port, host, or registrable domain. */
export function inspectedName(
  scenario: Scenario,
  settings: MonitorSettings,
  kind: InspectionKind,
): string {
  const { host } = scenario.targets[settings.target]!;
  return { ssl: `${host}:${HTTPS_PORT}`, dns: host, domain: DOMAIN }[kind];
}

function probesOf(random: Random, wildMs: number): Scenario['probes'] {
  const ragged = random.chance(0.4) ? 0.6 : random.chance(0.3) ? 0.15 : 0;
  return Object.fromEntries(
    WORLD_REGIONS.map((region) => {
      if (!random.chance(ragged)) return [region, [{ from: 0, value: 'alive' as ProbeState }]];
      const faulty = () =>
        random.weighted<ProbeState>({ alive: 0, dead: 4, lossy: 2, late: 1, split: 2 });
      const segments = alternate<ProbeState>(
        random,
        wildMs,
        () => 'alive',
        faulty,
        [MINUTE, 10 * MINUTE],
        [10_000, 10 * MINUTE],
      );
      if (random.chance(0.1)) segments[0]!.value = 'dead';
      return [region, [...segments, { from: wildMs, value: 'alive' as ProbeState }]];
    }),
  );
}

/** Three of four regions lose their probes for good: what the last one sees is never an outage. */
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

/** Steps the clock far ahead, so that hourly and daily inspections become due. */
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
