import type { Severity } from '../../model/condition.ts';
import {
  routesOfTeam,
  alertFacts,
  type NotifiedIncidents,
  type MemberRow,
} from '../../store/alerting/alert-facts.ts';
import type { AlertRow } from '../../store/alerting/alerts.ts';
import { parentsOf } from '../../store/resources/dependencies.ts';
import { alertedMonitors, type AlertedMonitor, eventQueue } from '../../store/engine/events.ts';
import { windowOccurrences } from '../../store/engine/maintenance.ts';
import type { Tx } from '../../store/database/contract.ts';
import {
  channelFrom,
  routeFrom,
  targetsOf,
  type RoutedMonitor,
  type Target,
} from '../policy/routing.ts';
import {
  firstRuling,
  worstOf,
  type Alert,
  type Member,
  type Policy,
  type Recipient,
  type EndSubject,
  type Reach,
} from '../policy/contract.ts';
import type { KnownAlert } from '../policy/step-alert.ts';
import type { NotificationSettings } from '../../monitor-types/notification-settings.ts';
import { GROUPING_MS } from '../policy/holds.ts';
import { channelsOfTeam, channelDestinations } from '../../store/resources/alert-channels.ts';
import { teamStore } from '../../store/people/teams.ts';
import { channelType } from '../channels/index.ts';

/** An alert with all that decides who is notified of it, and its rows. */
export interface AlertState extends KnownAlert {
  row: AlertRow;
  rows: readonly MemberRow[];
  /** Incidents that destinations were notified of, recipients or not. */
  notified: ReadonlyMap<number, NotifiedIncidents>;
}

/** What decides who is notified of a monitor of one team. */
export interface Evaluation {
  audience: Awaited<ReturnType<typeof audienceOf>>;
  policies: readonly Policy[];
  now: number;
}

/** What the alerts of one team are evaluated by. */
export interface TeamEvaluation extends Evaluation {
  reach: Reach;
  maintenance: Awaited<ReturnType<ReturnType<typeof windowOccurrences>['openOfTeams']>>;
}

export async function readEvaluation(
  tx: Tx,
  teamId: number,
  { mail, policies, now }: { mail: boolean; policies: readonly Policy[]; now: number },
): Promise<TeamEvaluation> {
  const audience = await audienceOf(tx, teamId, { mail, now });
  const channels = new Map(audience.channels.map((channel) => [channel.destinationId, channel]));
  const windows = await alertFacts(tx).groupingWindows(teamId, now - GROUPING_MS);
  const maintenance = await windowOccurrences(tx).openOfTeams([teamId], now);
  return { audience, reach: { channels, windows }, maintenance, policies, now };
}

/** The monitors of incidents, by id. */
export interface Monitors {
  existing: ReadonlyMap<number, AlertedMonitor>;
  deleted: Awaited<ReturnType<ReturnType<typeof alertFacts>['deletedMonitors']>>;
}

export interface TeamAlerts {
  states: readonly AlertState[];
  monitors: Monitors;
}

export function joined(all: readonly TeamAlerts[]): TeamAlerts {
  const both = all.map(({ monitors }) => monitors);
  return {
    states: all.flatMap(({ states }) => states),
    monitors: {
      existing: new Map(both.flatMap(({ existing }) => [...existing])),
      deleted: new Map(both.flatMap(({ deleted }) => [...deleted])),
    },
  };
}

/** The state of these alerts of one team, in their order, and the monitors of their incidents. */
export async function readAlertStates(
  tx: Tx,
  alerts: readonly AlertRow[],
  evaluation: TeamEvaluation,
): Promise<TeamAlerts> {
  if (alerts.length === 0)
    return { states: [], monitors: { existing: new Map(), deleted: new Map() } };
  const ids = alerts.map(({ id }) => id);
  const facts = alertFacts(tx);
  const rows = await facts.members(ids);
  const monitorIds = [...new Set(rows.map(({ monitorId }) => monitorId))];
  const existing = await alertedMonitors(tx, monitorIds);
  const deleted = await facts.deletedMonitors(monitorIds.filter((id) => !existing.has(id)));
  const monitors = { existing, deleted };
  const members = await readMembers(tx, rows, monitors, evaluation);
  const recipients = Map.groupBy(await facts.recipients(ids), (row) => row.alert_id);
  const rowsOf = Map.groupBy(rows, ({ alertId }) => alertId);
  const notifiedIncidents = await facts.notifiedIncidents(ids);
  const states = alerts.map((row): AlertState => {
    const notified = notifiedIncidents.get(row.id) ?? new Map<number, NotifiedIncidents>();
    return {
      row,
      alert: alertOf(row),
      rows: rowsOf.get(row.id) ?? [],
      members: members.get(row.id) ?? [],
      recipients: (recipients.get(row.id) ?? []).map((one): Recipient => {
        const { incidents = [], ends = new Set() } = notified.get(one.destination_id) ?? {};
        const { last_notified_at: lastNotifiedAt } = one;
        // A clock that was set back redates only the last notification.
        const times = [...incidents].map(([id, at]) => [id, Math.min(at, lastNotifiedAt)] as const);
        return {
          incidents: new Map(times),
          ends,
          destinationId: one.destination_id,
          notifiedAt: one.notified_at,
          lastNotifiedAt,
          severity: one.severity as Severity,
        };
      }),
      notified,
    };
  });
  return { states, monitors };
}

export function alertOf(row: AlertRow): Alert {
  return {
    id: row.id,
    kind: row.kind as Alert['kind'],
    openedAt: row.opened_at,
    sharedCause: row.shared_cause,
    notifiedAt: row.notified_at,
  };
}

/** The incidents of alerts with all that decides who is notified of them, by alert. */
async function readMembers(
  tx: Tx,
  rows: readonly MemberRow[],
  { existing, deleted }: Monitors,
  evaluation: TeamEvaluation,
): Promise<Map<number, Member[]>> {
  const { maintenance, policies, now } = evaluation;
  const facts = alertFacts(tx);
  const open = rows.filter(({ incident }) => incident !== null && incident.ended_at === null);
  const parents = await parentsOf(tx, [...new Set(open.map(({ monitorId }) => monitorId))], now);
  const budgets = open.filter(({ incident }) => incident?.type === 'error_budget');
  const outages = await facts.outagesOfBudgets(budgets.map(({ incidentId }) => incidentId));
  const succeeded = rows.filter(({ hasSuccessor }) => hasSuccessor);
  const successors = await eventQueue(tx).monitorsWithSuccessor(
    succeeded.map(({ monitorId }) => monitorId),
  );
  const ended = rows.filter(({ incident }) => incident !== null && incident.ended_at !== null);
  const endedAlerts = [...new Set(ended.map(({ alertId }) => alertId))];
  const again = await facts.renotifiedDestinations(endedAlerts);
  const seen = await facts.detectedEnds(ended.map(({ incidentId }) => incidentId));
  const problemSeverities = worstOfProblems(rows);
  const read = (row: MemberRow): Member => {
    const { incident } = row;
    const monitor = existing.get(row.monitorId);
    const base = {
      incidentId: row.incidentId,
      monitorId: row.monitorId,
      joinedAt: row.joinedAt,
      hasSuccessor: row.hasSuccessor,
    };
    if (incident === null || monitor === undefined) {
      const routed = monitor ?? deleted.get(row.monitorId);
      const severity = (incident?.severity ?? row.removedSeverity ?? 'info') as Severity;
      const targets = routed === undefined ? [] : selectTargets(routed, severity, evaluation);
      return { ...base, ...removed(row, seen), severity, targets };
    }
    const severity = incident.severity as Severity;
    const { started_at: startedAt, ended_at: endedAt } = incident;
    const problemSeverity = problemSeverities.get(row.incidentId) ?? severity;
    const endSeenAt =
      endedAt === null ? null : Math.max(endedAt, seen.get(row.incidentId) ?? incident.updated_at);
    const { notificationSettings: settings } = monitor;
    const endings = notifiableEnd({ settings, problemSeverity, endSeenAt }, policies, now);
    const subject = {
      problemSeverity,
      startedAt,
      endedAt,
      notifiableAt: row.joinedAt,
      awaitsSuccessor: row.hasSuccessor && successors.has(row.monitorId),
      monitor,
      windows: maintenance,
      parents: parents.get(row.monitorId) ?? [],
      outages: outages.get(row.incidentId) ?? null,
    };
    return {
      ...base,
      severity,
      startedAt,
      endedAt,
      ...endings,
      isAcknowledged: incident.acknowledged_at !== null,
      heldUntil: firstRuling(policies, 'incident', subject, now)?.until ?? null,
      renotified: again.get(row.incidentId) ?? [],
      targets: selectTargets(monitor, severity, evaluation),
    };
  };
  return new Map(
    [...Map.groupBy(rows, ({ alertId }) => alertId)].map(([id, own]) => [id, own.map(read)]),
  );
}

/** The end of an incident, postponed while a policy holds it; nulls while it is open. */
function notifiableEnd(
  { endSeenAt, ...subject }: Omit<EndSubject, 'endSeenAt'> & { endSeenAt: number | null },
  policies: readonly Policy[],
  now: number,
): Pick<Member, 'endSeenAt' | 'endHeldUntil'> {
  if (endSeenAt === null) return { endSeenAt, endHeldUntil: null };
  const until = firstRuling(policies, 'end', { ...subject, endSeenAt }, now)?.until ?? 0;
  return { endSeenAt: Math.max(endSeenAt, until), endHeldUntil: until > now ? until : null };
}

/** The worst severity of each incident and of those of its alert and monitor that changed over into others. */
function worstOfProblems(rows: readonly MemberRow[]): Map<number, Severity> {
  const problems = Map.groupBy(rows, ({ alertId, monitorId }) => `${alertId} ${monitorId}`);
  return new Map(
    [...problems.values()].flatMap((own) =>
      own.map((row) => {
        const before = own.filter((one) => one === row || one.hasSuccessor);
        const severities = before.flatMap(({ incident }) => incident ?? []);
        return [row.incidentId, worstOf(severities as { severity: Severity }[])] as const;
      }),
    ),
  );
}

/** The channels that are notified of an incident: those of the routes, unless a policy leaves them out. */
export function selectTargets(
  monitor: RoutedMonitor & { notificationSettings?: NotificationSettings | null },
  severity: Severity,
  { audience, policies, now }: Evaluation,
): Target[] {
  const { notificationSettings: settings = null } = monitor;
  const targets = targetsOf(monitor, severity, audience.routes, audience.channels);
  if (settings === null) return targets;
  return targets.filter(({ channel }) => {
    const subject = { settings, severities: [severity], type: channel.type };
    return firstRuling(policies, 'target', subject, now) === null;
  });
}

/** The end of an incident that was deleted, or whose monitor was. */
function removed(
  { incident, incidentId, joinedAt, removedAt }: MemberRow,
  seen: ReadonlyMap<number, number>,
) {
  const endedAt = incident?.ended_at ?? null;
  return {
    startedAt: joinedAt,
    endedAt: endedAt ?? removedAt ?? joinedAt,
    endSeenAt: endedAt === null ? removedAt : Math.max(endedAt, seen.get(incidentId) ?? 0),
    endHeldUntil: null,
    isAcknowledged: false,
    heldUntil: null,
    renotified: [],
  };
}

/**
 * The channels of a team that can be notified, and its routes.
 *
 * @param mail whether mail can be sent: else channels of mail are left out.
 */
export async function audienceOf(
  tx: Tx,
  teamId: number,
  { mail, now }: { mail: boolean; now: number },
) {
  if (mail) await channelDestinations(tx).ensurePersonalEmail(teamId, now);
  const channels = await channelsOfTeam(tx, teamId);
  const routes = await routesOfTeam(tx, teamId);
  return {
    team: { id: teamId, name: await teamStore(tx).nameOf(teamId) },
    channels: channels
      .filter(({ type }) => mail || type !== 'email')
      .map((row) => channelFrom(row, channelType(row.type)?.keepsIncidents ?? false)),
    routes: routes.map(routeFrom),
  };
}
