import type { Uptime } from './uptime.ts';

const DAY_MS = 86_400_000;

/** The observed time of a window that spends an error budget or leaves it; milliseconds. */
export type ObservedTime = Pick<Uptime, 'upMs' | 'degradedMs' | 'downMs'>;

/** What a service level objective (SLO) promises. */
export interface Objective {
  /** Less than 100. */
  targetPercent: number;
  windowDays: number;
}

export function errorBudget(
  { upMs, degradedMs, downMs }: ObservedTime,
  { targetPercent, windowDays }: Objective,
) {
  const budgetMs = windowDays * DAY_MS * allowedShare(targetPercent);
  const isKnown = upMs + degradedMs + downMs > 0;
  return {
    /** `(1 - target) × length of the window`, also while the monitor is younger than its window. */
    budgetMs,
    /** Unobserved and excluded time spends nothing. */
    spentMs: downMs,
    /** Negative when more was spent than there is. */
    leftMs: budgetMs - downMs,
    /** Share of the budget; null when nothing was observed. */
    leftPercent: isKnown ? 100 * (1 - downMs / budgetMs) : null,
  };
}

/** Share of time that may be down. Rounded where the target has at most six decimals, so that 99.9 allows 0.001. */
export function allowedShare(targetPercent: number): number {
  return Math.round((100 - targetPercent) * 1e6) / 1e8;
}
