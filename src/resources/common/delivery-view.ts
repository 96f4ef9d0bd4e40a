import type { DeliveryRow } from '../../store/alerting/delivery-log.ts';
import { isoOrNull, isoTime } from './time.ts';

/** What is shown of the state of a delivery. */
type DeliveryState = Pick<
  DeliveryRow,
  | 'status'
  | 'attempts'
  | 'next_at'
  | 'queue_next_at'
  | 'last_status_code'
  | 'last_error'
  | 'created_at'
  | 'finished_at'
>;

/** State of a delivery to a webhook endpoint or a channel. */
export function viewDeliveryState(row: DeliveryState) {
  const isPending = row.status === 'pending';
  return {
    status: row.status,
    attempts_count: row.attempts,
    last_status_code: row.last_status_code,
    last_error: row.last_error,
    created_at: isoTime(row.created_at),
    finished_at: isoOrNull(row.finished_at),
    // A delivery waits until its queue continues.
    next_attempt_at: isPending ? isoTime(Math.max(row.next_at, row.queue_next_at ?? 0)) : null,
  };
}
