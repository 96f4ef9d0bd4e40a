import type { MessageContent } from '../../../src/alerting/message/index.ts';
import type { AlertEndOptions, Delivery } from './final-checks.ts';
import type { RouteModel } from './routes.ts';

interface Incident {
  id: number;
  isOpen: boolean;
  monitorId: number;
  /** Null for a deleted incident. */
  type: string | null;
  severity: string | null;
  startedAt: number;
  endedAt: number | null;
  /** It was reopened by hand, which emits no event. */
  isReopened: boolean;
  /** Whether the channel is to be notified of it. */
  isWanted: boolean;
  /** It was replaced by another incident of the same alert, which continues. */
  isFollowed: boolean;
  /** Number of alerts that contain it. */
  alertCount: number;
}

interface Alert {
  id: number;
  kind: string;
  notifiedAt: number | null;
  overAt: number | null;
  nextAt: number | null;
  recipients: number;
  incidents: Incident[];
  joinedAt: number[];
}

/**
 * People were notified correctly of every incident, and nothing was repeated.
 *
 * @param channels deliveries to each channel, in their order.
 */
export async function checkAlerts(
  options: AlertEndOptions,
  channels: readonly (readonly Delivery[])[],
  model: RouteModel,
): Promise<void> {
  const { environment, violate } = options;
  const { alerts, incidents } = await read(options);
  const sent = new Set(channels.flat().map((one) => one.alert_id));
  for (const alert of alerts) {
    const complain = (rule: string) => violate(`alert ${alert.id}: ${rule}`);
    checkState(alert, complain);
    if ((alert.notifiedAt !== null) !== sent.has(alert.id))
      complain('its time of notification does not match its deliveries');
    if (alert.joinedAt.length > 1) options.coverage.grouped += 1;
  }
  for (const [place, deliveries] of channels.entries()) {
    const ofAlert = Map.groupBy(deliveries, (one) => one.alert_id);
    for (const alert of alerts) {
      const complain = (rule: string) => violate(`alert ${alert.id}, channel ${place}: ${rule}`);
      checkNotifications(alert, ofAlert.get(alert.id) ?? [], options, complain);
    }
    const isGiven = ({ monitorId, severity }: Incident) =>
      severity !== null && model(place, monitorId, severity) !== null;
    const messages =
      place === 0
        ? environment.receivers.channel.arrivals
        : deliveries.map(({ body }) => ({ content: messageOf(body), isTaken: true }));
    checkChannelKnowledge(
      options,
      { name: `channel ${place}`, messages, isGiven },
      alerts,
      incidents,
    );
  }
}

/** A settled alert is open while one of its incidents is, and everyone who was notified is its recipient. */
function checkState(alert: Alert, complain: (rule: string) => void): void {
  const open = alert.incidents.filter(({ isOpen, isReopened }) => isOpen && !isReopened);
  const isReopened = alert.incidents.some((one) => one.isReopened);
  if (alert.overAt !== null) {
    if (open.length > 0) complain(`it is over though incident ${open[0]!.id} is not`);
    if (alert.nextAt !== null) complain('it is over and still scheduled');
    if (alert.recipients > 0) complain('it is over and a recipient was not notified of it');
    return;
  }
  if (open.length === 0 && !isReopened) complain('it is open though all its incidents are over');
  if (open.some(({ isWanted }) => isWanted) && alert.recipients === 0)
    complain('nobody was notified of it');
}

/**
 * An alert sends one alarm, another one only if it gets worse, and one recovery; after that nothing unless an incident
 * joins.
 */
function checkNotifications(
  alert: Alert,
  deliveries: readonly Delivery[],
  { coverage }: AlertEndOptions,
  complain: (rule: string) => void,
): void {
  let severity: string | null = null;
  let recoveredAt: number | null = null;
  for (const { kind, body, created_at: at } of deliveries) {
    const notice = messageOf(body);
    if (severity === null && kind !== 'alarm' && kind !== 'escalation')
      complain(`there is a message of ${kind} before any alarm`);
    if (kind === 'alarm' || kind === 'escalation') {
      coverage.alarms += 1;
      if (severity !== null && !isWorse(notice.severity, severity))
        complain('a second alarm was sent though it did not get worse');
      const since = recoveredAt;
      // What had joined before may be escalated since, and more of it makes that worse.
      if (kind === 'escalation') recoveredAt = null;
      else if (since !== null && !alert.joinedAt.some((joined) => joined >= since))
        complain('an alarm was sent again though nothing joined it since its recovery');
    }
    severity = kind === 'recovery' ? null : notice.severity;
    if (kind === 'recovery') {
      coverage.recoveries += 1;
      recoveredAt = at;
    }
  }
  if (alert.overAt !== null && severity !== null) complain('its end was never sent');
  if (deliveries.some(({ body }) => messageOf(body).alert?.kind === 'flapping'))
    coverage.flapping += 1;
}

const messageOf = (body: string) => JSON.parse(body) as MessageContent;

const SEVERITIES = ['critical', 'warning', 'info'];

function isWorse(one: string, other: string): boolean {
  return SEVERITIES.indexOf(one) < SEVERITIES.indexOf(other);
}

interface CheckedChannel {
  name: string;
  messages: readonly { content: MessageContent; isTaken: boolean }[];
  /** Whether routes give it the incident. */
  isGiven(incident: Incident): boolean;
}

/** The last message to a channel about each incident that it is given is its current state. */
function checkChannelKnowledge(
  { coverage, violate }: AlertEndOptions,
  { name, messages, isGiven }: CheckedChannel,
  alerts: readonly Alert[],
  incidents: ReadonlyMap<number, Incident>,
): void {
  const incidentsOf = new Map(alerts.map((one) => [one.id, one.incidents]));
  const known = new Map<number, 'open' | 'over'>();
  const alarmed = new Set<number>();
  for (const { content: notice, isTaken } of messages) {
    const { kind, alert, troubles } = notice;
    if (alert !== null && kind !== 'recovery') alarmed.add(alert.id);
    if (alert !== null && kind === 'recovery' && !alarmed.has(alert.id))
      violate(`alert ${alert.id}: ${name} got a recovery without an alarm`);
    if (!isTaken) continue;
    if (kind === 'blind_spot') coverage.deliveryGaps += 1;
    for (const { incidentId, endedAt } of troubles)
      known.set(incidentId, endedAt === null ? 'open' : 'over');
    // A recovery may omit deleted incidents.
    if (kind === 'recovery')
      for (const { id } of incidentsOf.get(alert?.id ?? 0) ?? []) known.set(id, 'over');
  }
  for (const incident of incidents.values()) {
    const { id, isOpen, isReopened, isWanted, isFollowed, alertCount } = incident;
    if (isReopened || isFollowed) continue;
    if (alertCount > 1) violate(`incident ${id} is part of ${alertCount} alerts`);
    if (isOpen && isWanted && isGiven(incident) && known.get(id) !== 'open')
      violate(`${name} was not notified that incident ${id} is open`);
    // If the same problem began again, its end comes with the end of the newer incident.
    const hasSuccessor = () =>
      [...incidents.values()].some(
        (other) =>
          isSuccessor(incident, other) && known.get(other.id) === (other.isOpen ? 'open' : 'over'),
      );
    // A deleted incident only ends with its alert.
    const cannotBeReported = () =>
      incident.type === null &&
      alerts.some((one) => one.overAt === null && one.incidents.includes(incident));
    if (!isOpen && known.get(id) === 'open' && !hasSuccessor() && !cannotBeReported())
      violate(`${name} was not notified that incident ${id} is over`);
    if (known.get(id) === 'over') coverage.knownOver += 1;
    if (known.get(id) === 'open') coverage.knownOpen += 1;
  }
}

const REACH = new Set(['uptime', 'regional']);

/** Whether `other` is the same problem of the same monitor that began later. */
function isSuccessor(over: Incident, other: Incident): boolean {
  if (over.type === null || other.type === null || over.endedAt === null) return false;
  if (other.monitorId !== over.monitorId || other.startedAt < over.endedAt) return false;
  return other.type === over.type || (REACH.has(other.type) && REACH.has(over.type));
}

async function read({ database }: AlertEndOptions) {
  const db = database.read;
  const members = await db
    .selectFrom('alert_incident')
    .selectAll()
    .orderBy('incident_id')
    .execute();
  const monitors = await db
    .selectFrom('monitor')
    .select(['id', 'is_paused', 'deleted_at'])
    .execute();
  const rows = await db.selectFrom('incident').selectAll().execute();
  const reopened = await db
    .selectFrom('activity')
    .select('incident_id')
    .where('type', '=', 'reopened')
    .execute();
  const opened = await db
    .selectFrom('event')
    .select('incident_id')
    .where('kind', '=', 'open')
    .execute();
  const recipients = await db.selectFrom('alert_recipient').selectAll().execute();
  const monitorOf = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const isReopened = new Set(reopened.map((row) => row.incident_id));
  const ids = new Set([...members, ...opened].flatMap((row) => row.incident_id ?? []));
  const alertRows = await db.selectFrom('alert').selectAll().orderBy('id').execute();
  const isOver = new Set(alertRows.flatMap((row) => (row.over_at === null ? [] : row.id)));
  const incidents = new Map<number, Incident>();
  for (const id of ids) {
    const row = rowOf.get(id);
    const member = members.find((one) => one.incident_id === id);
    const monitor = monitorOf.get(row?.monitor_id ?? member?.monitor_id ?? 0);
    const isThere = monitor !== undefined && monitor.deleted_at === null;
    const own = members.filter((one) => one.incident_id === id);
    incidents.set(id, {
      id,
      isOpen: isThere && row !== undefined && row.ended_at === null,
      monitorId: row?.monitor_id ?? member?.monitor_id ?? 0,
      type: row?.type ?? null,
      severity: row?.severity ?? null,
      startedAt: row?.started_at ?? 0,
      endedAt: row?.ended_at ?? null,
      isReopened: isReopened.has(id),
      isWanted: isThere && monitor.is_paused === 0 && row?.severity !== 'info',
      isFollowed: own.some((one) => one.has_successor === 1 && !isOver.has(one.alert_id)),
      alertCount: own.length,
    });
  }
  const alerts = alertRows.map((row): Alert => {
    const own = members.filter((one) => one.alert_id === row.id);
    return {
      id: row.id,
      kind: row.kind,
      notifiedAt: row.notified_at,
      overAt: row.over_at,
      nextAt: row.next_at,
      recipients: recipients.filter((one) => one.alert_id === row.id).length,
      incidents: own.map((one) => incidents.get(one.incident_id)!),
      joinedAt: own.map((one) => one.joined_at),
    };
  });
  return { alerts, incidents };
}
