import { destinationStore } from '../../../src/store/alerting/destinations.ts';
import { queueChanges } from '../../../src/store/alerting/delivery-outcomes.ts';
import type { Database } from '../../../src/store/database/contract.ts';
import { notice, trouble } from '../../support/notices.ts';
import { storeAlert } from '../../support/sent-alerts.ts';

const MINUTE_MS = 60_000;

/** What was sent about an incident of a team, and did not arrive. */
export const FAILURES = {
  channel: 'ntfy answered HTTP 403: the topic is reserved.',
  webhook: 'The endpoint answered HTTP 503.',
} as const;

/** Stores failed messages about an incident to the channel and the endpoint of these ids. */
export async function storeFailedAlerts(
  database: Database,
  { teamId, incidentId, at }: { teamId: number; incidentId: number; at: number },
  ids: { channel: number; webhook: number },
): Promise<void> {
  const alertId = await storeAlert(database, { teamId, incidents: [incidentId], now: at });
  for (const kind of ['channel', 'webhook'] as const) {
    const table = kind === 'channel' ? 'alert_channel' : 'webhook_endpoint';
    const { destination_id: destinationId } = await database.read
      .selectFrom(table as 'alert_channel')
      .select('destination_id')
      .where('id', '=', ids[kind])
      .executeTakeFirstOrThrow();
    const isAlert = kind === 'channel';
    const sent = {
      destinationId,
      teamId,
      messageId: `msg_${kind}`,
      kind: isAlert ? ('alarm' as const) : ('event' as const),
      eventType: isAlert ? null : 'monitor.down',
      incidentId,
      alertId: isAlert ? alertId : null,
      body: JSON.stringify(isAlert ? notice({ troubles: [trouble({ incidentId })] }) : {}),
    };
    await database.transaction((tx) => destinationStore(tx).enqueue([sent], at));
    const { id: deliveryId } = await database.read
      .selectFrom('delivery')
      .select('id')
      .where('destination_id', '=', destinationId)
      .executeTakeFirstOrThrow();
    const error = FAILURES[kind];
    const attempt = { at, durationMs: 40, statusCode: isAlert ? 403 : 503, error, response: null };
    const next = { status: 'failed' as const, at: at + MINUTE_MS };
    await database.transaction(async (tx) => {
      await queueChanges(tx).recordAttempts([{ deliveryId, number: 1, attempt, next }]);
      const health = { failures: 1, failingSince: at, lastError: error };
      await queueChanges(tx).setHealth(destinationId, health);
    });
  }
}
