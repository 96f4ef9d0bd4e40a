import { type Outage, unobservedOf } from '../../engine/history/stored-uptime.ts';
import { randomUUID } from 'node:crypto';
import { sentAlerts } from '../../store/alerting/alert-view.ts';
import type { NewDelivery } from '../../store/alerting/destinations.ts';
import type { TeamEvaluation, AlertState, Evaluation, Monitors } from './read-alerts.ts';
import type { Severity } from '../../model/condition.ts';
import { alertFacts, type MemberRow } from '../../store/alerting/alert-facts.ts';
import { alertSteps, type AlertChange } from '../../store/alerting/alert-steps.ts';
import type { Tx } from '../../store/database/contract.ts';
import {
  MAX_LISTED_INCIDENTS,
  messageIncidentOf,
  totalsOf,
  type MessageContent,
} from '../message/content.ts';
import { FLAPPING_MS } from '../policy/changes.ts';
import { windowEnd } from '../policy/holds.ts';
import {
  worstOf,
  type Alert,
  type AlertStep,
  type Notification,
  type Reach,
} from '../policy/contract.ts';

interface Stepped extends AlertState {
  step: AlertStep;
}

/** Writes what the steps make of their alerts, who knows of them then, and the grouping windows that they open. */
export async function writeSteps(
  tx: Tx,
  steps: readonly Stepped[],
  { audience, reach, now }: TeamEvaluation,
): Promise<void> {
  const store = alertSteps(tx);
  await store.writeAlerts(steps.map(changeOf));
  const settled = steps.filter(({ step }) => step.notifiedAt !== null || step.overAt !== null);
  await store.endGrouping(
    settled.flatMap(({ row }) => (row.groupable_until === null ? [] : row.id)),
  );
  const { recipients = [], former = [] } = Object.groupBy(
    steps.flatMap(({ alert, step }) =>
      step.notifications.map((notification) => ({ ...notification, alertId: alert.id })),
    ),
    ({ kind }) => (kind === 'recovery' ? 'former' : 'recipients'),
  );
  await store.writeRecipients(recipients, now);
  await store.deleteRecipients(former);
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
  await store.writeNotifiedIncidents(notified);
  await store.openGroupingWindows(audience.team.id, openedBy(steps, reach, now), now);
}

/**
 * The windows that these steps open, with the worst that each channel is notified of. One that is open already stays as
 * it is, so that what waits for it does not wait longer.
 */
function openedBy(steps: readonly Stepped[], { windows }: Reach, now: number) {
  const opened = Map.groupBy(
    steps.flatMap(({ step }) => step.opened),
    ({ destinationId }) => destinationId,
  );
  return [...opened]
    .map(([destinationId, own]) => ({ destinationId, severity: worstOf(own) }))
    .filter(({ destinationId }) => windowEnd(windows.get(destinationId), 'info', now) === null);
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

/** The messages that these steps ask for, with the facts as they are now. */
export async function messagesOf(
  tx: Tx,
  steps: readonly Stepped[],
  monitors: Monitors,
  { audience: { team }, now }: Evaluation,
): Promise<NewDelivery[]> {
  const notified = steps.flatMap(({ step, alert, rows }) =>
    step.notifications.map((notification): Notified => {
      return { alert, rows, kind: step.kind, notification };
    }),
  );
  const contents = await contentsOf(tx, notified, { monitors, team, now });
  return notified.map(({ alert, notification }, index) => ({
    destinationId: notification.destinationId,
    teamId: team.id,
    messageId: `msg_${randomUUID()}`,
    kind: notification.kind,
    incidentId: notification.incidentIds.length === 1 ? notification.incidentIds[0]! : null,
    alertId: alert.id,
    body: JSON.stringify(contents[index]),
  }));
}

async function contentsOf(
  tx: Tx,
  notified: readonly Notified[],
  {
    monitors,
    team,
    now,
  }: { monitors: Monitors; team: Evaluation['audience']['team']; now: number },
): Promise<MessageContent[]> {
  const named = notified.map(({ notification, rows }) => namedBy(notification.incidentIds, rows));
  const listed = named.map(listOf);
  const shown = [...new Set(listed.flat().map(({ incidentId }) => incidentId))];
  const evidence = Map.groupBy(await sentAlerts(tx).evidenceOf(shown), (row) => row.incident_id);
  const facts = alertFacts(tx);
  const endings = await facts.endings(shown);
  const outages = named.flat().flatMap(outageOf);
  const unobserved = await unobservedOf({ read: tx, scan: tx }, outages, now);
  const episodes = await facts.episodes(notified.flatMap(firstEpisodeOf), {
    withinMs: FLAPPING_MS,
  });
  const show = ({ incident, incidentId, monitorId }: MemberRow, openedAt: number) =>
    messageIncidentOf(
      {
        incident,
        incidentId,
        monitorId,
        monitor: monitors.existing.get(monitorId) ?? null,
        former: monitors.deleted.get(monitorId) ?? null,
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
        totals: totalsOf(named[index]!, (id) => monitors.existing.has(id), now),
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
