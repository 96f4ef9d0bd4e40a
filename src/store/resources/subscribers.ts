import type { Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely';
import { openIfPossible } from '../../lib/columns.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { deleteDestination, insertDestination } from '../alerting/destinations.ts';
import { engineOf, forUpdate, rowTable } from '../database/dialect.ts';
import { countRows, hasRow, insertRow, updateRow } from '../database/rows.ts';
import type { SubscriberTable } from '../database/schema-pages.ts';
import type { Schema } from '../database/schema.ts';

/** Ways in which a subscriber is notified. */
export const SUBSCRIBER_KINDS = ['email', 'webhook', 'slack'] as const;
export type SubscriberKind = (typeof SUBSCRIBER_KINDS)[number];

/** `pending` until the subscription is confirmed, `ended` when Tocsin ended it because messages failed. */
export const SUBSCRIBER_STATES = ['pending', 'active', 'ended'] as const;
export type SubscriberState = (typeof SUBSCRIBER_STATES)[number];

/** A subscriber. Address and secret are sealed. */
export type SubscriberRow = Selectable<SubscriberTable>;

/** The address of a subscriber, sealed, and the page that it is bound to. */
export type SealedAddress = Pick<SubscriberRow, 'page_id' | 'address'>;

/** Opens the address of a subscriber; null when no key of SECRET_KEY fits. */
export function openAddress(
  { page_id: pageId, address }: SealedAddress,
  secretBox: SecretBox,
): string | null {
  return openIfPossible(secretBox.of('subscriber', pageId))(address, 'address') ?? null;
}

/** A new subscriber; its queue is created with it, except for e-mail. */
export type NewSubscriber = Pick<
  Insertable<SubscriberTable>,
  | 'page_id'
  | 'address'
  | 'address_hash'
  | 'monitors'
  | 'confirmed_at'
  | 'confirm_until'
  | 'created_by'
  | 'signing_secret'
> & { kind: SubscriberKind };

export interface SubscriberFilter {
  kind: SubscriberKind | null;
  state: SubscriberState | null;
}

/** A page of the list, by ascending or descending id. */
export async function listSubscribers(
  db: Kysely<Schema>,
  pageId: number,
  filter: SubscriberFilter,
  paging: { direction: 'asc' | 'desc'; limit: number; offset: number },
): Promise<{ rows: SubscriberRow[]; total: number }> {
  const found = filtered(db, pageId, filter);
  const rows = await found
    .selectAll()
    .orderBy('id', paging.direction)
    .limit(paging.limit)
    .offset(paging.offset)
    .execute();
  return { rows, total: await countRows(found) };
}

/** The next subscribers after an id, in ascending order. */
export function subscribersAfter(
  db: Kysely<Schema>,
  pageId: number,
  { after, limit }: { after: number; limit: number },
): Promise<SubscriberRow[]> {
  return db
    .selectFrom('subscriber')
    .selectAll()
    .where('page_id', '=', pageId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export function countSubscribers(db: Kysely<Schema>, pageId: number): Promise<number> {
  return countRows(db.selectFrom('subscriber').where('page_id', '=', pageId));
}

function filtered(db: Kysely<Schema>, pageId: number, { kind, state }: SubscriberFilter) {
  return db
    .selectFrom('subscriber')
    .where('page_id', '=', pageId)
    .$if(kind !== null, (query) => query.where('kind', '=', kind))
    .$if(state === 'pending', (query) =>
      query.where('confirmed_at', 'is', null).where('ended_reason', 'is', null),
    )
    .$if(state === 'active', (query) =>
      query.where('confirmed_at', 'is not', null).where('ended_reason', 'is', null),
    )
    .$if(state === 'ended', (query) => query.where('ended_reason', 'is not', null));
}

/** Sealed addresses of webhooks and Slack channels that are subscribed to pages of a team, ended ones left out. */
export function programsOfTeam(
  db: Kysely<Schema>,
  teamId: number,
  limit: number,
): Promise<SealedAddress[]> {
  return db
    .selectFrom('subscriber')
    .innerJoin('status_page', 'status_page.id', 'subscriber.page_id')
    .select(['subscriber.page_id', 'subscriber.address'])
    .where('status_page.team_id', '=', teamId)
    .where('subscriber.kind', '!=', 'email')
    .where('subscriber.ended_reason', 'is', null)
    .limit(limit)
    .execute();
}

/** Undefined for an unknown id and for another page's. */
export function findSubscriber(
  db: Kysely<Schema>,
  pageId: number,
  id: number,
): Promise<SubscriberRow | undefined> {
  return db
    .selectFrom('subscriber')
    .selectAll()
    .where('id', '=', id)
    .where('page_id', '=', pageId)
    .executeTakeFirst();
}

/** The subscriber with an address. @param hashes of the address, by each key that may have made it. */
export function findByAddress(
  db: Kysely<Schema>,
  pageId: number,
  kind: SubscriberKind,
  hashes: readonly string[],
): Promise<SubscriberRow | undefined> {
  return db
    .selectFrom('subscriber')
    .selectAll()
    .where('page_id', '=', pageId)
    .where('kind', '=', kind)
    .where('address_hash', 'in', hashes)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** Adds a subscriber. @returns its id. */
export async function insertSubscriber(
  tx: Transaction<Schema>,
  teamId: number,
  subscriber: NewSubscriber,
  now: number,
): Promise<number> {
  const destinationId =
    subscriber.kind === 'email'
      ? null
      : await insertDestination(tx, { kind: 'subscriber', teamId, now });
  return insertRow(tx, 'subscriber', {
    ...subscriber,
    destination_id: destinationId,
    created_at: now,
    updated_at: now,
  });
}

export async function updateSubscriber(
  tx: Transaction<Schema>,
  id: number,
  columns: Updateable<SubscriberTable>,
  now: number,
): Promise<void> {
  await updateRow(tx, 'subscriber', id, { ...columns, updated_at: now });
}

/** Deletes a subscriber with its queue. */
export async function deleteSubscriber(
  tx: Transaction<Schema>,
  { id, destination_id: destinationId }: Pick<SubscriberRow, 'id' | 'destination_id'>,
): Promise<void> {
  if (destinationId !== null) await deleteDestination(tx, destinationId);
  await tx.deleteFrom('subscriber').where('id', '=', id).execute();
}

/** Whether a subscriber is to be notified. */
export function isSubscribed(db: Kysely<Schema>, id: number): Promise<boolean> {
  return hasRow(
    db
      .selectFrom('subscriber')
      .where('id', '=', id)
      .where('confirmed_at', 'is not', null)
      .where('ended_reason', 'is', null),
  );
}

/** Messages in a row that a subscriber refuses for good before its subscription ends. */
export const MAX_REFUSALS = 3;

/**
 * Counts a message that was refused for good, and ends the subscription when there are too many in a row.
 *
 * @returns whether the subscription ended.
 */
export async function noteRefusal(
  tx: Transaction<Schema>,
  id: number,
  reason: string,
  now: number,
): Promise<boolean> {
  const row = await tx
    .updateTable('subscriber')
    .set((set) => ({ refusals: set('refusals', '+', 1) }))
    .where('id', '=', id)
    .where('ended_reason', 'is', null)
    .returning('refusals')
    .executeTakeFirst();
  if (row === undefined || row.refusals < MAX_REFUSALS) return false;
  await endSubscription(tx, id, reason, now);
  return true;
}

/** Ends a subscription: nothing is sent any more. @param reason a sentence. */
export async function endSubscription(
  tx: Transaction<Schema>,
  id: number,
  reason: string,
  now: number,
): Promise<void> {
  await updateSubscriber(tx, id, { ended_reason: reason, digest_at: null }, now);
}

/** Forgets refusals of a subscriber that accepted a message. */
export async function clearRefusals(tx: Transaction<Schema>, id: number): Promise<void> {
  await tx
    .updateTable('subscriber')
    .set({ refusals: 0 })
    .where('id', '=', id)
    .where('refusals', '>', 0)
    .execute();
}

/** Subscriber of a queue. */
export function findByDestination(
  db: Kysely<Schema>,
  destinationId: number,
): Promise<SubscriberRow | undefined> {
  return db
    .selectFrom('subscriber')
    .selectAll()
    .where('destination_id', '=', destinationId)
    .executeTakeFirst();
}

/** The mails of the current hour of one subscriber. */
export interface HourlyMails {
  id: number;
  mails: number;
  mailsUntil: number | null;
  digestAt: number | null;
}

/** Writes the mails of the hour of any number of subscribers. */
export async function writeHourlyMails(
  tx: Transaction<Schema>,
  changed: readonly HourlyMails[],
): Promise<void> {
  if (changed.length === 0) return;
  const values = changed.map(({ id, mails, mailsUntil, digestAt }) => [
    id,
    mails,
    mailsUntil,
    digestAt,
  ]);
  const columns = {
    id: 'integer',
    mails: 'integer',
    mails_until: 'integer',
    digest_at: 'integer',
  } as const;
  await tx
    .updateTable('subscriber')
    .from(rowTable(tx, values, columns).as('hour'))
    .set((eb) => ({
      mails: eb.ref('hour.mails'),
      mails_until: eb.ref('hour.mails_until'),
      digest_at: eb.ref('hour.digest_at'),
    }))
    .whereRef('subscriber.id', '=', 'hour.id')
    .execute();
}

/** Locks a page until the transaction ends, so that requests for one address come one after the other. */
export async function lockSubscribedPage(tx: Transaction<Schema>, pageId: number): Promise<void> {
  await tx
    .selectFrom('status_page')
    .select('id')
    .where('id', '=', pageId)
    .$call(forUpdate(engineOf(tx)))
    .execute();
}
