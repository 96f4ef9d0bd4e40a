import type { MessageContent } from '../../../src/alerting/message/index.ts';
import { insertRow } from '../../../src/store/database/rows.ts';
import type { Database } from '../../../src/store/database/contract.ts';
import { GROUP, MAINTAINED_TAG, PARENT_GROUP } from '../maintenance/scenario.ts';
import { TEAM } from '../operator.ts';
import type { AlertEndOptions, Delivery } from './final-checks.ts';
import type { WorldRoute } from './scenario.ts';

/** @param channelIds in the order of their places. */
export async function createRoutes(
  database: Database,
  routes: readonly WorldRoute[],
  channelIds: readonly number[],
  now: number,
): Promise<void> {
  await database.transaction(async (tx) => {
    for (const route of routes) {
      const { scope, monitorId, afterMinutes } = route;
      const named = JSON.stringify(route.channels.map((place) => channelIds[place]));
      const step = { after_minutes: afterMinutes, channels: JSON.parse(named), users: [] };
      await insertRow(tx, 'alert_route', {
        name: 'Route',
        monitors: scope === 'monitor' ? JSON.stringify([monitorId]) : '[]',
        groups: scope === 'group' ? JSON.stringify([PARENT_GROUP]) : '[]',
        tags: scope === 'tag' ? JSON.stringify([MAINTAINED_TAG]) : '[]',
        severities: JSON.stringify(route.severities),
        channels: afterMinutes === 0 ? named : '[]',
        users: '[]',
        reminder_minutes: route.reminderMinutes,
        escalation: afterMinutes === 0 ? '[]' : JSON.stringify([step]),
        sort_order: 0,
        team_id: TEAM,
        created_at: now,
        updated_at: now,
      });
    }
  });
}

/** How a channel is notified of an incident. */
export interface Terms {
  afterMinutes: number;
  reminderMinutes: number | null;
}

/** What the routes of a world say: an implementation of its own. Null where they do not give a channel the incident. */
export type RouteModel = (place: number, monitorId: number, severity: string) => Terms | null;

export async function routeModelOf(
  { read }: Database,
  routes: readonly WorldRoute[],
): Promise<RouteModel> {
  const rows = await read.selectFrom('monitor').select(['id', 'tags', 'group_id']).execute();
  const monitors = new Map(rows.map((row) => [row.id, row]));
  const matches = ({ scope, monitorId }: WorldRoute, id: number) => {
    if (scope === 'all') return true;
    if (scope === 'monitor') return id === monitorId;
    if (scope === 'group') return monitors.get(id)?.group_id === GROUP;
    return (JSON.parse(monitors.get(id)?.tags ?? '[]') as string[]).includes(MAINTAINED_TAG);
  };
  return (place, monitorId, severity) => {
    if (severity === 'info') return null;
    if (routes.length === 0) return place === 0 ? { afterMinutes: 0, reminderMinutes: null } : null;
    const own = routes.filter(
      (route) =>
        route.channels.includes(place) &&
        route.severities.includes(severity) &&
        matches(route, monitorId),
    );
    if (own.length === 0) return null;
    const reminders = own.flatMap(({ reminderMinutes }) => reminderMinutes ?? []);
    return {
      afterMinutes: Math.min(...own.map(({ afterMinutes }) => afterMinutes)),
      reminderMinutes: reminders.length === 0 ? null : Math.min(...reminders),
    };
  };
}

const MINUTE = 60_000;

/**
 * Every message to a channel names only what its routes give the channel: a reminder what is due by its own route, and no
 * message what is to be escalated later.
 *
 * @param deliveries to the channel, in their order.
 */
export async function checkRoutes(
  { database, isClockSteady, coverage, violate }: AlertEndOptions,
  {
    place,
    deliveries,
    model,
  }: { place: number; deliveries: readonly Delivery[]; model: RouteModel },
): Promise<void> {
  const beganAt = await beginnings(database);
  const lastNamed = new Map<number, number>();
  for (const { id, alert_id: alertId, kind, body, created_at: at } of deliveries) {
    const { troubles } = JSON.parse(body) as MessageContent;
    for (const { incidentId, monitorId, severity, endedAt } of troubles) {
      const what = `delivery ${id}, ${kind} of alert ${alertId} to channel ${place}, names incident ${incidentId} of monitor ${monitorId}`;
      // The severity of a deleted incident is not known.
      const severities = severity === 'info' ? ['critical', 'warning'] : [severity];
      const [terms = null] = severities.flatMap((one) => model(place, monitorId, one) ?? []);
      if (terms === null) {
        violate(`${what}, which no route gives it`);
        continue;
      }
      coverage.routed += 1;
      const before = lastNamed.get(incidentId);
      lastNamed.set(incidentId, at);
      if (!isClockSteady) continue;
      if (before === undefined && endedAt === null && terms.afterMinutes > 0) {
        coverage.escalated += 1;
        const since = beganAt.get(`${alertId} ${monitorId}`) ?? 0;
        if (at < since + terms.afterMinutes * MINUTE)
          violate(
            `${what} ${at - since} ms after it began, and not after ${terms.afterMinutes} min`,
          );
      }
      if (kind !== 'reminder') continue;
      coverage.reminded += 1;
      const { reminderMinutes } = terms;
      if (reminderMinutes === null || at < (before ?? Infinity) + reminderMinutes * MINUTE)
        violate(`${what}, which is not due by its route`);
    }
  }
}

/** When the first incident of each alert and monitor was opened: nothing of it is escalated before its delay after that. */
async function beginnings({ read }: Database): Promise<Map<string, number>> {
  const rows = await read
    .selectFrom('alert_incident')
    .innerJoin('event', 'event.incident_id', 'alert_incident.incident_id')
    .select(['alert_incident.alert_id', 'alert_incident.monitor_id'])
    .select(({ fn }) => fn.min('event.created_at').as('at'))
    .groupBy(['alert_incident.alert_id', 'alert_incident.monitor_id'])
    .execute();
  return new Map(rows.map((row) => [`${row.alert_id} ${row.monitor_id}`, Number(row.at)]));
}
