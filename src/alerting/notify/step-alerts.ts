import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Severity } from '../../model/condition.ts';
import {
  deferMembers,
  deleteRecipients,
  endGrouping,
  writeAlerts,
  writeRecipients,
  type AlertChange,
} from '../../store/alerting/alert-steps.ts';
import { dueAlerts, type AlertRow } from '../../store/alerting/alerts.ts';
import type { Database } from '../../store/database/contract.ts';
import { enqueueDeliveries } from '../../store/alerting/destinations.ts';
import { lockFanOut } from '../../store/engine/events.ts';
import { groupingWindowsOf, openGroupingWindows } from '../../store/alerting/grouping-windows.ts';
import type { Schema } from '../../store/database/schema.ts';
import {
  isKnownToSome,
  isWorse,
  worstOf,
  type Alert,
  type AlertStep,
  type Reach,
  stepAlert,
  GROUPING_MS,
  windowEnd,
} from '../policy/index.ts';
import { readAlertStates, type AlertState, audienceOf } from './read-alerts.ts';
import { noticesOf } from './alert-messages.ts';
import { groupDueAlerts } from './group-alerts.ts';

/** Alerts in one transaction. */
const AT_ONCE = 100;

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
    await lockFanOut(tx);
    const due = await dueAlerts(tx, now, limit);
    for (const [teamId, alerts] of Map.groupBy(due, (alert) => alert.team_id))
      await stepTeam(tx, { teamId, alerts, now, mail });
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
  { teamId, alerts, now, mail }: TeamStep,
): Promise<void> {
  const audience = await audienceOf(tx, teamId, { mail, now });
  const channels = new Map(audience.channels.map((channel) => [channel.destinationId, channel]));
  const windows = await groupingWindowsOf(tx, teamId, now - GROUPING_MS);
  const due = await readAlertStates(tx, { alerts, audience, now });
  const question = { teamId, due, audience, reach: { channels, windows }, now };
  const { states, monitors, reach } = await groupDueAlerts(tx, question);
  const steps = states.map((state): Stepped => {
    const { alert, members, recipients } = state;
    return { ...state, step: stepAlert(stateOf(alert), members, recipients, reach, now) };
  });
  await write(tx, steps, now);
  await openGroupingWindows(tx, teamId, openedBy(steps, reach, now), now);
  const told = steps.flatMap(({ alert, rows, step: { notifications: tellings, kind } }) =>
    tellings.map((telling) => ({ alert, kind, telling, rows })),
  );
  const notices = await noticesOf(tx, { told, monitors, team: audience.team, now });
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
  await enqueueDeliveries(tx, deliveries, now);
}

function stateOf(row: AlertRow): Alert {
  return {
    id: row.id,
    kind: row.kind as Alert['kind'],
    openedAt: row.opened_at,
    sharedCause: row.shared_cause,
    notifiedAt: row.told_at,
  };
}

/**
 * The windows that these steps open, with the worst that each channel is notified of. One that is open already stays as
 * it is, so that what waits for it does not wait longer.
 */
function openedBy(
  steps: readonly Stepped[],
  { windows }: Reach,
  now: number,
): { destinationId: number; severity: Severity }[] {
  const worst = new Map<number, Severity>();
  for (const { destinationId, severity } of steps.flatMap(({ step }) => step.opened)) {
    const known = worst.get(destinationId);
    if (known === undefined || isWorse(severity, known)) worst.set(destinationId, severity);
  }
  return [...worst]
    .map(([destinationId, severity]) => ({ destinationId, severity }))
    .filter(({ destinationId }) => windowEnd(windows.get(destinationId), 'info', now) === null);
}

interface Stepped extends AlertState {
  step: AlertStep;
}

/** What the steps make of their alerts, and who knows of them then. */
async function write(
  tx: Transaction<Schema>,
  steps: readonly Stepped[],
  now: number,
): Promise<void> {
  await writeAlerts(tx, steps.map(changeOf));
  const settled = steps.filter(({ step }) => step.notifiedAt !== null || step.overAt !== null);
  await endGrouping(
    tx,
    settled.flatMap(({ alert }) => (alert.gather_until === null ? [] : alert.id)),
  );
  await deferMembers(tx, steps.flatMap(untold), now + 1);
  const tellings = steps.flatMap(({ alert, step }) =>
    step.notifications.map(({ kind, destinationId, severity }) => ({
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
    tellings.filter(({ isLast }) => isLast),
  );
}

/** What is held while others of the same alert are told to somebody who would hear of it, and has not. */
function untold({ alert, members, recipients, step }: Stepped) {
  const lastTold = new Map(recipients.map((one) => [one.destinationId, one.lastNotifiedAt]));
  return (
    members
      .filter(({ heldUntil: until, endedAt }) => until !== null && endedAt === null)
      // What somebody knows of stays theirs. The others hear of it at once: see stepAlert.
      .filter((member) => !isKnownToSome(member, recipients))
      .filter(({ incidentId, joinedAt, targets }) =>
        step.notifications.some(
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
  const isTold = step.notifications.some(({ kind }) => kind !== 'recovery');
  return {
    id: alert.id,
    kind: step.kind,
    severity: open.length === 0 ? (alert.severity as Severity) : worstOf(open),
    notifiedAt: step.notifiedAt,
    notifiedCount: isTold ? members.length : alert.told_count,
    overAt: step.overAt,
    nextAt: step.nextAt,
  };
}
