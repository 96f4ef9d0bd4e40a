import { z } from 'zod';
import { CHANGING } from '../common/changing.ts';
import {
  listAttempts,
  listDeliveries,
  type DeliveryRow,
  deliveriesOf,
} from '../../store/alerting/delivery-log.ts';
import { destinationStore } from '../../store/alerting/destinations.ts';
import { recordChange } from '../common/change.ts';
import type { CollectionDeps } from '../common/collection.ts';
import { viewDeliveryState } from '../common/delivery-view.ts';
import { notFound, Problem } from '../common/errors.ts';
import { queryTime } from '../common/time-input.ts';
import { Findings, readQuery } from '../common/input.ts';
import { oneOf, text } from '../../lib/schemas.ts';
import { UNSORTED_PAGE_QUERY, pageOf, pagingOf } from '../common/page.ts';
import { writeToTeam } from '../common/team-writes.ts';
import { isoTime } from '../common/time.ts';
import { message, webhookEndpoints } from './endpoints.ts';
import { spendingsOfAction } from '../../model/budgets.ts';
import { spendBudgets } from '../../store/people/budgets.ts';
import { noun, type Call } from '../common/operation.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';
import { time } from '../common/reference-schemas.ts';

const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'expired'] as const;

const deliveryListQuery = z.object({
  status: oneOf(DELIVERY_STATUSES).optional().meta({ description: 'All unless given.' }),
  event: text(100).optional().meta({ description: 'Such as `monitor.down`. All unless given.' }),
  from: queryTime('from', 'Deliveries that were asked for from then on.').optional(),
  to: queryTime(
    'to',
    'Deliveries that were asked for before then; a date includes that day.',
  ).optional(),
  ...UNSORTED_PAGE_QUERY,
});

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
  created_at: time,
  finished_at: time.nullable(),
  next_attempt_at: time.nullable().meta({
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
        at: time,
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
  .meta({ id: 'WebhookDeliveryDetails', description: 'A delivery with all its attempts.' })
  .register(CHANGING, { fields: ['last_error'] });

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

export const webhookDeliveries = noun('Webhooks', createWebhookDeliveries, {
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

/** Deliveries to a webhook endpoint. Ids of other teams and other endpoints are not found; a bad query is an InvalidInput. */
function createWebhookDeliveries(deps: CollectionDeps & { openSignup: boolean }) {
  const { database, clock } = deps;

  return {
    /** Newest first. */
    async listWebhookDeliveries({ caller, id: endpointId, query, address }: Call) {
      const { destination_id } = await webhookEndpoints.find(database.read, caller, endpointId);
      const { status, event, from, to, ...paged } = readDeliveriesQuery(query);
      const paging = pagingOf(paged, 'created_at');
      const { offset, limit } = paging;
      const question = { status, event, from, to, offset, limit };
      const { deliveries, total } = await listDeliveries(database, destination_id, question);
      return pageOf(deliveries.map(viewDelivery), total, paging, address);
    },

    /** With the body as it is sent, and all attempts. */
    async getWebhookDelivery({ caller, id: endpointId, idOf }: Call) {
      const id = idOf('delivery');
      const { destination_id } = await webhookEndpoints.find(database.read, caller, endpointId);
      const row = await deliveriesOf(database.read, destination_id).find(id);
      if (row === undefined) throw notFound('delivery');
      const attempts = await listAttempts(database.read, id);
      return {
        ...viewDelivery(row),
        body: row.body,
        attempts: attempts.map((attempt) => ({ ...attempt, at: isoTime(attempt.at) })),
      };
    },

    /** Sends the same body under the same message id again, after everything that waits. */
    redeliverWebhook: ({ caller, id: endpointId, idOf }: Call) => {
      const id = idOf('delivery');
      return writeToTeam(database, caller, { permission: 'update', role: 'admin' }, async (tx) => {
        const endpoint = await webhookEndpoints.find(tx, caller, endpointId);
        const row = await deliveriesOf(tx, endpoint.destination_id).find(id);
        if (row === undefined) throw notFound('delivery');
        const refusal = whyNotAgain(row, endpoint.is_active === 1);
        if (refusal !== null) throw new Problem('unsupported', refusal);
        // Repeated requests would fill the queue that alerts wait in.
        if (await deliveriesOf(tx, endpoint.destination_id).isPending(row.message_id))
          throw new Problem(
            'unsupported',
            'This event waits to be sent there again already: see the newest deliveries.',
          );
        const now = clock.now();
        const again = {
          destinationId: row.destination_id,
          teamId: row.team_id,
          messageId: row.message_id,
          kind: row.kind,
          eventType: row.event_type,
          monitorId: row.monitor_id,
          incidentId: row.incident_id,
          alertId: row.alert_id,
          body: row.body,
        };
        await destinationStore(tx).enqueue([again], now);
        const after = { delivery_id: id, message_id: row.message_id };
        const target = webhookEndpoints.targetOf(endpoint);
        await recordChange(tx, caller, { verb: 'redelivered', target, after }, now);
        const who = { personId: caller.person.id, teamId: caller.team.id };
        await spendBudgets(tx, spendingsOfAction('redelivery', who, deps), now);
        return {
          message: `The event is on its way to ${endpoint.url_host} again, under the same id. What becomes of it is shown as a new delivery.`,
        };
      });
    },
  };
}

function whyNotAgain({ kind, status }: DeliveryRow, isActive: boolean): string | null {
  if (kind === 'test') return 'This delivery was a test: send a new one instead.';
  if (status === 'pending')
    return 'This delivery still waits to be sent: it is tried again by itself.';
  if (!isActive)
    return 'The webhook endpoint is switched off: switch it on first, by is_active true.';
  return null;
}

function readDeliveriesQuery(query: object) {
  const findings = new Findings();
  const wanted = readQuery(deliveryListQuery, query, findings);
  const { from, to } = wanted;
  if (from !== undefined && to !== undefined && to <= from)
    findings.add('to', 'must be after from');
  findings.throwIfAny();
  return wanted;
}

function viewDelivery(row: DeliveryRow) {
  return {
    id: row.id,
    message_id: row.message_id,
    event: row.event_type,
    incident_id: row.incident_id,
    ...viewDeliveryState(row),
  };
}
