import type { Findings } from '../common/input.ts';

/** Longest period of uptime and response times. */
export const MAX_DAYS = 400;

/** Period `[from, to)` in epoch milliseconds, cut off at the current time. */
export function periodOf(
  query: { from?: number | undefined; to?: number | undefined },
  defaultMs: number,
  now: number,
  findings: Findings,
): { from: number; to: number } {
  const to = Math.min(query.to ?? now, now);
  const from = query.from ?? to - defaultMs;
  addPeriodErrors({ from, to }, now, findings);
  return { from, to };
}

/** Adds the errors of a period with valid ends, each of which may be open. */
export function addPeriodErrors(
  { from = -Infinity, to = Infinity }: { from?: number | undefined; to?: number | undefined },
  now: number,
  findings: Findings,
): void {
  if (findings.has('from') || findings.has('to')) return;
  if (from >= now) findings.add('from', 'must be in the past');
  else if (to <= from) findings.add('to', 'must be after from');
}
