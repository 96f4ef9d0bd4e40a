import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Severity } from '../../model/condition.ts';
import { incidentCounts } from '../../store/alerting/alert-facts.ts';
import {
  joinAgain,
  openAlertsWith,
  insertAlerts,
  joinAlerts,
  markSucceeded,
  openAlertsOf,
  wakeAlerts,
  wakeAlertsOfIncidents,
  type NewAlert,
  type OpenAlert,
} from '../../store/alerting/alerts.ts';
import type { Database } from '../../store/database/contract.ts';
import { enqueueDeliveries, type NewDelivery } from '../../store/alerting/destinations.ts';
import {
  activeEndpoints,
  dropEvents,
  dueEvents,
  endedManually,
  unannouncedEnds,
  finishEvents,
  holdEvents,
  lockFanOut,
  alertedMonitors,
  pendingOpenings,
  type EventRow,
  type AlertedMonitor,
} from '../../store/engine/events.ts';
import { openOccurrencesOfTeams } from '../../store/engine/maintenance.ts';
import type { Schema } from '../../store/database/schema.ts';
import { firstRuling, FLAPPING_MS, isFlapping, POLICIES, type Policy } from '../policy/index.ts';
import { isPushType } from '../../monitor-types/registry.ts';
import { audienceOf, notifiedOf, type Evaluation } from './read-alerts.ts';
import { systemMessagesTo } from './system-messages.ts';

/** Events in one transaction. */
const MAX_EVENTS = 500;

/** Counts of one transaction. */
export interface FanOut {
  /** Number of events that were due. */
  events: number;
  deliveries: number;
  alerts: number;
  held: number;
}

/**
 * Hands due events on, in one transaction: to webhook endpoints as deliveries, to people as alerts. An incident that was
 * over before its opening could be sent is sent to nobody.
 */
export async function fanOut(
  database: Database,
  options: { now: number; mail: boolean; limit?: number; policies?: readonly Policy[] },
): Promise<FanOut> {
  const { now, mail, limit = MAX_EVENTS, policies = POLICIES } = options;
  return database.transaction(async (tx) => {
    await lockFanOut(tx);
    const events = await dueEvents(tx, now, limit);
    if (events.length === 0) return { events: 0, deliveries: 0, alerts: 0, held: 0 };
    const monitors = await alertedMonitors(
      tx,
      events.map((event) => event.monitor_id),
    );
    const { sent, held, dropped } = await sort(tx, { events, monitors, policies, now });
    await holdEvents(tx, held);
    await finishEvents(
      tx,
      sent.map(({ id }) => id),
    );
    await dropEvents(tx, dropped);
    const toEndpoints = await sentToEndpoints(tx, sent);
    const deliveries = await deliveriesOf(tx, { events: toEndpoints, monitors, policies, now });
    await enqueueDeliveries(tx, deliveries, now);
    const alerts = await openAlerts(tx, sent, now);
    const withoutIncident = sent.filter(({ kind }) => kind === 'notice');
    await notifyOfEvents(tx, { events: withoutIncident, monitors, policies, mail, now });
    const counts = { deliveries: deliveries.length, alerts, held: held.length };
    return { events: events.length, ...counts };
  });
}

interface Sorted {
  sent: EventRow[];
  held: { id: number; until: number }[];
  dropped: number[];
}

/** Events with the facts that decide where they go. */
interface EventQuestion {
  events: readonly EventRow[];
  monitors: ReadonlyMap<number, AlertedMonitor>;
  policies: readonly Policy[];
  /** Epoch milliseconds. */
  now: number;
}

/** Which events are sent now, which later, and which never. */
async function sort(tx: Transaction<Schema>, question: EventQuestion): Promise<Sorted> {
  const { events, monitors, policies, now } = question;
  const teams = [...new Set(events.map((event) => event.team_id))];
  const windows = Map.groupBy(await openOccurrencesOfTeams(tx, teams, now), ({ teamId }) => teamId);
  const ended = events.flatMap(({ kind, incident_id: id }) =>
    kind === 'resolve' && id !== null ? [id] : [],
  );
  const waiting = await pendingOpenings(tx, ended);
  const sorted: Sorted = { sent: [], held: [], dropped: [] };
  const unsent = new Map(waiting.map(({ id, incidentId }) => [incidentId, id]));
  const byHand = await endedManually(tx, events.flatMap(wasHeld));
  // Incidents that somebody reopened are known, although the event of their opening waits.
  const known = new Set(
    (await openAlertsWith(tx, [...unsent.keys()])).map((one) => one.incidentId),
  );
  /** Openings of incidents that are over: an opening that was held may come after its end. */
  const over = new Set<number>();
  for (const event of events) {
    const incidentId = event.incident_id ?? 0;
    if (event.kind === 'resolve') {
      const opening = unsent.get(incidentId);
      if (opening === undefined) sorted.sent.push(event);
      else {
        // It is over before anybody was notified of it.
        if (known.has(incidentId)) sorted.sent.push(event);
        else sorted.dropped.push(event.id);
        sorted.dropped.push(opening);
        sorted.held = sorted.held.filter(({ id }) => id !== opening);
        over.add(opening);
      }
      continue;
    }
    if (over.has(event.id)) continue;
    const monitor = monitors.get(event.monitor_id);
    const ownWindows = windows.get(event.team_id) ?? [];
    const held = monitor && firstRuling(policies, 'event', { monitor, windows: ownWindows }, now);
    if (monitor === undefined || byHand.has(incidentId)) sorted.dropped.push(event.id);
    else if (held != null) sorted.held.push({ id: event.id, until: held.until });
    else {
      sorted.sent.push(event);
      unsent.delete(incidentId);
    }
  }
  return sorted;
}

/** The incident of an opening that was held: holding moves `fan_out_at` beyond the time of the event. */
function wasHeld({ kind, incident_id, fan_out_at, created_at }: EventRow): number[] {
  return kind === 'open' && incident_id !== null && fan_out_at! > created_at ? [incident_id] : [];
}

/** Webhook endpoints get one end for each opening that they got, and none of an incident that only people know of. */
async function sentToEndpoints(
  tx: Transaction<Schema>,
  events: readonly EventRow[],
): Promise<readonly EventRow[]> {
  const ends = events.flatMap(({ kind, id }) => (kind === 'resolve' ? [id] : []));
  const unknown = await unannouncedEnds(tx, ends);
  return events.filter(({ id }) => !unknown.has(id));
}

async function deliveriesOf(
  tx: Transaction<Schema>,
  { events, monitors, policies, now }: EventQuestion,
): Promise<NewDelivery[]> {
  /** Whether the monitor of an event has settings that leave webhook endpoints out. */
  const isLeftOut = (event: EventRow) => {
    const settings = monitors.get(event.monitor_id)?.notificationSettings ?? null;
    const subject = { settings, severities: severitiesOf(event), type: 'webhook' };
    return firstRuling(policies, 'target', subject, now) !== null;
  };
  const endpoints = Map.groupBy(
    await activeEndpoints(tx, [...new Set(events.map((event) => event.team_id))]),
    ({ teamId }) => teamId,
  );
  return events
    .filter((event) => !isLeftOut(event))
    .flatMap((event) =>
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
          alertId: null,
          body: event.payload,
        })),
    );
}

/** A recovery is `info`, and also goes to endpoints that got the opening, which was more severe. */
function severitiesOf({ kind, severity, incident_severity: begun }: EventRow): Severity[] {
  const isEnd = kind === 'resolve' && begun !== null;
  return (isEnd ? [severity, begun] : [severity]) as Severity[];
}

/** Opens alerts for incidents that began, and wakes those of incidents that ended. @returns the number of new alerts. */
async function openAlerts(
  tx: Transaction<Schema>,
  events: readonly EventRow[],
  now: number,
): Promise<number> {
  const changes = events.filter((event) => event.incident_id !== null);
  if (changes.length === 0) return 0;
  const ended = changes.filter(({ kind }) => kind === 'resolve');
  const begun = changes.filter(({ kind }) => kind === 'open');
  const becameOthers = ended.filter(({ reason }) => reason === 'changed_over');
  await markSucceeded(tx, idsOf(becameOthers), true);
  await wakeAlertsOfIncidents(tx, idsOf(ended), now);
  const counts = await incidentCounts(tx, idsOf(begun), now - FLAPPING_MS);
  const open = await openAlertsOf(tx, [...new Set(begun.map((event) => event.monitor_id))]);
  // Somebody reopened these, and now their event is there.
  const again = await openAlertsWith(tx, idsOf(begun));
  await joinAgain(tx, again, now);
  const reopened = new Set(again.map(({ incidentId }) => incidentId));
  const fresh: EventRow[] = [];
  const joining: { alertId: number; incidentId: number; monitorId: number }[] = [];
  for (const event of begun) {
    if (reopened.has(event.incident_id!)) continue;
    const known = alertOf(event, open);
    const incidentId = event.incident_id!;
    if (known === undefined) fresh.push(event);
    else joining.push({ alertId: known.id, incidentId, monitorId: event.monitor_id });
  }
  await joinAlerts(tx, joining, now);
  await wakeAlerts(tx, [...new Set(joining.map(({ alertId }) => alertId))], now);
  const alerts = fresh.map((event): NewAlert => {
    const incidentId = event.incident_id!;
    const flaps = isFlapping(counts.get(incidentId) ?? 1);
    return {
      teamId: event.team_id,
      kind: flaps ? 'flapping' : 'single',
      severity: event.severity as Severity,
      monitorId: event.monitor_id,
      incidentId,
      incidentType: event.incident_type,
      isGroupable: !flaps,
    };
  });
  await insertAlerts(tx, alerts, now);
  return fresh.length;
}

/**
 * Finds the alert that an incident joins. An incident that another one changed over into joins the alert of its
 * predecessor, the latest that waits for a successor. An incident of a flapping monitor joins the monitor's one alert.
 */
function alertOf(event: EventRow, open: readonly OpenAlert[]): OpenAlert | undefined {
  const own = open.filter(({ monitorId }) => monitorId === event.monitor_id);
  const before =
    event.reason === 'changed_over'
      ? own.filter(({ handedOverBy }) => handedOverBy !== null && handedOverBy < event.id)
      : [];
  if (before.length > 0)
    return before.reduce((a, b) => (a.handedOverBy! < b.handedOverBy! ? b : a));
  return own.find((one) => one.kind === 'flapping' && one.incidentType === event.incident_type);
}

const idsOf = (events: readonly EventRow[]) => events.map((event) => event.incident_id!);

const HEADLINES: Record<string, string> = {
  'monitor.dns_changed': 'DNS records changed',
};

/** Notifies people of events without an incident. */
async function notifyOfEvents(
  tx: Transaction<Schema>,
  question: EventQuestion & { mail: boolean },
): Promise<void> {
  const { events, monitors, policies, now } = question;
  for (const [teamId, own] of Map.groupBy(events, (event) => event.team_id)) {
    const audience = await audienceOf(tx, teamId, question);
    const deliveries = own.flatMap((event) => {
      const monitor = monitors.get(event.monitor_id);
      return monitor === undefined
        ? []
        : systemMessagesOf(event, monitor, { audience, policies, now });
    });
    await enqueueDeliveries(tx, deliveries, now);
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
  const atOnce = notifiedOf(monitor, severity, evaluation).filter(
    ({ afterMinutes }) => afterMinutes === 0,
  );
  const destinationIds = atOnce.map(({ channel }) => channel.destinationId);
  return systemMessagesTo(destinationIds, message, now);
}
