import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Severity } from '../../model/condition.ts';
import {
  endingsOf,
  evidenceOf,
  flapEpisodesOf,
  deletedMonitors,
} from '../../store/alerting/alert-facts.ts';
import {
  deleteRecipients,
  endGrouping,
  writeAlerts,
  writeNotifiedIncidents,
  writeRecipients,
  type AlertChange,
  type MemberRow,
  groupingWindowsOf,
  openGroupingWindows,
} from '../../store/alerting/alert-steps.ts';
import { dueAlerts, type AlertRow } from '../../store/alerting/alerts.ts';
import { enqueueDeliveries } from '../../store/alerting/destinations.ts';
import { unobservedOf, type Outage } from '../../engine/history/stored-uptime.ts';
import type { Database } from '../../store/database/contract.ts';
import type { Schema } from '../../store/database/schema.ts';
import { lockFanOut } from '../../store/engine/events.ts';
import { MAX_LISTED_INCIDENTS, messageIncidentOf, totalsOf } from '../message/index.ts';
import type { MessageContent } from '../message/index.ts';
import {
  FLAPPING_MS,
  GROUPING_MS,
  POLICIES,
  stepAlert,
  windowEnd,
  worstOf,
} from '../policy/index.ts';
import type { Alert, AlertStep, Notification, Policy, Reach } from '../policy/index.ts';
import { groupDueAlerts } from './group-alerts.ts';
import { audienceOf, readAlertStates } from './read-alerts.ts';
import type { AlertState, Evaluation, Monitors } from './read-alerts.ts';

/** Alerts in one transaction. */
const MAX_ALERTS = 100;

/**
 * Evaluates the alerts that are due, and enqueues messages, all in one transaction: so each is sent once, whatever
 * crashes.
 *
 * @param mail whether mail can be sent.
 * @returns the number of alerts.
 */
export async function stepAlerts(
  database: Database,
  options: { now: number; mail: boolean; limit?: number; policies?: readonly Policy[] },
): Promise<number> {
  const { now, mail, limit = MAX_ALERTS, policies = POLICIES } = options;
  return database.transaction(async (tx) => {
    await lockFanOut(tx);
    const due = await dueAlerts(tx, now, limit);
    for (const [teamId, alerts] of Map.groupBy(due, (alert) => alert.team_id)) {
      const audience = await audienceOf(tx, teamId, { mail, now });
      await stepTeam(tx, alerts, { audience, policies, now });
    }
    return due.length;
  });
}

interface Stepped extends AlertState {
  step: AlertStep;
}

async function stepTeam(
  tx: Transaction<Schema>,
  alerts: readonly AlertRow[],
  evaluation: Evaluation,
): Promise<void> {
  const { audience, policies, now } = evaluation;
  const { id: teamId } = audience.team;
  const channels = new Map(audience.channels.map((channel) => [channel.destinationId, channel]));
  const windows = await groupingWindowsOf(tx, teamId, now - GROUPING_MS);
  const due = await readAlertStates(tx, alerts, evaluation);
  const question = { ...evaluation, teamId, due, reach: { channels, windows } };
  const { states, monitors, reach } = await groupDueAlerts(tx, question);
  const steps = states.map((state): Stepped => {
    return { ...state, step: stepAlert(state, reach, policies, now) };
  });
  await writeSteps(tx, steps, now);
  await openGroupingWindows(tx, teamId, openedBy(steps, reach, now), now);
  const notified = steps.flatMap(({ step, ...state }) =>
    step.notifications.map((notification) => ({ ...state, kind: step.kind, notification })),
  );
  const contents = await contentsOf(tx, { notified, monitors, team: audience.team, now });
  const deliveries = notified.map(({ alert, notification }, index) => ({
    destinationId: notification.destinationId,
    teamId,
    messageId: `msg_${randomUUID()}`,
    kind: notification.kind,
    eventType: null,
    incidentId: notification.incidentIds.length === 1 ? notification.incidentIds[0]! : null,
    alertId: alert.id,
    body: JSON.stringify(contents[index]),
  }));
  await enqueueDeliveries(tx, deliveries, now);
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
  const opened = Map.groupBy(
    steps.flatMap(({ step }) => step.opened),
    ({ destinationId }) => destinationId,
  );
  return [...opened]
    .map(([destinationId, own]) => ({ destinationId, severity: worstOf(own) }))
    .filter(({ destinationId }) => windowEnd(windows.get(destinationId), 'info', now) === null);
}

/** Writes what the steps make of their alerts, and who knows of them then. */
async function writeSteps(
  tx: Transaction<Schema>,
  steps: readonly Stepped[],
  now: number,
): Promise<void> {
  await writeAlerts(tx, steps.map(changeOf));
  const settled = steps.filter(({ step }) => step.notifiedAt !== null || step.overAt !== null);
  await endGrouping(
    tx,
    settled.flatMap(({ row }) => (row.groupable_until === null ? [] : row.id)),
  );
  const { recipients = [], former = [] } = Object.groupBy(
    steps.flatMap(({ alert, step }) =>
      step.notifications.map((notification) => ({ ...notification, alertId: alert.id })),
    ),
    ({ kind }) => (kind === 'recovery' ? 'former' : 'recipients'),
  );
  await writeRecipients(tx, recipients, now);
  await deleteRecipients(tx, former);
  const notified = steps.flatMap(({ alert, members, step, notified: before }) => {
    const over = members.flatMap(({ incidentId, endedAt, endHeldUntil }) =>
      endedAt !== null && endHeldUntil === null ? incidentId : [],
    );
    return step.notifications.map(({ destinationId, incidentIds }) => {
      const { incidents = [], ends = [] } = before.get(destinationId) ?? {};
      const named = new Set(incidentIds);
      return {
        alertId: alert.id,
        destinationId,
        incidents: new Map([...incidents, ...incidentIds.map((id) => [id, now] as const)]),
        ends: new Set([
          ...[...ends].filter((id) => !named.has(id)),
          ...over.filter((id) => named.has(id)),
        ]),
      };
    });
  });
  await writeNotifiedIncidents(tx, notified);
}

function changeOf({ row, members, step }: Stepped): AlertChange {
  const open = members.filter(({ endedAt }) => endedAt === null);
  const isNotified = step.notifications.some(({ kind }) => kind !== 'recovery');
  return {
    id: row.id,
    kind: step.kind,
    severity: open.length === 0 ? (row.severity as Severity) : worstOf(open),
    notifiedAt: step.notifiedAt,
    notifiedCount: isNotified ? members.length : row.notified_count,
    overAt: step.overAt,
    nextAt: step.nextAt,
  };
}

/** A notification, and the alert as the step leaves it. */
interface Notified extends Pick<AlertState, 'alert' | 'rows'> {
  kind: Alert['kind'];
  notification: Notification;
}

/** The current content of each notification, in their order. */
async function contentsOf(
  tx: Transaction<Schema>,
  question: {
    notified: readonly Notified[];
    monitors: Monitors;
    team: { id: number; name: string };
    now: number;
  },
): Promise<MessageContent[]> {
  const { notified, monitors, team, now } = question;
  const named = notified.map(({ notification, rows }) => namedBy(notification.incidentIds, rows));
  const listed = named.map(listOf);
  const shown = [...new Set(listed.flat().map(({ incidentId }) => incidentId))];
  const evidence = Map.groupBy(await evidenceOf(tx, shown), (row) => row.incident_id);
  const endings = await endingsOf(tx, shown);
  const unobserved = await unobservedOf(
    { read: tx, scan: tx },
    named.flat().flatMap(outageOf),
    now,
  );
  const episodes = await flapEpisodesOf(tx, notified.flatMap(firstEpisodeOf), FLAPPING_MS);
  const missing = listed
    .flat()
    .flatMap(({ monitorId }) => (monitors.has(monitorId) ? [] : monitorId));
  const former = await deletedMonitors(tx, [...new Set(missing)]);
  const show = ({ incident, incidentId, monitorId }: MemberRow, openedAt: number) =>
    messageIncidentOf(
      {
        incident,
        incidentId,
        monitorId,
        monitor: monitors.get(monitorId) ?? null,
        former: former.get(monitorId) ?? null,
        openedAt,
        evidence: (evidence.get(incidentId) ?? []).map((one) => one.evidence),
        ending: endings.get(incidentId) ?? null,
        unobservedMs: unobserved([incidentId]) ?? 0,
      },
      now,
    );
  return notified.map((one, index) => {
    const { alert, kind, notification } = one;
    const flapping = firstEpisodeOf(one).map((id) => episodes.get(id))[0];
    return {
      kind: notification.kind,
      team,
      severity: notification.severity,
      at: now,
      alert: { id: alert.id, kind, sharedCause: alert.sharedCause },
      troubles: listed[index]!.map((row) => show(row, alert.openedAt)),
      troubleCount: notification.incidentIds.length,
      ...(named[index]!.length > 1 && {
        totals: totalsOf(named[index]!, (id) => monitors.has(id), now),
        unobservedMs: unobserved(notification.incidentIds) ?? 0,
      }),
      ...(flapping !== undefined && { flapping }),
      headline: null,
      text: null,
      silence: null,
    };
  });
}

/** The first incident of a flapping alert, since those before it were notified one by one. */
function firstEpisodeOf({ kind, rows }: Notified): number[] {
  if (kind !== 'flapping' || rows.length === 0) return [];
  return [Math.min(...rows.map(({ incidentId }) => incidentId))];
}

function namedBy(incidentIds: readonly number[], rows: readonly MemberRow[]): MemberRow[] {
  const wanted = new Set(incidentIds);
  return rows.filter(({ incidentId }) => wanted.has(incidentId));
}

function outageOf({ incident, incidentId, monitorId }: MemberRow): Outage[] {
  if (incident === null) return [];
  const { started_at: startedAt, ended_at: endedAt } = incident;
  return [{ incidentId, monitorId, startedAt, endedAt }];
}

const isOpen = ({ incident }: MemberRow) => incident !== null && incident.ended_at === null;

/** The newest are listed, and those that go on before those that are over. */
function listOf(named: readonly MemberRow[]): MemberRow[] {
  const ordered = [...named.filter((row) => !isOpen(row)), ...named.filter(isOpen)];
  return ordered.slice(-MAX_LISTED_INCIDENTS);
}
