import type { CountedRound } from '../../model/condition.ts';
import type { SteadyTimes } from '../../model/round.ts';

/** A bad round is rechecked 10 s after its end, further ones after 20 s (contract 18.11). */
export const FIRST_RECHECK_MS = 10_000;
export const FURTHER_RECHECK_MS = 20_000;

/** Milliseconds from the end of a round until its recheck; `rechecks` counts from 1 since the run began. */
export function roundPace(rechecks: number): number {
  return rechecks === 1 ? FIRST_RECHECK_MS : FURTHER_RECHECK_MS;
}

/** When a round ran; epoch milliseconds, and by the steady clock of its process where that is known. */
export interface RoundTimes {
  startedAt: number;
  finishedAt: number;
  steady?: SteadyTimes | undefined;
}

interface SpacingRow {
  /** Rounds in the run before this one. */
  run: 0 | 1 | 'more';
  /** Milliseconds that must pass between the end of the last of them and the start of this one. */
  apartMs: number;
}

/**
 * A round that counts for a confirmation starts at least 10 s (later ones 20 s) after the bad round before it, whatever
 * asks for one (contract 18.13). Runs of good rounds that confirm a recovery keep the same distance, as they are
 * rechecked at the same pace.
 *
 * Measured from the end of the round before. A disturbance that fails both rounds must have begun before that end and
 * must last beyond the start of the next one, however long either of them took, so none shorter than the distance is
 * confirmed. Measured from the start, a round that waits 30 s for an answer would leave no distance at all.
 */
export const SPACING_TABLE: readonly SpacingRow[] = [
  { run: 0, apartMs: 0 },
  { run: 1, apartMs: FIRST_RECHECK_MS },
  { run: 'more', apartMs: FURTHER_RECHECK_MS },
];

/**
 * A recheck may start this much early: its time is an instant of the wall clock, which may run apart from the steady
 * clock by half a second before the scheduler sets all its timers anew.
 */
export const EARLY_MS = 1_000;

/** No round lasts longer. A distance below minus this comes from a clock that was set back. */
const LONGEST_ROUND_MS = 60_000;

export type Spacing =
  | { is: 'counted' }
  /** The round started too early. The recheck stays due `waitMs` after the start of this round. */
  | { is: 'too_early'; waitMs: number }
  /** The clock was set back, so nobody can say how much time passed: the distance is kept from this round instead. */
  | { is: 'unknown'; waitMs: number };

/** Whether a round may lengthen a run of `run` rounds whose last one was `last`. */
export function spacingOf(last: CountedRound | undefined, run: number, round: RoundTimes): Spacing {
  const row = SPACING_TABLE.find((one) => one.run === run) ?? SPACING_TABLE.at(-1)!;
  if (last === undefined || row.apartMs === 0) return { is: 'counted' };
  const apartMs = apart(last, round);
  if (apartMs >= row.apartMs - EARLY_MS) return { is: 'counted' };
  if (apartMs >= -LONGEST_ROUND_MS) return { is: 'too_early', waitMs: row.apartMs - apartMs };
  return { is: 'unknown', waitMs: round.finishedAt - round.startedAt + row.apartMs };
}

/** The steady clock does not step, but means nothing to another process: then the wall clock has to do. */
function apart(last: CountedRound, { startedAt, steady }: RoundTimes): number {
  const isSameProcess = last.process !== undefined && last.process === steady?.process;
  return isSameProcess ? steady!.startedAt - last.steadyEndedAt! : startedAt - last.endedAt;
}

/** The times from which the next round of the run is measured. */
export function countedRound({ finishedAt, steady }: RoundTimes): CountedRound {
  return steady === undefined
    ? { endedAt: finishedAt }
    : { endedAt: finishedAt, process: steady.process, steadyEndedAt: steady.finishedAt };
}
