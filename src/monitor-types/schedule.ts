import { parseCron, type Cron } from '../lib/cron-expression.ts';

/** When a job is to call: an interval after its last call, or at the times of a cron expression. */
export type PingSchedule = { intervalSeconds: number } | { cron: Cron; timezone: string };

/** Throws on an expression that no monitor can have. */
export function cronSchedule(expression: string, timezone: string): PingSchedule {
  const parsed = parseCron(expression);
  if (!parsed.ok) throw new Error(`The stored cron expression ${parsed.fault}.`);
  return { cron: parsed.cron, timezone };
}
