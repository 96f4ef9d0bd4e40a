import type { RecordedTimes } from '../history/corrections.ts';
import { allowedShare, type Objective } from '../history/error-budget.ts';
import { uptime } from '../history/uptime.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How an error budget burns: fast is critical, slow a warning. */
export type Burn = 'fast' | 'slow';

interface BurnRule {
  longMs: number;
  shortMs: number;
  /** Share of the whole budget that burns in the long window. */
  share: number;
}

/** Multiwindow, multi-burn-rate alerts of Google's SRE Workbook, chapter 5: 14.4 and 6 with a window of 30 days. */
export const BURN_RULES: Record<Burn, BurnRule> = {
  fast: { longMs: HOUR_MS, shortMs: 5 * MINUTE_MS, share: 0.02 },
  slow: { longMs: 6 * HOUR_MS, shortMs: 30 * MINUTE_MS, share: 0.05 },
};

/** Time before now that the rules read. */
export const LONGEST_WINDOW_MS = BURN_RULES.slow.longMs;
/** A budget of fewer days would burn within minutes of any downtime. */
const MIN_WINDOW_DAYS = 7;
/** Time in which there must be downtime for an alert to begin. */
const NOW_MS = BURN_RULES.fast.shortMs;
/** An alert ends when over this many short windows the budget burns at less than `RECOVERY_SHARE` of its rate. */
const RECOVERY_WINDOWS = 3;
const RECOVERY_SHARE = 0.5;

/**
 * Downtime of the last `lengthMs` as a multiple of what the target allows in that time. Excluded and unobserved time does
 * not count as downtime.
 */
export function burnRate(
  times: RecordedTimes,
  { targetPercent }: Pick<Objective, 'targetPercent'>,
  lengthMs: number,
  now: number,
): number {
  return downMs(times, lengthMs, now) / (lengthMs * allowedShare(targetPercent));
}

/** The burn rate from which on a rule applies. */
export function thresholdOf(burn: Burn, { windowDays }: Pick<Objective, 'windowDays'>): number {
  const { share, longMs } = BURN_RULES[burn];
  return (share * Math.max(windowDays, MIN_WINDOW_DAYS) * DAY_MS) / longMs;
}

/**
 * Decides how a budget burns. An alert begins when the long and the short window reach the threshold and the last five
 * minutes do too; it lasts until the budget burns clearly slower, so that a target that flaps does not begin many. None
 * begins during maintenance.
 *
 * @param before how it burned at the last evaluation.
 */
export function nextBurn(
  times: RecordedTimes,
  slo: Objective,
  before: Burn | null,
  now: number,
): Burn | null {
  const mayBegin = !times.excluded.some(({ from, to }) => from <= now && now < to);
  for (const burn of ['fast', 'slow'] as const) {
    if (
      before === burn
        ? !hasSlowed(times, slo, burn, now)
        : mayBegin && isBurning(times, slo, burn, now)
    )
      return burn;
  }
  return null;
}

function isBurning(times: RecordedTimes, slo: Objective, burn: Burn, now: number): boolean {
  const { longMs, shortMs } = BURN_RULES[burn];
  const threshold = thresholdOf(burn, slo);
  return [longMs, shortMs, NOW_MS].every(
    (lengthMs) => burnRate(times, slo, lengthMs, now) >= threshold,
  );
}

function hasSlowed(times: RecordedTimes, slo: Objective, burn: Burn, now: number): boolean {
  const lengthMs = RECOVERY_WINDOWS * BURN_RULES[burn].shortMs;
  return burnRate(times, slo, lengthMs, now) < RECOVERY_SHARE * thresholdOf(burn, slo);
}

/** Cause of an incident, a sentence without a full stop. */
export function burnCause(times: RecordedTimes, slo: Objective, burn: Burn, now: number): string {
  const { longMs } = BURN_RULES[burn];
  const rate = burnRate(times, slo, longMs, now);
  const spent =
    (100 * downMs(times, longMs, now)) /
    (slo.windowDays * DAY_MS * allowedShare(slo.targetPercent));
  const days = slo.windowDays === 1 ? '1 day' : `${slo.windowDays} days`;
  const last = burn === 'fast' ? 'the last hour' : 'the last 6 hours';
  return `The error budget of ${days} (target ${slo.targetPercent} %) burned ${tenths(rate)} times as fast as it lasts: ${last} spent ${tenths(spent)} % of it`;
}

function downMs({ spans, observedUntil, excluded }: RecordedTimes, lengthMs: number, now: number) {
  const period = { from: now - lengthMs, to: now, now };
  return uptime({ spans, observedUntil, excluded, ...period }).downMs;
}

const tenths = (value: number) => (Math.round(value * 10) / 10).toFixed(1);
