import type { Selectable } from 'kysely';
import type { RuleCoverage } from '../coverage.ts';
import type { MessageContent } from '../../../src/alerting/message/index.ts';
import type { Database, Schema } from '../../../src/store/database/contract.ts';
import { contract } from '../../support/openapi.ts';
import { overlapsMaintenance, maintenanceTimes } from '../maintenance/final-checks.ts';
import { checkResolutions } from './resolution-checks.ts';
import { checkAlerts } from './notification-checks.ts';
import { checkRoutes, routeModelOf } from './routes.ts';
import type { Arrival } from './receiver.ts';
import type { AlertEnvironment } from './environment.ts';

export interface AlertEndOptions {
  database: Database;
  environment: AlertEnvironment;
  now: number;
  isClockSteady: boolean;
  /** Whether no fault ever occurred. */
  isUndisturbed: boolean;
  coverage: RuleCoverage;
  violate(rule: string): void;
}

export type Delivery = Selectable<Schema['delivery']>;
type Event = Selectable<Schema['event']>;

/** Work that is due for longer is late; the process polls every 2 s. */
const LATE_MS = 6_000;

/** While the process runs, no work is late. */
export async function checkNothingIsLate({
  database,
  now,
  violate,
}: AlertEndOptions): Promise<void> {
  const { read } = database;
  const late = now - LATE_MS;
  const events = await read
    .selectFrom('event')
    .select('id')
    .where('fan_out_at', '<', late)
    .execute();
  if (events.length > 0) violate(`${events.length} events were not fanned out in time`);
  const alerts = await read.selectFrom('alert').select('id').where('next_at', '<', late).execute();
  if (alerts.length > 0) violate(`${alerts.length} alerts were not stepped in time`);
}

/** After everything was delivered: each receiver got all events, once and in order. */
export async function checkAlertsAtEnd(options: AlertEndOptions): Promise<void> {
  const { database, environment, coverage, violate } = options;
  const { read } = database;
  const events = await read.selectFrom('event').selectAll().orderBy('id').execute();
  const deliveries = await read.selectFrom('delivery').selectAll().orderBy('id').execute();
  const ids = deliveries.map((one) => one.message_id);
  if (new Set(ids).size < ids.length) violate('two deliveries have the same id');
  const unfinished = deliveries.filter(({ status }) => status === 'pending');
  if (unfinished.length > 0) violate(`${unfinished.length} deliveries are still waiting`);
  const unwanted = deliveries.filter(({ status }) => status === 'failed' || status === 'expired');
  if (unwanted.length > 0) violate(`${unwanted.length} deliveries failed or expired`);
  await checkQueues(options);

  const { endpoint, channel } = environment.destinations;
  const own = deliveries.filter((one) => one.destination_id === endpoint);
  await checkEvents(options, events, own);
  checkArrivals(options, own, environment.receivers.endpoint.arrivals);
  await checkResolutions(options);
  const toChannel = deliveries.filter((one) => one.destination_id === channel);
  checkTaken(options, toChannel, environment.receivers.channel.arrivals);
  for (const { isTaken } of [
    ...environment.receivers.endpoint.arrivals,
    ...environment.receivers.channel.arrivals,
  ])
    if (!isTaken) coverage.refusals += 1;
  const channels = [channel, ...environment.destinations.further].map((destination) =>
    deliveries.filter((one) => one.destination_id === destination),
  );
  const model = await routeModelOf(database, environment.routes);
  for (const [place, sent] of channels.entries())
    await checkRoutes(options, { place, deliveries: sent, model });
  await checkAlerts(options, channels, model);
}

async function checkQueues({ database, violate }: AlertEndOptions): Promise<void> {
  const rows = await database.read
    .selectFrom('destination')
    .select('id')
    .where((eb) => eb.or([eb('next_at', 'is not', null), eb('leased_until', 'is not', null)]))
    .execute();
  if (rows.length > 0) violate(`queue ${rows[0]!.id} is due or leased though it is empty`);
}

/** Each event becomes one delivery, in the order of its monitor's events, unless it is obsolete. */
async function checkEvents(
  { database, isClockSteady, violate }: AlertEndOptions,
  events: readonly Event[],
  deliveries: readonly Delivery[],
): Promise<void> {
  const deleted = await database.read
    .selectFrom('monitor')
    .select('id')
    .where('deleted_at', 'is not', null)
    .execute();
  const isDeleted = new Set(deleted.map(({ id }) => id));
  if (events.some((event) => event.fan_out_at !== null)) violate('an event was not fanned out');
  const left = Map.groupBy(deliveries, ({ body }) => body);
  const deliveryOf = new Map(events.map((event) => [event.id, left.get(event.payload)?.shift()]));
  const extra = [...left.values()].flat();
  if (extra.length > 0) violate(`${extra.length} deliveries belong to no event, or repeat one`);
  const times = await maintenanceTimes(database);
  // An event may be fanned out a moment after it was written, when a window has begun.
  const isInMaintenance = ({ id, monitor_id, created_at }: Event) => {
    const handedOnAt = deliveryOf.get(id)?.created_at ?? created_at + LATE_MS;
    return overlapsMaintenance(times, monitor_id, { from: created_at, to: handedOnAt });
  };
  const wasHeld = (event: Event) =>
    (event.kind === 'open' || event.kind === 'dropped') && isInMaintenance(event);
  /** Notices are held in maintenance, too; ends of incidents that were notified before are not. */
  const mayBeOutOfOrder = (event: Event) =>
    wasHeld(event) || (event.kind === 'notice' && isInMaintenance(event));
  for (const event of events) {
    if (deliveryOf.get(event.id) !== undefined || isDeleted.has(event.monitor_id)) continue;
    if (isEndOfUnknown(event, events)) continue;
    const pair = events.filter((other) => other.incident_id === event.incident_id);
    const isPairDropped = pair.length > 1 && pair.every(({ id }) => !deliveryOf.get(id));
    // Nobody is notified of an incident that was held and ended in maintenance.
    if (pair.some(wasHeld) && (isPairDropped || (await isOver(database, event.incident_id))))
      continue;
    if (isClockSteady || event.incident_id === null || !isPairDropped)
      violate(
        `event ${event.id}, ${event.type} of monitor ${event.monitor_id}, was delivered to no receiver`,
      );
  }
  if (!isClockSteady) return;
  for (const [monitorId, own] of Map.groupBy(events, (event) => event.monitor_id)) {
    const order = own.flatMap((event) =>
      mayBeOutOfOrder(event) ? [] : (deliveryOf.get(event.id)?.id ?? []),
    );
    if (order.some((id, index) => index > 0 && id < order[index - 1]!))
      violate(`monitor ${monitorId}: its events were not fanned out in order`);
  }
}

/** Whether the incident has ended, was deleted, or had ended before it was reopened. */
async function isOver(database: Database, incidentId: number | null): Promise<boolean> {
  const row = await database.read
    .selectFrom('incident')
    .select('ended_at')
    .where('id', '=', incidentId ?? 0)
    .executeTakeFirst();
  const reopened = await database.read
    .selectFrom('activity')
    .select('id')
    .where('incident_id', '=', incidentId ?? 0)
    .where('type', '=', 'reopened')
    .executeTakeFirst();
  return row === undefined || row.ended_at !== null || reopened !== undefined;
}

/** Whether this is the end of an incident that was reopened by hand, which emits no event. */
function isEndOfUnknown(event: Event, events: readonly Event[]): boolean {
  const before = events.filter(
    (other) => other.incident_id === event.incident_id && other.id < event.id,
  );
  const last = before.findLast(({ kind }) => kind !== 'dropped') ?? before.at(-1);
  return event.kind === 'resolve' && (last?.kind === 'resolve' || last?.kind === 'dropped');
}

/** The endpoint got all events, those of each monitor in order, each under one id and unchanged. */
function checkArrivals(
  options: AlertEndOptions,
  deliveries: readonly Delivery[],
  arrivals: readonly Arrival<string>[],
): void {
  const { violate } = options;
  const first = [...new Set(arrivals.map(({ id }) => id))];
  const expected = deliveries.map((one) => one.message_id);
  if (first.toSorted().join() !== expected.toSorted().join())
    violate(`the endpoint got ${first.length} events instead of ${expected.length}`);
  const place = new Map(first.map((id, index) => [id, index]));
  for (const [monitorId, own] of Map.groupBy(deliveries, (one) => one.monitor_id)) {
    const places = own.map((one) => place.get(one.message_id) ?? -1);
    if (monitorId === null || places.some((at, index) => index > 0 && at < places[index - 1]!))
      violate(`the endpoint got the events of monitor ${monitorId} out of order`);
  }
  const bodies = new Map(deliveries.map((one) => [one.message_id, one.body]));
  if (arrivals.some(({ id, content }) => bodies.get(id) !== content))
    violate('the endpoint got a body that was not enqueued for it');
  for (const fault of arrivals.flatMap(({ content }) => contract().eventFaults(content)))
    violate(`the endpoint got an undocumented event: ${fault}`);
  checkTaken(options, deliveries, arrivals);
  options.coverage.events += expected.length;
}

/** Deliveries marked as delivered were accepted: once, if no fault occurred. */
function checkTaken(
  { isUndisturbed, coverage, violate }: AlertEndOptions,
  deliveries: readonly Delivery[],
  arrivals: readonly Arrival<string | MessageContent>[],
): void {
  const taken = Map.groupBy(
    arrivals.filter(({ isTaken }) => isTaken),
    ({ id }) => id,
  );
  for (const { id, status, message_id: messageId } of deliveries) {
    const count = taken.get(messageId)?.length ?? 0;
    if (count > 1) coverage.resent += 1;
    if (status === 'delivered' && count === 0)
      violate(`delivery ${id} is marked as delivered but was never accepted`);
    if (count > 1 && isUndisturbed)
      violate(`delivery ${id} was delivered ${count} times though no fault occurred`);
  }
}
