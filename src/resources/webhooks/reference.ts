import { noun } from '../common/operation.ts';
import { createWebhookEndpointService } from './service.ts';
import { createWebhookDeliveryService } from './deliveries.ts';
import { z } from 'zod';
import { DELIVERY_STATUSES, deliveryListQuery } from './deliveries.ts';
import { DESTINATION_LIMITS } from '../../model/outgoing.ts';
import { rotationInput } from './service.ts';
import { WEBHOOK_FIELDS } from './fields.ts';
import { answerShape, changeSchema, exampleFields, requestSchema } from '../common/fields.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';

const { name, ...settings } = answerShape(WEBHOOK_FIELDS);
const endpoint = z
  .object({
    id: z.int(),
    name: name!,
    url_host: z.string().meta({
      description: 'The host of its address. The address itself is a secret and never shown.',
    }),
    ...settings,
    deactivated_reason: z.string().nullable().meta({
      description: 'Why the service switched it off; null when it did not.',
    }),
    has_signing_secret: z.boolean(),
    previous_secret_until: z.iso.datetime().nullable().meta({
      description: 'Until then the former secret signs, too; null when it does not.',
    }),
    last_delivered_at: z.iso.datetime().nullable(),
    failing_since: z.iso.datetime().nullable().meta({
      description: 'Since when every attempt failed; null when the last one did not.',
    }),
    last_error: z.string().nullable().meta({ description: 'What went wrong last, since then.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'WebhookEndpoint', description: 'An address that is sent events.' });

const chatOps = {
  id: 1,
  ...exampleFields(WEBHOOK_FIELDS, {
    name: 'Chat ops',
    auth_type: 'bearer',
    severities: ['critical', 'warning'],
  }),
  url_host: 'hooks.example.com',
  deactivated_reason: null,
  has_signing_secret: true,
  previous_secret_until: null,
  last_delivered_at: null,
  failing_since: null,
  last_error: null,
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
};

const delivery = {
  id: z.int(),
  message_id: z.string().meta({
    description:
      'The `webhook-id` of its requests: the same in all attempts, and when it is sent again.',
  }),
  event: z.string().nullable().meta({ description: 'Such as `monitor.down`.' }),
  incident_id: z.int().nullable(),
  status: z.enum(DELIVERY_STATUSES).meta({
    description:
      'pending: it waits, or is tried again. delivered: a 2xx was answered. failed: given up, as trying again is of no use. expired: not delivered within its 24 hours.',
  }),
  attempts_count: z.int(),
  last_status_code: z.int().nullable().meta({
    description: 'Of the newest attempt; null without an answer.',
  }),
  last_error: z.string().nullable().meta({ description: 'Of the newest attempt.' }),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  next_attempt_at: z.iso.datetime().nullable().meta({
    description: 'Not before then; null of one that is over.',
  }),
};

const listed = z
  .object(delivery)
  .meta({ id: 'WebhookDelivery', description: 'One event for one endpoint.' });

const detailed = z
  .object({
    ...delivery,
    body: z
      .string()
      .meta({ description: 'As it is sent, byte for byte: JSON of a `WebhookEvent`.' }),
    attempts: z.array(
      z.object({
        number: z.int().min(1),
        at: z.iso.datetime(),
        duration_ms: z.int(),
        status_code: z.int().nullable().meta({ description: 'Null without an answer.' }),
        error: z.string().nullable().meta({ description: 'Null when it was delivered.' }),
        response: z
          .string()
          .nullable()
          .meta({ description: 'The beginning of what was answered.' }),
      }),
    ),
  })
  .meta({ id: 'WebhookDeliveryDetails', description: 'A delivery with all its attempts.' });

const down = {
  id: 1,
  message_id: 'msg_5f0c3f66-6d3c-4a3e-9d07-8a4b0d1a7f11',
  event: 'monitor.down',
  incident_id: 1,
  status: 'delivered',
  attempts_count: 1,
  last_status_code: 204,
  last_error: null,
  created_at: '2030-01-01T00:00:00.000Z',
  finished_at: '2030-01-01T00:00:00.130Z',
  next_attempt_at: null,
};

const message = z.object({ message: z.string() });

const EXAMPLE_BODY = {
  name: 'Chat ops',
  url: 'https://hooks.example.com/tocsin/7Hq2',
  auth_type: 'bearer',
  auth_token: 'n3WdTn9x',
  signing_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  severities: ['critical', 'warning'],
};

export const webhookEndpoints = noun('Webhooks', createWebhookEndpointService, {
  listWebhookEndpoints: {
    at: 'GET /webhook-endpoints',
    summary: 'List webhook endpoints',
    description: 'All endpoints of the team, the oldest first.',
    answer: z
      .object({ total: z.int(), data: z.array(endpoint) })
      .meta({ id: 'WebhookEndpointList', description: 'All webhook endpoints of the team.' }),
    example: { answer: { total: 1, data: [chatOps] } },
  },
  createWebhookEndpoint: {
    at: 'POST /webhook-endpoints',
    role: 'admin',
    summary: 'Create a webhook endpoint',
    description: `Events of the chosen severities are sent to its address from then on: what such a request looks like stands under Events. A team has at most ${DESTINATION_LIMITS.webhook_endpoint.perTeam}. \`url\`, \`auth_token\` and \`signing_secret\` are kept encrypted and never shown again.`,
    body: requestSchema(WEBHOOK_FIELDS),
    answer: endpoint,
    example: { body: EXAMPLE_BODY, answer: chatOps },
  },
  getWebhookEndpoint: {
    at: 'GET /webhook-endpoints/:id',
    summary: 'Get a webhook endpoint',
    answer: endpoint,
    example: { answer: chatOps },
  },
  updateWebhookEndpoint: {
    at: 'PUT /webhook-endpoints/:id',
    role: 'admin',
    summary: 'Update a webhook endpoint',
    description:
      'Only the fields that are sent change; eight bullets keep a stored secret as well. Switching it off gives up what waits to be sent; switching it on forgets its failures.',
    body: changeSchema(WEBHOOK_FIELDS),
    answer: endpoint,
    example: {
      body: { name: 'Pager', severities: ['critical'] },
      answer: { ...chatOps, name: 'Pager', severities: ['critical'] },
    },
  },
  deleteWebhookEndpoint: {
    at: 'DELETE /webhook-endpoints/:id',
    role: 'admin',
    summary: 'Delete a webhook endpoint',
    description: 'Its deliveries go with it, those that wait too.',
  },
  testWebhookEndpoint: {
    at: 'POST /webhook-endpoints/:id/test',
    needs: 'update',
    role: 'admin',
    budget: 'webhook_test',
    status: 202,
    summary: 'Send a test event',
    description:
      'Sends an event `webhook.test` of a monitor with the id 0, before all that waits, once, and also to an endpoint that is switched off. What came of it stands among its deliveries.',
    answer: message,
    example: {
      answer: {
        message:
          "A test event is on its way to hooks.example.com. What becomes of it is shown among the endpoint's deliveries.",
      },
    },
  },
  rotateWebhookSecret: {
    at: 'POST /webhook-endpoints/:id/rotate-secret',
    needs: 'update',
    role: 'admin',
    summary: 'Replace the signing secret',
    description:
      'The answer alone holds the new secret. Until `previous_valid_until` the former one signs as well, so that receivers can change over in their own time.',
    body: rotationInput,
    answer: z
      .object({
        signing_secret: z.string(),
        previous_valid_until: z.iso.datetime().nullable().meta({
          description: 'Null when the former secret ends at once, or there was none.',
        }),
      })
      .meta({ id: 'WebhookSecret', description: 'A new signing secret.' }),
    example: {
      body: { overlap_hours: 48 },
      answer: {
        signing_secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazSfhXHlMqE=',
        previous_valid_until: '2030-01-03T00:00:00.000Z',
      },
    },
  },
});

export const webhookDeliveries = noun('Webhooks', createWebhookDeliveryService, {
  listWebhookDeliveries: {
    at: 'GET /webhook-endpoints/:id/deliveries',
    summary: 'List deliveries',
    description: 'What was and will be sent to the endpoint, the newest first.',
    query: deliveryListQuery,
    answer: pageSchema(listed, 'WebhookDeliveryPage'),
    example: { answer: pageExample('/webhook-endpoints/1/deliveries', [down]) },
  },
  getWebhookDelivery: {
    at: 'GET /webhook-endpoints/:id/deliveries/:delivery',
    summary: 'Get a delivery',
    description: 'With its body and all attempts.',
    answer: detailed,
    example: {
      answer: {
        ...down,
        body: '{"event":"monitor.down","timestamp":"2030-01-01T00:00:00.000Z","monitor":{"id":1,"name":"Shop","url":"https://shop.example.com"},"status":{"current":"offline","previous":"online","root_cause":"HTTP 503","region":null,"is_regional_issue":false},"incident":{"id":1,"started_at":"2029-12-31T23:59:30.000Z"}}',
        attempts: [
          {
            number: 1,
            at: '2030-01-01T00:00:00.000Z',
            duration_ms: 130,
            status_code: 204,
            error: null,
            response: null,
          },
        ],
      },
    },
  },
  redeliverWebhook: {
    at: 'POST /webhook-endpoints/:id/deliveries/:delivery/redeliver',
    needs: 'update',
    role: 'admin',
    status: 202,
    summary: 'Deliver again',
    description:
      'The same body under the same `webhook-id`, as a new delivery after all that waits. Refused for tests, for what still waits, and while the endpoint is switched off.',
    answer: message,
    example: {
      answer: {
        message:
          'The event is on its way to hooks.example.com again, under the same id. What becomes of it is shown as a new delivery.',
      },
    },
    refusals: ['unsupported'],
  },
});
