import type { Random } from '../random.ts';
import { alternate } from '../segments.ts';
import type { Segment } from '../segments.ts';

/** How the receivers of a world behave, and which disruptions hit the process while it delivers. */
export interface AlertScenario {
  endpoint: Segment<Health>[];
  channel: Segment<Health>[];
  deliveryDisruptions: DeliveryDisruption[];
}

/** A failing server answers with errors, late or not at all, and only sometimes accepts. */
export type Health = 'healthy' | 'failing';

/** At the first request after `at`, the process is killed some crash points later, or frozen. */
export type DeliveryDisruption =
  | { kind: 'kill'; at: number; downMs: number; crashPoints: number }
  | { kind: 'freeze'; at: number; byMs: number };

/** Share of worlds with alerting. */
const ALERTING_SHARE = 0.125;
const MINUTE = 60_000;

/** Null in worlds without alerting. */
export function alertScenarioOf(random: Random, wildMs: number): AlertScenario | null {
  if (!random.chance(ALERTING_SHARE)) return null;
  const healthSegments = () =>
    random.chance(0.2)
      ? [{ from: 0, value: 'healthy' as Health }]
      : [
          ...alternate<Health>(
            random,
            wildMs,
            () => 'healthy',
            () => 'failing',
            [MINUTE, 5 * MINUTE],
            [10_000, 5 * MINUTE],
          ),
          { from: wildMs, value: 'healthy' as Health },
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
