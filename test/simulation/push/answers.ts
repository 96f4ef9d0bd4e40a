import type { Attempt } from './jobs.ts';
import type { OwnedPush } from './owner.ts';
import { PING_LIMIT } from './scenario.ts';

export interface AnswerContext {
  push: OwnedPush;
  /** All pings sent so far. */
  attempts: readonly Attempt[];
  /** Current time: epoch milliseconds, and milliseconds since the world began. */
  now: number;
  at: number;
  isClockSteady: boolean;
}

/** Why the answer to a ping is wrong; null when it is right. */
export function answerFault(attempt: Attempt, context: AnswerContext): string | null {
  const { number, outcome, row } = attempt;
  const why = reasonAgainst(attempt, row ?? context.attempts[number]!.row, context);
  return why === null ? null : `ping ${number} was answered ${outcome}, but ${why}`;
}

function reasonAgainst(
  { monitorId, outcome, takenAt }: Attempt,
  row: Attempt['row'],
  { push, attempts, now, at, isClockSteady }: AnswerContext,
): string | null {
  if (outcome === 'unavailable') return null;
  if (outcome === 'recorded') return row === null ? 'it is not on disk' : null;
  if (row !== null) return 'it is on disk';
  const since = at - Math.max(0, now - takenAt!);
  const recent = push.eras.filter((_, index) => (push.eras[index + 1]?.from ?? Infinity) >= since);
  if (outcome === 'ignored')
    return recent.some((era) => era.isPaused || era.isDeleted) ? null : 'it was not paused';
  if (outcome === 'unknown')
    return recent.some((era) => era.isDeleted) ? null : 'its monitor exists';
  if (!isClockSteady) return null;
  const wasPaused = recent.some((era) => era.isPaused || era.isDeleted);
  const isCounted = (one: Attempt) =>
    one.row !== null ||
    // Still waiting for the database.
    one.outcome === null ||
    one.outcome === 'ignored' ||
    // The caller hung up, so that the answer is unknown.
    one.outcome === 'gone' ||
    // It may have been ignored in a commit whose answer was lost.
    (one.outcome === 'unavailable' && wasPaused);
  const counted = attempts.filter(
    (one) =>
      one.monitorId === monitorId &&
      one.takenAt !== null &&
      takenAt! - one.takenAt < 60_000 &&
      isCounted(one),
  );
  return counted.length < PING_LIMIT ? `only ${counted.length} came before it` : null;
}
