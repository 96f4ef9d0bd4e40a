import type { Severity } from '../../model/condition.ts';
import { sharedProbeHost } from '../../model/check.ts';
import { isUnknownCode } from '../../model/failure.ts';
import { alertSteps, stormOf } from '../../store/alerting/alert-steps.ts';
import { alertFacts } from '../../store/alerting/alert-facts.ts';
import type { AlertRow } from '../../store/alerting/alerts.ts';
import type { Tx } from '../../store/database/contract.ts';
import { audienceKey, isReady, withoutOvertaken } from '../policy/step-alert.ts';
import { causesOf, JOIN_MS, type Group, type Groupable } from '../policy/storms.ts';
import { firstRuling, hasOpen, worstOf, type Reach } from '../policy/contract.ts';
import { GROUPING_MS } from '../policy/holds.ts';
import {
  alertOf,
  readAlertStates,
  joined,
  type AlertState,
  type Monitors,
  type TeamAlerts,
  type TeamEvaluation,
} from './read-alerts.ts';

/** Time in which an alert that people were notified of, or that something holds back, becomes part of a storm. */
const RECENT_MS = 2 * GROUPING_MS;
/** Alerts just notified of that others may join, and incidents of each. */
const MAX_NOTIFIED = 100;

/**
 * Groups the alerts that people are to be notified of now: makes one of those that one message is about, or lets them
 * join a storm.
 *
 * @param due the alerts that are due.
 * @returns all alerts of which something may be sent now, as they are then, and the windows that still hold back.
 */
export async function groupDueAlerts(
  tx: Tx,
  due: TeamAlerts,
  evaluation: TeamEvaluation,
): Promise<TeamAlerts & { reach: Reach }> {
  const { audience, reach: before, policies, now } = evaluation;
  const first = due.states.filter(
    (state) => isWaiting(state) && isReady(state, before, policies, now),
  );
  if (first.length === 0) return { ...due, reach: before };
  const windows = withoutOvertaken(first, before, policies, now);
  const reach = { channels: before.channels, windows };
  const dueIds = new Set(due.states.map(({ alert }) => alert.id));
  const waiting = await alertSteps(tx).waitingAlerts(audience.team.id);
  const others = waiting.filter(({ id }) => !dueIds.has(id));
  const all = joined([due, await readAlertStates(tx, others, evaluation)]);
  const isSent = (state: AlertState) =>
    dueIds.has(state.alert.id) || isReady(state, reach, policies, now);
  const grouped = await group(tx, all, { ...evaluation, reach });
  const ungrouped = all.states.filter((one) => isSent(one) && !grouped.gone.has(one.alert.id));
  return { ...joined([{ ...all, states: ungrouped }, grouped]), reach };
}

/** Whether nobody was notified of it, so that it can become part of another one. */
function isWaiting({ row, members }: AlertState): boolean {
  return row.notified_at === null && row.groupable_until !== null && hasOpen(members);
}

/** @returns `gone`: alerts that are part of another one now, or that `states` has as they are now. */
async function group(tx: Tx, all: TeamAlerts, evaluation: TeamEvaluation) {
  const { audience, reach, policies, now } = evaluation;
  const store = alertSteps(tx);
  const waiting = all.states.filter(isWaiting);
  const { ready = [], others = [] } = Object.groupBy(waiting, (state) =>
    isReady(state, reach, policies, now) ? 'ready' : 'others',
  );
  const held = others.filter(({ alert }) => alert.openedAt > now - RECENT_MS);
  const open = await store.openStorms(audience.team.id, now - JOIN_MS);
  const since = { notified: now - RECENT_MS, opened: now - JOIN_MS };
  const recent = await store.recentlyNotifiedAlerts(audience.team.id, since, MAX_NOTIFIED);
  if (ready.length + held.length + recent.length < 2 && open.length === 0)
    return { ...joined([]), gone: new Set<number>() };
  const notified = await readAlertStates(tx, recent, evaluation);
  const known = joined([all, notified]);
  const states = new Map(known.states.map((one) => [one.alert.id, one]));
  const groupable = await groupableOf(tx, known.monitors, [
    ...ready.map((one) => ({ ...one, state: 'ready' as const })),
    ...held.map((one) => ({ ...one, state: 'held' as const })),
    ...notified.states.map((one) => ({ ...one, state: 'notified' as const })),
  ]);
  const storms = new Map(open.map(({ id, sharedCause }) => [sharedCause, id]));
  const subject = { alerts: groupable, openCauses: new Set(storms.keys()) };
  const groups = firstRuling(policies, 'alerts', subject, now)?.groups ?? [];
  const joinedIds = new Set<number>();
  const gone = new Set<number>();
  const made: AlertState[] = [];
  for (const one of groups) {
    const target = targetOf(one, states, storms);
    const rest = one.ids.filter((id) => id !== target && states.get(id)?.alert.notifiedAt === null);
    const severity = worstOf([...rest, target].flatMap((id) => severityOf(states.get(id))));
    const into = { id: target, sharedCause: one.cause, severity };
    const isNotified = states.get(target)?.alert.notifiedAt !== null;
    await store.mergeAlerts(into, rest, isNotified ? now : null);
    for (const id of [...rest, target]) gone.add(id);
    if (isNotified) joinedIds.add(target);
    else made.push(mergedOf(into, [target, ...rest], states));
  }
  // An alert that people know of is read again, with the incidents that joined it.
  const joinedRows = await store.alertsById([...joinedIds]);
  const merged = { states: made, monitors: known.monitors };
  return { ...joined([merged, await readAlertStates(tx, joinedRows, evaluation)]), gone };
}

/** The alert that takes the others in: the open storm of the cause, else the first that people know of, else the first. */
function targetOf(
  { cause, ids }: Group,
  states: ReadonlyMap<number, AlertState>,
  storms: ReadonlyMap<string, number>,
): number {
  const storm = cause === null ? undefined : storms.get(cause);
  if (storm !== undefined) return storm;
  const notified = ids.filter((id) => states.get(id)!.alert.notifiedAt !== null);
  return Math.min(...(notified.length > 0 ? notified : ids));
}

const byIncident = (a: { incidentId: number }, b: { incidentId: number }) =>
  a.incidentId - b.incidentId;

/** An alert that nobody was notified of, with the incidents of the others. */
function mergedOf(
  into: { id: number; sharedCause: string | null; severity: Severity },
  ids: readonly number[],
  states: ReadonlyMap<number, AlertState>,
): AlertState {
  const own = ids.map((id) => states.get(id)!);
  const row: AlertRow = { ...states.get(into.id)!.row, ...stormOf(into) };
  const rows = own.flatMap((one) => one.rows.map((member) => ({ ...member, alertId: into.id })));
  const members = own.flatMap((one) => [...one.members]);
  return {
    row,
    alert: alertOf(row),
    rows: rows.toSorted(byIncident),
    members: members.toSorted(byIncident),
    recipients: [],
    notified: new Map(),
  };
}

const openOf = ({ rows }: AlertState) =>
  rows.filter(({ incident }) => incident !== null && incident.ended_at === null);

/** Reads the causes that the open incidents of each alert share and may share with others. */
async function groupableOf(
  tx: Tx,
  monitors: Monitors,
  states: readonly (AlertState & Pick<Groupable, 'state'>)[],
): Promise<Groupable[]> {
  const ids = states.flatMap((state) => openOf(state).map(({ incidentId }) => incidentId));
  const seen = Map.groupBy(await alertFacts(tx).seenCauses(ids), ({ incidentId }) => incidentId);
  return states.flatMap((state) => {
    const causes = openOf(state).flatMap(({ incidentId, incident, monitorId }) => {
      const monitor = monitors.existing.get(monitorId);
      if (monitor === undefined) return [];
      const { type, region } = incident!;
      const { url: monitorUrl, groupName } = monitor;
      const regions = region?.split(', ') ?? [];
      const own = seen.get(incidentId) ?? [];
      const failed = own.flatMap(({ code, ...rest }) =>
        code === null || isUnknownCode(code) ? [] : { ...rest, code },
      );
      const vantage = sharedProbeHost(own);
      return [causesOf({ type, regions, vantage, monitorUrl, groupName, seen: failed })];
    });
    const [first, ...others] = causes;
    if (first === undefined) return [];
    return {
      id: state.alert.id,
      state: state.state,
      size: causes.length,
      causes: first.filter((cause) => others.every((own) => own.includes(cause))),
      audience: audienceKey(state.members),
    };
  });
}

function severityOf(state: AlertState | undefined): { severity: Severity }[] {
  return state === undefined ? [] : [{ severity: state.row.severity as Severity }];
}
