import { z } from 'zod';
import { MAX_LISTED_INCIDENTS, MESSAGE_KINDS } from '../../alerting/message/index.ts';
import { isAtLeast, type Caller } from '../../identity/caller.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  listIncidentNotifications as readNotifications,
  type IncidentNotificationRow,
} from '../../store/alerting/incident-notifications.ts';
import { findIncident } from '../../store/resources/incidents.ts';
import { viewDeliveryState } from '../common/delivery-view.ts';
import { finderOf } from '../common/find.ts';
import { readQuery } from '../common/input.ts';
import { pageOf, pagingOf, UNSORTED_PAGE_QUERY } from '../common/page.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { noun, type Call } from '../common/operation.ts';
import { MESSAGE_STATUSES } from '../channels/alert-channels.ts';

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
    return pageOf(
      rows.map((row) => viewNotification(row, caller)),
      total,
      paging,
      address,
    );
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
