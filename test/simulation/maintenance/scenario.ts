import type { Random } from '../random.ts';

/** The maintenance windows of a world. */
export type MaintenanceScenario = ScheduledWindow[];

export interface ScheduledWindow {
  /** Start in milliseconds since the world began; a recurring window first occurred a day earlier. */
  from: number;
  lengthMs: number;
  isRecurring: boolean;
  scope: 'all' | 'monitor' | 'group' | 'tag';
  /** Number of good rounds of each monitor that end it early; null if only time ends it. */
  goodRounds: number | null;
}

const MINUTE = 60_000;
/** Share of the worlds with alerting that also have maintenance. */
const MAINTENANCE_SHARE = 0.25;

/** Null in a world without maintenance. */
export function maintenanceScenarioOf(random: Random, wildMs: number): MaintenanceScenario | null {
  if (!random.chance(MAINTENANCE_SHARE)) return null;
  return Array.from({ length: random.integer(1, 3) }, () => ({
    from: random.integer(0, wildMs - MINUTE),
    lengthMs: random.skewed(MINUTE, 12 * MINUTE),
    isRecurring: random.chance(0.3),
    scope: random.pick(['all', 'all', 'monitor', 'group', 'tag'] as const),
    goodRounds: random.chance(0.4) ? random.integer(1, 3) : null,
  }));
}

/** Windows name monitors by the tag and group of this type, which no edit changes. */
export const MAINTAINED_TYPE = 'http';
export const MAINTAINED_TAG = 'maintained';
/** The parent of the group, which windows name. */
export const PARENT_GROUP = 1;
export const GROUP = 2;
