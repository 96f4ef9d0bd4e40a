import type { Transaction } from 'kysely';
import type { Severity } from '../../model/condition.ts';
import {
  detectedEnds,
  membersOf,
  notifiedIncidentsOf,
  type NotifiedIncidents,
  recipientsOf,
  renotifiedDestinations,
  type MemberRow,
  routesOfTeam,
} from '../../store/alerting/alert-steps.ts';
import type { AlertRow } from '../../store/alerting/alerts.ts';
import { deletedMonitors, outagesOfBudgets } from '../../store/alerting/alert-facts.ts';
import { parentsOf } from '../../store/resources/dependencies.ts';
import {
  alertedMonitors,
  monitorsWithPendingSuccessor,
  type AlertedMonitor,
} from '../../store/engine/events.ts';
import { openOccurrencesOfTeams } from '../../store/engine/maintenance.ts';
import type { Schema } from '../../store/database/schema.ts';
import {
  channelFrom,
  firstRuling,
  routeFrom,
  targetsOf,
  type Alert,
  type KnownAlert,
  type Member,
  type Policy,
  type Recipient,
  type Route,
  type RoutedChannel,
  type RoutedMonitor,
  type EndSubject,
  type Target,
  worstOf,
} from '../policy/index.ts';
import type { NotificationSettings } from '../../monitor-types/notification-settings.ts';
import { channelsOfTeam, ensurePersonalEmail } from '../../store/resources/alert-channels.ts';
import { teamName } from '../../store/people/teams.ts';
import { channelType } from '../channels/index.ts';

/** An alert with all that decides who is notified of it, and its rows. */
export interface AlertState extends KnownAlert {
  row: AlertRow;
  rows: readonly MemberRow[];
  /** Incidents that destinations were notified of, recipients or not. */
  notified: ReadonlyMap<number, NotifiedIncidents>;
}

/** The facts by which the alerts of one team are evaluated. */
export interface Evaluation {
  audience: Audience;
  policies: readonly Policy[];
  /** Epoch milliseconds. */
  now: number;
}

/** Monitors that exist, by id. */
export type Monitors = ReadonlyMap<number, AlertedMonitor>;

/** The state of these alerts of one team, in their order, and the monitors of their incidents. */
export async function readAlertStates(
  tx: Transaction<Schema>,
  alerts: readonly AlertRow[],
  evaluation: Evaluation,
): Promise<{ states: AlertState[]; monitors: Monitors }> {
  if (alerts.length === 0) return { states: [], monitors: new Map() };
  const ids = alerts.map(({ id }) => id);
  const rows = await membersOf(tx, ids);
  const monitorIds = [...new Set(rows.map(({ monitorId }) => monitorId))];
  const monitors = await alertedMonitors(tx, monitorIds);
  const members = await readMembers(tx, rows, monitors, evaluation);
  const recipients = Map.groupBy(await recipientsOf(tx, ids), (row) => row.alert_id);
  const rowsOf = Map.groupBy(rows, ({ alertId }) => alertId);
  const notifiedIncidents = await notifiedIncidentsOf(tx, ids);
  const states = alerts.map((row) => {
    const notified = notifiedIncidents.get(row.id) ?? new Map<number, NotifiedIncidents>();
    const own = members.get(row.id) ?? [];
    return {
      row,
      alert: alertOf(row),
      rows: rowsOf.get(row.id) ?? [],
      members: own,
      recipients: (recipients.get(row.id) ?? []).map((one) =>
        recipientOf(one, notified.get(one.destination_id)!),
      ),
      notified,
    };
  });
  return { states, monitors };
}

/** The alert of a row, as policies read it. */
export function alertOf(row: AlertRow): Alert {
  return {
    id: row.id,
    kind: row.kind as Alert['kind'],
    openedAt: row.opened_at,
    sharedCause: row.shared_cause,
    notifiedAt: row.notified_at,
  };
}

function recipientOf(
  row: Awaited<ReturnType<typeof recipientsOf>>[number],
  { incidents, ends }: NotifiedIncidents,
): Recipient {
  const { last_notified_at: lastNotifiedAt } = row;
  // A clock that was set back redates only the last notification.
  const times = [...incidents].map(([id, at]) => [id, Math.min(at, lastNotifiedAt)] as const);
  return {
    incidents: new Map(times),
    ends,
    destinationId: row.destination_id,
    notifiedAt: row.notified_at,
    lastNotifiedAt: row.last_notified_at,
    severity: row.severity as Severity,
  };
}

/** The incidents of alerts with all that decides who is notified of them, by alert. */
async function readMembers(
  tx: Transaction<Schema>,
  rows: readonly MemberRow[],
  monitors: Monitors,
  { audience, policies, now }: Evaluation,
): Promise<Map<number, Member[]>> {
  const open = rows.filter(({ incident }) => incident !== null && incident.ended_at === null);
  const windows = await openOccurrencesOfTeams(tx, [audience.team.id], now);
  const parents = await parentsOf(tx, [...new Set(open.map(({ monitorId }) => monitorId))], now);
  const outages = await outagesOfBudgets(
    tx,
    open.flatMap(({ incident, incidentId }) =>
      incident?.type === 'error_budget' ? incidentId : [],
    ),
  );
  const successors = await monitorsWithPendingSuccessor(
    tx,
    rows.flatMap(({ hasSuccessor, monitorId }) => (hasSuccessor ? [monitorId] : [])),
  );
  const ended = rows.filter(({ incident }) => incident !== null && incident.ended_at !== null);
  const again = await renotifiedDestinations(tx, [...new Set(ended.map(({ alertId }) => alertId))]);
  const seen = await detectedEnds(
    tx,
    ended.map(({ incidentId }) => incidentId),
  );
  const problemSeverities = worstOfProblems(rows);
  const missing = rows.flatMap(({ monitorId }) => (monitors.has(monitorId) ? [] : monitorId));
  const former = await deletedMonitors(tx, [...new Set(missing)]);
  const read = (row: MemberRow): Member => {
    const { incident } = row;
    const monitor = monitors.get(row.monitorId);
    const base = {
      incidentId: row.incidentId,
      monitorId: row.monitorId,
      joinedAt: row.joinedAt,
      hasSuccessor: row.hasSuccessor,
    };
    if (incident === null || monitor === undefined) {
      const routed = monitor ?? former.get(row.monitorId);
      const severity = (incident?.severity ?? row.removedSeverity ?? 'info') as Severity;
      const targets =
        routed === undefined ? [] : notifiedOf(routed, severity, { audience, policies, now });
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
      windows,
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
      targets: notifiedOf(monitor, severity, { audience, policies, now }),
    };
  };
  return new Map(
    [...Map.groupBy(rows, ({ alertId }) => alertId)].map(([id, own]) => [id, own.map(read)]),
  );
}

/** The end of an incident, put off while a policy holds it; nulls while it is open. */
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
export function notifiedOf(
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

/** The channels of a team that can be notified, and its routes. */
export interface Audience {
  team: { id: number; name: string };
  channels: RoutedChannel[];
  routes: Route[];
}

/** @param mail whether mail can be sent: else channels of mail are left out. */
export async function audienceOf(
  tx: Transaction<Schema>,
  teamId: number,
  { mail, now }: { mail: boolean; now: number },
): Promise<Audience> {
  if (mail) await ensurePersonalEmail(tx, teamId, now);
  const channels = await channelsOfTeam(tx, teamId);
  const routes = await routesOfTeam(tx, teamId);
  return {
    team: { id: teamId, name: await teamName(tx, teamId) },
    channels: channels
      .filter(({ type }) => mail || type !== 'email')
      .map((row) => channelFrom(row, channelType(row.type)?.keepsIncidents ?? false)),
    routes: routes.map(routeFrom),
  };
}
