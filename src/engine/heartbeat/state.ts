import { CLOCK_TOLERANCE_MS } from '../../lib/clock.ts';
import type { Confirmation, Confirmations } from '../../model/condition.ts';
import type { HeartbeatCode } from '../../model/failure.ts';
import type { Heartbeat, Ping, RecordedPing, ServiceGap, Run } from '../../model/heartbeat.ts';
import type { IncidentChange } from '../../model/incident.ts';
import { step, type ConfirmationStep } from '../record/condition.ts';
import { outcomeOf, type Outcome } from '../record/outcome.ts';
import { failureCause, missedCause, unfinishedCause } from './cause.ts';
import {
  EARLY_MS,
  expectedAfter,
  expectedAfterPing,
  expectedAfterSetback,
} from './ping-schedule.ts';
import type { PingSchedule } from '../../monitor-types/definition.ts';
import { gapsUntil, isSetback, lastGapWithin } from './gaps.ts';
import { rowFor, SPAN_RULE_OF, type Phase, type Row } from './rules.ts';

export interface PingExpectation {
  schedule: PingSchedule;
  graceMs: number;
  /** Whether nothing is expected before the first ping. */
  waitsForFirstPing: boolean;
  maxRuntimeMs: number | null;
}

export type HeartbeatOutcome = Outcome<Heartbeat>;

/** One ping or miss is enough to confirm, and one ping to end it: nothing can be asked again. */
const AT_ONCE = { failureThreshold: 1, recoveryThreshold: 1 };

/**
 * Delay after a deadline before it is evaluated: a ping that was sent in time may still lie in a socket, or wait for its
 * commit. A ping that comes within the delay is in time, too.
 */
export const SETTLE_MS = 3_000;

/**
 * Evaluates one ping. Pure. A paused monitor ignores it: `ping` is null then.
 * @param now when it is stored, epoch milliseconds: its body may have taken long, or its process stood still since.
 */
export function evaluatePing(
  before: Heartbeat,
  expectation: PingExpectation,
  ping: Ping,
  now = ping.at,
): HeartbeatOutcome & { ping: RecordedPing | null } {
  const phase = phaseOf(before, expectation);
  if (phase === 'paused') return { state: before, spans: [], incidents: [], ping: null };
  const { kind, at } = ping;
  const signal = isOvertaken(before, ping, now) ? 'overtaken' : kind;
  // Its finish was stored before a start that was overtaken: no run is under way.
  const { runs, durationMs } =
    kind === 'start' && signal === 'overtaken'
      ? { runs: before.runs, durationMs: null }
      : stepRuns(before.runs, ping, now);
  const heard: Heartbeat = {
    ...before,
    runs,
    pingCount: before.pingCount + 1,
    firstPingAt: before.firstPingAt ?? at,
    lastPingAt: isOlder(at, before.lastPingAt, now) ? before.lastPingAt : at,
    lastHeartbeatAt: signal === 'success' ? at : before.lastHeartbeatAt,
    // A job that starts and never ends must not be postponed for ever.
    isPostponed: kind === 'success' || kind === 'failure' ? false : before.isPostponed,
  };
  const decision = apply(heard, rowFor(phase, signal), {
    at,
    expectedAt: () =>
      expectedAfterPing(expectation.schedule, expectation.graceMs, before.expectedAt, at),
    cause: () => failureCause(ping),
  });
  const recorded = {
    ...ping,
    monitorId: before.monitorId,
    number: heard.pingCount,
    durationMs: ping.reportedMs ?? durationMs,
  };
  return { ...withDueAt(decision, expectation, 'no_later'), ping: recorded };
}

/**
 * Whether a later word of the job was stored before this one. The finish of a run that began meanwhile is not there yet, so
 * a start is overtaken only by as much as clocks of processes may differ.
 */
function isOvertaken(before: Heartbeat, { kind, at }: Ping, now: number): boolean {
  if (kind === 'log') return false;
  const time = kind === 'start' ? at + CLOCK_TOLERANCE_MS : at;
  if (isOlder(time, before.lastHeartbeatAt, now)) return true;
  // A failure: what is expected since then, by a ping that came since then.
  const isFailing = before.confirmations.heartbeat?.open != null && !before.isMissed;
  return isFailing && isOlder(time, before.lastPingAt, now) && isOlder(time, before.armedAt, now);
}

/** Whether something of a later time was stored before. Not where the clock was set back: then that lies ahead. */
function isOlder(at: number, storedAt: number | null, now: number): boolean {
  return storedAt !== null && at < storedAt && storedAt <= now;
}

/** The facts by which silence is evaluated. All epoch milliseconds. */
interface Listening {
  now: number;
  /** Until when everything that was sent to us has been taken: no deadline after it is evaluated. */
  heardUntil: number;
  gaps: readonly ServiceGap[];
}

/** Evaluates all deadlines that passed by `heardUntil`, the earliest first, and sets the next one. Pure. */
export function evaluateSilence(
  before: Heartbeat,
  expectation: PingExpectation,
  listening: Listening,
): HeartbeatOutcome {
  const decision: HeartbeatOutcome = { state: before, spans: [], incidents: [] };
  const known = { ...listening, gaps: gapsUntil(listening.now, listening.gaps) };
  for (;;) {
    const next = nextSilence(decision.state, expectation, known);
    if (next === null) return withDueAt(decision, expectation, 'exactly');
    const { state, spans, incidents } = next;
    decision.state = state;
    decision.spans.push(...spans);
    decision.incidents.push(...incidents);
  }
}

/** The first thing that ran out; null when nothing did. Each one that is taken can't come again. */
function nextSilence(state: Heartbeat, expectation: PingExpectation, listening: Listening) {
  const phase = phaseOf(state, expectation);
  if (phase === 'paused') return null;
  if (phase === 'missed' && state.confirmations.heartbeat?.incidentClosed) {
    return apply(state, rowFor(phase, 'incident_closed'), {
      at: listening.now,
      expectedAt: () => expectedAfter(expectation.schedule, listening.now),
    });
  }
  if (phase === 'expecting' && isAhead(state.armedAt, listening.now)) {
    return apply(state, rowFor(phase, 'clock_set_back'), {
      at: listening.now,
      expectedAt: () => expectedAfterSetback(expectation.schedule, state, listening.now),
    });
  }
  if (state.runs.some((run) => isAhead(run.startedAt, listening.now)))
    return { state: withoutRunsAhead(state, listening), spans: [], incidents: [] };
  const { deadline, runOver } = timesOf(state, expectation);
  if (Math.min(deadline, runOver) > listening.heardUntil) return null;
  return runOver <= deadline
    ? overrun(state, expectation, runOver, listening)
    : passDeadline(state, expectation, deadline, listening);
}

function isAhead(at: number, now: number): boolean {
  return at > now + CLOCK_TOLERANCE_MS;
}

/**
 * The newest of the runs that are said to start at a time that is still to come started now, the others before it. Where
 * the clock was set back while we were away, it started before we were back: its end may have come meanwhile.
 */
function withoutRunsAhead(state: Heartbeat, { now, gaps }: Listening): Heartbeat {
  const newest = Math.max(...state.runs.map((run) => run.startedAt));
  const setbacks = gaps.filter((gap) => isSetback(gap) && newest <= gap.from && gap.to <= now);
  const startedAt = setbacks.length > 0 ? Math.max(...setbacks.map((gap) => gap.to)) : now;
  const runs = state.runs.map((run) =>
    isAhead(run.startedAt, now) ? { ...run, startedAt: startedAt - (newest - run.startedAt) } : run,
  );
  return { ...state, runs };
}

function passDeadline(
  state: Heartbeat,
  expectation: PingExpectation,
  deadline: number,
  { gaps }: Listening,
): HeartbeatOutcome {
  // What was lost within that could have been the ping, a little early.
  const early = Math.max(expectation.graceMs, EARLY_MS);
  // An interval that began with a call ends with the next one; after an edit or a resume it may come at any time within.
  const isInStep = 'cron' in expectation.schedule || state.armedAt === state.lastHeartbeatAt;
  const waitedFrom = isInStep ? Math.max(state.armedAt, state.expectedAt - early) : state.armedAt;
  const wait = { armedAt: state.armedAt, from: waitedFrom, to: deadline + SETTLE_MS };
  const gap = lastGapWithin(gaps, wait);
  // Postponed once, it is expected for a whole period more; if we are away in that one, too, the job had its chance.
  const isUnheard = gap !== null && (!state.isPostponed || gap.to > deadline);
  if (!isUnheard) {
    return apply(state, rowFor('expecting', 'deadline'), {
      at: deadline,
      cause: () => missedCause(state, expectation.graceMs),
    });
  }
  // What was due while we were back already is in doubt as well: a cron job is then waited for at its next time.
  const isAnyTime = 'cron' in expectation.schedule || isSetback(gap);
  const recovered = isAnyTime ? Math.max(gap.to, state.expectedAt) : gap.to;
  const postponed = { ...state, isPostponed: true };
  return apply(postponed, rowFor('expecting', 'deadline_unheard'), {
    at: gap.to,
    expectedAt: () => expectedAfter(expectation.schedule, recovered),
  });
}

function overrun(state: Heartbeat, expectation: PingExpectation, at: number, { gaps }: Listening) {
  const startedAt = at - expectation.maxRuntimeMs!;
  const wait = { armedAt: startedAt, from: startedAt, to: at + SETTLE_MS };
  const isUnheard = lastGapWithin(gaps, wait) !== null;
  const runs = state.runs.map((run) =>
    run.startedAt === startedAt ? { ...run, isJudged: true as const } : run,
  );
  return apply({ ...state, runs }, rowFor('any', isUnheard ? 'run_over_unheard' : 'run_over'), {
    at,
    cause: () => unfinishedCause(startedAt, expectation.maxRuntimeMs!),
  });
}

function phaseOf(state: Heartbeat, expectation: PingExpectation): Phase {
  if (state.isPaused) return 'paused';
  if (state.isMissed) return 'missed';
  return expectation.waitsForFirstPing && state.firstPingAt === null ? 'unarmed' : 'expecting';
}

interface Circumstances {
  at: number;
  /** Asked for by rows that expect anew. */
  expectedAt?: () => number;
  /** Asked for by rows that say something bad. */
  cause?: () => { rootCause: string; failureCode: HeartbeatCode };
}

function apply(state: Heartbeat, row: Row, circumstances: Circumstances): HeartbeatOutcome {
  const { at } = circumstances;
  const next = { ...state };
  if (row.expects === 'anew') {
    next.expectedAt = circumstances.expectedAt!();
    next.armedAt = at;
  }
  if (row.becomes !== undefined) next.isMissed = row.becomes === 'missed';
  const { confirmation, change } = stepCondition(state.confirmations.heartbeat, row.says, at);
  next.confirmations = confirmationsWith(state.confirmations, confirmation);
  const outcome = outcomeOf(state, next, {
    rule: SPAN_RULE_OF[row.happens],
    changes: change === null ? [] : [change],
    receivedAt: at,
    deadline: at,
    explain: () => ({ ...circumstances.cause!(), regions: null, evidence: [] }),
  });
  if (row.says === 'bad' && change === null) {
    outcome.incidents.push(failedAgain(state, outcome.state, circumstances));
  }
  return outcome;
}

/** The incident is open already: its log gets a line. */
function failedAgain(
  { monitorId, teamId, status: previous }: Heartbeat,
  { status: current }: Heartbeat,
  { at, cause }: Circumstances,
): IncidentChange {
  return {
    kind: 'note',
    activity: 'failed_again',
    monitorId,
    teamId,
    type: 'heartbeat',
    condition: 'heartbeat',
    at,
    status: { previous, current },
    text: cause!().rootCause,
  };
}

/** A success ends an open incident, be it one that a person opened again after the job had recovered. */
function stepCondition(
  before: Confirmation | undefined,
  says: Row['says'],
  at: number,
): Pick<ConfirmationStep, 'confirmation' | 'change'> {
  if (says === 'nothing') return { confirmation: before, change: null };
  const seen =
    says === 'good' ? ({ says, at } as const) : ({ says, condition: 'heartbeat', at } as const);
  const { confirmation, change } = step('heartbeat', before, seen, AT_ONCE);
  if (!before?.incidentReopened || says === 'bad') return { confirmation, change };
  return {
    confirmation,
    change: { kind: 'resolve', condition: 'heartbeat', at, reason: 'recovered' },
  };
}

function confirmationsWith(
  confirmations: Confirmations,
  confirmation: Confirmations['heartbeat'],
): Confirmations {
  // Most pings change nothing here, and what is the same object is not written.
  if (confirmation === confirmations.heartbeat) return confirmations;
  const { heartbeat: _before, ...others } = confirmations;
  return confirmation === undefined ? others : { ...others, heartbeat: confirmation };
}

/**
 * Sets when silence is evaluated next. A ping moves the deadline further away nearly always, and then leaves the stored
 * instant, which costs an index entry to move; the evaluation that comes too early corrects it.
 */
function withDueAt<Decision extends HeartbeatOutcome>(
  decision: Decision,
  expectation: PingExpectation,
  how: 'exactly' | 'no_later',
): Decision {
  const { state } = decision;
  const next = nextDeadline(state, expectation);
  const isKept =
    how === 'no_later' && state.dueAt !== null && (next === null || state.dueAt <= next);
  const dueAt = isKept ? state.dueAt : next;
  return dueAt === state.dueAt ? decision : { ...decision, state: { ...state, dueAt } };
}

/** The first instant at which silence can mean something; null when none can. */
export function nextDeadline(state: Heartbeat, expectation: PingExpectation): number | null {
  if (state.isPaused) return null;
  const { deadline, runOver } = timesOf(state, expectation);
  const first = Math.min(deadline, runOver);
  return first === Infinity ? null : first;
}

/** When a job that is not paused is missed, and when its first run takes too long; Infinity where neither can be. */
function timesOf(state: Heartbeat, expectation: PingExpectation) {
  const isExpecting = phaseOf(state, expectation) === 'expecting';
  return {
    deadline: isExpecting ? state.expectedAt + expectation.graceMs : Infinity,
    runOver: firstRunOver(state.runs, expectation.maxRuntimeMs) ?? Infinity,
  };
}

/** Starts without a finish that are remembered, of one monitor; beyond that the oldest is forgotten. */
export const MAX_RUNS = 50;

/** A run that began longer ago is forgotten: a day more than the longest `heartbeat_max_runtime`. */
export const LONGEST_RUN_MS = 8 * 86_400_000;

/**
 * Applies a ping to the runs under way. A finish with a `rid` ends the run of that name. One without ends the youngest
 * unnamed run: when a run hangs and the next one starts and finishes, the hanging one remains. A finish ends no run that
 * started after it, unless the clock was set back before `now` (epoch milliseconds).
 */
export function stepRuns(
  runs: readonly Run[],
  { kind, runId, at }: Pick<Ping, 'kind' | 'runId' | 'at'>,
  now = at,
) {
  if (kind === 'log') return { runs, durationMs: null };
  const known = runs.filter((run) => run.startedAt > at - LONGEST_RUN_MS);
  if (kind === 'start') {
    const others = runId === null ? known : known.filter((run) => run.id !== runId);
    return { runs: [...others, { id: runId, startedAt: at }].slice(-MAX_RUNS), durationMs: null };
  }
  const finished = known.findLast(
    (run) => run.id === runId && !isOlder(at + CLOCK_TOLERANCE_MS, run.startedAt, now),
  );
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
