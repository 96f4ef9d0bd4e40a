import type { Scenario } from '../scenario.ts';
import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';

/** Two processes that share the database. All times are milliseconds since the world began. */
export interface PairScenario {
  /** Difference between the wall clock of each and that of the database when the world begins. */
  offsets: [number, number];
  /** Largest difference between any two of the three clocks. */
  skewMs: number;
  /** When the second process starts; the first one starts with the world. */
  secondBeginsAt: number;
  /** Disruptions of one of the processes, in addition to those of any world. */
  disruptions: MemberDisruption[];
}

export type MemberDisruption = { member: 0 | 1; at: number } & (
  | FreezeDisruption
  | ClockStepDisruption
  | KillDisruption
);

/** Freezes the process at a crash point after `at`. `suspend` stops its monotonic clock, too. */
export interface FreezeDisruption {
  kind: 'freeze' | 'suspend';
  crashPoints: number;
  /** Whether it freezes at its next renewal of leases instead. */
  isAtRenewal: boolean;
  forMs: number;
}

interface ClockStepDisruption {
  kind: 'step';
  /** Difference to the clock of the database from then on. */
  offset: number;
}

/** Like the disruption of a single process. */
interface KillDisruption {
  kind: 'kill' | 'stop';
  crashPoints: number;
  downMs: number;
}

const SHARE_OF_WORLDS = 0.25;
/** Largest offset of clocks synchronized by NTP: any two differ by less than a second. */
const NEAR_MS = 450;
/**
 * Largest offset of unsynchronized clocks, only in worlds without push monitors: missed pings tolerate less (ADR 13).
 */
const UNSYNCHRONIZED_MS = 4_000;
const MINUTE = 60_000;

/** Adds a second process in a share of the worlds, drawn from an independent generator. */
export function withSecondProcess(scenario: Scenario): Scenario {
  const random = createRandom(scenario.seed).fork('second process');
  if (!random.chance(SHARE_OF_WORLDS)) return scenario;
  // The clock of the database, which is that of the world, stays right; those of the processes are set instead.
  const disruptions = scenario.disruptions.filter(({ kind }) => kind !== 'step');
  return { ...scenario, disruptions, pair: pairScenarioOf(random, scenario) };
}

function pairScenarioOf(random: Random, { wildMs, pushes }: Scenario): PairScenario {
  const drawn = random.weighted({ same: 4, near: 3, apart: 3 });
  const clocks = drawn === 'apart' && pushes.length > 0 ? 'near' : drawn;
  const most = { same: 0, near: NEAR_MS, apart: UNSYNCHRONIZED_MS }[clocks];
  const offset = () => random.integer(-most, most);
  return {
    offsets: [random.chance(0.5) ? 0 : offset(), offset()],
    skewMs: 2 * most,
    secondBeginsAt: random.chance(0.5) ? 0 : random.skewed(1, wildMs / 2),
    disruptions: memberDisruptionsOf(random, wildMs, most === 0 ? null : offset),
  };
}

function memberDisruptionsOf(
  random: Random,
  wildMs: number,
  offset: (() => number) | null,
): MemberDisruption[] {
  if (random.chance(0.2)) return [];
  const member = () => (random.chance(0.5) ? 0 : 1);
  const some = (probability: number, most: number, make: (at: number) => MemberDisruption) =>
    random.chance(probability)
      ? Array.from({ length: random.integer(1, most) }, () => make(random.integer(1_000, wildMs)))
      : [];
  const crashPoints = () => random.skewed(1, 60) - 1;
  const freeze = (kind: 'freeze' | 'suspend') => (at: number) => {
    const forMs = random.skewed(300, 3 * MINUTE);
    const steps = crashPoints();
    const isAtRenewal = steps % 2 === 0;
    return { kind, member: member(), at, crashPoints: steps, isAtRenewal, forMs } as const;
  };
  const end = (kind: 'kill' | 'stop') => (at: number) => {
    const downMs = random.skewed(200, 3 * MINUTE);
    return { kind, member: member(), at, crashPoints: crashPoints(), downMs } as const;
  };
  return [
    ...some(0.6, 3, freeze('freeze')),
    ...some(0.4, 2, freeze('suspend')),
    ...some(0.4, 2, end('kill')),
    ...some(0.3, 2, end('stop')),
    ...(offset === null
      ? []
      : some(0.6, 3, (at) => ({ kind: 'step', member: member(), at, offset: offset() }))),
  ].toSorted((a, b) => a.at - b.at);
}
