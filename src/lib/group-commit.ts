import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock, Timer } from './clock.ts';
import { LockedItems, settleAll, type Entry, type LOCKED } from './locked-items.ts';

export { LOCKED } from './locked-items.ts';

export interface GroupCommitOptions<Item, Outcome> {
  /**
   * Commits all items or none and returns one outcome per item, in order; `LOCKED` for items it skipped. If the
   * connection is lost during the commit, the same items are flushed again although they may be stored: make the flush
   * idempotent, or accept duplicates. While items are locked, two flushes of different keys run concurrently.
   */
  flush(items: readonly Item[]): Promise<readonly (Outcome | typeof LOCKED)[]>;
  clock: Clock;
  maxBatch: number;
  /** Time to collect items after the first one; 0 flushes at the end of the current event loop iteration. */
  delayMs: number;
  /** Milliseconds that an item may wait for others, where they differ; a flush is due when the first of all items is. */
  delayOf?(item: Item): number;
  /** Maximum number of items waiting besides the current batch; one more evicts the oldest. */
  capacity: number;
  /** Returns true for temporary errors: the flush is retried. Any other error is attributed to an item. */
  isUnavailable(error: unknown): boolean;
  /**
   * Returns true for temporary errors of some items, or of a batch that is too large: the others are flushed without
   * them.
   */
  isBusy?(error: unknown): boolean;
  /** Items with the same key are flushed in order; by default every item is its own key. */
  keyOf?(item: Item): unknown;
  onDrop?(item: Item): void;
}

/** The item was evicted by newer ones while the store was unavailable. */
export class Dropped extends Error {
  override readonly name = 'Dropped';
  constructor() {
    super('The queue of items to store was full, and this was the oldest.');
  }
}

/** The process is stopping before the item was stored. */
export class Closed extends Error {
  override readonly name = 'Closed';
  constructor(cause?: unknown) {
    super('The server is stopping and could not store this.', { cause });
  }
}

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;

/**
 * Commits items of many callers in shared flushes, in order of submission and one flush at a time; each caller's
 * promise settles when its own item is stored. An invalid item doesn't affect others: a flush that fails although the
 * store is available is halved until the item fails alone. Neither does a locked item: it leaves the batches and is
 * retried separately, together with all later items of its key.
 */
export class GroupCommit<Item, Outcome> {
  readonly #options: GroupCommitOptions<Item, Outcome>;
  /** Runs flushes outside any caller's async context, such as the transaction in which an item was submitted. */
  readonly #outside = AsyncLocalStorage.snapshot();
  readonly #waiting = new Queue<Entry<Item, Outcome>>();
  readonly #locked: LockedItems<Item, Outcome>;
  /** Current batch, as parts that are flushed one after another; the first may be in progress. */
  #batch: Entry<Item, Outcome>[][] = [];
  #busy = false;
  #timer: Timer | null = null;
  /** Monotonic times at which the timer fires, and at which the first of the waiting items must be flushed. */
  #firesAt = Infinity;
  #dueAt = Infinity;
  #retryMs = 0;
  /** Maximum items in the next flush: below `maxBatch` after a batch that was too large. */
  #batchLimit: number;
  #closing: PromiseWithResolvers<void> | null = null;
  #gaveUp = false;
  #dropped = 0;

  constructor(options: GroupCommitOptions<Item, Outcome>) {
    this.#options = options;
    this.#batchLimit = options.maxBatch;
    const { flush, clock, isUnavailable, isBusy = () => false } = options;
    this.#locked = new LockedItems({
      flush,
      clock,
      isBusy: (error) => isBusy(error) || isUnavailable(error),
      onEmpty: () => this.#resolveCloseIfEmpty(),
    });
  }

  get counts(): { waiting: number; dropped: number } {
    const waiting = this.#waiting.length + this.#batch.flat().length + this.#locked.size;
    return { waiting, dropped: this.#dropped };
  }

  /** Resolves when the item is stored; rejects with its own error, `Dropped` or `Closed`. */
  submit(item: Item): Promise<Outcome> {
    if (this.#closing) return Promise.reject(new Closed());
    const settle = Promise.withResolvers<Outcome>();
    const { keyOf, capacity, clock, delayMs, delayOf } = this.#options;
    const key = keyOf === undefined ? settle : keyOf(item);
    this.#waiting.push({ item, key, settle });
    const delay = delayOf === undefined ? delayMs : delayOf(item);
    this.#dueAt = Math.min(this.#dueAt, clock.monotonic() + delay);
    if (this.#waiting.length > capacity) this.#drop(this.#waiting.take(1)[0]!);
    // At the end of a flush the next one is scheduled.
    if (!this.#busy) this.#outside(() => this.#schedule());
    return settle.promise;
  }

  /** Flushes pending items for up to `withinMs` milliseconds, then rejects the rest. */
  async close(withinMs = 5_000): Promise<void> {
    if (this.#closing) return await this.#closing.promise;
    const { clock } = this.#options;
    this.#closing = Promise.withResolvers();
    const deadline = clock.after(withinMs, () => this.#giveUp(new Closed()));
    this.#outside(() => this.#flushSoon());
    await this.#closing.promise;
    clock.clear(deadline);
  }

  #schedule(): void {
    if (this.#busy) return;
    const { clock } = this.#options;
    const now = clock.monotonic();
    const gathering = this.#batch.length === 0 && this.#waiting.length < this.#batchLimit;
    const at = this.#retryMs > 0 ? now + this.#retryMs : gathering ? this.#dueAt : now;
    if (at <= now) return this.#flushSoon();
    if (this.#timer !== null && this.#firesAt <= at) return;
    clock.clear(this.#timer);
    this.#firesAt = at;
    this.#timer = clock.after(at - now, () => this.#flushSoon());
  }

  /** Flushes at the end of this event loop iteration. */
  #flushSoon(): void {
    const { clock } = this.#options;
    clock.clear(this.#timer);
    this.#timer = null;
    if (this.#busy) return;
    this.#busy = true;
    clock.soon(() => void this.#flushNext());
  }

  async #flushNext(): Promise<void> {
    if (this.#batch.length === 0) this.#batch = [this.#takeWaiting()];
    // Items of a locked key queue behind it.
    const part = this.#batch[0]!.filter((entry) => !this.#locked.enqueueIfLocked(entry));
    this.#batch[0] = part;
    const { next, last } = part.length === 0 ? NONE_REMAINING : await this.#flush(part);
    if (this.#gaveUp) return;
    this.#batch.splice(0, 1, ...next);
    this.#batch.push(...last);
    this.#busy = false;

    if (this.#batch.length + this.#waiting.length > 0) this.#schedule();
    else this.#resolveCloseIfEmpty();
  }

  #takeWaiting(): Entry<Item, Outcome>[] {
    const taken = this.#waiting.take(this.#batchLimit);
    // What remains has waited for as long as what was taken.
    this.#dueAt = this.#waiting.length === 0 ? Infinity : this.#options.clock.monotonic();
    return taken;
  }

  /** Settles the items of one flush and returns the parts that must still be flushed. */
  async #flush(part: Entry<Item, Outcome>[]): Promise<Remaining<Item, Outcome>> {
    const { flush, maxBatch, isUnavailable, isBusy } = this.#options;
    try {
      const outcomes = await flush(part.map((entry) => entry.item));
      this.#retryMs = 0;
      if (part.length === this.#batchLimit)
        this.#batchLimit = Math.min(this.#batchLimit * 2, maxBatch);
      this.#locked.add(settleAll(part, outcomes));
      return NONE_REMAINING;
    } catch (error) {
      if (isBusy?.(error)) return this.#splitBusy(part, error);
      if (isUnavailable(error)) return { next: this.#retryLater(part, error), last: [] };
      this.#retryMs = 0;
      if (part.length > 1) return { next: halves(part), last: [] };
      part[0]!.settle.reject(error);
      return NONE_REMAINING;
    }
  }

  /** Puts the split parts last: parts not yet tried are probably unaffected by the lock. */
  #splitBusy(part: Entry<Item, Outcome>[], error: unknown): Remaining<Item, Outcome> {
    this.#retryMs = 0;
    const groups = [...Map.groupBy(part, ({ key }) => key).values()];
    if (groups.length === 1) {
      this.#locked.add(part, error);
      return NONE_REMAINING;
    }
    this.#batchLimit = Math.max(1, Math.ceil(part.length / 2));
    return { next: [], last: halves(groups).map((half) => half.flat()) };
  }

  #retryLater(part: Entry<Item, Outcome>[], error: unknown): Entry<Item, Outcome>[][] {
    this.#retryMs = Math.min(Math.max(this.#retryMs * 2, FIRST_RETRY_MS), MAX_RETRY_MS);
    if (!this.#closing) return [part];
    this.#giveUp(new Closed(error));
    return [];
  }

  #drop({ item, settle }: Entry<Item, Outcome>): void {
    this.#dropped += 1;
    settle.reject(new Dropped());
    this.#options.onDrop?.(item);
  }

  #resolveCloseIfEmpty(): void {
    const isDone =
      !this.#busy && this.#batch.length + this.#waiting.length + this.#locked.size === 0;
    if (isDone) this.#closing?.resolve();
  }

  /** Rejects everything unsettled. Items of a flush in progress may or may not be stored. */
  #giveUp(error: Closed): void {
    const left = [...this.#batch.flat(), ...this.#waiting.take(Infinity), ...this.#locked.close()];
    for (const { settle } of left) settle.reject(error);
    this.#batch = [];
    this.#gaveUp = true;
    this.#closing!.resolve();
  }
}

interface Remaining<Item, Outcome> {
  /** Parts to flush next, and after all others. */
  next: Entry<Item, Outcome>[][];
  last: Entry<Item, Outcome>[][];
}

const NONE_REMAINING = { next: [], last: [] };

function halves<Value>(values: Value[]): Value[][] {
  const middle = Math.ceil(values.length / 2);
  return [values.slice(0, middle), values.slice(middle)];
}

/** First-in, first-out queue. Removing from the head of a long array would move the rest each time. */
class Queue<Value> {
  #values: Value[] = [];
  #head = 0;

  get length(): number {
    return this.#values.length - this.#head;
  }

  push(value: Value): void {
    this.#values.push(value);
  }

  take(count: number): Value[] {
    const taken = this.#values.slice(this.#head, this.#head + count);
    this.#head += taken.length;
    if (this.#head * 2 > this.#values.length) {
      this.#values = this.#values.slice(this.#head);
      this.#head = 0;
    }
    return taken;
  }
}
