import type { Transaction } from 'kysely';
import { heldUntil } from '../../engine/maintenance/window.ts';
import type { Severity } from '../../model/condition.ts';
import {
  endsSeen,
  membersOf,
  recipientsOf,
  renotifiedDestinations,
  type MemberRow,
  routesOfTeam,
} from '../../store/alerting/alert-steps.ts';
import type { AlertRow } from '../../store/alerting/alerts.ts';
import { deletedMonitors } from '../../store/engine/deleted-monitors.ts';
import { parentsOf } from '../../store/resources/dependencies.ts';
import {
  alertedMonitors,
  waitingSuccessors,
  type AlertedMonitor,
} from '../../store/engine/events.ts';
import { openOccurrencesOfTeams } from '../../store/engine/maintenance.ts';
import type { Schema } from '../../store/database/schema.ts';
import {
  type Member,
  type Recipient,
  heldByParents,
  type ParentState,
  targetsOf,
  type EscalationStep,
  type Route,
  type RoutedChannel,
  type QuietHours,
} from '../policy/index.ts';
import { channelsOfTeam, ensurePersonalEmail } from '../../store/resources/alert-channels.ts';
import { teamName } from '../../store/people/teams.ts';
import { channelType } from '../channels/index.ts';

/** Time until a paused monitor is evaluated again. Resuming it evaluates it at once. */
const PAUSED_AGAIN_MS = 5 * 60_000;
/** So is one that is in maintenance, at the latest. */
const HELD_AGAIN_MS = 60_000;
/** What an incident became is not handed on yet. */
const SUCCESSOR_AGAIN_MS = 10_000;

/** An alert with all that decides who is notified of it. */
export interface AlertState {
  alert: AlertRow;
  rows: readonly MemberRow[];
  members: readonly Member[];
  /** Destinations that were notified before. */
  recipients: readonly Recipient[];
}

/** Monitors that are there, by id. */
export type Monitors = ReadonlyMap<number, AlertedMonitor>;

/** The state of these alerts of one team, in their order, and the monitors of their incidents. */
export async function readAlertStates(
  tx: Transaction<Schema>,
  { alerts, audience, now }: { alerts: readonly AlertRow[]; audience: Audience; now: number },
): Promise<{ states: AlertState[]; monitors: Monitors }> {
  if (alerts.length === 0) return { states: [], monitors: new Map() };
  const ids = alerts.map(({ id }) => id);
  const rows = await membersOf(tx, ids);
  const monitorIds = [...new Set(rows.map(({ monitorId }) => monitorId))];
  const monitors = await alertedMonitors(tx, monitorIds);
  const members = await readMembers(tx, { rows, monitors, audience, now });
  const recipients = Map.groupBy(await recipientsOf(tx, ids), (row) => row.alert_id);
  const rowsOf = Map.groupBy(rows, ({ alertId }) => alertId);
  const states = alerts.map((alert) => ({
    alert,
    rows: rowsOf.get(alert.id) ?? [],
    members: members.get(alert.id) ?? [],
    recipients: (recipients.get(alert.id) ?? []).map(recipientOf),
  }));
  return { states, monitors };
}

function recipientOf(row: Awaited<ReturnType<typeof recipientsOf>>[number]): Recipient {
  return {
    destinationId: row.destination_id,
    notifiedAt: row.told_at,
    lastNotifiedAt: row.last_told_at,
    severity: row.severity as Severity,
  };
}

/** The incidents of alerts with all that decides who is notified of them, by alert. */
async function readMembers(
  tx: Transaction<Schema>,
  question: {
    rows: readonly MemberRow[];
    monitors: Monitors;
    audience: Audience;
    now: number;
  },
): Promise<Map<number, Member[]>> {
  const { rows, monitors, audience, now } = question;
  const open = rows.filter(({ incident }) => incident !== null && incident.ended_at === null);
  const windows = await openOccurrencesOfTeams(tx, [audience.team.id], now);
  const parents = await parentsOf(tx, [...new Set(open.map(({ monitorId }) => monitorId))], now);
  const successors = await waitingSuccessors(
    tx,
    rows.flatMap(({ hasSuccessor, monitorId }) => (hasSuccessor ? [monitorId] : [])),
  );
  const ended = rows.filter(({ incident }) => incident !== null && incident.ended_at !== null);
  const again = await renotifiedDestinations(tx, [...new Set(ended.map(({ alertId }) => alertId))]);
  const seen = await endsSeen(
    tx,
    ended.map(({ incidentId }) => incidentId),
  );
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
        routed === undefined ? [] : targetsOf(routed, severity, audience.routes, audience.channels);
      return { ...base, ...removed(row, seen), severity, targets };
    }
    const severity = incident.severity as Severity;
    const { started_at: startedAt, ended_at: endedAt } = incident;
    const child = { startedAt, toldAbleAt: row.joinedAt, lastCheckedAt: monitor.lastCheckedAt };
    return {
      ...base,
      severity,
      startedAt,
      endedAt,
      endSeenAt:
        endedAt === null
          ? null
          : Math.max(endedAt, seen.get(row.incidentId) ?? incident.updated_at),
      isAcknowledged: incident.acknowledged_at !== null,
      heldUntil:
        endedAt === null
          ? holdOf(child, { monitor, windows, parents: parents.get(row.monitorId) ?? [] }, now)
          : row.hasSuccessor && successors.has(row.monitorId)
            ? now + SUCCESSOR_AGAIN_MS
            : null,
      renotified: again.get(row.incidentId) ?? [],
      targets: targetsOf(monitor, severity, audience.routes, audience.channels),
    };
  };
  return new Map(
    [...Map.groupBy(rows, ({ alertId }) => alertId)].map(([id, own]) => [id, own.map(read)]),
  );
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
    isAcknowledged: false,
    heldUntil: null,
    renotified: [],
  };
}

/** When to evaluate again what nobody is notified of now; null when people may be notified. */
function holdOf(
  child: Parameters<typeof heldByParents>[0],
  around: {
    monitor: AlertedMonitor;
    windows: Parameters<typeof heldUntil>[0];
    parents: readonly ParentState[];
  },
  now: number,
): number | null {
  const { monitor, windows, parents } = around;
  if (monitor.isPaused) return now + PAUSED_AGAIN_MS;
  const until = heldUntil(windows, monitor, now);
  // A window that is ended just then, early, wakes what it sees held.
  if (until !== null) return Math.min(until, now + HELD_AGAIN_MS);
  return heldByParents(child, parents, now);
}

/** All that may be told of what happens in a team, and how it is routed. */
export interface Audience {
  team: { id: number; name: string };
  channels: RoutedChannel[];
  routes: Route[];
}

/** @param mail whether mail can be sent: else nobody is told by it. */
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
      .map((row) => ({
        id: row.id,
        destinationId: row.destination_id,
        personId: row.person_id,
        type: row.type,
        keepsIncidents: channelType(row.type)?.keepsIncidents ?? false,
        isDefault: row.is_default === 1 && row.person_id === null,
        severities: JSON.parse(row.severities) as Severity[],
        quietHours: row.quiet_hours === null ? null : (JSON.parse(row.quiet_hours) as QuietHours),
      })),
    routes: routes.map((row) => ({
      monitors: JSON.parse(row.monitors) as number[],
      groups: JSON.parse(row.groups) as number[],
      tags: JSON.parse(row.tags) as string[],
      severities: JSON.parse(row.severities) as Severity[],
      channels: JSON.parse(row.channels) as number[],
      users: JSON.parse(row.users) as number[],
      reminderMinutes: row.reminder_minutes,
      escalation: JSON.parse(row.escalation) as EscalationStep[],
    })),
  };
}
