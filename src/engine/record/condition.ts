import {
  FIRST_RECHECK_MS,
  FURTHER_RECHECK_MS,
  ROUND_CONFIRMATIONS,
  type ClosedIncident,
  type Condition,
  type Confirmation,
  type ConfirmationName,
  type Confirmations,
  type CountedRound,
} from '../../model/condition.ts';
import type { MonitorState } from '../../model/state.ts';
import { clearRun, closings, conditionOf, IDLE, isIdle, isRunning } from './confirmations.ts';
import type { SteadyTimes } from '../../model/round.ts';

/** The statement of one observation about one confirmation. */
export type Observation =
  | { says: 'good'; at: number }
  /** `at` is the first failing result of the round. */
  | { says: 'bad'; condition: Condition; at: number }
  | { says: 'unknown' }
  /** The check behind this confirmation is switched off. */
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

export interface ConfirmationStep {
  confirmation: Confirmation | undefined;
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
   * Whether a condition of this confirmation is confirmed, and whether it is the one that the round speaks of; `closed` is
   * that one when its incident was resolved or deleted by hand.
   */
  open: 'none' | 'same' | 'closed' | 'other' | 'any';
  says: Observation['says'];
  /** Whether the run of such rounds, this one included, has reached its threshold. */
  reached: boolean | 'any';
  action: Action;
  /** Whether a recheck is asked for (on confirmations that have them). */
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
 * reports, or fails to report, can't be asked again.
 */
const RECHECK: Record<ConfirmationName, ((rechecks: number) => number) | null> = {
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
 * Applies one round to one confirmation: its counts, the change of its condition, and the recheck. With `times`, a round that started too early
 * does not lengthen a run: it neither counts nor clears, and the recheck stays due.
 */
export function step(
  name: ConfirmationName,
  before: Confirmation | undefined,
  seen: Observation,
  thresholds: Thresholds,
  times?: RoundTimes,
): ConfirmationStep {
  // As nearly always: nothing is counted, and nothing bad was seen.
  if (before === undefined && seen.says !== 'bad') return RESTING;
  const early = times && tooEarly(name, before, seen, times);
  if (early) return early;
  const counted = count(before ?? IDLE, seen, times);
  const row = rowFor(counted, seen, thresholds);
  const { confirmation, change } = act(row.action, counted);
  const pace = row.recheck && isRunning(confirmation) ? RECHECK[name] : null;
  const rechecked =
    confirmation && pace ? { ...confirmation, rechecks: confirmation.rechecks + 1 } : confirmation;
  return {
    confirmation: rechecked && isIdle(rechecked) ? undefined : rechecked,
    change,
    recheckAfterMs: pace ? pace(rechecked!.rechecks) : null,
  };
}

const RESTING: ConfirmationStep = { confirmation: undefined, change: null, recheckAfterMs: null };

/** The step of a round that started too early to lengthen the run; null when it counts, or lengthens none. */
function tooEarly(
  name: ConfirmationName,
  before: Confirmation | undefined,
  seen: Observation,
  times: RoundTimes,
): ConfirmationStep | null {
  if (before === undefined || (seen.says !== 'bad' && seen.says !== 'good')) return null;
  // It confirms nothing: the condition is open, with its incident, and the round says the same.
  if (seen.says === 'bad' && before.open === seen.condition && !before.incidentClosed) return null;
  const run = seen.says === 'bad' ? before.badRun : before.goodRun;
  const spacing = spacingOf(before.lastCounted, run, times);
  if (spacing.is === 'counted') return null;
  const isAnew = spacing.is === 'unknown';
  const waitMs = Math.max(0, spacing.waitMs - (times.finishedAt - times.startedAt));
  return {
    confirmation: isAnew ? { ...before, lastCounted: countedRound(times) } : before,
    change: null,
    recheckAfterMs: RECHECK[name] === null ? null : waitMs,
  };
}

/** Whether rechecks are under way that confirm a condition or its end. */
export function isConfirming(confirmations: Confirmations): boolean {
  return ROUND_CONFIRMATIONS.some(
    (name) => RECHECK[name] !== null && isRunning(confirmations[name]),
  );
}

/**
 * Whether a recheck is due that must not be brought forward: a manual check leaves the times of a confirmation alone (contract
 * 9.13). No recheck is asked for further ahead than 20 s; one that is comes from a clock that was set back since.
 */
export function isRecheckComing(
  { confirmations, runAt }: Pick<MonitorState, 'confirmations' | 'runAt'>,
  now: number,
): boolean {
  return isConfirming(confirmations) && runAt !== null && runAt <= now + FURTHER_RECHECK_MS;
}

/**
 * Incidents of one condition, closed by hand one after another, whose end is still to be sent: more are not kept. The end
 * of the oldest is sent when the next one opens, as where a program resolves whatever opens.
 */
const MOST_CLOSED = 100;

/** The highest failure threshold: no run that confirms is longer. */
const MOST_ATTEMPTS = 10;

function count(confirmation: Confirmation, seen: Observation, times?: RoundTimes): Confirmation {
  const last = times && { lastCounted: countedRound(times) };
  if (seen.says === 'bad') {
    const sameCandidate = confirmation.candidate === seen.condition;
    return {
      ...confirmation,
      badRun: confirmation.badRun + 1,
      candidate: seen.condition,
      candidateRun: sameCandidate ? confirmation.candidateRun + 1 : 1,
      firstFailedAt: confirmation.firstFailedAt ?? seen.at,
      candidateSince: sameCandidate ? confirmation.candidateSince : seen.at,
      attempts: [...(confirmation.attempts ?? []), seen.at].slice(-MOST_ATTEMPTS),
      goodRun: 0,
      firstGoodAt: null,
      rechecks: confirmation.goodRun > 0 ? 0 : confirmation.rechecks,
      ...last,
    };
  }
  if (seen.says === 'good') {
    return {
      ...IDLE,
      ...last,
      ...conditionOf(confirmation),
      goodRun: confirmation.goodRun + 1,
      firstGoodAt: confirmation.firstGoodAt ?? seen.at,
      rechecks: confirmation.goodRun > 0 ? confirmation.rechecks : 0,
    };
  }
  return confirmation;
}

function rowFor(counted: Confirmation, seen: Observation, thresholds: Thresholds): Row {
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
  counted: Confirmation,
): { confirmation: Confirmation | undefined; change: ConditionChange | null } {
  switch (action) {
    case 'rest':
      return { confirmation: undefined, change: null };
    case 'count':
    case 'keep':
      return { confirmation: counted, change: null };
    case 'hold':
      return { confirmation: clearRun(counted), change: null };
    case 'open': {
      const condition = counted.candidate!;
      const [at, attempts] = [counted.firstFailedAt!, counted.attempts ?? []];
      // Its incident is a new one; of those before it the end is still to be sent.
      const closed = counted.closedByHand ?? [];
      return {
        confirmation: { ...IDLE, open: condition, ...closings(closed.slice(-MOST_CLOSED)) },
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
        confirmation: { ...IDLE, open: condition },
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
    case 'switch_off': {
      const [at, reason] =
        action === 'resolve'
          ? ([counted.firstGoodAt, 'recovered'] as const)
          : ([null, 'switched_off'] as const);
      const closed = closings(counted.closedByHand);
      return {
        confirmation: undefined,
        change: { kind: 'resolve', condition: counted.open!, at, reason, ...closed },
      };
    }
  }
}

/** Milliseconds from the end of a round until its recheck; `rechecks` counts from 1 since the run began. */
function roundPace(rechecks: number): number {
  return rechecks === 1 ? FIRST_RECHECK_MS : FURTHER_RECHECK_MS;
}

/** When a round ran; epoch milliseconds, and by the steady clock of its process where that is known. */
interface RoundTimes {
  startedAt: number;
  finishedAt: number;
  steady?: SteadyTimes | undefined;
}

interface SpacingRow {
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

type Spacing =
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
function countedRound({ finishedAt, steady }: RoundTimes): CountedRound {
  return steady === undefined
    ? { endedAt: finishedAt }
    : { endedAt: finishedAt, process: steady.process, steadyEndedAt: steady.finishedAt };
}
