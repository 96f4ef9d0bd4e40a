import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { heldUntil } from '../maintenance/window.ts';
import type { Severity } from '../model/condition.ts';
import {
  deferMembers,
  deleteRecipients,
  endsSeen,
  membersOf,
  recipientsOf,
  toldAgain,
  writeAlerts,
  writeRecipients,
} from '../store/alert-steps.ts';
import { dueAlerts } from '../store/alerts.ts';
import type { AlertChange, MemberRow } from '../store/alert-steps.ts';
import type { AlertRow } from '../store/alerts.ts';
import type { Database } from '../store/contract.ts';
import { parentsOf } from '../store/dependencies.ts';
import { enqueueDeliveries } from '../store/destinations.ts';
import { takeTurn, toldMonitors, waitingSuccessors } from '../store/events.ts';
import type { ToldMonitor } from '../store/events.ts';
import { activeWindowsOf } from '../store/maintenance.ts';
import type { Schema } from '../store/schema.ts';
import { isHeardOf, worstOf } from './alert-members.ts';
import { stepAlert } from './alert.ts';
import type { AlertStep, Member, Recipient } from './alert.ts';
import { audienceOf } from './audience.ts';
import type { Audience } from './audience.ts';
import { heldByParents } from './hold.ts';
import type { ParentState } from './hold.ts';
import { noticesOf } from './notices.ts';
import { targetsOf } from './route.ts';
import { mergeStorms } from './storms.ts';

/** Alerts in one transaction. */
const AT_ONCE = 100;
/** A paused monitor is looked at again so long after: whoever resumes it does not wait for us. */
const PAUSED_AGAIN_MS = 5 * 60_000;
/** So is one that is in maintenance, at the latest. */
const HELD_AGAIN_MS = 60_000;
/** What an incident became is not handed on yet. */
const SUCCESSOR_AGAIN_MS = 10_000;

/**
 * Looks at the alerts that are due, and enqueues what people are told, all in one transaction: so each is told once,
 * whatever crashes.
 *
 * @param mail whether mail can be sent.
 * @returns how many were looked at.
 */
export async function stepAlerts(
  database: Database,
  { now, mail, limit = AT_ONCE }: { now: number; mail: boolean; limit?: number },
): Promise<number> {
  return database.transaction(async (tx) => {
    await takeTurn(tx, database.engine);
    const due = await dueAlerts(tx, database.engine, now, limit);
    for (const [teamId, alerts] of Map.groupBy(due, (alert) => alert.team_id)) {
      const merged = await mergeStorms(tx, database.engine, { teamId, alerts, now });
      await stepTeam(tx, database, { teamId, alerts: merged, now, mail });
    }
    return due.length;
  });
}

interface TeamStep {
  teamId: number;
  alerts: readonly AlertRow[];
  now: number;
  mail: boolean;
}

async function stepTeam(
  tx: Transaction<Schema>,
  { engine }: Database,
  { teamId, alerts, now, mail }: TeamStep,
): Promise<void> {
  const ids = alerts.map(({ id }) => id);
  const audience = await audienceOf(tx, teamId, { mail, now });
  const rows = await membersOf(tx, engine, ids);
  const monitors = await toldMonitors(
    tx,
    engine,
    rows.map((row) => row.monitorId),
  );
  const members = await readMembers(tx, engine, { rows, monitors, audience, now });
  const recipients = Map.groupBy(await recipientsOf(tx, ids), (row) => row.alert_id);
  const channels = new Map(audience.channels.map((channel) => [channel.destinationId, channel]));
  const rowsOf = Map.groupBy(rows, ({ alertId }) => alertId);
  const steps = alerts.map((alert) => {
    const own = members.get(alert.id) ?? [];
    const told = (recipients.get(alert.id) ?? []).map(recipientOf);
    const step = stepAlert(stateOf(alert), own, told, channels, now);
    return { alert, members: own, recipients: told, step };
  });
  await write(tx, engine, steps, now);
  const told = steps.flatMap(({ alert, step: { tellings, kind } }) =>
    tellings.map((telling) => ({ alert, kind, telling, rows: rowsOf.get(alert.id) ?? [] })),
  );
  const notices = await noticesOf(tx, engine, { told, monitors, team: audience.team, now });
  const deliveries = told.map(({ alert, telling }, index) => ({
    destinationId: telling.destinationId,
    teamId,
    messageId: `msg_${randomUUID()}`,
    kind: telling.kind,
    eventType: null,
    incidentId: telling.incidentIds.length === 1 ? telling.incidentIds[0]! : null,
    alertId: alert.id,
    body: JSON.stringify(notices[index]),
  }));
  await enqueueDeliveries(tx, engine, deliveries, now);
}

function stateOf(row: AlertRow) {
  return {
    id: row.id,
    kind: row.kind as 'single' | 'storm' | 'flapping',
    openedAt: row.opened_at,
    gatherUntil: row.gather_until,
    toldAt: row.told_at,
  };
}

function recipientOf(row: Awaited<ReturnType<typeof recipientsOf>>[number]): Recipient {
  return {
    destinationId: row.destination_id,
    toldAt: row.told_at,
    lastToldAt: row.last_told_at,
    severity: row.severity as Severity,
  };
}

/** The incidents of alerts with all that decides who is told of them, by alert. */
async function readMembers(
  tx: Transaction<Schema>,
  engine: Database['engine'],
  question: {
    rows: readonly MemberRow[];
    monitors: ReadonlyMap<number, ToldMonitor>;
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
  const again = await toldAgain(tx, engine, [...new Set(ended.map(({ alertId }) => alertId))]);
  const seen = await endsSeen(
    tx,
    engine,
    ended.map(({ incidentId }) => incidentId),
  );
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
      const at = row.joinedAt;
      const gone = { severity: 'info' as const, startedAt: at, endedAt: at, endSeenAt: null };
      return {
        ...base,
        ...gone,
        isAcknowledged: false,
        heldUntil: null,
        toldAgain: [],
        targets: [],
      };
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

/** When to look again at what nobody is told of now; null when people may be told. */
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

interface Stepped {
  alert: AlertRow;
  members: readonly Member[];
  /** Who was told before. */
  recipients: readonly Recipient[];
  step: AlertStep;
}

/** What the steps make of their alerts, and who knows of them then. */
async function write(
  tx: Transaction<Schema>,
  engine: Database['engine'],
  steps: readonly Stepped[],
  now: number,
): Promise<void> {
  await writeAlerts(tx, engine, steps.map(changeOf));
  await deferMembers(tx, engine, steps.flatMap(untold), now + 1);
  const tellings = steps.flatMap(({ alert, step }) =>
    step.tellings.map(({ kind, destinationId, severity }) => ({
      alertId: alert.id,
      destinationId,
      severity,
      isLast: kind === 'recovery',
    })),
  );
  await writeRecipients(
    tx,
    tellings.filter(({ isLast }) => !isLast),
    now,
  );
  await deleteRecipients(
    tx,
    engine,
    tellings.filter(({ isLast }) => isLast),
  );
}

/** What is held while others of the same alert are told to somebody who would hear of it, and has not. */
function untold({ alert, members, recipients, step }: Stepped) {
  const lastTold = new Map(recipients.map((one) => [one.destinationId, one.lastToldAt]));
  return (
    members
      .filter(({ heldUntil: until, endedAt }) => until !== null && endedAt === null)
      // What somebody knows of stays theirs. The others hear of it at once: see stepAlert.
      .filter((member) => !isHeardOf(member, recipients))
      .filter(({ incidentId, joinedAt, targets }) =>
        step.tellings.some(
          ({ destinationId, incidentIds }) =>
            !incidentIds.includes(incidentId) &&
            (lastTold.get(destinationId) ?? 0) < joinedAt &&
            targets.some(({ channel }) => channel.destinationId === destinationId),
        ),
      )
      .map(({ incidentId }) => ({ alertId: alert.id, incidentId }))
  );
}

function changeOf({ alert, members, step }: Stepped): AlertChange {
  const open = members.filter(({ endedAt }) => endedAt === null);
  const isTold = step.tellings.some(({ kind }) => kind !== 'recovery');
  return {
    id: alert.id,
    kind: step.kind,
    severity: open.length === 0 ? (alert.severity as Severity) : worstOf(open),
    toldAt: step.toldAt,
    toldCount: isTold ? members.length : alert.told_count,
    overAt: step.overAt,
    nextAt: step.nextAt,
  };
}
