import { z } from 'zod';
import { NOTICE_KINDS } from '../notify/notice.ts';
import type { DeliveryRow } from '../store/delivery-log.ts';
import { oneOf } from './input.ts';
import { PAGE_QUERY } from './page.ts';
import { isoOrNull, isoTime } from './time.ts';

/** What messages are about. */
export const MESSAGE_KINDS = NOTICE_KINDS;

/** What can have become of a message to people. */
export const MESSAGE_STATUSES = [
  'pending',
  'delivered',
  'failed',
  'expired',
  'superseded',
] as const;

export const channelDeliveriesQuery = z.object({
  status: oneOf(MESSAGE_STATUSES).optional().meta({ description: 'All unless given.' }),
  page: PAGE_QUERY.page,
  per_page: PAGE_QUERY.per_page,
});

/** A message in the log of a channel. */
export function viewChannelDelivery(row: DeliveryRow) {
  const isPending = row.status === 'pending';
  return {
    id: row.id,
    message_id: row.message_id,
    kind: row.kind,
    alert_id: row.alert_id,
    status: row.status,
    attempts_count: row.attempts,
    last_status_code: row.last_status_code,
    last_error: row.last_error,
    created_at: isoTime(row.created_at),
    finished_at: isoOrNull(row.finished_at),
    // One that waits behind others waits as long as they do.
    next_attempt_at: isPending ? isoTime(Math.max(row.next_at, row.queue_next_at ?? 0)) : null,
  };
}
