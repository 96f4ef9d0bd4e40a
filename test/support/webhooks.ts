import type { Transaction } from 'kysely';
import type { Database, Schema } from '../../src/store/database/contract.ts';
import { destinationStore } from '../../src/store/alerting/destinations.ts';

/** A finished delivery. Times are epoch milliseconds. */
export interface TestDelivery {
  endpointId: number;
  messageId?: string;
  event?: string;
  kind?: 'event' | 'test';
  body?: string;
  incidentId?: number;
  /** Pending by default. */
  status?: 'pending' | 'delivered' | 'failed' | 'expired';
  at: number;
  /** The attempts, each with its status or its error. */
  attempts?: (number | string)[];
}

/** @returns the id of the delivery. */
export function storeDelivery({ transaction }: Database, delivery: TestDelivery): Promise<number> {
  const { at, attempts = [], status = 'pending' } = delivery;
  return transaction(async (tx) => {
    const { destination_id: destinationId, team_id: teamId } = await tx
      .selectFrom('webhook_endpoint')
      .select(['destination_id', 'team_id'])
      .where('id', '=', delivery.endpointId)
      .executeTakeFirstOrThrow();
    const row = {
      destinationId,
      teamId,
      messageId: delivery.messageId ?? `msg_${at}`,
      kind: delivery.kind ?? 'event',
      eventType: delivery.event ?? 'monitor.down',
      incidentId: delivery.incidentId ?? null,
      alertId: null,
      body: delivery.body ?? '{"event":"monitor.down"}',
    };
    await destinationStore(tx).enqueue([row], at);
    const { id } = await newest(tx, destinationId);
    await tx
      .updateTable('delivery')
      .set({
        status,
        attempts: attempts.length,
        finished_at: status === 'pending' ? null : at + attempts.length * 1_000,
      })
      .where('id', '=', id)
      .execute();
    for (const [index, outcome] of attempts.entries())
      await tx
        .insertInto('delivery_attempt')
        .values({
          delivery_id: id,
          number: index + 1,
          at: at + index * 1_000,
          duration_ms: 20,
          status_code: typeof outcome === 'number' ? outcome : null,
          error: outcome === 204 ? null : typeof outcome === 'number' ? `HTTP ${outcome}` : outcome,
          response: outcome === 204 ? null : 'Oops',
        })
        .execute();
    return id;
  });
}

function newest(tx: Transaction<Schema>, destinationId: number): Promise<{ id: number }> {
  return tx
    .selectFrom('delivery')
    .select('id')
    .where('destination_id', '=', destinationId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
}
