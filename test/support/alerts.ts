import type { Database } from '../../src/store/database/contract.ts';
import { destinationStore } from '../../src/store/alerting/destinations.ts';
import { OPERATIONS } from '../../src/resources/nouns.ts';
import type { TestApi } from './api.ts';

/** Creates the channels and the route of the reference's examples, each as Alice's first; monitor 1 must exist. */
export async function storeAlerting(api: TestApi): Promise<void> {
  const made = [
    ['POST', '/alert-channels', OPERATIONS['createAlertChannel']!.example!.body],
    ['POST', '/alert-routes', OPERATIONS['createAlertRoute']!.example!.body],
    ['PUT', '/notification-channels/ntfy', { settings: { topic: 'tocsin-own' } }],
  ] as const;
  for (const [method, path, body] of made) {
    const { status, text } = await api.call(api.alice, method, `/api/v1${path}`, body);
    if (status >= 300) throw new Error(`Not stored: ${text}`);
  }
}

/** Enqueues a message for the team's channel with that id. */
export async function storeMessage(
  { read, transaction }: Database,
  channelId: number,
  now: number,
): Promise<void> {
  const channel = await read
    .selectFrom('alert_channel')
    .select(['destination_id', 'team_id'])
    .where('id', '=', channelId)
    .executeTakeFirstOrThrow();
  const message = {
    destinationId: channel.destination_id,
    teamId: channel.team_id,
    messageId: `msg_${channelId}`,
    kind: 'alarm',
    eventType: null,
    incidentId: null,
    alertId: null,
    body: '{}',
  };
  await transaction((tx) => destinationStore(tx).enqueue([message], now));
}
