import type { ListedSlo } from '../../app/api.gen.ts';
import { words } from '../../words/index.ts';

/** Share of a budget below which it needs attention, in percent. */
const LOW_PERCENT = 25;

type Budget = Pick<ListedSlo['error_budget'], 'left_seconds' | 'left_percent'>;

/** Share of a budget that is left, from 0 to 100. */
export function shareOf({ left_percent }: Budget): number {
  return Math.min(100, Math.max(0, left_percent ?? 0));
}

/** What the color of a budget says: kept, low or overspent. */
export function lookOf(budget: Budget): 'up' | 'warn' | 'down' {
  if (budget.left_seconds < 0) return 'down';
  return shareOf(budget) < LOW_PERCENT ? 'warn' : 'up';
}

/** Those with the least of their budget left come first, the most overspent of all before them. */
export function byBudgetLeft<One extends Pick<ListedSlo, 'name'> & { error_budget: Budget }>(
  slos: readonly One[],
): One[] {
  const left = ({ error_budget: { left_percent } }: One) => left_percent ?? 100;
  return slos.toSorted((a, b) => left(a) - left(b) || (a.name ?? '').localeCompare(b.name ?? ''));
}

/** Share and window of an objective, in words. */
export function objectiveOf(slo: { target_percent: number; window_days: number }): string {
  const share = new Intl.NumberFormat(words.time.locale).format(slo.target_percent);
  return words.reports.objective(share, slo.window_days);
}
