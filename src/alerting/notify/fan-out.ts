import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { heldUntil } from '../../engine/maintenance/window.ts';
import type { Severity } from '../../model/condition.ts';
import { incidentCounts } from '../../store/alerting/alert-facts.ts';
import { joinAgain, openAlertsWith } from '../../store/alerting/alert-reopen.ts';
import {
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
  endedByHand,
  endsOfUnknown,
  finishEvents,
  holdEvents,
  lockFanOut,
  alertedMonitors,
  waitingOpenings,
  type EventRow,
  type AlertedMonitor,
} from '../../store/engine/events.ts';
import { openOccurrencesOfTeams } from '../../store/engine/maintenance.ts';
import type { Schema } from '../../store/database/schema.ts';
import { FLAPPING_MS, isFlapping, targetsOf } from '../policy/index.ts';
import { isPushType } from '../../monitor-types/registry.ts';
import { audienceOf, type Audience } from './read-alerts.ts';
import { plainNoticeTo } from './system-messages.ts';

const AT_ONCE = 500;
/** What is held is looked at again after so long: a window that is ended just then, early, wakes what it sees held. */
const HELD_AGAIN_MS = 60_000;

/** What one turn of handing events on did. */
export interface FanOut {
  /** Events that were looked at. */
  events: number;
  deliveries: number;
  alerts: number;
  held: number;
}

/**
 * Hands due events on, in one transaction: to webhook endpoints as deliveries, for people as alerts. What is in
 * maintenance is held; what was over before it could be told is told to nobody.
 */
export async function fanOut(
  database: Database,
  { now, mail, limit = AT_ONCE }: { now: number; mail: boolean; limit?: number },
): Promise<FanOut> {
  return database.transaction(async (tx) => {
    await lockFanOut(tx);
    const events = await dueEvents(tx, now, limit);
    if (events.length === 0) return { events: 0, deliveries: 0, alerts: 0, held: 0 };
    const monitors = await alertedMonitors(
      tx,
      events.map((event) => event.monitor_id),
    );
    const { tell, held, dropped } = await sort(tx, { events, monitors, now });
    await holdEvents(tx, held);
    await finishEvents(
      tx,
      tell.map(({ id }) => id),
    );
    await dropEvents(tx, dropped);
    const deliveries = await deliveriesOf(tx, await sentToEndpoints(tx, tell));
    await enqueueDeliveries(tx, deliveries, now);
    const alerts = await openAlerts(tx, database, tell, now);
    const notices = tell.filter(({ kind }) => kind === 'notice');
    await notifyOfEvents(tx, { events: notices, monitors, mail, now });
    const counts = { deliveries: deliveries.length, alerts, held: held.length };
    return { events: events.length, ...counts };
  });
}

interface Sorted {
  tell: EventRow[];
  held: { id: number; until: number }[];
  dropped: number[];
}

/** What is told now, what later, and what never. */
async function sort(
  tx: Transaction<Schema>,
  question: {
    events: readonly EventRow[];
    monitors: ReadonlyMap<number, AlertedMonitor>;
    now: number;
  },
): Promise<Sorted> {
  const { events, monitors, now } = question;
  const teams = [...new Set(events.map((event) => event.team_id))];
  const windows = Map.groupBy(await openOccurrencesOfTeams(tx, teams, now), ({ teamId }) => teamId);
  const ended = events.flatMap(({ kind, incident_id: id }) =>
    kind === 'resolve' && id !== null ? [id] : [],
  );
  const waiting = await waitingOpenings(tx, ended);
  const sorted: Sorted = { tell: [], held: [], dropped: [] };
  const untold = new Map(waiting.map(({ id, incidentId }) => [incidentId, id]));
  const byHand = await endedByHand(tx, events.flatMap(wasHeld));
  // Of what somebody opened again they know, though the event of its beginning waits.
  const known = new Set(
    (await openAlertsWith(tx, [...untold.keys()])).map((one) => one.incidentId),
  );
  /** Openings of what is over already: one that was held may come after its end. */
  const over = new Set<number>();
  for (const event of events) {
    const incidentId = event.incident_id ?? 0;
    if (event.kind === 'resolve') {
      const opening = untold.get(incidentId);
      if (opening === undefined) sorted.tell.push(event);
      else {
        // It is over before anybody was told that it began.
        if (known.has(incidentId)) sorted.tell.push(event);
        else sorted.dropped.push(event.id);
        sorted.dropped.push(opening);
        sorted.held = sorted.held.filter(({ id }) => id !== opening);
        over.add(opening);
      }
      continue;
    }
    if (over.has(event.id)) continue;
    const monitor = monitors.get(event.monitor_id);
    const until = monitor && heldUntil(windows.get(event.team_id) ?? [], monitor, now);
    if (monitor === undefined || byHand.has(incidentId)) sorted.dropped.push(event.id);
    else if (until != null)
      sorted.held.push({ id: event.id, until: Math.min(until, now + HELD_AGAIN_MS) });
    else {
      sorted.tell.push(event);
      untold.delete(incidentId);
    }
  }
  return sorted;
}

/** The incident of whose beginning nobody was told yet, as it was held. */
function wasHeld({ kind, incident_id, fan_out_at, created_at }: EventRow): number[] {
  return kind === 'open' && incident_id !== null && fan_out_at! > created_at ? [incident_id] : [];
}

/** Webhook endpoints are sent one end for each beginning that they were sent: not of one that only people know of. */
async function sentToEndpoints(
  tx: Transaction<Schema>,
  events: readonly EventRow[],
): Promise<readonly EventRow[]> {
  const ends = events.flatMap(({ kind, id }) => (kind === 'resolve' ? [id] : []));
  const unknown = await endsOfUnknown(tx, ends);
  return events.filter(({ id }) => !unknown.has(id));
}

async function deliveriesOf(
  tx: Transaction<Schema>,
  events: readonly EventRow[],
): Promise<NewDelivery[]> {
  const endpoints = Map.groupBy(
    await activeEndpoints(tx, [...new Set(events.map((event) => event.team_id))]),
    ({ teamId }) => teamId,
  );
  return events.flatMap((event) =>
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

/** A recovery is `info`, and also goes to endpoints that were sent the beginning, which was more severe. */
function severitiesOf({ kind, severity, incident_severity: begun }: EventRow): Severity[] {
  const isEnd = kind === 'resolve' && begun !== null;
  return (isEnd ? [severity, begun] : [severity]) as Severity[];
}

/** Makes alerts of what began, and wakes those of what ended. @returns how many there are more. */
async function openAlerts(
  tx: Transaction<Schema>,
  database: Database,
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
  // Somebody opened these again, and now their trouble is there.
  const again = await openAlertsWith(tx, idsOf(begun));
  await joinAgain(tx, again, now);
  const told = new Set(again.map(({ incidentId }) => incidentId));
  const fresh: EventRow[] = [];
  const joining: { alertId: number; incidentId: number; monitorId: number }[] = [];
  for (const event of begun) {
    if (told.has(event.incident_id!)) continue;
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
 * The alert that takes an incident in. What an incident became goes on in the alert of that one, the latest of those that
 * wait for what follows; what flaps has one alert for all its incidents.
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

/** Tells people who want to know of it what is worth knowing and no incident. */
export async function notifyOfEvents(
  tx: Transaction<Schema>,
  question: {
    events: readonly EventRow[];
    monitors: ReadonlyMap<number, AlertedMonitor>;
    mail: boolean;
    now: number;
  },
): Promise<void> {
  const { events, monitors, now } = question;
  for (const [teamId, own] of Map.groupBy(events, (event) => event.team_id)) {
    const audience = await audienceOf(tx, teamId, question);
    const deliveries = own.flatMap((event) => {
      const monitor = monitors.get(event.monitor_id);
      return monitor === undefined ? [] : systemMessagesOf(event, monitor, audience, now);
    });
    await enqueueDeliveries(tx, deliveries, now);
  }
}

function systemMessagesOf(
  event: EventRow,
  monitor: AlertedMonitor,
  { team, channels, routes }: Audience,
  now: number,
) {
  const severity = event.severity as Severity;
  const { status } = JSON.parse(event.payload) as { status: { root_cause: string | null } };
  const name = monitor.name ?? (isPushType(monitor.type) ? `Monitor ${monitor.id}` : monitor.url);
  const notice = {
    team,
    severity,
    headline: `${HEADLINES[event.type] ?? 'Worth knowing'}: ${name}`,
    text: status.root_cause === null ? null : `${status.root_cause}.`,
    eventType: event.type,
  };
  const atOnce = targetsOf(monitor, severity, routes, channels).filter(
    ({ afterMinutes }) => afterMinutes === 0,
  );
  const destinationIds = atOnce.map(({ channel }) => channel.destinationId);
  return plainNoticeTo(destinationIds, notice, now);
}
