import { z } from 'zod';
import type { DeliveryRow } from '../../store/alerting/delivery-log.ts';
import { viewDeliveryState } from '../common/delivery-view.ts';
import { oneOf } from '../../lib/schemas.ts';
import { PAGE_QUERY } from '../common/page.ts';

/** States of a message to people. */
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

/** A message in the log of a channel, for answers. */
export function viewChannelDelivery(row: DeliveryRow) {
  return {
    id: row.id,
    message_id: row.message_id,
    kind: row.kind,
    alert_id: row.alert_id,
    ...viewDeliveryState(row),
  };
}
