import type { Db, Row, Tx } from '../database/contract.ts';
import { updateRows, deleteRows, lockRows, updateRow, insertOnce } from '../database/rows.ts';

export type IdempotencyKeyRow = Row<'idempotency_key'>;

/** A new key, before its request is carried out. */
type NewKey = Pick<IdempotencyKeyRow, 'scope' | 'owner' | 'fingerprint' | 'leased_until'>;

/** Keys by which requests are carried out once. */
export function idempotencyKeys(tx: Tx) {
  return {
    /** Claims a key that does not exist. @returns its id; null for a key that exists. */
    insert(key: NewKey, now: number) {
      return insertOnce(tx, 'idempotency_key', { ...key, claim: 1, created_at: now });
    },

    /** Locks an existing key. */
    async lock(scope: string) {
      return (await lockRows(tx, 'idempotency_key', { scope }))[0];
    },

    /** Claims a locked key once more. What is known of its former request is forgotten. */
    async reclaim(
      { id, claim }: Pick<IdempotencyKeyRow, 'id' | 'claim'>,
      key: Pick<NewKey, 'fingerprint' | 'leased_until'>,
      createdAt: number,
    ) {
      const forgotten = { target_type: null, target_id: null, carried_out_at: null };
      await updateRow(tx, 'idempotency_key', id, {
        ...key,
        ...forgotten,
        status: null,
        answer: null,
        claim: claim + 1,
        created_at: createdAt,
      });
    },

    /** Stores the answer of a claimed key. */
    async storeAnswer({ id, claim }: Claimed, answer: { status: number; answer: string | null }) {
      await updateRows(tx, 'idempotency_key', { id, claim }, answer);
    },

    /** Gives back a claimed key whose request changed nothing, or ends the lease of one that did. */
    async release({ id, claim }: Claimed) {
      await deleteRows(tx, 'idempotency_key', { id, claim, carried_out_at: null });
      await updateRows(tx, 'idempotency_key', { id, claim }, { leased_until: 0 });
    },
  };
}

/** A key as one request has claimed it: a later claim has another number. */
type Claimed = Pick<IdempotencyKeyRow, 'id' | 'claim'>;

/**
 * Marks the change of a claimed key as carried out, in the transaction of the change.
 *
 * @returns false when another request has claimed the key since.
 */
export async function markCarriedOut(
  tx: Db,
  { id, claim }: Claimed,
  target: { type: string; id: number | null },
  now: number,
): Promise<boolean> {
  const done = { target_type: target.type, target_id: target.id, carried_out_at: now };
  return (await updateRows(tx, 'idempotency_key', { id, claim }, done)) > 0;
}

/** The time (epoch ms) of the oldest of an owner's newest keys; null when the owner has fewer than `count`. */
export async function timeOfNthNewest(
  db: Db,
  owner: string,
  count: number,
): Promise<number | null> {
  const row = await db
    .selectFrom('idempotency_key')
    .select('created_at')
    .where('owner', '=', owner)
    .orderBy('created_at', 'desc')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.created_at ?? null;
}
