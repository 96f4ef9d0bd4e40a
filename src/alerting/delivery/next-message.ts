import { unobservedOf } from '../../engine/history/stored-uptime.ts';
import {
  queueOf,
  type LoadedChannel,
  type LoadedDestination,
  type QueuedDelivery,
} from '../../store/alerting/deliveries.ts';
import { isDue } from '../../store/alerting/claims.ts';
import type { ChannelType } from '../channels/index.ts';
import type { MessageContent } from '../message/content.ts';
import type { Db } from '../../store/database/contract.ts';
import { catchUp } from '../policy/index.ts';
import type { CatchUp, Undelivered } from '../policy/delivery-gap.ts';

export interface NextMessage<Destination = LoadedDestination> {
  destination: Destination;
  /** A test, or else the oldest pending delivery: a failure counts for it, and everything behind it waits with it. */
  head: QueuedDelivery;
  /** The delivery that is sent, mostly the head; null when the gap message is. */
  delivery: QueuedDelivery | null;
  gapMessage: CatchUp['gapMessage'];
  /** Ids of deliveries that need not be sent once this message has arrived. */
  superseded: number[];
}

const MAX_UNDELIVERED = 200;

/** Messages that were lost earlier are too old to be caught up with. */
const LOST_WITHIN_MS = 7 * 24 * 3_600_000;

/** Null while nothing is due, or can be sent there. @param db a transaction, or the database. */
export async function nextMessage(
  db: Db,
  destination: LoadedChannel,
  now: number,
  channelType: (type: string) => ChannelType | undefined,
): Promise<NextMessage<LoadedChannel> | null> {
  const head = await queueOf(db, destination.id).head();
  if (head === null || !isDue(head.nextAt, now) || head.expiresAt <= now) return null;
  const isTest = head.kind === 'test';
  if (!destination.isActive && !isTest) return null;
  const plain = { destination, head, delivery: head, gapMessage: null, superseded: [] };
  if (isTest || !isCaughtUp(destination, channelType)) return plain;

  const { failingSince, lastError: reason } = destination;
  const pending = await queueOf(db, destination.id).pending({ after: 0, limit: MAX_UNDELIVERED });
  const lost = await readLostSince(db, destination, now);
  const undelivered = [...lost, ...pending].toSorted((a, b) => a.id - b.id).flatMap(undeliveredOf);
  const gap = { from: failingSince ?? now, to: now, reason };
  const { gapMessage, repeated } = catchUp({ undelivered, gap }, now);
  const superseded = [...(gapMessage?.replaces ?? []), ...repeated];
  if (gapMessage !== null) {
    const content = await asObserved(db, gapMessage.content, now);
    return { ...plain, delivery: null, gapMessage: { ...gapMessage, content }, superseded };
  }
  const first = pending.find((one) => !repeated.includes(one.id)) ?? head;
  return { ...plain, delivery: first, superseded };
}

/** The message with what was observed of its incidents by now, which is more than when they were enqueued. */
async function asObserved(db: Db, content: MessageContent, now: number) {
  const { troubles } = content;
  const unobserved = await unobservedOf({ read: db, scan: db }, troubles, now);
  return {
    ...content,
    troubles: troubles.map((one) => ({ ...one, unobservedMs: unobserved([one.incidentId]) ?? 0 })),
    unobservedMs: unobserved(troubles.map(({ incidentId }) => incidentId)) ?? 0,
  };
}

/** A provider that keeps incidents gets everything in its order, so that each is opened and closed. */
function isCaughtUp(
  { failingSince, channel }: LoadedChannel,
  channelType: (type: string) => ChannelType | undefined,
): boolean {
  return failingSince !== null && channelType(channel.type)?.keepsIncidents === false;
}

export function readLostSince(
  db: Db,
  { id, lastDeliveredAt }: Pick<LoadedChannel, 'id' | 'lastDeliveredAt'>,
  now: number,
): Promise<QueuedDelivery[]> {
  const since = Math.max(lastDeliveredAt ?? 0, now - LOST_WITHIN_MS);
  return queueOf(db, id).lost({ since, limit: MAX_UNDELIVERED });
}

function undeliveredOf(delivery: QueuedDelivery): Undelivered[] {
  const notice = contentOf(delivery.body);
  if (notice === null) return [];
  const { id, messageId, alertId, status } = delivery;
  return [{ id, messageId, alertId, isLost: status !== 'pending', content: notice }];
}

/** Parses the body of a delivery to a channel; null when it is no message. */
export function contentOf(body: string): MessageContent | null {
  try {
    const content = JSON.parse(body) as Partial<MessageContent> | null;
    return Array.isArray(content?.troubles) && typeof content.kind === 'string'
      ? (content as MessageContent)
      : null;
  } catch {
    return null;
  }
}
