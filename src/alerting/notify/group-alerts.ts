import type { Transaction } from 'kysely';
import { SEVERITIES, type Severity } from '../../model/condition.ts';
import { sharedVantage } from '../../model/vantage.ts';
import {
  alertsById,
  recentlyNotifiedAlerts,
  mergeAlerts,
  openStorms,
  seenCauses,
  waitingAlerts,
} from '../../store/alerting/alert-storms.ts';
import type { AlertRow } from '../../store/alerting/alerts.ts';
import type { Schema } from '../../store/database/schema.ts';
import {
  hasOpen,
  type Reach,
  causesOf,
  groupAlerts,
  JOIN_MS,
  type Group,
  type Groupable,
  GROUPING_MS,
  audienceKey,
  isReady,
  withoutOvertaken,
} from '../policy/index.ts';
import { readAlertStates, type AlertState, type Monitors, type Audience } from './read-alerts.ts';

/** Time in which an alert that people were notified of, or that something holds back, becomes part of a storm. */
const RECENT_MS = 2 * GROUPING_MS;
/** Alerts just notified of that others may join, and incidents of each. */
const MOST_TOLD = 100;

export interface TeamAlerts {
  states: readonly AlertState[];
  monitors: Monitors;
}

/** What the grouping of a team's alerts needs to know. */
export interface GroupingQuestion {
  teamId: number;
  /** The alerts that are due. */
  due: TeamAlerts;
  audience: Audience;
  reach: Reach;
  now: number;
}

/**
 * Groups the alerts that people are to be notified of now: makes one of those that one message is about, or lets them
 * join a storm.
 *
 * @returns all alerts of which something may be sent now, as they are then, and the windows that still hold back.
 */
export async function groupDueAlerts(
  tx: Transaction<Schema>,
  question: GroupingQuestion,
): Promise<TeamAlerts & { reach: Reach }> {
  const { teamId, due, audience, now } = question;
  const first = due.states.filter(
    (state) => isWaiting(state) && isReady(state.members, question.reach, now),
  );
  if (first.length === 0) return { ...due, reach: question.reach };
  const { channels } = question.reach;
  const overtaking = first.map(({ members }) => members);
  const windows = withoutOvertaken(overtaking, question.reach, now);
  const reach = { channels, windows };
  const dueIds = new Set(due.states.map(({ alert }) => alert.id));
  const others = (await waitingAlerts(tx, teamId)).filter(({ id }) => !dueIds.has(id));
  const read = await readAlertStates(tx, { alerts: others, audience, now });
  const all = {
    states: [...due.states, ...read.states],
    monitors: new Map([...due.monitors, ...read.monitors]),
  };
  const isSent = ({ alert, members }: AlertState) =>
    dueIds.has(alert.id) || isReady(members, reach, now);
  const grouped = await group(tx, { ...question, reach, all });
  return {
    states: [
      ...all.states.filter((one) => isSent(one) && !grouped.gone.has(one.alert.id)),
      ...grouped.states,
    ],
    monitors: new Map([...all.monitors, ...grouped.monitors]),
    reach,
  };
}

/** Whether nobody was notified of it, so that it can become part of another one. */
function isWaiting({ alert, members }: AlertState): boolean {
  return alert.told_at === null && alert.gather_until !== null && hasOpen(members);
}

interface Grouped extends TeamAlerts {
  /** Alerts that are part of another one now, or that `states` has as they are now. */
  gone: ReadonlySet<number>;
}

async function group(
  tx: Transaction<Schema>,
  question: GroupingQuestion & { all: TeamAlerts },
): Promise<Grouped> {
  const { teamId, all, audience, reach, now } = question;
  const waiting = all.states.filter(isWaiting);
  const { ready = [], others = [] } = Object.groupBy(waiting, ({ members }) =>
    isReady(members, reach, now) ? 'ready' : 'others',
  );
  const held = others.filter(({ alert }) => alert.opened_at > now - RECENT_MS);
  const storms = await openStorms(tx, teamId, now - JOIN_MS);
  const since = { told: now - RECENT_MS, opened: now - JOIN_MS };
  const toldRows = await recentlyNotifiedAlerts(tx, teamId, since, MOST_TOLD);
  const nothing = { states: [], monitors: new Map(), gone: new Set<number>() };
  if (ready.length + held.length + toldRows.length < 2 && storms.length === 0) return nothing;
  const told = await readAlertStates(tx, { alerts: toldRows, audience, now });
  const monitors = new Map([...all.monitors, ...told.monitors]);
  const states = new Map([...all.states, ...told.states].map((one) => [one.alert.id, one]));
  const groupable = await groupableOf(tx, monitors, [
    ...ready.map((one) => ({ ...one, state: 'ready' as const })),
    ...held.map((one) => ({ ...one, state: 'held' as const })),
    ...told.states.map((one) => ({ ...one, state: 'told' as const })),
  ]);
  const known = new Map(storms.map(({ id, sharedCause }) => [sharedCause, id]));
  const groups = groupAlerts(groupable, new Set(known.keys()));
  const joined = new Set<number>();
  const gone = new Set<number>();
  const made: AlertState[] = [];
  for (const one of groups) {
    const target = targetOf(one, states, known);
    const rest = one.ids.filter((id) => id !== target && states.get(id)?.alert.told_at === null);
    const severity = worst(rest.concat(target).flatMap((id) => states.get(id)?.alert ?? []));
    const into = { id: target, sharedCause: one.cause, severity };
    const isTold = states.get(target)?.alert.told_at !== null;
    await mergeAlerts(tx, into, rest, isTold ? now : null);
    for (const id of [...rest, target]) gone.add(id);
    if (isTold) joined.add(target);
    else made.push(mergedOf(into, [target, ...rest], states));
  }
  const joinedRows = await alertsById(tx, [...joined]);
  const joinedStates = await readAlertStates(tx, { alerts: joinedRows, audience, now });
  return {
    states: [...made, ...joinedStates.states],
    monitors: new Map([...monitors, ...joinedStates.monitors]),
    gone,
  };
}

/** The alert that takes the others in: the open storm of the cause, else the first that people know of, else the first. */
function targetOf(
  { cause, ids }: Group,
  states: ReadonlyMap<number, AlertState>,
  known: ReadonlyMap<string, number>,
): number {
  const storm = cause === null ? undefined : known.get(cause);
  if (storm !== undefined) return storm;
  const told = ids.filter((id) => states.get(id)!.alert.told_at !== null);
  return Math.min(...(told.length > 0 ? told : ids));
}

const byIncident = (a: { incidentId: number }, b: { incidentId: number }) =>
  a.incidentId - b.incidentId;

/** An alert that nobody was notified of, with all that others were. */
function mergedOf(
  into: { id: number; sharedCause: string | null; severity: Severity },
  ids: readonly number[],
  states: ReadonlyMap<number, AlertState>,
): AlertState {
  const own = ids.map((id) => states.get(id)!);
  const alert: AlertRow = {
    ...states.get(into.id)!.alert,
    kind: 'storm',
    shared_cause: into.sharedCause,
    severity: into.severity,
    monitor_id: null,
    incident_type: null,
  };
  const rows = own.flatMap((one) => one.rows.map((row) => ({ ...row, alertId: into.id })));
  const members = own.flatMap((one) => [...one.members]);
  return {
    alert,
    rows: rows.toSorted(byIncident),
    members: members.toSorted(byIncident),
    recipients: [],
  };
}

const openOf = ({ rows }: AlertState) =>
  rows.filter(({ incident }) => incident !== null && incident.ended_at === null);

/** What the open incidents of each alert share, and may share with others. */
async function groupableOf(
  tx: Transaction<Schema>,
  monitors: Monitors,
  states: readonly (AlertState & Pick<Groupable, 'state'>)[],
): Promise<Groupable[]> {
  const ids = states.flatMap((state) => openOf(state).map(({ incidentId }) => incidentId));
  const seen = Map.groupBy(await seenCauses(tx, ids), ({ incidentId }) => incidentId);
  return states.flatMap((state) => {
    const causes = openOf(state).flatMap(({ incidentId, incident, monitorId }) => {
      const monitor = monitors.get(monitorId);
      if (monitor === undefined) return [];
      const { type, region } = incident!;
      const { url: monitorUrl, groupName } = monitor;
      const regions = region?.split(', ') ?? [];
      const own = seen.get(incidentId) ?? [];
      const failed = own.flatMap(({ code, ...rest }) => (code === null ? [] : { ...rest, code }));
      const vantage = sharedVantage(own);
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

function worst(alerts: readonly AlertRow[]): Severity {
  return SEVERITIES.find((one) => alerts.some(({ severity }) => severity === one)) ?? 'info';
}
