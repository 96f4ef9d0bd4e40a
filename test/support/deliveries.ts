import type { Insertable, Transaction } from 'kysely';
import type { SecretBox } from '../../src/lib/secret-box.ts';
import { createSecretBox } from '../../src/lib/secret-box.ts';
import type { Database, Schema } from '../../src/store/database/contract.ts';
import { destinationStore } from '../../src/store/alerting/destinations.ts';
import type { NewDelivery } from '../../src/store/alerting/destinations.ts';
import { insertRow } from '../../src/store/database/rows.ts';
import type { ChannelColumns } from '../../src/store/resources/alert-channels.ts';

export const secretBox: SecretBox = createSecretBox(['a key for tests']);

/** Creates a team. @returns its id. */
export async function giveTeam(database: Database, name = 'Harbour', now = 0): Promise<number> {
  const { id } = await database.transaction((tx) =>
    tx
      .insertInto('team')
      .values({
        name,
        slug: name.toLowerCase(),
        personal_team: 0,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  return id;
}

/**
 * Creates an active webhook endpoint, without a secret unless `more` has one. @returns the ids of the endpoint and its
 * queue.
 */
export async function giveEndpoint(
  database: Database,
  teamId: number,
  url: string,
  more: Partial<Insertable<Schema['webhook_endpoint']>> = {},
): Promise<{ id: number; destinationId: number }> {
  return database.transaction(async (tx) => {
    const destinationId = await destinationStore(tx).insert({ kind: 'webhook', teamId, now: 0 });
    const id = await insertRow(tx, 'webhook_endpoint', {
      team_id: teamId,
      destination_id: destinationId,
      name: 'Pager',
      url: secretBox.of('webhook_endpoint', teamId).seal(url, 'url'),
      url_host: new URL(url).host,
      auth_type: 'none',
      severities: '["critical","warning","info"]',
      is_active: 1,
      created_at: 0,
      updated_at: 0,
      ...more,
    });
    return { id, destinationId };
  });
}

/** Inserts a channel of a team with its queue. @returns its id. */
export async function insertTeamChannel(
  tx: Transaction<Schema>,
  { teamId, type }: { teamId: number; type: string },
  columns: ChannelColumns,
  now: number,
): Promise<number> {
  const queue = await destinationStore(tx).insert({ kind: 'channel', teamId, now });
  const row = { ...columns, type, team_id: teamId, destination_id: queue };
  return insertRow(tx, 'alert_channel', { ...row, created_at: now, updated_at: now });
}

/** Creates a channel of a team, of the type that the test's `channelType` knows. */
export async function giveChannel(
  database: Database,
  teamId: number,
  more: { type?: string; settings?: object; isDefault?: boolean } = {},
): Promise<{ id: number; destinationId: number }> {
  const { type = 'bell', settings = {}, isDefault = false } = more;
  return database.transaction(async (tx) => {
    const destinationId = await destinationStore(tx).insert({ kind: 'channel', teamId, now: 0 });
    const { id } = await tx
      .insertInto('alert_channel')
      .values({
        team_id: teamId,
        destination_id: destinationId,
        type,
        name: 'On call',
        enabled: 1,
        is_default: isDefault ? 1 : 0,
        settings: secretBox
          .of('alert_channel', `team ${teamId}`)
          .seal(JSON.stringify(settings), 'settings'),
        severities: '["critical","warning"]',
        timezone: 'Europe/Berlin',
        created_at: 0,
        updated_at: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, destinationId };
  });
}

/** An event of a monitor, the same one by default, whose id and body are its name. */
export function eventOf(
  destinationId: number,
  name: string,
  monitorId: number | null = 1,
): NewDelivery {
  return {
    destinationId,
    teamId: null,
    messageId: name,
    kind: 'event',
    eventType: 'monitor.down',
    monitorId,
    incidentId: null,
    alertId: null,
    body: JSON.stringify({ name }),
  };
}

export function enqueue(database: Database, deliveries: NewDelivery[], now: number) {
  return database.transaction((tx) => destinationStore(tx).enqueue(deliveries, now));
}

export const deliveriesOf = (database: Database, destinationId: number) =>
  database.read
    .selectFrom('delivery')
    .selectAll()
    .where('destination_id', '=', destinationId)
    .orderBy('id')
    .execute();

export const destinationOf = (database: Database, id: number) =>
  database.read
    .selectFrom('destination')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
