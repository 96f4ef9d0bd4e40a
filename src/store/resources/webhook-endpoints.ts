import type { Database } from '../database/contract.ts';
import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import { setHealth } from '../alerting/delivery-outcomes.ts';
import { deleteDestination, insertDestination } from '../alerting/destinations.ts';
import type { WebhookEndpointTable } from '../database/schema-alerts.ts';
import type { Schema } from '../database/schema.ts';
import { insertRow, updateRow } from '../database/rows.ts';

/** An endpoint and how sending to it goes. Url, token and secrets are sealed. */
export type WebhookEndpointRow = Selectable<WebhookEndpointTable> & {
  last_delivered_at: number | null;
  failing_since: number | null;
  last_error: string | null;
};

/** Settings of an endpoint, and the columns that follow from them. Columns that may be null are null unless given. */
export type WebhookEndpointColumns = Omit<
  Insertable<WebhookEndpointTable>,
  'id' | 'team_id' | 'destination_id' | 'created_at' | 'updated_at'
>;

/** All endpoints of the team, the oldest first. */
export function listWebhookEndpoints(
  db: Kysely<Schema>,
  teamId: number,
): Promise<WebhookEndpointRow[]> {
  return selectEndpoints(db, teamId).orderBy('webhook_endpoint.id').execute();
}

/** Undefined for an unknown id and for another team's. */
export function findWebhookEndpoint(
  db: Kysely<Schema>,
  teamId: number,
  id: number,
): Promise<WebhookEndpointRow | undefined> {
  return selectEndpoints(db, teamId).where('webhook_endpoint.id', '=', id).executeTakeFirst();
}

/** With a queue of its own. @returns the new endpoint's id. */
export async function insertWebhookEndpoint(
  tx: Transaction<Schema>,
  teamId: number,
  columns: WebhookEndpointColumns,
  now: number,
): Promise<number> {
  const destinationId = await insertDestination(tx, { kind: 'webhook', teamId, now });
  return insertRow(tx, 'webhook_endpoint', {
    ...columns,
    team_id: teamId,
    destination_id: destinationId,
    created_at: now,
    updated_at: now,
  });
}

/** Changes these columns alone: who sends may change others meanwhile. */
export async function updateWebhookEndpoint(
  tx: Transaction<Schema>,
  id: number,
  columns: Partial<WebhookEndpointColumns>,
  now: number,
): Promise<void> {
  await updateRow(tx, 'webhook_endpoint', id, { ...columns, updated_at: now });
}

/** Clears the failures of an endpoint that is switched on again. */
export async function clearFailures(tx: Transaction<Schema>, destinationId: number): Promise<void> {
  const healthy = { failures: 0, failingSince: null, lastError: null, heldUntil: null };
  await setHealth(tx, destinationId, healthy);
}

/** Deletes an endpoint with its deliveries and their attempts. */
export async function deleteWebhookEndpoint(
  tx: Transaction<Schema>,
  { id, destination_id: destinationId }: Pick<WebhookEndpointRow, 'id' | 'destination_id'>,
): Promise<void> {
  await deleteDestination(tx, destinationId);
  await tx.deleteFrom('webhook_endpoint').where('id', '=', id).execute();
}

function selectEndpoints(db: Kysely<Schema>, teamId: number) {
  return db
    .selectFrom('webhook_endpoint')
    .innerJoin('destination', 'destination.id', 'webhook_endpoint.destination_id')
    .selectAll('webhook_endpoint')
    .select([
      'destination.last_delivered_at',
      'destination.failing_since',
      'destination.last_error',
    ])
    .where('webhook_endpoint.team_id', '=', teamId);
}

/** Clears former signing secrets whose time is over (epoch ms). @returns false: it is one statement. */
export async function deleteExpiredSecrets(database: Database, now: number): Promise<boolean> {
  const over = await database.read
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('previous_secret_until', '<=', now)
    .limit(1)
    .executeTakeFirst();
  if (over === undefined) return false;
  await database.transaction((tx) =>
    tx
      .updateTable('webhook_endpoint')
      .set({ previous_signing_secret: null, previous_secret_until: null })
      .where('previous_secret_until', '<=', now)
      .execute(),
  );
  return false;
}
