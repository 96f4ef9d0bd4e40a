import { may, type Caller } from '../../identity/caller.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { maskedAddress } from '../../status-page/subscribers/addresses.ts';
import {
  openAddress,
  type SubscriberKind,
  type SubscriberRow,
  type SubscriberState,
} from '../../store/resources/subscribers.ts';
import { isoOrNull, isoTime } from '../common/time.ts';

export function stateOf(row: SubscriberRow): SubscriberState {
  if (row.ended_reason !== null) return 'ended';
  return row.confirmed_at === null ? 'pending' : 'active';
}

/** A subscriber in answers: admins see the whole address, others enough to know it. */
export function viewSubscriber(row: SubscriberRow, caller: Caller, box: SecretBox) {
  const address = openAddress(row, box);
  const kind = row.kind as SubscriberKind;
  const isShown = may(caller, 'read', 'admin');
  return {
    ...viewSubscription(row),
    address: address === null || isShown ? address : maskedAddress(kind, address),
  };
}

/** All of a subscriber but the address. */
export function viewSubscription(row: SubscriberRow) {
  return {
    id: row.id,
    kind: row.kind as SubscriberKind,
    /** Keeps its place among the keys. */
    address: null as string | null,
    state: stateOf(row),
    ended_reason: row.ended_reason,
    monitors: JSON.parse(row.monitors) as number[],
    created_by: row.created_by,
    confirmed_at: isoOrNull(row.confirmed_at),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** A subscriber in the audit log, which holds no addresses. */
export function auditedSubscriber(row: SubscriberRow, box: SecretBox) {
  const kind = row.kind as SubscriberKind;
  const address = openAddress(row, box);
  return {
    kind,
    address: address === null ? null : maskedAddress(kind, address),
    monitors: JSON.parse(row.monitors) as number[],
    page_id: row.page_id,
  };
}
