import type { Database, Db, Row } from '../database/contract.ts';
import { countRows, hasRow } from '../database/rows.ts';

/** A delivery with the outcome of its newest attempt. */
export type DeliveryRow = Omit<Row<'delivery'>, 'body'> & {
  /** Earliest time at which its queue is served again. */
  queue_next_at: number | null;
  last_status_code: number | null;
  last_error: string | null;
};

interface DeliveriesQuery {
  status?: string | undefined;
  /** Type of the event, such as monitor.down. */
  event?: string | undefined;
  /** Created in `[from, to)`, epoch milliseconds; open at an end that is not given. */
  from?: number | undefined;
  to?: number | undefined;
  offset: number;
  limit: number;
}

/** Lists a page of a destination's deliveries, newest first, and counts all that match. */
export async function listDeliveries(
  { read, scan }: Database,
  destinationId: number,
  question: DeliveriesQuery,
): Promise<{ total: number; deliveries: DeliveryRow[] }> {
  // Counting and skipping pass over a queue that may be long, hence the scanning connection.
  const matches = matching(scan, destinationId, question);
  const total = await countRows(matches);
  const page = await matches
    .select('delivery.id')
    .orderBy('delivery.id', 'desc')
    .limit(question.limit)
    .offset(question.offset)
    .execute();
  if (page.length === 0) return { total, deliveries: [] };
  const deliveries = await selectDeliveries(read, destinationId)
    .where(
      'delivery.id',
      'in',
      page.map(({ id }) => id),
    )
    .orderBy('delivery.id', 'desc')
    .execute();
  return { total, deliveries };
}

function matching(db: Db, destinationId: number, { status, event, from, to }: DeliveriesQuery) {
  let query = db.selectFrom('delivery').where('delivery.destination_id', '=', destinationId);
  if (status !== undefined) query = query.where('delivery.status', '=', status);
  if (event !== undefined) query = query.where('delivery.event_type', '=', event);
  if (from !== undefined) query = query.where('delivery.created_at', '>=', from);
  if (to !== undefined) query = query.where('delivery.created_at', '<', to);
  return query;
}

/** Deliveries of one destination. */
export function deliveriesOf(db: Db, destinationId: number) {
  return {
    find(id: number) {
      return selectDeliveries(db, destinationId)
        .select('delivery.body')
        .where('delivery.id', '=', id)
        .executeTakeFirst();
    },

    /** Whether a message of that id is pending there. */
    async isPending(messageId: string) {
      return hasRow(db, 'delivery', {
        destination_id: destinationId,
        status: 'pending',
        message_id: messageId,
      });
    },
  };
}

export function listAttempts(db: Db, deliveryId: number) {
  return db
    .selectFrom('delivery_attempt')
    .select(['number', 'at', 'duration_ms', 'status_code', 'error', 'response'])
    .where('delivery_id', '=', deliveryId)
    .orderBy('number')
    .execute();
}

function selectDeliveries(db: Db, destinationId: number) {
  return db
    .selectFrom('delivery')
    .innerJoin('destination', 'destination.id', 'delivery.destination_id')
    .leftJoin('delivery_attempt', (join) =>
      join
        .onRef('delivery_attempt.delivery_id', '=', 'delivery.id')
        .onRef('delivery_attempt.number', '=', 'delivery.attempts'),
    )
    .select([
      'delivery.id',
      'delivery.destination_id',
      'delivery.team_id',
      'delivery.message_id',
      'delivery.kind',
      'delivery.event_type',
      'delivery.monitor_id',
      'delivery.incident_id',
      'delivery.alert_id',
      'delivery.status',
      'delivery.attempts',
      'delivery.next_at',
      'delivery.expires_at',
      'delivery.finished_at',
      'delivery.created_at',
      'destination.next_at as queue_next_at',
      'delivery_attempt.status_code as last_status_code',
      'delivery_attempt.error as last_error',
    ])
    .where('delivery.destination_id', '=', destinationId);
}
