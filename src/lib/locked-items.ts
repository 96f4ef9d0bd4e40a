import type { Clock, Timer } from './clock.ts';

/** Outcome of an item whose rows another session has locked: nothing was stored, and it is retried separately. */
export const LOCKED = Symbol('locked');

/** Item of a group commit, waiting to be stored. */
export interface Entry<Item, Outcome> {
  item: Item;
  key: unknown;
  settle: PromiseWithResolvers<Outcome>;
}

export interface LockedItemsOptions<Item, Outcome> {
  flush(items: readonly Item[]): Promise<readonly (Outcome | typeof LOCKED)[]>;
  clock: Clock;
  isBusy(error: unknown): boolean;
  onEmpty(): void;
}

interface Group<Item, Outcome> {
  entries: Entry<Item, Outcome>[];
  /** Milliseconds until the next attempt, doubled after each. */
  retryMs: number;
  /** Monotonic milliseconds. */
  dueAt: number;
  /** Maximum items per attempt: 1 after an error that any of them may have caused. */
  batchLimit: number;
}

const FIRST_RETRY_MS = 25;
const MAX_RETRY_MS = 1_000;
/** Used after an attempt that itself waited until it timed out. */
const FIRST_RETRY_AFTER_ERROR_MS = 1_000;
const MAX_RETRY_AFTER_ERROR_MS = 10_000;

/**
 * Items of a group commit whose rows another session has locked, by key. Keys are flushed one at a time, concurrently
 * with the batches of all other items.
 */
export class LockedItems<Item, Outcome> {
  readonly #options: LockedItemsOptions<Item, Outcome>;
  readonly #groups = new Map<unknown, Group<Item, Outcome>>();
  #timer: Timer | null = null;
  #isFlushing = false;
  #isOver = false;

  constructor(options: LockedItemsOptions<Item, Outcome>) {
    this.#options = options;
  }

  get size(): number {
    let size = 0;
    for (const { entries } of this.#groups.values()) size += entries.length;
    return size;
  }

  /** Queues the entry if its key is locked, to keep the order. Returns whether it did. */
  enqueueIfLocked(entry: Entry<Item, Outcome>): boolean {
    const group = this.#groups.get(entry.key);
    group?.entries.push(entry);
    return group !== undefined;
  }

  /** @param error the error of flushing these items alone; null if the flush skipped them. */
  add(entries: readonly Entry<Item, Outcome>[], error: unknown = null): void {
    for (const [key, added] of Map.groupBy(entries, (entry) => entry.key)) {
      const group = this.#groups.get(key) ?? {
        entries: [],
        retryMs: 0,
        dueAt: 0,
        batchLimit: Infinity,
      };
      group.entries.push(...added);
      this.#groups.set(key, group);
      this.#postpone(group, error);
    }
    this.#schedule();
  }

  /** Stops retrying and returns the waiting items. A flush in progress settles nothing any more. */
  close(): Entry<Item, Outcome>[] {
    this.#isOver = true;
    this.#options.clock.clear(this.#timer);
    const left = [...this.#groups.values()].flatMap(({ entries }) => entries);
    this.#groups.clear();
    return left;
  }

  #postpone(group: Group<Item, Outcome>, error: unknown): void {
    const [first, longest] =
      error === null
        ? [FIRST_RETRY_MS, MAX_RETRY_MS]
        : [FIRST_RETRY_AFTER_ERROR_MS, MAX_RETRY_AFTER_ERROR_MS];
    group.retryMs = Math.min(Math.max(group.retryMs * 2, first), longest);
    group.dueAt = this.#options.clock.monotonic() + group.retryMs;
  }

  #schedule(): void {
    const { clock } = this.#options;
    if (this.#isFlushing || this.#isOver || this.#groups.size === 0) return;
    let next = Infinity;
    for (const { dueAt } of this.#groups.values()) next = Math.min(next, dueAt);
    clock.clear(this.#timer);
    this.#timer = clock.after(Math.max(1, next - clock.monotonic()), () => void this.#flushDue());
  }

  async #flushDue(): Promise<void> {
    const now = this.#options.clock.monotonic();
    const due = [...this.#groups].find(([, { dueAt }]) => dueAt <= now);
    if (due !== undefined) {
      this.#isFlushing = true;
      await this.#flush(...due);
      this.#isFlushing = false;
    }
    if (this.#isOver) return;
    this.#schedule();
    if (this.#groups.size === 0) this.#options.onEmpty();
  }

  async #flush(key: unknown, group: Group<Item, Outcome>): Promise<void> {
    const { flush, isBusy } = this.#options;
    const tried = group.entries.slice(0, group.batchLimit);
    // Moves the key behind the others.
    this.#groups.delete(key);
    this.#groups.set(key, group);
    try {
      const outcomes = await flush(tried.map(({ item }) => item));
      if (this.#isOver) return;
      const isLocked = new Set(settleAll(tried, outcomes));
      group.entries = group.entries.filter(
        (entry) => isLocked.has(entry) || !tried.includes(entry),
      );
      if (isLocked.size > 0) this.#postpone(group, null);
    } catch (error) {
      if (this.#isOver) return;
      if (isBusy(error)) this.#postpone(group, error);
      else if (tried.length > 1) group.batchLimit = 1;
      else group.entries.shift()!.settle.reject(error);
    }
    if (group.entries.length === 0) this.#groups.delete(key);
  }
}

/** Settles the items of one flush. @returns the locked ones. */
export function settleAll<Item, Outcome>(
  entries: readonly Entry<Item, Outcome>[],
  outcomes: readonly (Outcome | typeof LOCKED)[],
): Entry<Item, Outcome>[] {
  return entries.filter(({ settle }, index) => {
    const outcome = outcomes[index];
    if (outcome === LOCKED) return true;
    if (index < outcomes.length) settle.resolve(outcome as Outcome);
    else settle.reject(new Error('The flush answered fewer outcomes than it had items.'));
    return false;
  });
}
