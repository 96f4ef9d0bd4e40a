import { noun } from '../common/operation.ts';
import { createAlertChannelService } from './alert-channels.ts';
import { z } from 'zod';
import { alertChannelListQuery } from './alert-channels.ts';
import { MESSAGE_KINDS } from '../../alerting/message/index.ts';
import { oneOf } from '../../lib/schemas.ts';
import { channelDeliveriesQuery, MESSAGE_STATUSES } from './channel-deliveries.ts';
import { TEAM_CHANNEL_FIELDS, TEAM_CHANNEL_TYPES } from './fields.ts';
import { answerShape, exampleFields, outputOf, requestSchema } from '../common/fields.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';

/** Schemas of what channels of teams and of people show besides their fields. */
export const MORE_OF_CHANNEL = {
  settings: outputOf(TEAM_CHANNEL_FIELDS.settings).meta({
    description: 'All settings of its type. A secret that is set shows as eight bullets.',
  }),
  warnings: z.array(z.string()).meta({
    description:
      'What keeps a channel that is on from working, such as e-mail without SMTP_URL. Empty in most cases.',
  }),
  last_delivered_at: z.iso.datetime().nullable(),
  failing_since: z.iso.datetime().nullable().meta({
    description: 'Since when nothing gets through; null while all is well.',
  }),
  last_error: z.string().nullable().meta({ description: 'Why the newest attempt failed.' }),
};

const channel = z
  .object({
    id: z.int(),
    type: z.enum(TEAM_CHANNEL_TYPES),
    ...answerShape(TEAM_CHANNEL_FIELDS),
    ...MORE_OF_CHANNEL,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'AlertChannel', description: 'A way to notify the team.' });

const change = requestSchema(TEAM_CHANNEL_FIELDS);

export const channelTest = z
  .object({
    success: z.boolean(),
    message: z.string().meta({ description: 'The result in words.' }),
  })
  .meta({ id: 'ChannelTest', description: 'Result of a test message.' });

const delivery = z
  .object({
    id: z.int(),
    message_id: z.string().meta({ description: 'The same however often it is sent.' }),
    kind: z.enum(MESSAGE_KINDS),
    alert_id: z.int().nullable(),
    status: z.enum(MESSAGE_STATUSES).meta({
      description: '`expired`: not within its time. `superseded`: a later message replaced it.',
    }),
    attempts_count: z.int(),
    last_status_code: z.int().nullable(),
    last_error: z.string().nullable(),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    next_attempt_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ChannelDelivery', description: 'A message to a channel, and its result.' });

const onCall = {
  id: 1,
  type: 'ntfy',
  ...exampleFields(TEAM_CHANNEL_FIELDS, {
    name: 'On call',
    quiet_hours: {
      from: '22:00',
      to: '07:00',
      days: ['mon', 'tue', 'wed', 'thu', 'fri'],
      timezone: 'Europe/Berlin',
      allow_critical: true,
    },
    timezone: 'Europe/Berlin',
  }),
  settings: { server_url: null, topic: '••••••••', token: null },
  warnings: [],
  last_delivered_at: null,
  failing_since: null,
  last_error: null,
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
};

/** Rule for the settings of all types. The guide describes those of each type. */
const SETTINGS =
  'Urls in `settings` are https, unless ALLOW_HTTP_WEBHOOKS is set, and may not aim at addresses that the operator refuses.';

export const alertChannels = noun('Alerts', createAlertChannelService, {
  listAlertChannels: {
    at: 'GET /alert-channels',
    role: 'admin',
    summary: "List the team's channels",
    description:
      'The newest first, unless `direction` says otherwise. Secrets in their settings are masked.',
    query: alertChannelListQuery,
    answer: pageSchema(channel, 'AlertChannelPage'),
    example: { answer: pageExample('/alert-channels', [onCall]) },
    handle: (its, { caller, query, address }) => its.list(caller, query, address),
  },
  createAlertChannel: {
    at: 'POST /alert-channels',
    role: 'admin',
    summary: 'Create a channel of the team',
    description: `A channel is one place in which the team is notified of problems: a chat, a pager, a mailbox. Routes name it; with \`is_default\` it is notified of what no route matches. Send it a test afterwards. ${SETTINGS}`,
    body: change.extend({ type: oneOf(TEAM_CHANNEL_TYPES) }),
    answer: channel,
    example: {
      body: {
        type: 'ntfy',
        name: 'On call',
        is_default: true,
        quiet_hours: {
          from: '22:00',
          to: '07:00',
          days: ['mon', 'tue', 'wed', 'thu', 'fri'],
          timezone: 'Europe/Berlin',
        },
        timezone: 'Europe/Berlin',
        settings: { topic: 'tocsin-x7Qm2Lr9' },
      },
      answer: onCall,
    },
    handle: (its, { caller, body }) => its.create(caller, body),
  },
  getAlertChannel: {
    at: 'GET /alert-channels/:id',
    role: 'admin',
    summary: 'Get a channel of the team',
    answer: channel,
    example: { answer: onCall },
    handle: (its, { caller, id }) => its.get(caller, id),
  },
  updateAlertChannel: {
    at: 'PUT /alert-channels/:id',
    role: 'admin',
    summary: 'Change a channel of the team',
    description: `Only the keys that are present change, those of \`settings\` too; the type stays. What waits to be sent is dropped when it is disabled, and tried again at once when its settings change. ${SETTINGS}`,
    body: change,
    answer: channel,
    example: { body: { enabled: false }, answer: { ...onCall, enabled: false } },
    handle: (its, { caller, id, body }) => its.update(caller, id, body),
  },
  deleteAlertChannel: {
    at: 'DELETE /alert-channels/:id',
    role: 'admin',
    summary: 'Delete a channel of the team',
    description: 'Its log goes with it. Routes that name it go on without it.',
    handle: (its, { caller, id }) => its.delete(caller, id),
  },
  testAlertChannel: {
    at: 'POST /alert-channels/:id/test',
    needs: 'update',
    role: 'admin',
    summary: 'Send a test message',
    description:
      'At once, past what waits in its queue, and also while it is disabled. The answer is 200 whether it was taken or not, and comes within about 10 s.',
    answer: channelTest,
    example: {
      answer: { success: true, message: 'ntfy took the test message: look there whether it came.' },
    },
    handle: (its, { caller, id }) => its.test(caller, id),
  },
  listAlertChannelDeliveries: {
    at: 'GET /alert-channels/:id/deliveries',
    role: 'admin',
    summary: 'List what was sent to a channel',
    description: 'The newest first. Test messages go past the queue, and are not among them.',
    query: channelDeliveriesQuery,
    answer: pageSchema(delivery, 'ChannelDeliveryPage'),
    example: {
      answer: pageExample('/alert-channels/1/deliveries', [
        {
          id: 1,
          message_id: 'msg_5b0c9a53-9d5d-4d5e-9a0a-2f6f1a5b7c11',
          kind: 'alarm',
          alert_id: 1,
          status: 'delivered',
          attempts_count: 1,
          last_status_code: 200,
          last_error: null,
          created_at: '2030-01-01T00:00:00.000Z',
          finished_at: '2030-01-01T00:00:01.000Z',
          next_attempt_at: null,
        },
      ]),
    },
    handle: (its, { caller, id, query, address }) => its.listDeliveries(caller, id, query, address),
  },
});
