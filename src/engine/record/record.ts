import type { Tx } from '../../store/database/contract.ts';
import type { StateChange } from '../../store/engine/monitor-state.ts';
import type { Outcome, ObservedState } from './outcome.ts';
import type {
  IncidentChange,
  IncidentOpening,
  IncidentResolution,
  SpanChange,
} from '../../model/incident.ts';
import type { MonitorState } from '../../model/state.ts';
import {
  type ChangedIncident,
  type Subject,
  incidentChanges,
} from '../../store/engine/incident-changes.ts';
import { activityOf, eventName, eventPayload, infoPayload, type NotifiedChange } from './event.ts';

/** The decision on one observation: its outcome, null if it has none, and a result for the caller. */
export interface Decision<State, Result> {
  outcome: Outcome<State> | null;
  result: Result;
}

/**
 * Decides about observations in the order in which they were made, each on the state that the one before it left. Pure.
 *
 * @param states of the monitors by id; those of monitors that are gone are missing. The transaction has locked them in the
 * order of their ids, so that two processes never wait for each other.
 * @returns the results in the order of the observations, and what is to be written: the caller writes the observations
 * themselves, then incidents, spans and states, each in one statement for any number of monitors.
 */
export function decideInOrder<State extends ObservedState, Observation, Result>(
  states: ReadonlyMap<number, State>,
  observations: readonly Observation[],
  by: {
    monitorOf(observation: Observation): number | undefined;
    decide(state: State | undefined, observation: Observation): Decision<State, Result>;
  },
) {
  const results: Result[] = [];
  const incidents: IncidentChange[] = [];
  const spans: SpanChange[] = [];
  const changed = new Map<number, State>();
  for (const observation of observations) {
    const id = by.monitorOf(observation);
    const before = id === undefined ? undefined : (changed.get(id) ?? states.get(id));
    const { outcome, result } = by.decide(before, observation);
    results.push(result);
    if (outcome === null) continue;
    incidents.push(...outcome.incidents);
    spans.push(...outcome.spans);
    if (outcome.state !== before) changed.set(outcome.state.monitorId, outcome.state);
  }
  const changes: StateChange<State>[] = Array.from(changed, ([id, after]) => ({
    before: states.get(id)!,
    after,
  }));
  return { results, incidents, spans, changes };
}

/**
 * Carries out what verdicts and pings decided, inside their transaction: incident, activity, evidence and event appear
 * together or not at all. Changes of one monitor are taken in their order, those of different monitors together,
 * so that ten thousand monitors failing at once cost a few statements and not ten thousand.
 */
export async function applyIncidentChanges(tx: Tx, changes: IncidentChange[], now: number) {
  if (changes.length === 0) return;
  const incidents = incidentChanges(tx);
  const subjects = await incidents.subjectsOf([
    ...new Set(changes.map((change) => change.monitorId)),
  ]);
  for (const batch of batchesInOrder(changes.filter((change) => subjects.has(change.monitorId)))) {
    const resolutions = batch.filter((change) => change.kind === 'resolve');
    const openings = batch.filter((change) => change.kind === 'open');
    const closings = await closedByHand(tx, [...resolutions, ...openings]);
    const ended = await incidents.end(resolutions, now);
    const opened = await incidents.insert(openings, now);
    await incidents.insertEvidence(evidenceRows(openings, opened));
    const done = pairs<NotifiedChange>([...resolutions, ...openings], [...ended, ...opened]);
    const notes = batch.filter((change) => change.kind === 'note');
    const noted = pairs(notes, await incidents.open(notes));
    await incidents.insertActivities(done.map((one) => activityRow(one, now)));
    await incidents.insertNotes(noted.map((one) => activityRow(one, now)));
    await incidents.insertEvents(
      [...closings, ...done].map((one) => eventRow(one, subjects.get(one.change.monitorId)!, now)),
    );
  }
}

/** The first change of every monitor, then the second of those that have one, and so on. */
function batchesInOrder(changes: IncidentChange[]): IncidentChange[][] {
  const seen = new Map<number, number>();
  const result: IncidentChange[][] = [];
  for (const change of changes) {
    const position = seen.get(change.monitorId) ?? 0;
    seen.set(change.monitorId, position + 1);
    (result[position] ??= []).push(change);
  }
  return result;
}

/** The region of an inspection, in a column that is part of the key. */
const NO_REGION = '';

function evidenceRows(openings: IncidentOpening[], opened: ChangedIncident[]) {
  return pairs(openings, opened).flatMap(({ change, incident }) =>
    change.evidence.map((evidence) => ({
      incident_id: incident.id,
      region: evidence.region ?? NO_REGION,
      evidence: JSON.stringify(evidence),
    })),
  );
}

/** A change beside the incident that it touched. */
interface Touched<Change extends IncidentChange> {
  change: Change;
  incident: ChangedIncident;
}

/**
 * Incidents that a person resolved or deleted before their condition ended. Webhook endpoints are notified of the end
 * under the id that the beginning had. Of a deleted one, id and start are all that is known.
 */
async function closedByHand(
  tx: Tx,
  changes: readonly (IncidentResolution | IncidentOpening)[],
): Promise<Touched<IncidentResolution>[]> {
  const all = changes.flatMap((change) =>
    (change.closedByHand ?? []).map((closed) => ({ change: endOf(change), closed })),
  );
  const ids = all.map(({ closed }) => closed.id);
  const stored = await incidentChanges(tx).byId(ids);
  return all.map(({ change, closed }) => {
    const { monitorId, type } = change;
    const started = { id: closed.id, monitor_id: monitorId, type, started_at: closed.startedAt };
    const deleted = { ...started, root_cause: null, region: null };
    return { change, incident: stored.get(closed.id) ?? deleted };
  });
}

/** The event that ends an incident which a person resolved, when the next one of its condition opens. */
function endOf(change: IncidentResolution | IncidentOpening): IncidentResolution {
  if (change.kind === 'resolve') return change;
  const { monitorId, teamId, type, condition, at, status } = change;
  const base = { monitorId, teamId, type, condition, at, status };
  return { ...base, kind: 'resolve', reason: 'recovered', into: null };
}

function activityRow({ change, incident }: Touched<IncidentChange>, now: number) {
  const ids = { team_id: change.teamId, incident_id: incident.id, person_id: null };
  return { ...ids, ...activityOf(change), created_at: now };
}

function eventRow({ change, incident }: Touched<NotifiedChange>, subject: Subject, now: number) {
  const type = eventName(subject.type, change);
  const payload = JSON.stringify(eventPayload(type, change, subject, incident, now));
  const ids = { team_id: change.teamId, monitor_id: subject.id, incident_id: incident.id };
  return { ...ids, type, payload, ...weightOf(change), fan_out_at: now, created_at: now };
}

/** Severity and reason of the event (contract 28.6: recoveries have severity info). */
function weightOf(change: NotifiedChange) {
  if (change.kind === 'resolve')
    return { kind: 'resolve', severity: 'info', reason: change.reason };
  const reason = change.from === null ? null : 'changed_over';
  return { kind: 'open', severity: change.severity, reason };
}

/** Pairs each change with its incident; a change without one (it has ended already) is left out. */
function pairs<Change extends IncidentChange>(
  changes: Change[],
  incidents: ChangedIncident[],
): Touched<Change>[] {
  const byKey = new Map(incidents.map((one) => [`${one.monitor_id} ${one.type}`, one]));
  return changes.flatMap((change) => {
    const incident = byKey.get(`${change.monitorId} ${change.type}`);
    return incident ? [{ change, incident }] : [];
  });
}

/** Inserts an event of severity info that belongs to no incident, for each of these monitors. */
export async function insertInfoEvents(
  tx: Tx,
  type: string,
  states: readonly MonitorState[],
  text: string,
  now: number,
): Promise<void> {
  const subjects = await incidentChanges(tx).subjectsOf(states.map((state) => state.monitorId));
  const rows = states.flatMap(({ teamId, monitorId, status }) => {
    const subject = subjects.get(monitorId);
    if (subject === undefined) return [];
    const payload = JSON.stringify(infoPayload(type, text, subject, status, now));
    const ids = { team_id: teamId, monitor_id: monitorId, incident_id: null };
    const weight = { kind: 'notice', severity: 'info', reason: null };
    return [{ ...ids, type, payload, ...weight, fan_out_at: now, created_at: now }];
  });
  await incidentChanges(tx).insertEvents(rows);
}
