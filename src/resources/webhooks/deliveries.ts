import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  findDelivery,
  isPending,
  listAttempts,
  listDeliveries,
  type DeliveryRow,
} from '../../store/alerting/delivery-log.ts';
import { enqueueDeliveries } from '../../store/alerting/destinations.ts';
import { auditTarget } from '../../model/audit.ts';
import { audit } from '../audit-log/entry.ts';
import { viewDeliveryState } from '../common/delivery-view.ts';
import { notFound, Problem } from '../common/errors.ts';
import { queryTime } from '../common/time-input.ts';
import { Findings, readQuery } from '../common/input.ts';
import { oneOf, text } from '../../lib/schemas.ts';
import { UNSORTED_PAGE_QUERY, pageOf, pagingOf } from '../common/page.ts';
import { writeToTeam } from '../common/team-writes.ts';
import { isoTime } from '../common/time.ts';
import { findEndpoint } from './service.ts';
import { spendingsOfAction } from '../../model/budgets.ts';
import { spendBudgets } from '../../store/people/budgets.ts';
import type { Call } from '../common/operation.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'expired'] as const;

export const deliveryListQuery = z.object({
  status: oneOf(DELIVERY_STATUSES).optional().meta({ description: 'All unless given.' }),
  event: text(100).optional().meta({ description: 'Such as `monitor.down`. All unless given.' }),
  from: queryTime('from', 'Deliveries that were asked for from then on.').optional(),
  to: queryTime(
    'to',
    'Deliveries that were asked for before then; a date includes that day.',
  ).optional(),
  ...UNSORTED_PAGE_QUERY,
});

/** Deliveries to a webhook endpoint. Ids of other teams and other endpoints are not found; a bad query is an InvalidInput. */
export function createWebhookDeliveryService(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
  openSignup: boolean;
}) {
  const { database, clock } = deps;

  return {
    /** Newest first. */
    async listWebhookDeliveries({ caller, id: endpointId, query, address }: Call) {
      const { destination_id } = await findEndpoint(database.read, caller, endpointId);
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
      const { destination_id } = await findEndpoint(database.read, caller, endpointId);
      const row = await findDelivery(database.read, destination_id, id);
      if (row === undefined) throw notFound('delivery');
      const attempts = await listAttempts(database.read, id);
      return {
        ...viewDelivery(row),
        body: row.body,
        attempts: attempts.map(({ number, at, duration_ms, status_code, error, response }) => ({
          number,
          at: isoTime(at),
          duration_ms,
          status_code,
          error,
          response,
        })),
      };
    },

    /** Sends the same body under the same message id again, after everything that waits. */
    redeliverWebhook: ({ caller, id: endpointId, idOf }: Call) => {
      const id = idOf('delivery');
      return writeToTeam(database, caller, { permission: 'update', role: 'admin' }, async (tx) => {
        const endpoint = await findEndpoint(tx, caller, endpointId);
        const row = await findDelivery(tx, endpoint.destination_id, id);
        if (row === undefined) throw notFound('delivery');
        const refusal = whyNotAgain(row, endpoint.is_active === 1);
        if (refusal !== null) throw new Problem('unsupported', refusal);
        // Repeated requests would fill the queue that alerts wait in.
        if (await isPending(tx, endpoint.destination_id, row.message_id))
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
        await enqueueDeliveries(tx, [again], now);
        const after = { delivery_id: id, message_id: row.message_id };
        const target = auditTarget('webhook_endpoint', endpoint);
        await audit(tx, caller, { verb: 'redelivered', target, after }, now);
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
