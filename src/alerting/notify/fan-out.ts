import { randomUUID } from 'node:crypto';
import type { Severity } from '../../model/condition.ts';
import { alertFacts } from '../../store/alerting/alert-facts.ts';
import {
  scheduleAlertsOfIncidents,
  alertStore,
  type NewAlert,
  type OpenAlert,
} from '../../store/alerting/alerts.ts';
import { type NewDelivery, destinationStore } from '../../store/alerting/destinations.ts';
import { type EventRow, type AlertedMonitor, eventQueue } from '../../store/engine/events.ts';
import { windowOccurrences } from '../../store/engine/maintenance.ts';
import type { Tx } from '../../store/database/contract.ts';
import { firstRuling, type Policy } from '../policy/contract.ts';
import { FLAPPING_MS, isFlapping } from '../policy/changes.ts';
import { isPushType } from '../../monitor-types/registry.ts';
import { audienceOf, selectTargets, type Evaluation } from './read-alerts.ts';
import { systemMessagesTo } from './system-messages.ts';

interface EventQuestion {
  monitors: ReadonlyMap<number, AlertedMonitor>;
  policies: readonly Policy[];
  now: number;
}

export async function classify(
  tx: Tx,
  events: readonly EventRow[],
  { monitors, policies, now }: EventQuestion,
) {
  const teams = [...new Set(events.map((event) => event.team_id))];
  const windows = Map.groupBy(
    await windowOccurrences(tx).openOfTeams(teams, now),
    ({ teamId }) => teamId,
  );
  const ended = events.flatMap(({ kind, incident_id: id }) =>
    kind === 'resolve' && id !== null ? [id] : [],
  );
  const waiting = await eventQueue(tx).pendingOpenings(ended);
  const sent: EventRow[] = [];
  const dropped: number[] = [];
  let held: { id: number; until: number }[] = [];
  const unsent = new Map(waiting.map(({ id, incidentId }) => [incidentId, id]));
  const byHand = await eventQueue(tx).endedManually(events.flatMap(wasHeld));
  // Incidents that somebody reopened are known, although the event of their opening waits.
  const known = new Set(
    (await alertStore(tx).openWith([...unsent.keys()])).map((one) => one.incidentId),
  );
  /** Openings of incidents that are over: an opening that was held may come after its end. */
  const over = new Set<number>();
  for (const event of events) {
    const incidentId = event.incident_id ?? 0;
    if (event.kind === 'resolve') {
      const opening = unsent.get(incidentId);
      // Where its opening waits, it is over before anybody was notified of it.
      if (opening === undefined || known.has(incidentId)) sent.push(event);
      else dropped.push(event.id);
      if (opening === undefined) continue;
      dropped.push(opening);
      held = held.filter(({ id }) => id !== opening);
      over.add(opening);
      continue;
    }
    if (over.has(event.id)) continue;
    const monitor = monitors.get(event.monitor_id);
    const ownWindows = windows.get(event.team_id) ?? [];
    const wait = monitor && firstRuling(policies, 'event', { monitor, windows: ownWindows }, now);
    if (monitor === undefined || byHand.has(incidentId)) dropped.push(event.id);
    else if (wait != null) held.push({ id: event.id, until: wait.until });
    else {
      sent.push(event);
      unsent.delete(incidentId);
    }
  }
  return { sent, held, dropped };
}

/** The incident of an opening that was held: holding moves `fan_out_at` beyond the time of the event. */
function wasHeld({ kind, incident_id, fan_out_at, created_at }: EventRow): number[] {
  return kind === 'open' && incident_id !== null && fan_out_at! > created_at ? [incident_id] : [];
}

/** Webhook endpoints get one end for each opening that they got, and none of an incident that only people know of. */
export async function webhookDeliveries(
  tx: Tx,
  events: readonly EventRow[],
  { monitors, policies, now }: EventQuestion,
): Promise<NewDelivery[]> {
  const ends = events.flatMap(({ kind, id }) => (kind === 'resolve' ? [id] : []));
  const unknown = await eventQueue(tx).unannouncedEnds(ends);
  /** Whether the monitor of an event has settings that leave webhook endpoints out. */
  const isLeftOut = (event: EventRow) => {
    const settings = monitors.get(event.monitor_id)?.notificationSettings ?? null;
    const subject = { settings, severities: severitiesOf(event), type: 'webhook' };
    return firstRuling(policies, 'target', subject, now) !== null;
  };
  const announced = events.filter((event) => !unknown.has(event.id) && !isLeftOut(event));
  const endpoints = Map.groupBy(
    await eventQueue(tx).activeEndpoints([...new Set(announced.map((event) => event.team_id))]),
    ({ teamId }) => teamId,
  );
  return announced.flatMap((event) =>
    (endpoints.get(event.team_id) ?? [])
      .filter(({ severities }) => severitiesOf(event).some((one) => severities.includes(one)))
      .map(({ destinationId }) => ({
        destinationId,
        teamId: event.team_id,
        messageId: `msg_${randomUUID()}`,
        kind: 'event',
        eventType: event.type,
        monitorId: event.monitor_id,
        incidentId: event.incident_id,
        body: event.payload,
      })),
  );
}

/** A recovery is `info`, and also goes to endpoints that got the opening, which was more severe. */
function severitiesOf({ kind, severity, incident_severity: begun }: EventRow): Severity[] {
  const isEnd = kind === 'resolve' && begun !== null;
  return (isEnd ? [severity, begun] : [severity]) as Severity[];
}

/** Opens alerts for incidents that began, and schedules those of incidents that ended. @returns the number of new alerts. */
export async function openAlerts(tx: Tx, events: readonly EventRow[], now: number) {
  const changes = events.filter((event) => event.incident_id !== null);
  if (changes.length === 0) return 0;
  const ended = changes.filter(({ kind }) => kind === 'resolve');
  const begun = changes.filter(({ kind }) => kind === 'open');
  const becameOthers = ended.filter(({ reason }) => reason === 'changed_over');
  const alerts = alertStore(tx);
  await alerts.markSucceeded(idsOf(becameOthers));
  await scheduleAlertsOfIncidents(tx, idsOf(ended), now);
  const counts = await alertFacts(tx).episodes(idsOf(begun), { since: now - FLAPPING_MS });
  const open = await alerts.openOf([...new Set(begun.map((event) => event.monitor_id))]);
  // Somebody reopened these, and now their event is there.
  const again = await alerts.openWith(idsOf(begun));
  await alerts.joinAgain(again, now);
  const reopened = new Set(again.map(({ incidentId }) => incidentId));
  const fresh: NewAlert[] = [];
  const joining: { alertId: number; incidentId: number; monitorId: number }[] = [];
  for (const event of begun) {
    const { team_id: teamId, monitor_id: monitorId, incident_type: incidentType } = event;
    const incidentId = event.incident_id!;
    if (reopened.has(incidentId)) continue;
    const known = alertOf(event, open);
    if (known !== undefined) {
      joining.push({ alertId: known.id, incidentId, monitorId });
      continue;
    }
    const flaps = isFlapping(counts.get(incidentId)?.incidents ?? 1);
    const severity = event.severity as Severity;
    const kind = flaps ? 'flapping' : 'single';
    fresh.push({
      teamId,
      kind,
      severity,
      monitorId,
      incidentId,
      incidentType,
      isGroupable: !flaps,
    });
  }
  await alerts.join(joining, now);
  await alerts.schedule([...new Set(joining.map(({ alertId }) => alertId))], now);
  await alerts.insert(fresh, now);
  return fresh.length;
}

/**
 * Finds the alert that an incident joins. An incident that another one changed over into joins the alert of its
 * predecessor, the latest that waits for a successor. An incident of a flapping monitor joins the monitor's one alert.
 */
function alertOf(event: EventRow, open: readonly OpenAlert[]): OpenAlert | undefined {
  const ofMonitor = open.filter(({ monitorId }) => monitorId === event.monitor_id);
  const before =
    event.reason === 'changed_over'
      ? ofMonitor.filter(({ handedOverBy }) => handedOverBy !== null && handedOverBy < event.id)
      : [];
  if (before.length > 0)
    return before.reduce((a, b) => (a.handedOverBy! < b.handedOverBy! ? b : a));
  return ofMonitor.find(
    (one) => one.kind === 'flapping' && one.incidentType === event.incident_type,
  );
}

const idsOf = (events: readonly EventRow[]) => events.map((event) => event.incident_id!);

const HEADLINES: Record<string, string> = {
  'monitor.dns_changed': 'DNS records changed',
};

export async function notifyWithoutAlert(
  tx: Tx,
  events: readonly EventRow[],
  { monitors, ...question }: EventQuestion & { mail: boolean },
): Promise<void> {
  const notices = events.filter(({ kind }) => kind === 'notice');
  for (const [teamId, ofTeam] of Map.groupBy(notices, (event) => event.team_id)) {
    const evaluation = { ...question, audience: await audienceOf(tx, teamId, question) };
    const deliveries = ofTeam.flatMap((event) => {
      const monitor = monitors.get(event.monitor_id);
      return monitor === undefined ? [] : systemMessagesOf(event, monitor, evaluation);
    });
    await destinationStore(tx).enqueue(deliveries, question.now);
  }
}

function systemMessagesOf(event: EventRow, monitor: AlertedMonitor, evaluation: Evaluation) {
  const { audience, now } = evaluation;
  const severity = event.severity as Severity;
  const { status } = JSON.parse(event.payload) as { status: { root_cause: string | null } };
  const name = monitor.name ?? (isPushType(monitor.type) ? `Monitor ${monitor.id}` : monitor.url);
  const message = {
    team: audience.team,
    severity,
    headline: `${HEADLINES[event.type] ?? 'Worth knowing'}: ${name}`,
    text: status.root_cause === null ? null : `${status.root_cause}.`,
    eventType: event.type,
  };
  const atOnce = selectTargets(monitor, severity, evaluation).filter(
    ({ afterMinutes }) => afterMinutes === 0,
  );
  const destinationIds = atOnce.map(({ channel }) => channel.destinationId);
  return systemMessagesTo(destinationIds, message, now);
}
