import { CONDITION_SEVERITY, ROUND_TRACKS } from '../model/condition.ts';
import type { IncidentType, RoundTrack, Tracks } from '../model/condition.ts';
import type { IncidentChange, SpanChange } from '../model/incident.ts';
import type { MonitorStatus } from '../model/monitor.ts';
import type { Round, RoundClass, Verdict } from '../model/round.ts';
import type { MonitorState, NewestResult } from '../model/state.ts';
import { causeOf, evidenceOf } from './cause.ts';
import { clearRun, FURTHER_RECHECK_MS, statusOf, step } from './condition.ts';
import type { ConditionChange, Observation } from './condition.ts';
import { verdictOf } from './round.ts';

/** What becomes of a finished round, given what was known before. */
export interface Decision {
  /** `stale`: the monitor was edited or paused meanwhile; `duplicate`: this or a later round was judged already. */
  outcome: 'counted' | 'stale' | 'duplicate';
  class: RoundClass;
  /** The state that replaces the one before; the very same object when nothing counts. */
  state: MonitorState;
  spans: SpanChange[];
  incidents: IncidentChange[];
}

/** While a critical condition is open, rounds come at least this often (completions, section 6). */
export const CRITICAL_PACE_MS = 60_000;

/** Judges one round. Pure: the same state and round give the same decision, whoever asks and whenever. */
export function decide(state: MonitorState, round: Round): Decision {
  const verdict = verdictOf(round);
  const refused = refusal(state, round);
  if (refused) return { outcome: refused, class: verdict.class, state, spans: [], incidents: [] };

  const base = isFresh(state, round) ? state : withoutRuns(state);
  const { tracks, changes, recheckAfterMs } = stepTracks(base.tracks, round, verdict);
  const next: MonitorState = {
    ...base,
    tracks,
    judgedRevision: round.revision,
    lastSlot: round.slot,
  };
  next.status = statusAfter(state.status, tracks, verdict.class);
  next.runAt = earlier(askedSince(state, round), lookAgainAt(tracks, recheckAfterMs, round));
  if (verdict.class === 'unknown') {
    return { outcome: 'counted', class: 'unknown', state: next, spans: [], incidents: [] };
  }
  next.lastCheckedAt = round.startedAt;
  next.observedUntil = coveredUntil(round, recheckAfterMs !== null);
  next.newest = newestResults(state, round);
  const status = { previous: state.status, current: next.status };
  return {
    outcome: 'counted',
    class: verdict.class,
    state: next,
    spans: spanChanges(state, next, round, changes),
    incidents: changes.flatMap((change) => incidentChanges(change, round, verdict, status)),
  };
}

/**
 * Until when this verdict speaks: the next round is due within an interval, and may start a little late. A recheck is
 * timed from the round's end, so after a round that took most of its interval it starts later than that.
 */
export function coveredUntil(round: Round, isRechecked: boolean): number {
  const { intervalMs } = round.settings;
  const recheckMs = isRechecked ? FURTHER_RECHECK_MS : 0;
  return round.startedAt + intervalMs + recheckMs + Math.max(5_000, intervalMs / 10);
}

function refusal(state: MonitorState, round: Round): 'stale' | 'duplicate' | null {
  if (round.revision !== state.revision || state.isPaused) return 'stale';
  if (state.lastSlot !== null && round.slot <= state.lastSlot) return 'duplicate';
  return null;
}

/** Whether this round continues what was counted: the same revision, and no unobserved time in between. */
function isFresh(state: MonitorState, round: Round): boolean {
  return state.judgedRevision === round.revision && !isGap(state, round);
}

function isGap(state: MonitorState, round: Round): boolean {
  return state.observedUntil !== null && round.startedAt > state.observedUntil;
}

function withoutRuns(state: MonitorState): MonitorState {
  const tracks: Tracks = {};
  for (const name of ROUND_TRACKS) {
    const cleared = state.tracks[name] && clearRun(state.tracks[name]);
    if (cleared) tracks[name] = cleared;
  }
  return { ...state, tracks };
}

function stepTracks(
  before: Tracks,
  round: Round,
  verdict: Verdict,
): { tracks: Tracks; changes: ConditionChange[]; recheckAfterMs: number | null } {
  const tracks: Tracks = {};
  const changes: ConditionChange[] = [];
  let recheckAfterMs: number | null = null;
  for (const name of ROUND_TRACKS) {
    const stepped = step(name, before[name], observe(name, round, verdict), round.settings);
    if (stepped.track) tracks[name] = stepped.track;
    if (stepped.change) changes.push(stepped.change);
    recheckAfterMs = earlier(recheckAfterMs, stepped.recheckAfterMs);
  }
  return { tracks, changes, recheckAfterMs };
}

/** What a round says about each track. */
function observe(name: RoundTrack, round: Round, verdict: Verdict): Observation {
  if (name === 'slow_response') {
    if (verdict.slow === 'off') return { says: 'off' };
    if (verdict.slow === 'unknown') return { says: 'unknown' };
    const at = firstResult(round, 'up');
    return verdict.slow === 'bad'
      ? { says: 'bad', type: 'slow_response', at }
      : { says: 'good', at };
  }
  if (verdict.class === 'unknown') return { says: 'unknown' };
  if (verdict.class === 'up') return { says: 'good', at: firstResult(round, 'up') };
  const type = verdict.class === 'down' ? 'uptime' : 'regional';
  return { says: 'bad', type, at: firstResult(round, 'down') };
}

function firstResult(round: Round, vote: 'up' | 'down'): number {
  const times = round.results
    .filter((result) => result.vote === vote)
    .map((result) => result.checkedAt);
  return Math.min(...times);
}

/** The status follows the conditions, but the very first verdict waits until a failing start is confirmed or cleared. */
function statusAfter(before: MonitorStatus, tracks: Tracks, roundClass: RoundClass): MonitorStatus {
  const status = statusOf(tracks);
  if (before !== 'pending' || status !== 'online') return status;
  return roundClass === 'up' ? 'online' : 'pending';
}

/** Somebody asked for a look while this round was under way or waited to be judged: that is still to come. */
function askedSince({ runAt }: MonitorState, round: Round): number | null {
  const isSince = runAt !== null && runAt > Math.max(round.slot, round.startedAt);
  return isSince && runAt <= round.finishedAt + CRITICAL_PACE_MS ? runAt : null;
}

function lookAgainAt(tracks: Tracks, recheckAfterMs: number | null, round: Round): number | null {
  const isCritical = statusOf(tracks) === 'offline' && round.settings.intervalMs > CRITICAL_PACE_MS;
  return earlier(
    recheckAfterMs === null ? null : round.finishedAt + recheckAfterMs,
    isCritical ? Math.max(round.finishedAt, round.startedAt + CRITICAL_PACE_MS) : null,
  );
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}

function newestResults(state: MonitorState, round: Round): MonitorState['newest'] {
  const newest: Record<string, NewestResult> = { ...state.newest };
  for (const result of round.results) {
    if (result.vote === 'unknown') continue;
    newest[result.region] = {
      responseTimeMs: result.responseTimeMs,
      statusCode: result.statusCode,
      checkedAt: result.checkedAt,
      failure: result.failure?.code ?? null,
    };
  }
  return newest;
}

/** The gap that nobody watched, if there was one, then the new status from the moment it began. */
function spanChanges(
  before: MonitorState,
  after: MonitorState,
  round: Round,
  changes: ConditionChange[],
): SpanChange[] {
  const { monitorId, teamId } = before;
  const spans: SpanChange[] = [];
  if (before.status !== 'pending' && isGap(before, round)) {
    spans.push({ monitorId, teamId, status: 'unobserved', at: before.observedUntil! });
    spans.push({ monitorId, teamId, status: before.status, at: round.startedAt });
  }
  if (after.status !== before.status && after.status !== 'pending') {
    const at = changedAt(before.status, after.status, changes) ?? round.startedAt;
    spans.push({ monitorId, teamId, status: after.status, at });
  }
  return spans;
}

/** It got worse when the first new trouble began, and better when the last old one ended. */
function changedAt(
  before: MonitorStatus,
  after: MonitorStatus,
  changes: ConditionChange[],
): number | null {
  const isWorse = BADNESS[after] > BADNESS[before];
  const other = isWorse ? 'resolve' : 'open';
  const times = changes.flatMap(({ kind, at }) => (kind === other || at === null ? [] : [at]));
  if (times.length === 0) return null;
  return isWorse ? Math.min(...times) : Math.max(...times);
}

const BADNESS: Record<MonitorStatus, number> = { pending: 0, online: 0, degraded: 1, offline: 2 };

function incidentChanges(
  change: ConditionChange,
  round: Round,
  verdict: Verdict,
  status: IncidentChange['status'],
): IncidentChange[] {
  const { monitorId, teamId } = round;
  const opening = (type: IncidentType, at: number, from: IncidentType | null): IncidentChange => ({
    kind: 'open',
    monitorId,
    teamId,
    type,
    at,
    status,
    from,
    severity: CONDITION_SEVERITY[type],
    ...causeOf(type, round, verdict),
    regions: type === 'regional' ? verdict.failing : null,
    evidence: type === 'slow_response' ? [] : evidenceOf(round),
  });
  const resolution = (
    type: IncidentType,
    at: number,
    reason: 'recovered' | 'switched_off' | 'changed_over',
    into: IncidentType | null,
  ): IncidentChange => ({ kind: 'resolve', monitorId, teamId, type, at, status, reason, into });

  switch (change.kind) {
    case 'open':
      return [opening(change.type, change.at, null)];
    case 'resolve':
      return [resolution(change.type, change.at ?? round.startedAt, change.reason, null)];
    case 'change_over':
      return [
        resolution(change.from, change.at, 'changed_over', change.type),
        opening(change.type, change.at, change.from),
      ];
  }
}
