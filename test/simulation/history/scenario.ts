import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';

/** What happens in the weeks of a history world, drawn from its seed. */
export interface HistoryScenario {
  seed: number;
  random: Random;
  /** Epoch milliseconds. */
  beginsAt: number;
  /** Number of monitors of the team that stays, and of one that may be deleted. */
  monitors: { staying: number; leaving: number };
  rawRetentionDays: number;
  rollupRetentionDays: number;
  /** Difference between the clock of each process and that of the database, in milliseconds. */
  offsets: number[];
  steps: Step[];
}

/** An event, and the time that passes after it. */
export interface Step {
  passMs: number;
  event: StepEvent;
  /** Whether rounds are recorded before the event. */
  records: boolean;
}

export type StepEvent =
  | { kind: 'none' }
  | { kind: 'kill'; process: number; crashPoints: number; downMs: number }
  | { kind: 'refuse'; lastsMs: number }
  | { kind: 'freeze'; byMs: number }
  | { kind: 'setBack'; byMs: number }
  | { kind: 'deleteMonitor' }
  | { kind: 'deleteTeam' };

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Share of seeds with a history world: each hour that is rolled up also takes a pass of retention. */
export const HISTORY_SHARE = 0.2;

/**
 * Largest clock difference. An hour is rolled up two minutes after its end, so that smaller differences do not matter.
 */
const MAX_CLOCK_DIFFERENCE_MS = 50_000;

export function historyScenarioOf(seed: number): HistoryScenario {
  const random = createRandom(seed).fork('history world');
  const beginsAt = Date.UTC(2030, 4, 17) + random.integer(0, DAY - 1);
  const offset = () => random.pick([-1, 1]) * random.skewed(1, MAX_CLOCK_DIFFERENCE_MS);
  const offsets = random.chance(0.5) ? [0] : [0, offset()];
  const steps = Array.from({ length: random.integer(3, 7) }, () => stepOf(random, offsets.length));
  return {
    seed,
    random: random.fork('course'),
    beginsAt,
    monitors: {
      staying: random.chance(0.2) ? random.integer(9, 13) : random.integer(1, 4),
      leaving: random.chance(0.4) ? random.integer(1, 3) : 0,
    },
    rawRetentionDays: random.integer(1, 3),
    rollupRetentionDays: random.pick([35, 400]),
    offsets,
    steps,
  };
}

function stepOf(random: Random, processes: number): Step {
  const length = random.weighted({ minutes: 3, hours: 5, days: 2, weeks: 1 });
  const passMs = {
    minutes: () => random.integer(1, 90 * MINUTE),
    hours: () => random.integer(HOUR, 30 * HOUR),
    days: () => random.integer(DAY, 4 * DAY),
    weeks: () => random.integer(20 * DAY, 45 * DAY),
  }[length]();
  return { passMs, event: eventOf(random, processes), records: random.chance(0.8) };
}

function eventOf(random: Random, processes: number): StepEvent {
  const kind = random.weighted<StepEvent['kind']>({
    none: 5,
    kill: 5,
    refuse: 2,
    freeze: 1,
    setBack: 1,
    deleteMonitor: 3,
    deleteTeam: 1,
  });
  switch (kind) {
    case 'kill':
      return {
        kind,
        process: random.integer(0, processes - 1),
        crashPoints: random.skewed(1, 400) - 1,
        downMs: random.skewed(100, 20 * MINUTE),
      };
    case 'refuse':
      return { kind, lastsMs: random.skewed(10, 10 * MINUTE) };
    case 'freeze':
      return { kind, byMs: random.skewed(1_000, 3 * HOUR) };
    case 'setBack':
      return { kind, byMs: random.skewed(1_000, 3 * HOUR) };
    default:
      return { kind };
  }
}
