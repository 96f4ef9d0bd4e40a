import type { Ping, Run } from '../../model/heartbeat.ts';

/** Starts without a finish that are remembered, of one monitor; beyond that the oldest is forgotten. */
export const MAX_RUNS = 50;

/** A run that began longer ago is forgotten: a day more than the longest `heartbeat_max_runtime`. */
export const LONGEST_RUN_MS = 8 * 86_400_000;

export interface RunsStep {
  runs: readonly Run[];
  /** How long the run took that this ping finishes; null when it finishes none that is known. */
  durationMs: number | null;
}

/**
 * What a ping does to the runs under way. A finish with a `rid` ends the run of that name. One without ends the youngest
 * that has no name: when a run hangs and the next one comes and goes, the one that hangs is the one that is left.
 */
export function stepRuns(
  runs: readonly Run[],
  { kind, runId, at }: Pick<Ping, 'kind' | 'runId' | 'at'>,
): RunsStep {
  if (kind === 'log') return { runs, durationMs: null };
  const known = runs.filter((run) => run.startedAt > at - LONGEST_RUN_MS);
  if (kind === 'start') {
    const others = runId === null ? known : known.filter((run) => run.id !== runId);
    return { runs: [...others, { id: runId, startedAt: at }].slice(-MAX_RUNS), durationMs: null };
  }
  const finished = known.findLast((run) => run.id === runId);
  if (finished === undefined) return { runs: known, durationMs: null };
  return {
    runs: known.filter((run) => run !== finished),
    // A clock that was set back must not make it negative.
    durationMs: Math.max(0, at - finished.startedAt),
  };
}

/** When the first run that is not recorded as overrun takes too long; null when none can. */
export function firstRunOver(runs: readonly Run[], maxRuntimeMs: number | null): number | null {
  if (maxRuntimeMs === null) return null;
  const starts = runs.filter((run) => !run.isJudged).map((run) => run.startedAt);
  return starts.length === 0 ? null : Math.min(...starts) + maxRuntimeMs;
}
