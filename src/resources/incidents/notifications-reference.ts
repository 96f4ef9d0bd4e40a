import { noun } from '../common/operation.ts';
import { createListIncidentNotifications } from './notifications.ts';
import { z } from 'zod';
import { MESSAGE_KINDS } from '../../alerting/message/index.ts';
import { MESSAGE_STATUSES } from '../channels/channel-deliveries.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { incidentNotificationsQuery } from './notifications.ts';

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
