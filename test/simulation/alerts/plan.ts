import type { Random } from '../random.ts';
import { alternate } from '../segments.ts';
import type { Segment } from '../segments.ts';

/** What a world has for those who are told: how their servers fare, and what hits the process while it tells them. */
export interface AlertPlan {
  endpoint: Segment<Mood>[];
  channel: Segment<Mood>[];
  strikes: Strike[];
}

/** An ill server answers with errors, or late, or not at all; only now and then as it should. */
export type Mood = 'well' | 'ill';

/** The first request after `at` meets a process that dies `touches` steps later, or one that stands still meanwhile. */
export type Strike =
  | { kind: 'kill'; at: number; awayMs: number; touches: number }
  | { kind: 'freeze'; at: number; byMs: number };

/** Of the worlds, since nothing is told in the others. */
const ALERTING = 0.125;
const MINUTE = 60_000;

/** Null where nobody is told. */
export function alertsOf(random: Random, wildMs: number): AlertPlan | null {
  if (!random.chance(ALERTING)) return null;
  const moods = () =>
    random.chance(0.2)
      ? [{ from: 0, value: 'well' as Mood }]
      : [
          ...alternate<Mood>(
            random,
            wildMs,
            () => 'well',
            () => 'ill',
            [MINUTE, 5 * MINUTE],
            [10_000, 5 * MINUTE],
          ),
          { from: wildMs, value: 'well' as Mood },
        ];
  return {
    endpoint: moods(),
    channel: moods(),
    strikes: random.chance(0.3) ? [] : strikesOf(random, wildMs),
  };
}

function strikesOf(random: Random, wildMs: number): Strike[] {
  return Array.from({ length: random.integer(1, 4) }, (): Strike => {
    const at = random.integer(1_000, wildMs);
    return random.chance(0.5)
      ? { kind: 'kill', at, awayMs: random.skewed(200, MINUTE), touches: random.skewed(1, 40) - 1 }
      : { kind: 'freeze', at, byMs: random.skewed(20_000, 3 * MINUTE) };
  }).toSorted((a, b) => a.at - b.at);
}
