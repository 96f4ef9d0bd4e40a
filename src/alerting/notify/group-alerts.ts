import type { Transaction } from 'kysely';
import type { Severity } from '../../model/condition.ts';
import { sharedProbeHost } from '../../model/check.ts';
import { isUnknownCode } from '../../model/failure.ts';
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
  audienceKey,
  causesOf,
  firstRuling,
  GROUPING_MS,
  hasOpen,
  isReady,
  JOIN_MS,
  withoutOvertaken,
  worstOf,
  type Group,
  type Groupable,
  type Reach,
} from '../policy/index.ts';
import {
  alertOf,
  readAlertStates,
  type AlertState,
  type Evaluation,
  type Monitors,
} from './read-alerts.ts';

/** Time in which an alert that people were notified of, or that something holds back, becomes part of a storm. */
const RECENT_MS = 2 * GROUPING_MS;
/** Alerts just notified of that others may join, and incidents of each. */
const MAX_NOTIFIED = 100;

export interface TeamAlerts {
  states: readonly AlertState[];
  monitors: Monitors;
}

/** The facts that the grouping of a team's alerts requires. */
export interface GroupingQuestion extends Evaluation {
  teamId: number;
  /** The alerts that are due. */
  due: TeamAlerts;
  reach: Reach;
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
  const { teamId, due, policies, now } = question;
  const first = due.states.filter(
    (state) => isWaiting(state) && isReady(state, question.reach, policies, now),
  );
  if (first.length === 0) return { ...due, reach: question.reach };
  const { channels } = question.reach;
  const windows = withoutOvertaken(first, question.reach, policies, now);
  const reach = { channels, windows };
  const dueIds = new Set(due.states.map(({ alert }) => alert.id));
  const others = (await waitingAlerts(tx, teamId)).filter(({ id }) => !dueIds.has(id));
  const read = await readAlertStates(tx, others, question);
  const all = {
    states: [...due.states, ...read.states],
    monitors: new Map([...due.monitors, ...read.monitors]),
  };
  const isSent = (state: AlertState) =>
    dueIds.has(state.alert.id) || isReady(state, reach, policies, now);
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
function isWaiting({ row, members }: AlertState): boolean {
  return row.notified_at === null && row.groupable_until !== null && hasOpen(members);
}

interface Grouped extends TeamAlerts {
  /** Alerts that are part of another one now, or that `states` has as they are now. */
  gone: ReadonlySet<number>;
}

async function group(
  tx: Transaction<Schema>,
  question: GroupingQuestion & { all: TeamAlerts },
): Promise<Grouped> {
  const { teamId, all, reach, policies, now } = question;
  const waiting = all.states.filter(isWaiting);
  const { ready = [], others = [] } = Object.groupBy(waiting, (state) =>
    isReady(state, reach, policies, now) ? 'ready' : 'others',
  );
  const held = others.filter(({ alert }) => alert.openedAt > now - RECENT_MS);
  const open = await openStorms(tx, teamId, now - JOIN_MS);
  const since = { notified: now - RECENT_MS, opened: now - JOIN_MS };
  const recent = await recentlyNotifiedAlerts(tx, teamId, since, MAX_NOTIFIED);
  const nothing = { states: [], monitors: new Map(), gone: new Set<number>() };
  if (ready.length + held.length + recent.length < 2 && open.length === 0) return nothing;
  const notified = await readAlertStates(tx, recent, question);
  const monitors = new Map([...all.monitors, ...notified.monitors]);
  const states = new Map([...all.states, ...notified.states].map((one) => [one.alert.id, one]));
  const groupable = await groupableOf(tx, monitors, [
    ...ready.map((one) => ({ ...one, state: 'ready' as const })),
    ...held.map((one) => ({ ...one, state: 'held' as const })),
    ...notified.states.map((one) => ({ ...one, state: 'notified' as const })),
  ]);
  const known = new Map(open.map(({ id, sharedCause }) => [sharedCause, id]));
  const subject = { alerts: groupable, openCauses: new Set(known.keys()) };
  const groups = firstRuling(policies, 'alerts', subject, now)?.groups ?? [];
  const joined = new Set<number>();
  const gone = new Set<number>();
  const made: AlertState[] = [];
  for (const one of groups) {
    const target = targetOf(one, states, known);
    const rest = one.ids.filter((id) => id !== target && states.get(id)?.alert.notifiedAt === null);
    const severity = worstOf([...rest, target].flatMap((id) => severityOf(states.get(id))));
    const into = { id: target, sharedCause: one.cause, severity };
    const isNotified = states.get(target)?.alert.notifiedAt !== null;
    await mergeAlerts(tx, into, rest, isNotified ? now : null);
    for (const id of [...rest, target]) gone.add(id);
    if (isNotified) joined.add(target);
    else made.push(mergedOf(into, [target, ...rest], states));
  }
  const joinedRows = await alertsById(tx, [...joined]);
  const joinedStates = await readAlertStates(tx, joinedRows, question);
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
  const row: AlertRow = {
    ...states.get(into.id)!.row,
    kind: 'storm',
    shared_cause: into.sharedCause,
    severity: into.severity,
    monitor_id: null,
    incident_type: null,
  };
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
