import type { Transaction } from 'kysely';
import { heldUntil } from '../../engine/maintenance/window.ts';
import type { Severity } from '../../model/condition.ts';
import { endsSeen, membersOf, recipientsOf, toldAgain } from '../../store/alerting/alert-steps.ts';
import type { MemberRow } from '../../store/alerting/alert-steps.ts';
import type { AlertRow } from '../../store/alerting/alerts.ts';
import { deletedMonitors } from '../../store/engine/deleted-monitors.ts';
import { parentsOf } from '../../store/resources/dependencies.ts';
import { toldMonitors, waitingSuccessors } from '../../store/engine/events.ts';
import type { ToldMonitor } from '../../store/engine/events.ts';
import { activeWindowsOf } from '../../store/engine/maintenance.ts';
import type { Schema } from '../../store/database/schema.ts';
import type { Member, Recipient } from './alert-types.ts';
import type { Audience } from './audience.ts';
import { heldByParents } from './hold.ts';
import type { ParentState } from './hold.ts';
import { targetsOf } from './route.ts';

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
export type Monitors = ReadonlyMap<number, ToldMonitor>;

/** The state of these alerts of one team, in their order, and the monitors of their incidents. */
export async function readAlertStates(
  tx: Transaction<Schema>,
  { alerts, audience, now }: { alerts: readonly AlertRow[]; audience: Audience; now: number },
): Promise<{ states: AlertState[]; monitors: Monitors }> {
  if (alerts.length === 0) return { states: [], monitors: new Map() };
  const ids = alerts.map(({ id }) => id);
  const rows = await membersOf(tx, ids);
  const monitorIds = [...new Set(rows.map(({ monitorId }) => monitorId))];
  const monitors = await toldMonitors(tx, monitorIds);
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
    toldAt: row.told_at,
    lastToldAt: row.last_told_at,
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
  const windows = await activeWindowsOf(tx, [audience.team.id], now);
  const parents = await parentsOf(tx, [...new Set(open.map(({ monitorId }) => monitorId))], now);
  const successors = await waitingSuccessors(
    tx,
    rows.flatMap(({ hasSuccessor, monitorId }) => (hasSuccessor ? [monitorId] : [])),
  );
  const ended = rows.filter(({ incident }) => incident !== null && incident.ended_at !== null);
  const again = await toldAgain(tx, [...new Set(ended.map(({ alertId }) => alertId))]);
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
      toldAgain: again.get(row.incidentId) ?? [],
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
    toldAgain: [],
  };
}

/** When to evaluate again what nobody is notified of now; null when people may be notified. */
function holdOf(
  child: Parameters<typeof heldByParents>[0],
  around: {
    monitor: ToldMonitor;
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
