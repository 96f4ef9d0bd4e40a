import { uptime } from '../engine/history/uptime.ts';
import { readTimes } from '../engine/history/stored-uptime.ts';
import type { Database } from '../store/database/contract.ts';
import { creationTimes } from '../store/resources/monitors.ts';
import { objectivesOf } from '../store/resources/report-facts.ts';
import type { Durations } from './figures.ts';
import type { ObjectiveFacts } from './model.ts';

const DAY_MS = 86_400_000;

/**
 * Reads the error budgets of monitors that have an objective (SLO), each over its own days until `until`, with
 * corrections: the budget is what a team owes its customers.
 */
export async function readObjectives(
  database: Database,
  monitorIds: readonly number[],
  until: number,
): Promise<Map<number, ObjectiveFacts>> {
  const found = new Map<number, ObjectiveFacts>();
  const objectives = await objectivesOf(database.read, monitorIds);
  const createdAt = await creationTimes(
    database.read,
    objectives.map(({ monitorId }) => monitorId),
  );
  const byDays = Map.groupBy(objectives, ({ windowDays }) => windowDays);
  for (const [windowDays, ones] of byDays) {
    const period = { from: until - windowDays * DAY_MS, to: until, now: until };
    const ids = ones.map(({ monitorId }) => monitorId);
    const times = await readTimes(database, ids, period);
    for (const { monitorId, targetPercent } of ones) {
      const from = Math.min(until, Math.max(period.from, createdAt.get(monitorId) ?? 0));
      const figures = uptime({ ...times.get(monitorId)!, ...period, from });
      found.set(monitorId, objectiveOf(figures, targetPercent, windowDays));
    }
  }
  return found;
}

/** What is left of an error budget. Time that is excluded or was not observed adds nothing to the budget. */
export function objectiveOf(
  { upMs, degradedMs, downMs }: Durations,
  targetPercent: number,
  windowDays: number,
): ObjectiveFacts {
  const counted = upMs + degradedMs + downMs;
  const allowedMs = (counted * (100 - targetPercent)) / 100;
  const leftMs = allowedMs - downMs;
  const leftPercent = allowedMs > 0 ? Math.round((leftMs / allowedMs) * 1_000) / 10 : null;
  return { targetPercent, windowDays, allowedMs, leftMs, leftPercent };
}
