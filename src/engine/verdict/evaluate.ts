import { CLOCK_TOLERANCE_MS } from '../../lib/clock.ts';
import { INSPECTION_TRACKS, ROUND_TRACKS } from '../../model/condition.ts';
import type { Condition, RoundTrack, Track, TrackName, Tracks } from '../../model/condition.ts';
import type { RegionResult } from '../../model/check.ts';
import { endOfCover } from '../../model/observation.ts';
import type { Round, RoundClass, TrackVerdict, Verdict } from '../../model/round.ts';
import type { MonitorState } from '../../model/state.ts';
import { isBetween, newestResults } from './newest-results.ts';
import { causeOf, contentCondition, evidenceOf, failsByContent, verdictOf } from './round.ts';
import { isConfirming, step } from '../record/condition.ts';
import { clearRun, statusOf } from '../record/tracks.ts';
import type { ConditionChange, Observation } from '../record/condition.ts';
import { outcomeOf } from '../record/outcome.ts';
import type { Outcome, SpanRuleName } from '../record/outcome.ts';
import { FURTHER_RECHECK_MS } from '../record/recheck-pace.ts';

/** Outcome of a finished round, given the previous state. */
export interface EvaluatedRound extends Outcome<MonitorState> {
  /** `stale`: the monitor was edited or paused meanwhile; `duplicate`: this or a later round was recorded already. */
  outcome: 'counted' | 'stale' | 'duplicate';
  class: RoundClass;
}

/** While a critical condition is open, rounds come at least this often (contract 14.12). */
export const CRITICAL_PACE_MS = 60_000;

/**
 * Evaluates one finished round. Pure. A round that was requested for later than `now` (epoch ms) was requested before the
 * clock was set back.
 */
export function evaluateRound(
  state: MonitorState,
  round: Round,
  now = round.finishedAt,
): EvaluatedRound {
  const verdict = verdictOf(round);
  const refused = refusal(state, round);
  if (refused) return { outcome: refused, class: verdict.class, state, spans: [], incidents: [] };

  const base = isFresh(state, round) ? state : withoutRuns(state);
  const { tracks, changes, recheckAfterMs } = stepTracks(base.tracks, round, verdict);
  const next: MonitorState = {
    ...base,
    tracks,
    evaluatedRevision: round.revision,
    lastSlot: round.slot,
  };
  next.runAt = round.isCutShort
    ? round.finishedAt
    : earlier(requestedAt(state, tracks, round, now), nextRoundAt(tracks, recheckAfterMs, round));
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
  const tracks = { ...state.tracks };
  for (const name of ROUND_TRACKS) put(tracks, name, tracks[name] && clearRun(tracks[name]));
  return { ...state, tracks };
}

function put(tracks: Tracks, name: TrackName, track: Track | undefined): void {
  if (track) tracks[name] = track;
  else if (name in tracks) delete tracks[name];
}

function stepTracks(
  before: Tracks,
  round: Round,
  verdict: Verdict,
): { tracks: Tracks; changes: ConditionChange[]; recheckAfterMs: number | null } {
  const tracks: Tracks = { ...before };
  const changes: ConditionChange[] = [];
  let recheckAfterMs: number | null = null;
  for (const name of [...ROUND_TRACKS, ...switchedOff(round, verdict)]) {
    const seen = observe(name, before[name], round, verdict);
    const stepped = step(name, before[name], seen, round.settings, round);
    put(tracks, name, stepped.track);
    if (stepped.change) changes.push(stepped.change);
    recheckAfterMs = earlier(recheckAfterMs, stepped.recheckAfterMs);
  }
  return { tracks, changes, recheckAfterMs };
}

type InspectionTrack = (typeof INSPECTION_TRACKS)[number];

/** Inspections that do not run for the monitor any more. A round that saw nothing ends nothing. */
function switchedOff({ settings }: Round, verdict: Verdict): InspectionTrack[] {
  if (verdict.class === 'unknown') return [];
  return INSPECTION_TRACKS.filter((name) => !settings.inspections.includes(name));
}

/** The observation of a round for each track. */
function observe(
  name: RoundTrack | InspectionTrack,
  track: Track | undefined,
  round: Round,
  verdict: Verdict,
): Observation {
  switch (name) {
    case 'reachability':
      return observeReachability(round, verdict);
    case 'content':
      return observeContent(track, round, verdict);
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

function observeContent(track: Track | undefined, round: Round, verdict: Verdict): Observation {
  if (verdict.class === 'unknown') return { says: 'unknown' };
  const condition = contentCondition(round.settings);
  // The one kind of check was exchanged for the other one.
  const isAnother = track?.open != null && track.open !== condition;
  if (isAnother) return { says: 'off' };
  if (verdict.content === 'bad')
    return { says: 'bad', condition, at: firstOf(round, failsByContent) };
  return observation(verdict.content, condition, round);
}

/** The observation of a track about responses. A problem was observed when the first response with it arrived. */
function observation(
  says: TrackVerdict,
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

/** The first result that tells of both families, which one that is down may do; else the first answer. */
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
  tracks: Tracks,
  round: Round,
  now: number,
): number | null {
  if (isConfirming(tracks)) return null;
  const isSince = runAt !== null && runAt > Math.max(round.slot, round.startedAt);
  return isSince && runAt <= now + CLOCK_TOLERANCE_MS ? runAt : null;
}

function nextRoundAt(tracks: Tracks, recheckAfterMs: number | null, round: Round): number | null {
  const isCritical = statusOf(tracks) === 'offline' && round.settings.intervalMs > CRITICAL_PACE_MS;
  return earlier(
    recheckAfterMs === null ? null : round.finishedAt + recheckAfterMs,
    isCritical ? Math.max(round.finishedAt, round.startedAt + CRITICAL_PACE_MS) : null,
  );
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}
