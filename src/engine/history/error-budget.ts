import type { Uptime } from './uptime.ts';

/** The observed time of a period that an error budget is measured by; milliseconds. */
export type ObservedTime = Pick<Uptime, 'upMs' | 'degradedMs' | 'downMs'>;

/** Downtime that a service level objective (SLO) allows in a period, and its use. Milliseconds. */
export interface ErrorBudget {
  /** `(1 - target) × observed time`. Unobserved and excluded time counts as neither. */
  budgetMs: number;
  spentMs: number;
  /** Negative when more was spent than there is. */
  leftMs: number;
  /** Share of the budget that is left; null when nothing was observed. */
  leftPercent: number | null;
  /** Downtime as a multiple of what is allowed: 1 spends the budget exactly. Null when nothing was observed. */
  burnRate: number | null;
}

/** Error budget of a period. @param targetPercent less than 100. */
export function errorBudget(
  { upMs, degradedMs, downMs }: ObservedTime,
  targetPercent: number,
): ErrorBudget {
  const budgetMs = (upMs + degradedMs + downMs) * allowedShare(targetPercent);
  const isKnown = budgetMs > 0;
  return {
    budgetMs,
    spentMs: downMs,
    leftMs: budgetMs - downMs,
    leftPercent: isKnown ? 100 * (1 - downMs / budgetMs) : null,
    burnRate: isKnown ? downMs / budgetMs : null,
  };
}

/** Share of time that may be down. Rounded where the target has at most six decimals, so that 99.9 allows 0.001. */
export function allowedShare(targetPercent: number): number {
  return Math.round((100 - targetPercent) * 1e6) / 1e8;
}
