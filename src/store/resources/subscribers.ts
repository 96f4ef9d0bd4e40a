import type { Insertable, Updateable } from 'kysely';
import { openIfPossible } from '../../lib/columns.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { SubscriberKind } from '../../model/outgoing.ts';
import { destinationStore } from '../alerting/destinations.ts';
import {
  countRows,
  hasRow,
  insertRow,
  updateRow,
  findRow,
  findRows,
  updateRows,
  lockRows,
  insertRows,
} from '../database/rows.ts';
import type { Db, Row, Schema, Tx } from '../database/contract.ts';
import { readPage, type PageOfRows } from '../database/team-rows.ts';

/** `pending` until the subscription is confirmed, `ended` when Tocsin ended it because messages failed. */
export const SUBSCRIBER_STATES = ['pending', 'active', 'ended'] as const;
export type SubscriberState = (typeof SUBSCRIBER_STATES)[number];

export type SubscriberRow = Row<'subscriber'>;

/** The address of a subscriber, sealed, and the page that it is bound to. */
export type SealedAddress = Pick<SubscriberRow, 'page_id' | 'address'>;

/** Opens the address of a subscriber; null when no key of SECRET_KEY fits. */
export function openAddress({ page_id: pageId, address }: SealedAddress, secretBox: SecretBox) {
  return openIfPossible(secretBox.of('subscriber', pageId))(address, 'address') ?? null;
}

/** A new subscriber; its queue is created with it, except for e-mail. */
export type NewSubscriber = Pick<
  Insertable<Schema['subscriber']>,
  | 'page_id'
  | 'address'
  | 'address_hash'
  | 'monitors'
  | 'confirmed_at'
  | 'confirm_until'
  | 'created_by'
  | 'signing_secret'
> & { kind: SubscriberKind };

interface SubscriberFilter {
  kind: SubscriberKind | null;
  state: SubscriberState | null;
}

/** Subscribers of pages. */
export function subscriberRows(db: Db) {
  return {
    list(pageId: number, filter: SubscriberFilter, paging: PageOfRows) {
      const found = filtered(db, pageId, filter);
      return readPage(found.selectAll(), 'subscriber', [], paging);
    },

    after(pageId: number, { after, limit }: { after: number; limit: number }) {
      return db
        .selectFrom('subscriber')
        .selectAll()
        .where('page_id', '=', pageId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute();
    },

    count(pageId: number) {
      return countRows(db.selectFrom('subscriber').where('page_id', '=', pageId));
    },

    /** Number of the active ones by their kind and services, which are as JSON. */
    countsBySubscription(pageId: number) {
      return filtered(db, pageId, { kind: null, state: 'active' })
        .select(({ fn }) => ['kind', 'monitors', fn.countAll<number | string>().as('count')])
        .groupBy(['kind', 'monitors'])
        .execute();
    },

    /**
     * Sealed addresses that are subscribed to pages of a team, apart from mailboxes and ended ones: what its people
     * subscribed, or the webhooks of visitors.
     */
    hooksOfTeam(teamId: number, by: 'people' | 'visitors', limit: number) {
      return db
        .selectFrom('subscriber')
        .innerJoin('status_page', 'status_page.id', 'subscriber.page_id')
        .select(['subscriber.page_id', 'subscriber.address'])
        .where('status_page.team_id', '=', teamId)
        .where(
          'subscriber.kind',
          by === 'people' ? '!=' : '=',
          by === 'people' ? 'email' : 'webhook',
        )
        .where('subscriber.created_by', by === 'people' ? 'is not' : 'is', null)
        .where('subscriber.ended_reason', 'is', null)
        .limit(limit)
        .execute();
    },

    /** Undefined for an unknown id and for another page's. */
    find(pageId: number, id: number) {
      return findRow(db, 'subscriber', { id, page_id: pageId });
    },

    /** The subscriber with an address. @param hashes of the address, by each key that may have made it. */
    findByAddress(pageId: number, kind: SubscriberKind, hashes: readonly string[]) {
      return db
        .selectFrom('subscriber')
        .selectAll()
        .where('page_id', '=', pageId)
        .where('kind', '=', kind)
        .where('address_hash', 'in', hashes)
        .orderBy('id')
        .limit(1)
        .executeTakeFirst();
    },

    /** Whether a subscriber is to be notified: nobody is of a draft. */
    isSubscribed(id: number) {
      return hasRow(
        db
          .selectFrom('subscriber')
          .innerJoin('status_page as page', 'page.id', 'subscriber.page_id')
          .where('subscriber.id', '=', id)
          .where('page.draft', '=', 0)
          .where('subscriber.confirmed_at', 'is not', null)
          .where('subscriber.ended_reason', 'is', null),
      );
    },

    /** The subscriber of a queue, and whether its page is a draft: 0 or 1. */
    findByDestination(destinationId: number) {
      return db
        .selectFrom('subscriber')
        .innerJoin('status_page as page', 'page.id', 'subscriber.page_id')
        .selectAll('subscriber')
        .select('page.draft')
        .where('subscriber.destination_id', '=', destinationId)
        .executeTakeFirst();
    },

    async hashesOfPage(pageId: number) {
      const rows = await findRows(db, 'subscriber', { page_id: pageId, kind: 'email' }, [
        'address_hash',
      ]);
      return new Set(rows.map((row) => row.address_hash));
    },

    /** The next subscribers of all pages after an id, in ascending order. */
    addressesAfter({ after, limit }: { after: number; limit: number }) {
      return db
        .selectFrom('subscriber')
        .select(['id', 'page_id', 'kind', 'address', 'address_hash'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .execute();
    },
  };
}

function filtered(db: Db, pageId: number, { kind, state }: SubscriberFilter) {
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

/** Changes of subscribers. */
export function subscriberChanges(tx: Tx) {
  return {
    async insert(teamId: number, subscriber: NewSubscriber, now: number) {
      const destinationId =
        subscriber.kind === 'email'
          ? null
          : await destinationStore(tx).insert({ kind: 'subscriber', teamId, now });
      return insertRow(tx, 'subscriber', {
        ...subscriber,
        destination_id: destinationId,
        created_at: now,
        updated_at: now,
      });
    },

    async update(id: number, columns: Updateable<Schema['subscriber']>, now: number) {
      await updateRow(tx, 'subscriber', id, { ...columns, updated_at: now });
    },

    /** Makes a subscription active, or active again. */
    async confirm(id: number, now: number) {
      const columns = { confirmed_at: now, confirm_until: null, ended_reason: null, refusals: 0 };
      await this.update(id, columns, now);
    },

    async delete({
      id,
      destination_id: destinationId,
    }: Pick<SubscriberRow, 'id' | 'destination_id'>) {
      if (destinationId !== null) await destinationStore(tx).delete(destinationId);
      await tx.deleteFrom('subscriber').where('id', '=', id).execute();
    },

    /**
     * Counts a message that was refused for good, and ends the subscription when there are too many in a row.
     *
     * @returns whether the subscription ended.
     */
    async noteRefusal(id: number, reason: string, now: number) {
      const row = await tx
        .updateTable('subscriber')
        .set((set) => ({ refusals: set('refusals', '+', 1) }))
        .where('id', '=', id)
        .where('ended_reason', 'is', null)
        .returning('refusals')
        .executeTakeFirst();
      if (row === undefined || row.refusals < MAX_REFUSALS) return false;
      await this.end(id, reason, now);
      return true;
    },

    /** Ends a subscription: nothing is sent any more. @param reason a sentence. */
    async end(id: number, reason: string, now: number) {
      await this.update(id, { ended_reason: reason, digest_at: null }, now);
    },

    async clearRefusals(id: number) {
      await updateRows(tx, 'subscriber', { id, refusals: ['>', 0] }, { refusals: 0 });
    },

    /** Locks a page until the transaction ends, so that requests for one address come one after the other. */
    async lockPage(pageId: number) {
      await lockRows(tx, 'status_page', { id: pageId }, ['id']);
    },

    /** Adds confirmed subscribers by e-mail, except for those that were added meanwhile. */
    async insertMail(
      pageId: number,
      subscribers: readonly { sealed: string; hash: string; monitors: readonly number[] }[],
      { createdBy, now }: { createdBy: number | null; now: number },
    ) {
      const rows = subscribers.map((one) => ({
        page_id: pageId,
        kind: 'email',
        address: one.sealed,
        address_hash: one.hash,
        monitors: JSON.stringify(one.monitors),
        confirmed_at: now,
        created_by: createdBy,
        created_at: now,
        updated_at: now,
      }));
      await insertRows(tx, 'subscriber', rows, 'skip');
    },

    /** Replaces the hash of an address, unless it changed meanwhile or another subscriber of the page has the new one. */
    async replaceHash(change: { id: number; from: string; to: string }) {
      await tx
        .updateTable('subscriber')
        .set({ address_hash: change.to })
        .where('id', '=', change.id)
        .where('address_hash', '=', change.from)
        .where((its) =>
          its.not(
            its.exists(
              its
                .selectFrom('subscriber as other')
                .select('other.id')
                .whereRef('other.page_id', '=', 'subscriber.page_id')
                .whereRef('other.kind', '=', 'subscriber.kind')
                .where('other.address_hash', '=', change.to),
            ),
          ),
        )
        .execute();
    },
  };
}

/** Messages in a row that a subscriber refuses for good before its subscription ends. */
const MAX_REFUSALS = 3;
