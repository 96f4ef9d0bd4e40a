import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createPoller } from '../lib/poller.ts';
import type { Database } from '../store/database/contract.ts';
import { isUnavailable } from '../store/database/errors.ts';
import { readNewestChange, readPageChanges } from '../store/resources/page-facts.ts';

const INTERVAL_MS = 500;
/**
 * Longest time from a change to the end of its transaction. Transactions end in another order than they began where
 * several processes share a database, so that recent ids are read again for this long.
 */
const LONGEST_TRANSACTION_MS = 10_000;
/** Ids before the newest one that may belong to transactions in progress when the watcher starts. */
const IDS_IN_PROGRESS = 1_000;
const BATCH = 5_000;

export interface ChangeWatcherDeps {
  database: Database;
  clock: Clock;
  log: Log;
  /** Runs once, before the first changes are reported; repeated while it rejects. */
  onStart(): Promise<void>;
  /** Handles changed pages, by id. When it rejects, they are reported again. */
  onChange(pageIds: ReadonlySet<number>): Promise<void>;
}

/** Reports pages that changed, whichever process changed them. */
export interface ChangeWatcher {
  start(): void;
  /** Looks for changes now. */
  wake(): void;
  stop(): Promise<void>;
}

export function createChangeWatcher(deps: ChangeWatcherDeps): ChangeWatcher {
  const { database, clock, log, onStart, onChange } = deps;
  const overlapMs = database.isShared ? LONGEST_TRANSACTION_MS : 0;
  /** All changes up to this id are known; null before the first run. */
  let known: number | null = null;
  /** Reported ids above `known`. */
  let reported = new Set<number>();
  /** Newest ids of former runs, which become `known` when they are old enough. */
  let newest: { id: number; at: number }[] = [];

  async function run(): Promise<void> {
    const at = clock.monotonic();
    if (known === null) {
      const last = await readNewestChange(database.read);
      await onStart();
      known = Math.max(0, last - (database.isShared ? IDS_IN_PROGRESS : 0));
    }
    const changes = await readAll(known);
    const fresh = changes.filter(({ id }) => !reported.has(id));
    if (fresh.length > 0) await onChange(new Set(fresh.map(({ pageId }) => pageId)));
    for (const { id } of fresh) reported.add(id);
    newest.push({ id: changes.at(-1)?.id ?? known, at });
    advance(at - overlapMs);
  }

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
    reported = new Set([...reported].filter((id) => id > limit));
  }

  return createPoller({
    run,
    clock,
    intervalMs: INTERVAL_MS,
    isUnavailable,
    onFailure: (error) => log.error({ error }, 'Changes of status pages could not be read.'),
  });
}
