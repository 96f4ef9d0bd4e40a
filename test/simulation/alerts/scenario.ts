import type { Random } from '../random.ts';
import { alternate } from '../segments.ts';
import type { Segment } from '../segments.ts';

/** How the receivers of a world behave, and which disruptions hit the process while it delivers. */
export interface AlertScenario {
  endpoint: Segment<Health>[];
  channel: Segment<Health>[];
  deliveryDisruptions: DeliveryDisruption[];
  /** Empty in a world in which its first channel is a default channel. */
  routes: WorldRoute[];
  /** Monitors beside one of each target, so that incidents share causes. */
  furtherMonitors: number;
}

/** A failing server answers with errors, late or not at all, and only sometimes accepts. */
export type Health = 'healthy' | 'failing';

/** At the first request after `at`, the process is killed some crash points later, or frozen. */
export type DeliveryDisruption =
  | { kind: 'kill'; at: number; downMs: number; crashPoints: number }
  | { kind: 'freeze'; at: number; byMs: number };

/** Share of worlds with alerting. */
const ALERTING_SHARE = 0.125;
/** Share of these worlds with routes. */
const ROUTED_SHARE = 0.7;
/** Monitors that a world with routes has beside one of each target. */
const FURTHER_MONITORS = 4;
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
  const routed = random.fork('routes');
  const isRouted = routed.chance(ROUTED_SHARE);
  return {
    endpoint: healthSegments(),
    channel: healthSegments(),
    deliveryDisruptions: random.chance(0.3) ? [] : deliveryDisruptionsOf(random, wildMs),
    routes: isRouted ? routesOf(routed, FURTHER_MONITORS + 1) : [],
    furtherMonitors: isRouted ? FURTHER_MONITORS : 0,
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

/** A route of a world. The first channel of a world gets everything at once by a route of its own. */
export interface WorldRoute {
  scope: 'all' | 'monitor' | 'group' | 'tag';
  /** Id of the monitor where the scope is one. */
  monitorId: number;
  severities: string[];
  /** Places of channels, from 0. */
  channels: number[];
  /** 0 for at once, else an escalation step. */
  afterMinutes: number;
  reminderMinutes: number | null;
}

/** Channels of a world with routes beside the first one. */
export const FURTHER_CHANNELS = 3;

function routesOf(random: Random, monitors: number): WorldRoute[] {
  const everything: WorldRoute = {
    scope: 'all',
    monitorId: 0,
    severities: ['critical', 'warning', 'info'],
    channels: [0],
    afterMinutes: 0,
    reminderMinutes: null,
  };
  const further = Array.from({ length: random.integer(2, 5) }, (): WorldRoute => ({
    scope: random.weighted({ monitor: 4, group: 2, tag: 2, all: 1 }),
    monitorId: random.integer(1, monitors),
    severities: random.pick([
      everything.severities,
      everything.severities,
      ['critical'],
      ['warning'],
    ]),
    channels: random.sample([1, 2, 3], random.integer(1, 2)),
    afterMinutes: random.pick([0, 0, 1, 3]),
    reminderMinutes: random.pick([null, 1, 2, 5]),
  }));
  return [everything, ...further];
}
