import type { Random } from '../random.ts';

/** The settings of a push monitor. */
export interface PushSettings {
  /** Milliseconds between pings; a cron job pings at each multiple of them by the wall clock. */
  schedule: { kind: 'interval' | 'cron'; everyMs: number };
  graceMs: number;
  waitsForFirstPing: boolean;
  maxRuntimeMs: number | null;
}

/**
 * Behavior of a job. `steady`, `twice` and `running` jobs ping in time as long as they live, `dying` ones until they
 * die; the others do what their names say.
 */
export type JobKind =
  | 'steady'
  | 'twice'
  | 'running'
  | 'dying'
  | 'never'
  | 'late'
  | 'failing'
  | 'hanging'
  | 'overlapping'
  | 'flooding';

export interface JobScenario {
  kind: JobKind;
  /** Number of retries without an answer, and the delay between them. */
  retries: number;
  retryMs: number;
  /** It sends nothing between these times, in milliseconds since the world began. */
  diesAt: number;
  revivesAt: number;
}

export interface PushScenario {
  settings: PushSettings;
  job: JobScenario;
}

/** Pings of one token per minute; low, so that a flood is cheap. */
export const PING_LIMIT = 10;
/** Longest run that ends, unless runs overlap; every `maxRuntimeMs` is longer. */
export const LONGEST_RUN_MS = 25_000;

export function pushScenariosOf(random: Random, wildMs: number): PushScenario[] {
  const count = Number(random.weighted({ 0: 5, 1: 3, 2: 3, 3: 2 }));
  return Array.from({ length: count }, () => pushScenarioOf(random, wildMs));
}

export function pushScenarioOf(random: Random, wildMs: number): PushScenario {
  const kind = random.weighted<JobKind>({
    steady: 5,
    twice: 2,
    running: 2,
    dying: 4,
    never: 2,
    late: 2,
    failing: 3,
    hanging: 3,
    overlapping: 2,
    flooding: 1,
  });
  const diesAt = kind === 'dying' ? random.integer(1, wildMs) : Infinity;
  const revivesAt = random.chance(0.4) ? diesAt + random.integer(30_000, 600_000) : Infinity;
  const retries = random.pick([0, 0, 1, 2]);
  return {
    settings: settingsFor(random),
    job: { kind, retries, retryMs: random.integer(2_000, 20_000), diesAt, revivesAt },
  };
}

export function settingsFor(random: Random): PushSettings {
  const kind = random.chance(0.3) ? 'cron' : 'interval';
  return {
    schedule: { kind, everyMs: everyFor(random, kind) },
    ...allowancesFor(random),
    waitsForFirstPing: random.chance(0.25),
  };
}

/** Whole minutes for cron expressions. */
export function everyFor(random: Random, kind: PushSettings['schedule']['kind']): number {
  const seconds = kind === 'cron' ? [60, 120, 120, 180, 240] : [30, 45, 60, 60, 90, 120, 150];
  return random.pick(seconds) * 1_000;
}

export function allowancesFor(random: Random): Pick<PushSettings, 'graceMs' | 'maxRuntimeMs'> {
  return {
    graceMs: random.pick([0, 0, 5, 20, 45, 60]) * 1_000,
    maxRuntimeMs: random.chance(0.6) ? random.pick([30, 40, 60, 90]) * 1_000 : null,
  };
}

/** The cron expression of an interval. */
export function expressionOf(everyMs: number): string {
  return `*/${everyMs / 60_000} * * * *`;
}

export function summaryOf({ schedule, ...settings }: PushSettings): string {
  const { graceMs, waitsForFirstPing, maxRuntimeMs } = settings;
  const what =
    schedule.kind === 'cron'
      ? expressionOf(schedule.everyMs)
      : `every ${schedule.everyMs / 1_000} s`;
  return (
    `${what}, grace ${graceMs / 1_000} s` +
    (waitsForFirstPing ? ', waits for the first ping' : '') +
    (maxRuntimeMs === null ? '' : `, runs of ${maxRuntimeMs / 1_000} s at most`)
  );
}
