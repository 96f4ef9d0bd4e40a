import { sql, type Kysely } from 'kysely';
import { countRows } from '../database/rows.ts';
import type { Schema } from '../database/schema.ts';

/** The incident whose messages are read, and which of them. */
interface NotificationsQuery {
  teamId: number;
  incidentId: number;
  /** When the incident was confirmed, epoch milliseconds. */
  confirmedAt: number;
  /** Number of incidents that a message lists at most. */
  listed: number;
  offset: number;
  limit: number;
}

/** Lists a page of the messages about an incident to existing channels, newest first, and counts all of them. */
export async function listIncidentNotifications(db: Kysely<Schema>, query: NotificationsQuery) {
  const total = await countRows(matching(db, query));
  if (total <= query.offset) return { total, rows: [] };
  const rows = await matching(db, query)
    .innerJoin('destination', 'destination.id', 'delivery.destination_id')
    .leftJoin('person', 'person.id', 'alert_channel.person_id')
    .leftJoin('delivery_attempt', (join) =>
      join
        .onRef('delivery_attempt.delivery_id', '=', 'delivery.id')
        .onRef('delivery_attempt.number', '=', 'delivery.attempts'),
    )
    .select(['delivery.id', 'delivery.kind', 'delivery.status', 'delivery.attempts'])
    .select(['delivery.next_at', 'delivery.created_at', 'delivery.finished_at'])
    .select([
      'destination.next_at as queue_next_at',
      'delivery_attempt.status_code as last_status_code',
      'delivery_attempt.error as last_error',
      'alert_channel.id as channel_id',
      'alert_channel.type as channel_type',
      'alert_channel.name as channel_name',
      'alert_channel.person_id',
      'person.name as person_name',
    ])
    .orderBy('delivery.id', 'desc')
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  return { total, rows };
}

export type IncidentNotificationRow = Awaited<
  ReturnType<typeof listIncidentNotifications>
>['rows'][number];

/**
 * Selects the deliveries of the alerts of the incident that are about it: those of it alone, and those that list it. A
 * message of more incidents than are listed counts as being about each of those that its channel was notified of.
 */
function matching(
  db: Kysely<Schema>,
  { teamId, incidentId, confirmedAt, listed }: NotificationsQuery,
) {
  return db
    .selectFrom('alert_incident')
    .innerJoin('alert', 'alert.id', 'alert_incident.alert_id')
    .innerJoin('delivery', 'delivery.alert_id', 'alert.id')
    .innerJoin('alert_channel', 'alert_channel.destination_id', 'delivery.destination_id')
    .leftJoin('alert_recipient_incidents as notified', (join) =>
      join
        .onRef('notified.alert_id', '=', 'alert.id')
        .onRef('notified.destination_id', '=', 'delivery.destination_id'),
    )
    .where('alert_incident.incident_id', '=', incidentId)
    .where('alert.team_id', '=', teamId)
    .where('delivery.created_at', '>=', confirmedAt)
    .where((eb) =>
      eb.or([
        eb('delivery.incident_id', '=', incidentId),
        eb.and([
          eb('delivery.incident_id', 'is', null),
          eb.or([
            eb.and([
              eb('alert.notified_count', '>', listed),
              eb('notified.incidents', 'like', sql.val(`%"${incidentId}":%`)),
            ]),
            // A `MessageIncident` begins with its id (alerting/message/content.ts).
            eb('delivery.body', 'like', sql.val(`%"incidentId":${incidentId},%`)),
          ]),
        ]),
      ]),
    );
}
