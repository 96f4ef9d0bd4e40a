import { errorBudget } from '../../engine/history/error-budget.ts';
import { readTimes } from '../../engine/history/stored-uptime.ts';
import type { StoredTimes } from '../../engine/history/times.ts';
import { uptime } from '../../engine/history/uptime.ts';
import { BURN_RULES, burnRate } from '../../engine/error-budget-watch.ts';
import type { Database } from '../../store/database/contract.ts';
import type { SloRow } from '../../store/resources/slos.ts';
import { settingsOf, viewSettings } from '../common/fields.ts';
import { isoTime } from '../common/time.ts';
import { SLO_FIELDS } from './fields.ts';

const DAY_MS = 86_400_000;

/** SLOs with their error budgets now, in the order given. The number of reads does not depend on how many there are. */
export async function viewSlos<Row extends SloRow>(
  database: Database,
  rows: readonly Row[],
  now: number,
) {
  if (rows.length === 0) return [];
  const longest = Math.max(...rows.map((row) => row.window_days));
  const ids = rows.map((row) => row.monitor_id);
  const times = await readTimes(database, ids, { from: now - longest * DAY_MS, to: now, now });
  return rows.map((row) => viewSlo(row, times.get(row.monitor_id)!, now));
}

/** @param times of the whole window or more. */
function viewSlo(row: SloRow, times: StoredTimes, now: number) {
  const { monitor_id: id, target_percent: targetPercent, window_days: windowDays } = row;
  const period = { from: now - windowDays * DAY_MS, to: now, now };
  const objective = { targetPercent, windowDays };
  const budget = errorBudget(uptime({ ...times, ...period }), objective);
  const rate = (lengthMs: number) =>
    Math.round(100 * burnRate(times, objective, lengthMs, now)) / 100;
  return {
    id,
    monitor_id: id,
    ...asSet(row),
    burning: row.burning,
    error_budget: {
      from: isoTime(period.from),
      to: isoTime(now),
      budget_seconds: Math.round(budget.budgetMs) / 1_000,
      spent_seconds: budget.spentMs / 1_000,
      left_seconds: Math.round(budget.leftMs) / 1_000,
      left_percent: budget.leftPercent === null ? null : floored(budget.leftPercent),
      burn_rate_1h: rate(BURN_RULES.fast.longMs),
      burn_rate_6h: rate(BURN_RULES.slow.longMs),
    },
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** The settings of an SLO, as the audit log shows them too. */
export const asSet = (row: SloRow) => viewSettings(SLO_FIELDS, settingsOf(SLO_FIELDS, row));

/** To three decimals, never rounded up. */
const floored = (percent: number) => Math.floor(percent * 1_000 + 1e-6) / 1_000;
