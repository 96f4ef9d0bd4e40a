import type { Transaction } from 'kysely';
import { isPushType } from '../../model/monitor.ts';
import type { Severity } from '../../model/condition.ts';
import { enqueueDeliveries } from '../../store/alerting/destinations.ts';
import type { EventRow, ToldMonitor } from '../../store/engine/events.ts';
import type { Schema } from '../../store/database/schema.ts';
import { audienceOf } from './audience.ts';
import type { Audience } from './audience.ts';
import { plainNoticeTo } from '../message/plain-notice.ts';
import { targetsOf } from './route.ts';

const HEADLINES: Record<string, string> = {
  'monitor.dns_changed': 'DNS records changed',
};

/** Tells people who want to know of it what is worth knowing and no incident. */
export async function tellOfNotices(
  tx: Transaction<Schema>,
  question: {
    events: readonly EventRow[];
    monitors: ReadonlyMap<number, ToldMonitor>;
    mail: boolean;
    now: number;
  },
): Promise<void> {
  const { events, monitors, now } = question;
  for (const [teamId, own] of Map.groupBy(events, (event) => event.team_id)) {
    const audience = await audienceOf(tx, teamId, question);
    const deliveries = own.flatMap((event) => {
      const monitor = monitors.get(event.monitor_id);
      return monitor === undefined ? [] : deliveriesOf(event, monitor, audience, now);
    });
    await enqueueDeliveries(tx, deliveries, now);
  }
}

function deliveriesOf(
  event: EventRow,
  monitor: ToldMonitor,
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
