import { createSecretBox } from '../lib/secret-box.ts';
import { createAddressHashes } from '../status-page/subscribers/addresses.ts';
import type { Database } from '../store/database/contract.ts';
import {
  addressesAfter,
  openAddress,
  replaceAddressHash,
  type SubscriberKind,
} from '../store/resources/subscribers.ts';

/** Subscribers per transaction. */
const BATCH_ROWS = 200;

/**
 * Hashes the addresses of all subscribers by the first key, so that they are found without the former ones. It can be
 * interrupted and run again. Addresses whose key is missing are left alone.
 *
 * @param keys the list of SECRET_KEY.
 */
export async function rehashSubscribers(
  database: Database,
  keys: readonly string[],
): Promise<void> {
  const box = createSecretBox([...keys]);
  const hashes = createAddressHashes(keys);
  let after = 0;
  for (;;) {
    const rows = await addressesAfter(database.scan, { after, limit: BATCH_ROWS });
    if (rows.length === 0) return;
    after = rows.at(-1)!.id;
    const changes = rows.flatMap((row) => {
      const { id, kind, address_hash: from } = row;
      const opened = openAddress(row, box);
      const to = opened === null ? from : hashes.of(kind as SubscriberKind, opened);
      return to === from ? [] : [{ id, from, to }];
    });
    if (changes.length === 0) continue;
    await database.transaction(async (tx) => {
      for (const change of changes) await replaceAddressHash(tx, change);
    });
  }
}
