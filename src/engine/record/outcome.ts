import {
  CONDITIONS,
  ROUND_CONFIRMATIONS,
  CONFIRMATION_NAMES,
  type Condition,
  type Confirmations,
} from '../../model/condition.ts';
import type { IncidentChange, IncidentOpening, SpanChange } from '../../model/incident.ts';
import type { ConditionChange } from './condition.ts';
import { OBSERVED_INDEFINITELY } from '../../model/heartbeat.ts';
import type { MonitorStatus } from '../../model/monitor.ts';
import type { MonitorState } from '../../model/state.ts';
import { statusOf, statusOfConditions } from './confirmations.ts';

export interface Outcome<State> {
  /** Replaces the state before; the very same object when nothing changes. */
  state: State;
  spans: SpanChange[];
  incidents: IncidentChange[];
}

type Opening = Exclude<ConditionChange, { kind: 'resolve' }>;
type Explanation = Pick<IncidentOpening, 'rootCause' | 'failureCode' | 'regions' | 'evidence'>;

/** An observation, once the confirmations of its monitor have taken it. */
interface Evaluation extends EvaluationTimes {
  rule: SpanRuleName;
  changes: readonly ConditionChange[];
  explain(opening: Opening): Explanation;
}

/**
 * Derives status, coverage, spans and incidents from a change of confirmations. `stepped` is the state `before` with the confirmations,
 * and whatever else only this kind of observation knows, as they are after it. Pure.
 */
export function outcomeOf<State extends ObservedState>(
  before: State,
  stepped: State,
  evaluation: Evaluation,
): Outcome<State> {
  const rule = SPAN_RULES[evaluation.rule];
  const state: State = {
    ...stepped,
    status: statusAfter(rule, before.status, stepped.confirmations),
    observedUntil: coveredUntil(rule, before, evaluation),
  };
  const seenAt = evaluation[rule.seenAt]!;
  const { monitorId, teamId } = before;
  const status = { previous: before.status, current: state.status };
  const subject = { monitorId, teamId, status, at: seenAt };
  return {
    state,
    spans: spansOf(rule, before, state, evaluation.changes, seenAt),
    incidents: evaluation.changes.flatMap((change) =>
      incidentChanges(subject, change, evaluation.explain),
    ),
  };
}

/** The monitor of a change, and when the change was seen (epoch ms): the end of a condition without an end of its own. */
type Subject = Pick<IncidentChange, 'monitorId' | 'teamId' | 'status' | 'at'>;

function incidentChanges(
  { at: seenAt, ...base }: Subject,
  change: ConditionChange,
  explain: Evaluation['explain'],
): IncidentChange[] {
  const of = (condition: Condition) => ({ ...base, condition, type: CONDITIONS[condition].type });
  const { closedByHand } = change;
  const closed = closedByHand === undefined ? {} : { closedByHand };
  if (change.kind === 'resolve') {
    const { condition, at, reason } = change;
    const end = { kind: 'resolve', at: at ?? seenAt, reason, into: null } as const;
    return [{ ...of(condition), ...end, ...closed }];
  }
  const { condition, at } = change;
  const opening: IncidentOpening = {
    ...of(condition),
    kind: 'open',
    at,
    from: change.kind === 'change_over' ? change.from : null,
    severity: CONDITIONS[condition].severity,
    ...explain(change),
  };
  if (change.kind === 'open') return [{ ...opening, ...closed }];
  const { from } = change;
  const end = { kind: 'resolve', at, reason: 'changed_over', into: condition } as const;
  return [{ ...of(from), ...end, ...closed }, opening];
}

/** The part of a monitor's state that every kind of observation may change. */
export type ObservedState = Pick<
  MonitorState,
  'monitorId' | 'teamId' | 'status' | 'confirmations' | 'observedUntil'
>;

/** Times of an observation (epoch ms), of which its rule names one as the time at which it was made. */
interface EvaluationTimes {
  startedAt?: number;
  foundAt?: number;
  receivedAt?: number;
  /** When a ping was due at the latest, or the longest runtime of a job was over. */
  deadline?: number;
  nextDueBy?: number;
}

/** The effect of a kind of observation on the status of its monitor over time. */
interface SpanRule {
  /** The time at which the monitor was observed: changes without a time of their own happen then. */
  seenAt: Exclude<keyof EvaluationTimes, 'nextDueBy'>;
  /**
   * The status after it. `conditions`: the worst of the open conditions. `once_confirmed`: the same, but a pending monitor
   * stays so until a round confirms a condition. `unless_pending`: the same, but a pending monitor stays so.
   * `unchanged`: as before.
   */
  status: 'conditions' | 'once_confirmed' | 'unless_pending' | 'unchanged';
  /**
   * Time between the end of what earlier observations cover and this one. `unobserved`: nobody knows the status then.
   * `unobserved_if_changed`: the same, recorded only beside a change of the status. `open`: left to a later observation.
   */
  uncovered: 'unobserved' | 'unobserved_if_changed' | 'open';
  /** Until when the status holds without another observation. `nothing`: as before. */
  covers: 'next_due' | 'further_notice' | 'nothing';
}

/**
 * The time rules of all that is recorded of a monitor, one row for each kind of observation.
 *
 * A status begins when the first condition of its severity began, not when it was confirmed (`statusesOf`). A round
 * covers the time until the next one is due. An inspection comes too seldom to cover any time; it records the uncovered
 * time before a change all the same, because spans are append-only and a later round could not. A job's status holds until
 * further notice: its silence is an observation, too, dated back to the deadline however late it is noticed. Time in which
 * no process took pings says nothing of any job, and is subtracted where availability is computed.
 */
export const SPAN_RULES = {
  up_round: {
    seenAt: 'startedAt',
    status: 'conditions',
    uncovered: 'unobserved',
    covers: 'next_due',
  },
  // Down or regional.
  failing_round: {
    seenAt: 'startedAt',
    status: 'once_confirmed',
    uncovered: 'unobserved',
    covers: 'next_due',
  },
  // No region knows.
  unknown_round: {
    seenAt: 'startedAt',
    status: 'once_confirmed',
    uncovered: 'open',
    covers: 'nothing',
  },
  inspection: {
    seenAt: 'foundAt',
    status: 'unless_pending',
    uncovered: 'unobserved_if_changed',
    covers: 'nothing',
  },
  // Success or failure.
  finished_run: {
    seenAt: 'receivedAt',
    status: 'conditions',
    uncovered: 'unobserved',
    covers: 'further_notice',
  },
  missed_deadline: {
    seenAt: 'deadline',
    status: 'conditions',
    uncovered: 'unobserved',
    covers: 'further_notice',
  },
  // A start, a log, a ping that was overtaken.
  other_ping: {
    seenAt: 'receivedAt',
    status: 'unchanged',
    uncovered: 'open',
    covers: 'nothing',
  },
  // The ping may have been sent while no process took pings, or the clock was set back.
  unheard_deadline: {
    seenAt: 'deadline',
    status: 'unchanged',
    uncovered: 'open',
    covers: 'nothing',
  },
} as const satisfies Record<string, SpanRule>;
export type SpanRuleName = keyof typeof SPAN_RULES;

function statusAfter(
  { status: how }: SpanRule,
  before: MonitorStatus,
  confirmations: Confirmations,
): MonitorStatus {
  const isConfirmed = ROUND_CONFIRMATIONS.some((name) => confirmations[name]?.open != null);
  const staysPending = how === 'unless_pending' || (how === 'once_confirmed' && !isConfirmed);
  if (how === 'unchanged' || (before === 'pending' && staysPending)) return before;
  return statusOf(confirmations);
}

/** Until when the status holds without another observation (epoch ms); null when none has covered any time. */
function coveredUntil({ covers }: SpanRule, before: ObservedState, { nextDueBy }: EvaluationTimes) {
  if (covers === 'nothing') return before.observedUntil;
  return covers === 'next_due' ? nextDueBy! : OBSERVED_INDEFINITELY;
}

/** The spans that begin with an observation: the uncovered time before it, and each status from when it began. Pure. */
function spansOf(
  { uncovered }: SpanRule,
  before: ObservedState,
  after: ObservedState,
  changes: readonly ConditionChange[],
  seenAt: number,
): SpanChange[] {
  if (uncovered === 'open') return [];
  const { monitorId, teamId, observedUntil } = before;
  const isGap = before.status !== 'pending' && observedUntil !== null && seenAt > observedUntil;
  // As nearly always.
  if (!isGap && changes.length === 0 && after.status === before.status) return [];
  const statuses = statusesOf(before, after, changes, seenAt);
  const isRecorded = uncovered === 'unobserved' || statuses.length > 0;
  const times = isGap && isRecorded ? aroundGap(before, statuses, observedUntil, seenAt) : statuses;
  return times.map((time) => ({ monitorId, teamId, ...time }));
}

/** The status of a monitor from that time on (epoch ms). */
type StatusTime = Pick<SpanChange, 'status' | 'at'>;

/** A status that began before the gap is interrupted by it, and resumes when the monitor is observed again. */
function aroundGap(
  before: ObservedState,
  statuses: readonly StatusTime[],
  gapFrom: number,
  seenAt: number,
): StatusTime[] {
  const earlier = statuses.filter(({ at }) => at <= gapFrom);
  const later = statuses.slice(earlier.length);
  const status = (earlier.at(-1) ?? before).status as StatusTime['status'];
  const isKnownBefore = later.length > 0 && later[0]!.at <= seenAt;
  return [
    ...earlier,
    { status: 'unobserved', at: gapFrom },
    ...(isKnownBefore ? [] : [{ status, at: seenAt }]),
    ...later,
  ];
}

/**
 * The statuses that one observation gives a monitor, in order of time. A status begins when the first condition of its
 * severity began, and ends when the last one ended, so that downtime agrees with incidents. A change without a time of its
 * own, such as a check that was switched off, happens at `seenAt` (epoch ms). Pure.
 */
export function statusesOf(
  before: Pick<MonitorState, 'status' | 'confirmations'>,
  after: Pick<MonitorState, 'status'>,
  changes: readonly ConditionChange[],
  seenAt: number,
): StatusTime[] {
  if (after.status === 'pending') return [];
  const open = openIn(before.confirmations);
  const times: StatusTime[] = [];
  const timed = changes.filter((change) => change.at !== null);
  for (const change of timed.toSorted((a, b) => a.at! - b.at!)) {
    if (change.kind === 'change_over') open.delete(change.from);
    if (change.kind === 'resolve') open.delete(change.condition);
    else open.add(change.condition);
    times.push({ status: statusOfConditions([...open]), at: change.at! });
  }
  times.push({ status: after.status, at: Math.max(seenAt, times.at(-1)?.at ?? seenAt) });
  const lasting = times.filter(({ at }, index) => times[index + 1]?.at !== at);
  return lasting.filter(({ status }, index) => status !== (lasting[index - 1] ?? before).status);
}

function openIn(confirmations: Confirmations): Set<Condition> {
  return new Set(CONFIRMATION_NAMES.flatMap((name) => confirmations[name]?.open ?? []));
}
