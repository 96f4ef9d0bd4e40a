import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { SubscriberRow } from './subscribers.ts';

/** A subscriber with its sealed address and the hash by which that is found. */
export type HashedAddress = Pick<
  SubscriberRow,
  'id' | 'page_id' | 'kind' | 'address' | 'address_hash'
>;

/** The next subscribers of all pages after an id, in ascending order. */
export function addressesAfter(
  db: Kysely<Schema>,
  { after, limit }: { after: number; limit: number },
): Promise<HashedAddress[]> {
  return db
    .selectFrom('subscriber')
    .select(['id', 'page_id', 'kind', 'address', 'address_hash'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Replaces the hash of an address, unless it changed meanwhile or another subscriber of the page has the new one. */
export async function replaceAddressHash(
  tx: Transaction<Schema>,
  change: { id: number; from: string; to: string },
): Promise<void> {
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
}
