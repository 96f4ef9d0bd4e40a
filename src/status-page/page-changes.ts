import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/database/contract.ts';
import { readNewestChange, readPageChanges } from '../store/resources/page-facts.ts';

/**
 * Longest time from a change to the end of its transaction. Transactions end in another order than they began where
 * several processes share a database, so that recent ids are read again for this long.
 */
const LONGEST_TRANSACTION_MS = 10_000;
/** Ids before the newest one that may belong to transactions in progress at the beginning. */
const IDS_IN_PROGRESS = 1_000;
const BATCH = 5_000;

/** The recorded changes of pages, each handed on once. */
export function createPageChanges(database: Database, clock: Clock) {
  const overlapMs = database.isShared ? LONGEST_TRANSACTION_MS : 0;
  /** All changes up to this id are known; null before the beginning. */
  let known: number | null = null;
  /** Ids above `known` that were handed on. */
  let handled = new Set<number>();
  /** Newest ids of former reads, which become `known` when they are old enough. */
  let newest: { id: number; at: number }[] = [];

  async function readAll(after: number) {
    const changes = [];
    for (;;) {
      const batch = await readPageChanges(database.read, changes.at(-1)?.id ?? after, BATCH);
      changes.push(...batch);
      if (batch.length < BATCH) return changes;
    }
  }

  function advance(before: number): void {
    const old = newest.filter(({ at }) => at <= before);
    if (old.length === 0) return;
    known = Math.max(known ?? 0, old.at(-1)!.id);
    newest = newest.slice(old.length);
    const limit = known;
    handled = new Set([...handled].filter((id) => id > limit));
  }

  return {
    get hasBegun() {
      return known !== null;
    },
    /** Begins with the changes from now on, after `start`, which reads what there is already. Not begun when it rejects. */
    async begin(start: () => Promise<void>) {
      const last = await readNewestChange(database.read);
      await start();
      known = Math.max(0, last - (database.isShared ? IDS_IN_PROGRESS : 0));
    },
    /** Hands on the pages that changed since, by id. When `handle` rejects, they are handed on again. */
    async read(handle: (pageIds: ReadonlySet<number>) => Promise<void> | void) {
      const at = clock.monotonic();
      const after = known ?? 0;
      const changes = await readAll(after);
      const fresh = changes.filter(({ id }) => !handled.has(id));
      if (fresh.length > 0) await handle(new Set(fresh.map(({ pageId }) => pageId)));
      for (const { id } of fresh) handled.add(id);
      newest.push({ id: changes.at(-1)?.id ?? after, at });
      advance(at - overlapMs);
    },
  };
}
