import { z } from 'zod';
import { sql } from 'kysely';
import { MAX_LISTED_INCIDENTS, MESSAGE_KINDS } from '../../alerting/message/index.ts';
import { isAtLeast, type Caller } from '../../identity/caller.ts';
import type { Database, Db } from '../../store/database/contract.ts';
import { findIncident } from '../../store/resources/incidents.ts';
import { viewDeliveryState } from '../common/delivery-view.ts';
import { finderOf } from '../common/find.ts';
import { readQuery } from '../common/input.ts';
import { pageOf, pagingOf, UNSORTED_PAGE_QUERY } from '../common/page.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { noun, type Call } from '../common/operation.ts';
import { MESSAGE_STATUSES } from '../channels/alert-channels.ts';
import { countRows } from '../../store/database/rows.ts';

const incidentNotificationsQuery = z.object(UNSORTED_PAGE_QUERY);

const mustFind = finderOf('incident', findIncident);

/**
 * Lists the messages about an incident that were sent to channels, newest first. Throws `not_found` for ids of other
 * teams, and InvalidInput for a wrong query.
 */
function createListIncidentNotifications({ database }: { database: Database }) {
  return async ({ caller, id, query, address }: Call) => {
    const incident = await mustFind(database.read, caller, id);
    const paging = pagingOf(readQuery(incidentNotificationsQuery, query), 'created_at');
    const { rows, total } = await readNotifications(database.read, {
      teamId: caller.team.id,
      incidentId: id,
      confirmedAt: incident.created_at,
      listed: MAX_LISTED_INCIDENTS,
      offset: paging.offset,
      limit: paging.limit,
    });
    const data = rows.map((row) => viewNotification(row, caller));
    return pageOf(data, total, paging, address);
  };
}

function viewNotification(row: IncidentNotificationRow, caller: Caller) {
  const isShown = mayReadChannel(row, caller);
  const { last_error: lastError, ...state } = viewDeliveryState(row);
  return {
    id: row.id,
    kind: row.kind,
    channel: {
      id: isShown ? row.channel_id : null,
      type: row.channel_type,
      name: isShown ? row.channel_name : null,
    },
    user: row.person_id === null ? null : { id: row.person_id, name: row.person_name },
    ...state,
    last_error: isShown ? lastError : null,
  };
}

/** Whether the lists of channels show this one to the caller: those of the team to admins, personal ones to their owner. */
function mayReadChannel({ person_id: personId }: IncidentNotificationRow, caller: Caller): boolean {
  return personId === null ? isAtLeast(caller.role, 'admin') : personId === caller.person.id;
}

const HIDDEN = 'Null for callers whose lists of channels do not show the channel.';

const notification = z
  .object({
    id: z.int(),
    kind: z.enum(MESSAGE_KINDS),
    channel: z.object({
      id: z.int().nullable().meta({ description: HIDDEN }),
      type: z.string(),
      name: textOrNull.meta({ description: HIDDEN }),
    }),
    user: z
      .object({ id: z.int(), name: textOrNull })
      .nullable()
      .meta({ description: 'Whose own channel it is; null for a channel of the team.' }),
    status: z.enum(MESSAGE_STATUSES).meta({
      description: '`expired`: not within its time. `superseded`: another message replaced it.',
    }),
    attempts_count: z.int(),
    last_status_code: z.int().nullable(),
    last_error: textOrNull.meta({
      description: `Error of the last attempt, a sentence for people. ${HIDDEN}`,
    }),
    created_at: time,
    finished_at: time.nullable(),
    next_attempt_at: time.nullable().meta({ description: 'Null unless it is pending.' }),
  })
  .meta({ id: 'IncidentNotification', description: 'A message about an incident to a channel.' });

export const listIncidentNotifications = noun('Incidents', createListIncidentNotifications, {
  listIncidentNotifications: {
    at: 'GET /incidents/:id/notifications',
    summary: 'List the notifications of an incident',
    description:
      'Who was notified: the messages about the incident that were sent to channels of the team and of its members, newest first. They are kept for 30 days and deleted with their channel. Deliveries to webhook endpoints are listed at the endpoint.',
    query: incidentNotificationsQuery,
    answer: pageSchema(notification, 'IncidentNotificationPage'),
    example: { answer: pageExample('/incidents/1/notifications', []) },
  },
});

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
async function readNotifications(db: Db, query: NotificationsQuery) {
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

type IncidentNotificationRow = Awaited<ReturnType<typeof readNotifications>>['rows'][number];

/**
 * Selects the deliveries of the alerts of the incident that are about it: those of it alone, and those that list it. A
 * message of more incidents than are listed counts as being about each of those that its channel was notified of.
 */
function matching(db: Db, { teamId, incidentId, confirmedAt, listed }: NotificationsQuery) {
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
