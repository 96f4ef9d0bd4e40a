import { destinationStore } from '../../src/store/alerting/destinations.ts';
import { insertRow } from '../../src/store/database/rows.ts';
import type { TestApi } from '../support/api.ts';
import { storeDelivery } from '../support/webhooks.ts';
import type { Pool } from './pool.ts';

/** Ensures that each team has an endpoint with deliveries, whatever was deleted or disabled. */
export async function reviveWebhooks(api: TestApi, pool: Pool): Promise<void> {
  const now = api.clock.now();
  for (const [{ teamId }, side] of [
    [api.alice, 'ours'],
    [api.mallory, 'theirs'],
  ] as const) {
    const endpointId = await api.database.transaction(async (tx) => {
      const old = tx
        .selectFrom('webhook_endpoint')
        .select('id')
        .where('team_id', '=', teamId)
        .orderBy('id', 'desc')
        .limit(FEW)
        .offset(FEW);
      await tx.deleteFrom('webhook_endpoint').where('id', 'in', old).execute();
      const queue = await destinationStore(tx).insert({ kind: 'webhook', teamId, now });
      const columns = { ...COLUMNS, team_id: teamId, destination_id: queue };
      return insertRow(tx, 'webhook_endpoint', { ...columns, created_at: now, updated_at: now });
    });
    pool.know('webhook-endpoints', endpointId, side);
    pool.know('endpoints with deliveries', endpointId, side);
    const sent = { endpointId, at: now, status: 'delivered' as const, attempts: [204] };
    pool.know('deliveries', await storeDelivery(api.database, sent), side);
  }
}

/** Number of endpoints to keep below the limit. */
const FEW = 25;

const COLUMNS = {
  name: 'Sent',
  url: 'sealed by a key that is lost',
  url_host: 'hooks.example.com',
  auth_type: 'none',
  auth_header_name: null,
  auth_token: null,
  signing_secret: null,
  previous_signing_secret: null,
  previous_secret_until: null,
  severities: '["critical"]',
  is_active: 1,
  deactivated_reason: null,
};
