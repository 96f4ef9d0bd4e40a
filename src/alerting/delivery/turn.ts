import type { Kysely } from 'kysely';
import {
  headOf,
  isDue,
  lostOf,
  readPending,
  type LoadedDestination,
  type QueuedDelivery,
} from '../../store/alerting/deliveries.ts';
import type { Schema } from '../../store/database/schema.ts';
import { catchUp, type CatchUp, type Undelivered } from '../policy/index.ts';
import type { ChannelType } from '../channels/index.ts';
import type { MessageContent } from '../message/index.ts';

/** What a destination is sent next. */
export interface Turn {
  destination: LoadedDestination;
  /** A test, or the oldest that waits: what fails counts for it, and it waits with all behind it. */
  head: QueuedDelivery;
  /** The one that is sent: mostly the head. Null when the blind spot is. */
  delivery: QueuedDelivery | null;
  blindSpot: CatchUp['gapMessage'];
  /** Those that need not be sent once this one is there. */
  told: number[];
}

/** Of a queue that was long in vain, so many are looked at together. */
const MOST_UNTOLD = 200;
/** What was lost longer ago is no news to anybody. */
const LOST_WITHIN_MS = 7 * 24 * 3_600_000;

/** Null while nothing is due, or can be sent there. @param db a transaction, or the database. */
export async function nextTurn(
  db: Kysely<Schema>,
  destination: LoadedDestination,
  now: number,
  channelType: (type: string) => ChannelType | undefined,
): Promise<Turn | null> {
  const head = await headOf(db, destination.id);
  if (head === null || !isDue(head.nextAt, now) || head.expiresAt <= now) return null;
  const isTest = head.kind === 'test';
  if (!destination.isActive && !isTest) return null;
  const plain = { destination, head, delivery: head, blindSpot: null, told: [] };
  if (isTest || !isCaughtUp(destination, channelType)) return plain;

  const { failingSince, lastError: reason } = destination;
  const pending = await readPending(db, destination.id, { after: 0, limit: MOST_UNTOLD });
  const lost = await lostSince(db, destination, now);
  const untold = [...lost, ...pending].toSorted((a, b) => a.id - b.id).flatMap(untoldOf);
  const silence = { from: failingSince ?? now, to: now, reason };
  const { gapMessage: blindSpot, repeated } = catchUp(untold, silence);
  const told = [...(blindSpot?.replaces ?? []), ...repeated];
  if (blindSpot !== null) return { ...plain, delivery: null, blindSpot, told };
  const first = pending.find((one) => !repeated.includes(one.id)) ?? head;
  return { ...plain, delivery: first, told };
}

/** A provider that keeps incidents gets everything in its order, so that each is opened and closed. */
function isCaughtUp(
  destination: LoadedDestination,
  channelType: (type: string) => ChannelType | undefined,
): boolean {
  if (destination.kind !== 'channel' || destination.failingSince === null) return false;
  return channelType(destination.channel.type)?.keepsIncidents === false;
}

/** What was lost since this destination was told anything. */
export function lostSince(
  db: Kysely<Schema>,
  { id, lastDeliveredAt }: Pick<LoadedDestination, 'id' | 'lastDeliveredAt'>,
  now: number,
): Promise<QueuedDelivery[]> {
  const since = Math.max(lastDeliveredAt ?? 0, now - LOST_WITHIN_MS);
  return lostOf(db, id, { since, limit: MOST_UNTOLD });
}

function untoldOf(delivery: QueuedDelivery): Undelivered[] {
  const notice = noticeOf(delivery.body);
  if (notice === null) return [];
  const { id, messageId, alertId, status } = delivery;
  return [{ id, messageId, alertId, isLost: status !== 'pending', notice }];
}

/** Null for what is none. */
export function noticeOf(body: string): MessageContent | null {
  try {
    const notice = JSON.parse(body) as Partial<MessageContent> | null;
    return Array.isArray(notice?.troubles) && typeof notice.kind === 'string'
      ? (notice as MessageContent)
      : null;
  } catch {
    return null;
  }
}
