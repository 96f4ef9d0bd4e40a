import type { Random } from '../random.ts';
import { alternate } from '../segments.ts';
import type { Segment } from '../segments.ts';

/** What a world has for those who are told: how their servers fare, and what hits the process while it tells them. */
export interface AlertScenario {
  endpoint: Segment<Health>[];
  channel: Segment<Health>[];
  deliveryDisruptions: DeliveryDisruption[];
}

/** An ill server answers with errors, or late, or not at all; only now and then as it should. */
export type Health = 'well' | 'ill';

/** The first request after `at` meets a process that dies `touches` steps later, or one that stands still meanwhile. */
export type DeliveryDisruption =
  | { kind: 'kill'; at: number; downMs: number; crashPoints: number }
  | { kind: 'freeze'; at: number; byMs: number };

/** Of the worlds, since nothing is told in the others. */
const ALERTING_SHARE = 0.125;
const MINUTE = 60_000;

/** Null where nobody is told. */
export function alertScenarioOf(random: Random, wildMs: number): AlertScenario | null {
  if (!random.chance(ALERTING_SHARE)) return null;
  const healthSegments = () =>
    random.chance(0.2)
      ? [{ from: 0, value: 'well' as Health }]
      : [
          ...alternate<Health>(
            random,
            wildMs,
            () => 'well',
            () => 'ill',
            [MINUTE, 5 * MINUTE],
            [10_000, 5 * MINUTE],
          ),
          { from: wildMs, value: 'well' as Health },
        ];
  return {
    endpoint: healthSegments(),
    channel: healthSegments(),
    deliveryDisruptions: random.chance(0.3) ? [] : deliveryDisruptionsOf(random, wildMs),
  };
}

function deliveryDisruptionsOf(random: Random, wildMs: number): DeliveryDisruption[] {
  return Array.from({ length: random.integer(1, 4) }, (): DeliveryDisruption => {
    const at = random.integer(1_000, wildMs);
    return random.chance(0.5)
      ? {
          kind: 'kill',
          at,
          downMs: random.skewed(200, MINUTE),
          crashPoints: random.skewed(1, 40) - 1,
        }
      : { kind: 'freeze', at, byMs: random.skewed(20_000, 3 * MINUTE) };
  }).toSorted((a, b) => a.at - b.at);
}
