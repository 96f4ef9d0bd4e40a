import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock, Timer } from './clock.ts';
import { HeldUpItems, settleAll } from './held-up-items.ts';
import type { Entry, HELD_UP } from './held-up-items.ts';

export { HELD_UP } from './held-up-items.ts';

export interface GroupCommitOptions<Item, Outcome> {
  /**
   * Commits all items or none, and answers one outcome for each in their order; `HELD_UP` for those that it left out.
   * When a connection is lost during the commit itself, the same items come again although they are kept already: make
   * it idempotent, or live with that. While items are held up, two flushes run at once, of different keys.
   */
  flush(items: readonly Item[]): Promise<readonly (Outcome | typeof HELD_UP)[]>;
  clock: Clock;
  /** Items in one flush, at most. */
  maxBatch: number;
  /** Milliseconds to gather after the first item; 0 means until the end of this turn of the event loop. */
  delayMs: number;
  /** Items that may wait beside the batch that is under way; one more pushes out the oldest of them. */
  capacity: number;
  /** Errors that may pass by themselves: the flush is repeated. Any other is some item's fault. */
  isUnavailable(error: unknown): boolean;
  /** Errors that may pass by themselves, of some of the items or of a batch that is too large: the others are flushed without. */
  isBusy?(error: unknown): boolean;
  /** Items of one key are flushed in their order; every item is its own key unless given. */
  keyOf?(item: Item): unknown;
  /** Told of each item that was given up for lack of room. */
  onDrop?(item: Item): void;
}

/** There was no room: while the store was away, newer items pushed this one out. */
export class Dropped extends Error {
  override readonly name = 'Dropped';
  constructor() {
    super('Too much was waiting to be stored, and this was the oldest.');
  }
}

/** The process is ending and could not store this any more. */
export class Closed extends Error {
  override readonly name = 'Closed';
  constructor(cause?: unknown) {
    super('The server is stopping and could not store this.', { cause });
  }
}

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;

/**
 * Gathers what many callers want stored into one commit after another, in the order in which it came: one flush at a
 * time, and each caller hears when its own item is kept. A bad item hurts nobody else: a flush that fails for another
 * reason than the store being away is halved until the item fails alone. Nor does one that is held up: it leaves the
 * batches and is tried beside them, again and again, with all others of its key.
 */
export class GroupCommit<Item, Outcome> {
  readonly #options: GroupCommitOptions<Item, Outcome>;
  /** A flush belongs to nobody: it must not inherit, say, the transaction in which an item was submitted. */
  readonly #outside = AsyncLocalStorage.snapshot();
  readonly #waiting = new Line<Entry<Item, Outcome>>();
  readonly #heldUp: HeldUpItems<Item, Outcome>;
  /** The batch under way: a list of parts that are flushed one after another; the first may be in a flush now. */
  #batch: Entry<Item, Outcome>[][] = [];
  #busy = false;
  #timer: Timer | null = null;
  #retryMs = 0;
  /** Items in one flush: fewer than `maxBatch` after a batch that was too much. */
  #most: number;
  #closing: PromiseWithResolvers<void> | null = null;
  #gaveUp = false;
  #dropped = 0;

  constructor(options: GroupCommitOptions<Item, Outcome>) {
    this.#options = options;
    this.#most = options.maxBatch;
    const { flush, clock, isUnavailable, isBusy = () => false } = options;
    this.#heldUp = new HeldUpItems({
      flush,
      clock,
      isBusy: (error) => isBusy(error) || isUnavailable(error),
      onEmpty: () => this.#endIfDone(),
    });
  }

  /** How many items wait, and how many were dropped since the start: for the metrics. */
  get counts(): { waiting: number; dropped: number } {
    const waiting = this.#waiting.length + this.#batch.flat().length + this.#heldUp.size;
    return { waiting, dropped: this.#dropped };
  }

  /** Settles when the item is kept; rejects with its own error, with `Dropped` or with `Closed`. */
  submit(item: Item): Promise<Outcome> {
    if (this.#closing) return Promise.reject(new Closed());
    const settle = Promise.withResolvers<Outcome>();
    const { keyOf, capacity } = this.#options;
    const key = keyOf === undefined ? settle : keyOf(item);
    this.#waiting.push({ item, key, settle });
    if (this.#waiting.length > capacity) this.#drop(this.#waiting.take(1)[0]!);
    this.#outside(() => this.#schedule());
    return settle.promise;
  }

  /** Flushes what is there, for `withinMs` milliseconds at most, and rejects the rest. */
  async close(withinMs = 5_000): Promise<void> {
    if (this.#closing) return await this.#closing.promise;
    const { clock } = this.#options;
    this.#closing = Promise.withResolvers();
    const deadline = clock.after(withinMs, () => this.#giveUp(new Closed()));
    this.#outside(() => this.#hurry());
    await this.#closing.promise;
    clock.clear(deadline);
  }

  #schedule(): void {
    const { clock, delayMs } = this.#options;
    const gathering = this.#batch.length === 0 && this.#waiting.length < this.#most;
    const wait = this.#retryMs > 0 ? this.#retryMs : gathering ? delayMs : 0;
    if (this.#busy) return;
    if (wait === 0) this.#hurry();
    else this.#timer ??= clock.after(wait, () => this.#hurry());
  }

  /** Flushes at the end of this turn. */
  #hurry(): void {
    const { clock } = this.#options;
    clock.clear(this.#timer);
    this.#timer = null;
    if (this.#busy) return;
    this.#busy = true;
    clock.soon(() => void this.#flushNext());
  }

  async #flushNext(): Promise<void> {
    if (this.#batch.length === 0) this.#batch = [this.#waiting.take(this.#most)];
    // Behind those of their key that are held up already.
    const part = this.#batch[0]!.filter((entry) => !this.#heldUp.joins(entry));
    this.#batch[0] = part;
    const { next, last } = part.length === 0 ? NOTHING_LEFT : await this.#flush(part);
    if (this.#gaveUp) return;
    this.#batch.splice(0, 1, ...next);
    this.#batch.push(...last);
    this.#busy = false;

    if (this.#batch.length + this.#waiting.length > 0) this.#schedule();
    else this.#endIfDone();
  }

  /** Settles the items of one flush, and answers in which parts those that remain are to be tried. */
  async #flush(part: Entry<Item, Outcome>[]): Promise<Left<Item, Outcome>> {
    const { flush, maxBatch, isUnavailable, isBusy } = this.#options;
    try {
      const outcomes = await flush(part.map((entry) => entry.item));
      this.#retryMs = 0;
      if (part.length === this.#most) this.#most = Math.min(this.#most * 2, maxBatch);
      this.#heldUp.add(settleAll(part, outcomes));
      return NOTHING_LEFT;
    } catch (error) {
      if (isBusy?.(error)) return this.#divide(part, error);
      if (isUnavailable(error)) return { next: this.#later(part, error), last: [] };
      this.#retryMs = 0;
      if (part.length > 1) return { next: halves(part), last: [] };
      part[0]!.settle.reject(error);
      return NOTHING_LEFT;
    }
  }

  /** Parts that were not tried yet go first: most of them have nothing to do with what is in the way. */
  #divide(part: Entry<Item, Outcome>[], error: unknown): Left<Item, Outcome> {
    this.#retryMs = 0;
    const groups = [...Map.groupBy(part, ({ key }) => key).values()];
    if (groups.length === 1) {
      this.#heldUp.add(part, error);
      return NOTHING_LEFT;
    }
    this.#most = Math.max(1, Math.ceil(part.length / 2));
    return { next: [], last: halves(groups).map((half) => half.flat()) };
  }

  #later(part: Entry<Item, Outcome>[], error: unknown): Entry<Item, Outcome>[][] {
    this.#retryMs = Math.min(Math.max(this.#retryMs * 2, FIRST_RETRY_MS), LONGEST_RETRY_MS);
    if (!this.#closing) return [part];
    this.#giveUp(new Closed(error));
    return [];
  }

  #drop({ item, settle }: Entry<Item, Outcome>): void {
    this.#dropped += 1;
    settle.reject(new Dropped());
    this.#options.onDrop?.(item);
  }

  #endIfDone(): void {
    const isDone =
      !this.#busy && this.#batch.length + this.#waiting.length + this.#heldUp.size === 0;
    if (isDone) this.#closing?.resolve();
  }

  /** What is in a flush that has not come back may be kept or not: nobody waits for it any more. */
  #giveUp(error: Closed): void {
    const left = [...this.#batch.flat(), ...this.#waiting.take(Infinity), ...this.#heldUp.end()];
    for (const { settle } of left) settle.reject(error);
    this.#batch = [];
    this.#gaveUp = true;
    this.#closing!.resolve();
  }
}

interface Left<Item, Outcome> {
  /** Parts to be tried next, and after all others. */
  next: Entry<Item, Outcome>[][];
  last: Entry<Item, Outcome>[][];
}

const NOTHING_LEFT = { next: [], last: [] };

function halves<Value>(values: Value[]): Value[][] {
  const middle = Math.ceil(values.length / 2);
  return [values.slice(0, middle), values.slice(middle)];
}

/** First in, first out; taking from the head of a long array would move all the rest each time. */
class Line<Value> {
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
