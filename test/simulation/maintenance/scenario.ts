import type { Random } from '../random.ts';

/** The maintenance windows of a world, by their first time. */
export type MaintenanceScenario = ScheduledWindow[];

export interface ScheduledWindow {
  /** Milliseconds since the world began; a time that recurs has its first one a day before. */
  from: number;
  lengthMs: number;
  isRecurring: boolean;
  scope: 'all' | 'monitor' | 'group' | 'tag';
  /** So many good rounds of each monitor end it early; null when time alone does. */
  goodRounds: number | null;
}

const MINUTE = 60_000;
/** Of the worlds in which somebody is notified. */
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

/** The tag and the group by which windows name monitors: that of their type, which no edit changes. */
export const MAINTAINED_TYPE = 'http';
export const MAINTAINED_TAG = 'maintained';
/** The group lies in this one, which windows name. */
export const PARENT_GROUP = 1;
export const GROUP = 2;
