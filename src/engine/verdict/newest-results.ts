import type { RegionResult } from '../../model/check.ts';
import type { MonitorState, NewestResult } from '../../model/state.ts';

/** The newest result of each region after a round. Those of a manual check that was made meanwhile stay. Pure. */
export function newestResults(
  known: MonitorState['newest'],
  results: readonly RegionResult[],
  now: number,
): MonitorState['newest'] {
  const newest: Record<string, NewestResult> = { ...known };
  for (const result of results) {
    if (result.vote === 'unknown') continue;
    if (isBetween(known[result.region]?.checkedAt ?? null, result.checkedAt, now)) continue;
    newest[result.region] = newestResult(result);
  }
  return newest;
}

function newestResult(result: RegionResult): NewestResult {
  return {
    responseTimeMs: result.responseTimeMs,
    statusCode: result.statusCode,
    checkedAt: result.checkedAt,
    failure: result.failure?.code ?? null,
  };
}

/** Whether a check was made since that time. A time after now is from a clock that was set back. */
export function isBetween(at: number | null, since: number, now: number): at is number {
  return at !== null && at > since && at <= now;
}

/** State with the result of a manual check, which has no vote (contract 9.12). What a later round recorded stays. Pure. */
export function withManualResult(
  state: MonitorState,
  result: RegionResult,
  { startedAt, now }: { startedAt: number; now: number },
): MonitorState {
  const known = state.newest[result.region]?.checkedAt ?? null;
  const shown = { ...newestResult(result), isManual: true as const };
  return {
    ...state,
    ...(!isBetween(state.lastCheckedAt, startedAt, now) && { lastCheckedAt: startedAt }),
    ...(!isBetween(known, result.checkedAt, now) && {
      newest: { ...state.newest, [result.region]: shown },
    }),
  };
}
