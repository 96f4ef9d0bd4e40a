import type { Transaction } from 'kysely';
import type { Schema } from '../../store/database/schema.ts';
import { changeSpans } from '../../store/engine/spans.ts';
import type { StateChange } from '../../store/engine/monitor-state.ts';
import { applyIncidentChanges } from './incidents.ts';
import type { Outcome } from './outcome.ts';
import type { ObservedState } from './spans.ts';

/** What becomes of one observation: its outcome, null when it has none, and what its caller wants to know of it. */
export interface Decision<State, Result> {
  outcome: Outcome<State> | null;
  result: Result;
}

/** Observations that are recorded in one transaction. */
export interface Batch<State extends ObservedState, Observation, Result> {
  /**
   * States of the monitors, by id. The transaction has locked them in the order of their ids, so that two processes never
   * wait for each other. Those of monitors that are gone are missing.
   */
  states: ReadonlyMap<number, State>;
  /** In the order in which they were made. */
  observations: readonly Observation[];
  monitorOf(observation: Observation): number | undefined;
  /** Pure. `state` is the one that the observation before it left; undefined where there is none. */
  decide(state: State | undefined, observation: Observation): Decision<State, Result>;
  /** Stores the observations themselves, such as the results of rounds, or pings. */
  keep?(results: readonly Result[]): Promise<void>;
  write(tx: Transaction<Schema>, changes: readonly StateChange<State>[]): Promise<void>;
}

/**
 * Records what was observed of monitors, whatever observed it: decides, and writes the observations, incidents with their
 * activities and events, spans and states. All of it is part of the caller's transaction and takes the same number of
 * statements for any number of monitors.
 * @returns the result of each observation, in their order.
 */
export async function recordOutcomes<State extends ObservedState, Observation, Result>(
  tx: Transaction<Schema>,
  now: number,
  batch: Batch<State, Observation, Result>,
): Promise<Result[]> {
  const { states, observations, monitorOf, decide } = batch;
  const results: Result[] = [];
  const outcomes: Outcome<State>[] = [];
  const changed = new Map<number, State>();
  for (const observation of observations) {
    const id = monitorOf(observation);
    const before = id === undefined ? undefined : (changed.get(id) ?? states.get(id));
    const { outcome, result } = decide(before, observation);
    results.push(result);
    if (outcome === null) continue;
    outcomes.push(outcome);
    if (outcome.state !== before) changed.set(outcome.state.monitorId, outcome.state);
  }
  await batch.keep?.(results);
  const incidents = outcomes.flatMap((outcome) => outcome.incidents);
  await applyIncidentChanges(tx, incidents, now);
  const spans = outcomes.flatMap((outcome) => outcome.spans);
  await changeSpans(tx, spans);
  const changes = [...changed].map(([id, after]) => ({ before: states.get(id)!, after }));
  await batch.write(tx, changes);
  return results;
}
