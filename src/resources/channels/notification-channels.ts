import { z } from 'zod';
import { CHANGING } from '../common/changing.ts';
import { oneOf } from '../../lib/schemas.ts';
import { answerShape, exampleFields, requestSchema } from '../common/fields.ts';
import { noun } from '../common/operation.ts';
import { channelTest } from './channel-test.ts';
import { PERSONAL_CHANNEL_FIELDS, PERSONAL_CHANNEL_TYPES } from './fields.ts';
import { createNotificationChannels } from './personal-channels.ts';
import { MORE_OF_CHANNEL } from './settings.ts';

const word = z.enum(PERSONAL_CHANNEL_TYPES);

const field = z
  .object({
    name: z.string(),
    kind: z.enum(['text', 'url', 'choice', 'number', 'emails']),
    required: z.boolean(),
    secret: z.boolean(),
    description: z.string(),
    example: z.union([z.string(), z.number(), z.array(z.string())]),
    choices: z.array(z.string()).nullable(),
  })
  .meta({ id: 'ChannelSetting', description: 'A key of the settings of a type of channel.' });

const { settings, ...state } = MORE_OF_CHANNEL;
const channel = z
  .object({
    id: word.meta({ description: 'The same as its type: everybody has one of each.' }),
    type: word,
    title: z.string(),
    ...answerShape(PERSONAL_CHANNEL_FIELDS),
    ...state,
    settings: settings.nullable().meta({ description: 'Null while it is not set up.' }),
    webhook_url: z.string().nullable().optional().meta({
      description:
        'Only of types with the setting `webhook_url`, the same as that: eight bullets where it is set, since it is a secret.',
    }),
    phone_number: z.string().nullable().optional().meta({
      description: 'Only of `sms`: the setting `to`.',
    }),
    email: z.string().optional().meta({ description: 'Only of `email`: your own address.' }),
    verified: z.boolean().optional().meta({
      description: 'Only of `email`: whether your address is confirmed.',
    }),
    configured: z.boolean().meta({ description: 'Whether it is set up.' }),
    available: z.boolean().meta({
      description:
        'Of e-mail: whether this installation sends mail and your address is confirmed. Else true.',
    }),
    fields: z.array(field).meta({ description: 'What is to be filled in.' }),
    public_key: z.string().nullable().meta({
      description: 'Of `web_push`: what the browser subscribes with (`applicationServerKey`).',
    }),
  })
  .meta({ id: 'NotificationChannel', description: 'A way to notify one person.' })
  .register(CHANGING, {
    fields: [
      'warnings',
      'last_delivered_at',
      'failing_since',
      'last_error',
      'verified',
      'available',
    ],
  });

const TOPIC = {
  name: 'topic',
  kind: 'text',
  required: true,
  secret: true,
  description: 'A name that nobody guesses, since anyone who knows it can read along.',
  example: 'tocsin-x7Qm2Lr9',
  choices: null,
};

const change = requestSchema(PERSONAL_CHANNEL_FIELDS).extend({
  webhook_url: z.unknown().optional().meta({
    description:
      'Text, the same as `settings.webhook_url`, of types that have it. Eight bullets keep what is stored. Ignored for other types.',
  }),
  phone_number: z
    .unknown()
    .optional()
    .meta({ description: 'Text, the same as `settings.to` of `sms`. Ignored for other types.' }),
  email: z.unknown().optional().meta({
    description:
      'Text, of `email`: your own address. Another one is 422, since a new address has to be confirmed first. Ignored for other types.',
  }),
});

const ntfy = {
  id: 'ntfy',
  type: 'ntfy',
  title: 'ntfy',
  ...exampleFields(PERSONAL_CHANNEL_FIELDS, { name: 'ntfy' }),
  settings: { server_url: null, topic: '••••••••', token: null },
  warnings: [],
  configured: true,
  available: true,
  fields: [TOPIC],
  last_delivered_at: null,
  failing_since: null,
  last_error: null,
  public_key: null,
};

const email = {
  ...ntfy,
  id: 'email',
  type: 'email',
  title: 'E-mail',
  name: 'E-mail',
  settings: {},
  email: 'alice@example.com',
  verified: true,
  fields: [],
};

const words = {
  channel: word.meta({ description: 'Type of the channel.', example: 'ntfy' }),
};

const EMAIL =
  'E-mail goes to your own address and takes no settings. Who may change monitors has it by default, once their address is confirmed, where the installation sends mail.';

export const notificationChannels = noun('Alerts', createNotificationChannels, {
  listNotificationChannels: {
    at: 'GET /notification-channels',
    needs: 'token',
    summary: 'List your own channels',
    description: `One entry for each type that people can have, set up or not. ${EMAIL}`,
    answer: z
      .object({ data: z.array(channel) })
      .meta({ id: 'NotificationChannelList', description: 'All channels of the caller.' }),
    example: { answer: { data: [email, ntfy] } },
  },
  createNotificationChannel: {
    at: 'POST /notification-channels',
    role: null,
    summary: 'Set up a channel of your own',
    description: `There is one of each type: where it is set up already the answer is 409. ${EMAIL}`,
    body: change.extend({ type: oneOf(PERSONAL_CHANNEL_TYPES) }),
    answer: channel,
    refusals: ['conflict'],
    example: {
      body: {
        type: 'gotify',
        settings: { server_url: 'https://push.example.com', token: 'Axxxxxxxxxxxxxx' },
      },
      answer: {
        ...ntfy,
        id: 'gotify',
        type: 'gotify',
        title: 'Gotify',
        name: 'Gotify',
        settings: { server_url: 'https://push.example.com', token: '••••••••' },
      },
    },
  },
  getNotificationChannel: {
    at: 'GET /notification-channels/:channel',
    needs: 'token',
    summary: 'Get a channel of your own',
    description: 'Also while it is not set up.',
    words,
    answer: channel,
    refusals: ['not_found'],
    example: { path: { channel: 'ntfy' }, answer: ntfy },
  },
  updateNotificationChannel: {
    at: 'PUT /notification-channels/:channel',
    role: null,
    summary: 'Change a channel of your own',
    description:
      'Only the keys that are present change, those of `settings` too. One that is not set up yet is set up, for which a token needs the permission `create` too.',
    words,
    body: change.extend({
      type: oneOf(PERSONAL_CHANNEL_TYPES).nullish().meta({ description: 'That of the path.' }),
    }),
    answer: channel,
    refusals: ['not_found'],
    example: {
      path: { channel: 'ntfy' },
      body: { severities: ['critical'] },
      answer: { ...ntfy, severities: ['critical'] },
    },
  },
  deleteNotificationChannel: {
    at: 'DELETE /notification-channels/:channel',
    role: null,
    summary: 'Remove a channel of your own',
    description: 'Nothing is sent there any more; e-mail does not come back by itself.',
    words,
    refusals: ['not_found'],
    example: { path: { channel: 'ntfy' } },
  },
  testNotificationChannel: {
    at: 'POST /notification-channels/:channel/test',
    needs: 'update',
    role: null,
    summary: 'Send yourself a test message',
    description: 'The answer is 200 whether it was taken or not, and comes within about 10 s.',
    words,
    answer: channelTest,
    refusals: ['not_found'],
    example: {
      path: { channel: 'ntfy' },
      answer: { success: true, message: 'ntfy took the test message: look there whether it came.' },
    },
  },
});
