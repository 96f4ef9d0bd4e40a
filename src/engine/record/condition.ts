import { ROUND_TRACKS } from '../../model/condition.ts';
import type { ClosedIncident, Condition, Track, TrackName, Tracks } from '../../model/condition.ts';
import type { MonitorState } from '../../model/state.ts';
import { countedRound, FURTHER_RECHECK_MS, roundPace, spacingOf } from './recheck-pace.ts';
import type { RoundTimes } from './recheck-pace.ts';
import { clearRun, closings, conditionOf, IDLE, isIdle, isRunning } from './tracks.ts';

/** The statement of one observation about one track. */
export type Observation =
  | { says: 'good'; at: number }
  /** `at` is the first failing result of the round. */
  | { says: 'bad'; condition: Condition; at: number }
  | { says: 'unknown' }
  /** The check behind this track is switched off. */
  | { says: 'off' };

export interface Thresholds {
  failureThreshold: number;
  recoveryThreshold: number;
}

/**
 * `attempts` are the failing results of the run that confirmed it (epoch ms). `closedByHand` are incidents that a person
 * closed and whose end must be sent now: all of them when the condition ends, or the oldest when it opens again and there
 * are too many to keep (contract 28.10). Absent when there are none.
 */
export type ConditionChange =
  | {
      kind: 'open';
      condition: Condition;
      at: number;
      attempts: number[];
      closedByHand?: ClosedIncident[];
    }
  | {
      kind: 'resolve';
      condition: Condition;
      at: number | null;
      reason: 'recovered' | 'switched_off' | 'target_changed';
      closedByHand?: ClosedIncident[];
    }
  | {
      kind: 'change_over';
      from: Condition;
      condition: Condition;
      at: number;
      attempts: number[];
      closedByHand?: ClosedIncident[];
    };

export interface TrackStep {
  track: Track | undefined;
  change: ConditionChange | null;
  /** Milliseconds from the end of the round until its recheck; null when none is needed. */
  recheckAfterMs: number | null;
}

type Action =
  | 'rest'
  | 'count'
  | 'open'
  | 'hold'
  | 'change_over'
  | 'resolve'
  | 'keep'
  | 'switch_off';

interface Row {
  /**
   * Whether a condition of this track is confirmed, and whether it is the one that the round speaks of; `closed` is
   * that one when its incident was resolved or deleted by hand.
   */
  open: 'none' | 'same' | 'closed' | 'other' | 'any';
  says: Observation['says'];
  /** Whether the run of such rounds, this one included, has reached its threshold. */
  reached: boolean | 'any';
  action: Action;
  /** Whether a recheck is asked for (on tracks that have them). */
  recheck: boolean;
}

/**
 * The rules of confirmation, one row per case (contract, sections 18 and 19). A first bad round is rechecked until
 * `failure_threshold` bad rounds in a row confirm the condition or a good one clears it; `recovery_threshold` good rounds
 * in a row end it. A regional condition that turns into an outage, or the reverse, changes over once the new class is
 * confirmed. Unknown changes nothing.
 *
 * A person who resolves or deletes an automatic incident while the target still fails resets the failure count: another
 * one opens when the threshold is reached again (contract 21.31). Until then the condition and the status stay.
 */
export const CONDITION_TABLE: readonly Row[] = [
  { open: 'none', says: 'good', reached: 'any', action: 'rest', recheck: false },
  { open: 'none', says: 'bad', reached: false, action: 'count', recheck: true },
  { open: 'none', says: 'bad', reached: true, action: 'open', recheck: false },
  { open: 'same', says: 'bad', reached: 'any', action: 'hold', recheck: false },
  { open: 'closed', says: 'bad', reached: false, action: 'count', recheck: true },
  { open: 'closed', says: 'bad', reached: true, action: 'open', recheck: false },
  { open: 'other', says: 'bad', reached: false, action: 'count', recheck: true },
  { open: 'other', says: 'bad', reached: true, action: 'change_over', recheck: false },
  { open: 'any', says: 'good', reached: false, action: 'count', recheck: true },
  { open: 'any', says: 'good', reached: true, action: 'resolve', recheck: false },
  // An unknown round is repeated while a confirmation runs, and not otherwise.
  { open: 'none', says: 'unknown', reached: 'any', action: 'keep', recheck: true },
  { open: 'any', says: 'unknown', reached: 'any', action: 'keep', recheck: true },
  { open: 'none', says: 'off', reached: 'any', action: 'rest', recheck: false },
  { open: 'any', says: 'off', reached: 'any', action: 'switch_off', recheck: false },
];

/** A failed inspection is confirmed by one recheck after this time (contract 22.6). */
export const INSPECTION_RECHECK_MS = 60_000;

/**
 * Delay of the recheck while a run is under way, by the rechecks so far. Slowness, and a family of addresses that does
 * not answer, are confirmed at the ordinary pace: the recheck rule is for rounds that are down or regional. What a job
 * tells, or fails to tell, can't be asked again.
 */
const RECHECK: Record<TrackName, ((rechecks: number) => number) | null> = {
  reachability: roundPace,
  content: roundPace,
  dual_stack: null,
  slow_response: null,
  ssl: inspectionPace,
  dns: inspectionPace,
  domain: inspectionPace,
  heartbeat: null,
};

function inspectionPace(): number {
  return INSPECTION_RECHECK_MS;
}

/**
 * Applies one round to one track: its counts, the change of its condition, and the recheck. With `times`, a round that started too early
 * does not lengthen a run (recheck-pace.ts): it neither counts nor clears, and the recheck stays due.
 */
export function step(
  name: TrackName,
  before: Track | undefined,
  seen: Observation,
  thresholds: Thresholds,
  times?: RoundTimes,
): TrackStep {
  // As nearly always: nothing is counted, and nothing bad was seen.
  if (before === undefined && seen.says !== 'bad') return RESTING;
  const early = times && tooEarly(name, before, seen, times);
  if (early) return early;
  const counted = count(before ?? IDLE, seen, times);
  const row = rowFor(counted, seen, thresholds);
  const { track, change } = act(row.action, counted);
  const pace = row.recheck && isRunning(track) ? RECHECK[name] : null;
  const rechecked = track && pace ? { ...track, rechecks: track.rechecks + 1 } : track;
  return {
    track: rechecked && isIdle(rechecked) ? undefined : rechecked,
    change,
    recheckAfterMs: pace ? pace(rechecked!.rechecks) : null,
  };
}

const RESTING: TrackStep = { track: undefined, change: null, recheckAfterMs: null };

/** The step of a round that started too early to lengthen the run; null when it counts, or lengthens none. */
function tooEarly(
  name: TrackName,
  before: Track | undefined,
  seen: Observation,
  times: RoundTimes,
): TrackStep | null {
  if (before === undefined || (seen.says !== 'bad' && seen.says !== 'good')) return null;
  // It confirms nothing: the condition is open, with its incident, and the round says the same.
  if (seen.says === 'bad' && before.open === seen.condition && !before.incidentClosed) return null;
  const run = seen.says === 'bad' ? before.badRun : before.goodRun;
  const spacing = spacingOf(before.lastCounted, run, times);
  if (spacing.is === 'counted') return null;
  const isAnew = spacing.is === 'unknown';
  const waitMs = Math.max(0, spacing.waitMs - (times.finishedAt - times.startedAt));
  return {
    track: isAnew ? { ...before, lastCounted: countedRound(times) } : before,
    change: null,
    recheckAfterMs: RECHECK[name] === null ? null : waitMs,
  };
}

/** Whether rechecks are under way that confirm a condition or its end. */
export function isConfirming(tracks: Tracks): boolean {
  return ROUND_TRACKS.some((name) => RECHECK[name] !== null && isRunning(tracks[name]));
}

/**
 * Whether a recheck is due that must not be brought forward: a manual check leaves the times of a confirmation alone (contract
 * 9.13). No recheck is asked for further ahead than 20 s; one that is comes from a clock that was set back since.
 */
export function isRecheckComing(
  { tracks, runAt }: Pick<MonitorState, 'tracks' | 'runAt'>,
  now: number,
): boolean {
  return isConfirming(tracks) && runAt !== null && runAt <= now + FURTHER_RECHECK_MS;
}

/**
 * Incidents of one condition, closed by hand one after another, whose end is still to be sent: more are not kept. The end
 * of the oldest is sent when the next one opens, as where a program resolves whatever opens.
 */
const MOST_CLOSED = 100;

/** The highest failure threshold: no run that confirms is longer. */
const MOST_ATTEMPTS = 10;

function count(track: Track, seen: Observation, times?: RoundTimes): Track {
  const last = times && { lastCounted: countedRound(times) };
  if (seen.says === 'bad') {
    const sameCandidate = track.candidate === seen.condition;
    return {
      ...track,
      badRun: track.badRun + 1,
      candidate: seen.condition,
      candidateRun: sameCandidate ? track.candidateRun + 1 : 1,
      firstFailedAt: track.firstFailedAt ?? seen.at,
      candidateSince: sameCandidate ? track.candidateSince : seen.at,
      attempts: [...(track.attempts ?? []), seen.at].slice(-MOST_ATTEMPTS),
      goodRun: 0,
      firstGoodAt: null,
      rechecks: track.goodRun > 0 ? 0 : track.rechecks,
      ...last,
    };
  }
  if (seen.says === 'good') {
    return {
      ...IDLE,
      ...last,
      ...conditionOf(track),
      goodRun: track.goodRun + 1,
      firstGoodAt: track.firstGoodAt ?? seen.at,
      rechecks: track.goodRun > 0 ? track.rechecks : 0,
    };
  }
  return track;
}

function rowFor(counted: Track, seen: Observation, thresholds: Thresholds): Row {
  const relation =
    counted.open === null
      ? 'none'
      : seen.says !== 'bad'
        ? 'any'
        : counted.open !== seen.condition
          ? 'other'
          : counted.incidentClosed
            ? 'closed'
            : 'same';
  const run =
    seen.says === 'good'
      ? counted.goodRun
      : relation === 'other'
        ? counted.candidateRun
        : counted.badRun;
  const threshold =
    seen.says === 'good' ? thresholds.recoveryThreshold : thresholds.failureThreshold;
  const row = CONDITION_TABLE.find(
    (candidate) =>
      candidate.open === relation &&
      candidate.says === seen.says &&
      (candidate.reached === 'any' || candidate.reached === run >= threshold),
  );
  if (!row) throw new Error(`No row for a ${seen.says} round with ${relation} open.`);
  return row;
}

function act(
  action: Action,
  counted: Track,
): { track: Track | undefined; change: ConditionChange | null } {
  switch (action) {
    case 'rest':
      return { track: undefined, change: null };
    case 'count':
    case 'keep':
      return { track: counted, change: null };
    case 'hold':
      return { track: clearRun(counted), change: null };
    case 'open': {
      const condition = counted.candidate!;
      const [at, attempts] = [counted.firstFailedAt!, counted.attempts ?? []];
      // Its incident is a new one; of those before it the end is still to be sent.
      const closed = counted.closedByHand ?? [];
      return {
        track: { ...IDLE, open: condition, ...closings(closed.slice(-MOST_CLOSED)) },
        change: {
          kind: 'open',
          condition,
          at,
          attempts,
          ...closings(closed.slice(0, -MOST_CLOSED)),
        },
      };
    }
    case 'change_over': {
      const [from, condition, at] = [counted.open!, counted.candidate!, counted.candidateSince!];
      const attempts = (counted.attempts ?? []).slice(-counted.candidateRun);
      return {
        track: { ...IDLE, open: condition },
        change: {
          kind: 'change_over',
          from,
          condition,
          at,
          attempts,
          ...closings(counted.closedByHand),
        },
      };
    }
    case 'resolve':
      return {
        track: undefined,
        change: {
          kind: 'resolve',
          condition: counted.open!,
          at: counted.firstGoodAt,
          reason: 'recovered',
          ...closings(counted.closedByHand),
        },
      };
    case 'switch_off':
      return {
        track: undefined,
        change: {
          kind: 'resolve',
          condition: counted.open!,
          at: null,
          reason: 'switched_off',
          ...closings(counted.closedByHand),
        },
      };
  }
}
