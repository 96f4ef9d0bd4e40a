import { earlier, CLOCK_TOLERANCE_MS } from '../../lib/clock.ts';
import {
  FURTHER_RECHECK_MS,
  INSPECTION_CONFIRMATIONS,
  ROUND_CONFIRMATIONS,
  type Condition,
  type RoundConfirmation,
  type Confirmation,
  type ConfirmationName,
  type Confirmations,
} from '../../model/condition.ts';
import type { RegionResult } from '../../model/check.ts';
import { endOfCover } from '../../model/observation.ts';
import type { Round, RoundClass, ConfirmationVerdict, Verdict } from '../../model/round.ts';
import type { MonitorState } from '../../model/state.ts';
import { isBetween, newestResults } from './newest-results.ts';
import { causeOf, contentCondition, evidenceOf, failsByContent, verdictOf } from './round.ts';
import { isConfirming, step, type ConditionChange, type Observation } from '../record/condition.ts';
import { clearRun, statusOf } from '../record/confirmations.ts';
import { outcomeOf, type Outcome, type SpanRuleName } from '../record/outcome.ts';

export interface EvaluatedRound extends Outcome<MonitorState> {
  /** `stale`: the monitor was edited or paused meanwhile; `duplicate`: this or a later round was recorded already. */
  outcome: 'counted' | 'stale' | 'duplicate';
  class: RoundClass;
}

export interface RoundOutcome {
  /**
   * `counted`; `stale`: the monitor was edited or paused since; `duplicate`: recorded already, here or elsewhere;
   * `gone`: the monitor is; `dropped`: the database was away for so long that the buffer was full.
   */
  outcome: EvaluatedRound['outcome'] | 'gone' | 'dropped';
  state: MonitorState | null;
}

/** While a critical condition is open, rounds come at least this often (contract 14.12). */
const CRITICAL_PACE_MS = 60_000;

/** A round that was requested for later than `now` was requested before the clock was set back. Pure. */
export function evaluateRound(
  state: MonitorState,
  round: Round,
  now = round.finishedAt,
): EvaluatedRound {
  const verdict = verdictOf(round);
  const refused = refusal(state, round);
  if (refused) return { outcome: refused, class: verdict.class, state, spans: [], incidents: [] };

  const base = isFresh(state, round) ? state : withoutRuns(state);
  const { confirmations, changes, recheckAfterMs } = stepConfirmations(
    base.confirmations,
    round,
    verdict,
  );
  const next: MonitorState = {
    ...base,
    confirmations,
    evaluatedRevision: round.revision,
    lastSlot: round.slot,
  };
  next.runAt = round.isCutShort
    ? round.finishedAt
    : earlier(
        requestedAt(state, confirmations, round, now),
        nextRoundAt(confirmations, recheckAfterMs, round),
      );
  if (verdict.class !== 'unknown') {
    const { lastCheckedAt } = state;
    next.lastCheckedAt = isBetween(lastCheckedAt, round.startedAt, now)
      ? lastCheckedAt
      : round.startedAt;
    next.newest = newestResults(state.newest, round.results, now);
  }
  const outcome = outcomeOf(state, next, {
    rule: RULES[verdict.class],
    changes,
    startedAt: round.startedAt,
    nextDueBy: coveredUntil(round, recheckAfterMs !== null),
    explain: ({ condition, attempts }) => ({
      ...causeOf(condition, round, verdict),
      regions: condition === 'regional' ? verdict.failing : null,
      evidence: evidenceOf(condition, round, attempts),
    }),
  });
  return { outcome: 'counted', class: verdict.class, ...outcome };
}

const RULES: Record<RoundClass, SpanRuleName> = {
  up: 'up_round',
  regional: 'failing_round',
  down: 'failing_round',
  unknown: 'unknown_round',
};

/**
 * Until when this verdict speaks: the next round is due within an interval, and may start a little late. A recheck is
 * timed from the round's end, so after a round that took most of its interval it starts later than that.
 */
export function coveredUntil(round: Round, isRechecked: boolean): number {
  const { intervalMs } = round.settings;
  const recheckMs = isRechecked ? FURTHER_RECHECK_MS : 0;
  return endOfCover(round.startedAt, intervalMs) + recheckMs;
}

function refusal(state: MonitorState, round: Round): 'stale' | 'duplicate' | null {
  if (round.revision !== state.revision || state.isPaused) return 'stale';
  if (state.lastSlot !== null && round.slot <= state.lastSlot) return 'duplicate';
  return null;
}

/** Whether this round continues what was counted: the same revision, and no unobserved time in between. */
function isFresh(state: MonitorState, round: Round): boolean {
  return state.evaluatedRevision === round.revision && !isGap(state, round);
}

function isGap(state: MonitorState, round: Round): boolean {
  return state.observedUntil !== null && round.startedAt > state.observedUntil;
}

/** Removes the runs of inspections, which rounds do not change. */
function withoutRuns(state: MonitorState): MonitorState {
  const confirmations = { ...state.confirmations };
  for (const name of ROUND_CONFIRMATIONS)
    put(confirmations, name, confirmations[name] && clearRun(confirmations[name]));
  return { ...state, confirmations };
}

function put(
  confirmations: Confirmations,
  name: ConfirmationName,
  confirmation: Confirmation | undefined,
): void {
  if (confirmation) confirmations[name] = confirmation;
  else if (name in confirmations) delete confirmations[name];
}

function stepConfirmations(
  before: Confirmations,
  round: Round,
  verdict: Verdict,
): { confirmations: Confirmations; changes: ConditionChange[]; recheckAfterMs: number | null } {
  const confirmations: Confirmations = { ...before };
  const changes: ConditionChange[] = [];
  let recheckAfterMs: number | null = null;
  for (const name of [...ROUND_CONFIRMATIONS, ...switchedOff(round, verdict)]) {
    const seen = observe(name, before[name], round, verdict);
    const stepped = step(name, before[name], seen, round.settings, round);
    put(confirmations, name, stepped.confirmation);
    if (stepped.change) changes.push(stepped.change);
    recheckAfterMs = earlier(recheckAfterMs, stepped.recheckAfterMs);
  }
  return { confirmations, changes, recheckAfterMs };
}

type InspectionConfirmation = (typeof INSPECTION_CONFIRMATIONS)[number];

/** Inspections that do not run for the monitor any more. A round that saw nothing ends nothing. */
function switchedOff({ settings }: Round, verdict: Verdict): InspectionConfirmation[] {
  if (verdict.class === 'unknown') return [];
  return INSPECTION_CONFIRMATIONS.filter((name) => !settings.inspections.includes(name));
}

function observe(
  name: RoundConfirmation | InspectionConfirmation,
  confirmation: Confirmation | undefined,
  round: Round,
  verdict: Verdict,
): Observation {
  switch (name) {
    case 'reachability':
      return observeReachability(round, verdict);
    case 'content':
      return observeContent(confirmation, round, verdict);
    case 'dual_stack':
      return observation(verdict.dualStack, 'dual_stack', round, firstTried(round));
    case 'slow_response':
      return observation(verdict.slow, 'slow_response', round);
    default:
      return { says: 'off' };
  }
}

function observeReachability(round: Round, verdict: Verdict): Observation {
  if (verdict.reachability === 'unknown') return { says: 'unknown' };
  if (verdict.reachability === 'up') return { says: 'good', at: firstAnswer(round) };
  const isDown = verdict.reachability === 'down';
  const isCounted = (result: RegionResult) => verdict.failing.includes(result.region);
  return {
    says: 'bad',
    condition: isDown ? 'uptime' : 'regional',
    at: firstOf(round, (result) => result.vote === 'down' && isCounted(result)),
  };
}

function observeContent(
  confirmation: Confirmation | undefined,
  round: Round,
  verdict: Verdict,
): Observation {
  if (verdict.class === 'unknown') return { says: 'unknown' };
  const condition = contentCondition(round.settings);
  // The one kind of check was exchanged for the other one.
  const isAnother = confirmation?.open != null && confirmation.open !== condition;
  if (isAnother) return { says: 'off' };
  if (verdict.content === 'bad')
    return { says: 'bad', condition, at: firstOf(round, failsByContent) };
  return observation(verdict.content, condition, round);
}

/** The observation of a confirmation about responses. A problem was observed when the first response with it arrived. */
function observation(
  says: ConfirmationVerdict,
  condition: Condition,
  round: Round,
  at = firstAnswer(round),
): Observation {
  if (says === 'off' || says === 'unknown') return { says };
  return says === 'bad' ? { says, condition, at } : { says, at };
}

/** The first result whose request succeeded. */
function firstAnswer(round: Round): number {
  return firstOf(round, (result) => result.vote === 'up' || failsByContent(result));
}

const isTried = ({ families }: RegionResult) => families !== undefined;

/** The first result with both families, which may be down; else the first answer. */
function firstTried(round: Round): number {
  return round.results.some(isTried) ? firstOf(round, isTried) : firstAnswer(round);
}

function firstOf({ results }: Round, isWanted: (result: RegionResult) => boolean): number {
  let first = Infinity;
  for (const result of results)
    if (isWanted(result) && result.checkedAt < first) first = result.checkedAt;
  return first;
}

/**
 * When a round is due that was requested while this one was under way or waited to be recorded. Not during a
 * confirmation, whose times must not be brought forward (contract 9.13).
 */
function requestedAt(
  { runAt }: MonitorState,
  confirmations: Confirmations,
  round: Round,
  now: number,
): number | null {
  if (isConfirming(confirmations)) return null;
  const isSince = runAt !== null && runAt > Math.max(round.slot, round.startedAt);
  return isSince && runAt <= now + CLOCK_TOLERANCE_MS ? runAt : null;
}

function nextRoundAt(confirmations: Confirmations, recheckAfterMs: number | null, round: Round) {
  const isCritical =
    statusOf(confirmations) === 'offline' && round.settings.intervalMs > CRITICAL_PACE_MS;
  return earlier(
    recheckAfterMs === null ? null : round.finishedAt + recheckAfterMs,
    isCritical ? Math.max(round.finishedAt, round.startedAt + CRITICAL_PACE_MS) : null,
  );
}
