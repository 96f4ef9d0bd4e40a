import { errorBudget, type Objective, type ObservedTime } from '../engine/history/error-budget.ts';
import { uptime } from '../engine/history/uptime.ts';
import { readTimes } from '../engine/history/stored-uptime.ts';
import type { Database } from '../store/database/contract.ts';
import { readSlos } from '../store/resources/slos.ts';
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
  const slos = await readSlos(database.read, monitorIds);
  const byDays = Map.groupBy(slos, ([, { windowDays }]) => windowDays);
  for (const [windowDays, ones] of byDays) {
    const period = { from: until - windowDays * DAY_MS, to: until, now: until };
    const ids = ones.map(([monitorId]) => monitorId);
    const times = await readTimes(database, ids, period);
    for (const [monitorId, { targetPercent }] of ones) {
      const figures = uptime({ ...times.get(monitorId)!, ...period });
      found.set(monitorId, objectiveOf(figures, { targetPercent, windowDays }));
    }
  }
  return found;
}

function objectiveOf(figures: ObservedTime, objective: Objective): ObjectiveFacts {
  const { budgetMs, leftMs, leftPercent } = errorBudget(figures, objective);
  const rounded = leftPercent === null ? null : Math.round(leftPercent * 10) / 10;
  return { ...objective, allowedMs: budgetMs, leftMs, leftPercent: rounded };
}
