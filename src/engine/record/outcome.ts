import { CONDITIONS } from '../../model/condition.ts';
import type { Condition } from '../../model/condition.ts';
import type { IncidentChange, IncidentOpening, SpanChange } from '../../model/incident.ts';
import type { ConditionChange } from './condition.ts';
import { coveredUntil, SPAN_RULES, spansOf, statusAfter } from './spans.ts';
import type { EvaluationTimes, ObservedState, SpanRuleName } from './spans.ts';

/** What becomes of a monitor after something was observed of it. */
export interface Outcome<State> {
  /** Replaces the state before; the very same object when nothing changes. */
  state: State;
  /** In the order of time. */
  spans: SpanChange[];
  incidents: IncidentChange[];
}

type Opening = Exclude<ConditionChange, { kind: 'resolve' }>;
type Explanation = Pick<IncidentOpening, 'rootCause' | 'failureCode' | 'regions' | 'evidence'>;

/** An observation, once the tracks of its monitor have taken it. */
export interface Evaluation extends EvaluationTimes {
  rule: SpanRuleName;
  changes: readonly ConditionChange[];
  /** Why a condition opens, for its incident. */
  explain(opening: Opening): Explanation;
}

/**
 * Derives status, coverage, spans and incidents from a change of tracks. `stepped` is the state `before` with the tracks,
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
    status: statusAfter(rule, before.status, stepped.tracks),
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
