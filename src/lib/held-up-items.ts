import type { Clock, Timer } from './clock.ts';

/** As the outcome of an item: another session holds what it needs. It is tried again, alone, and nothing was kept. */
export const HELD_UP = Symbol('held up');

/** An item of a group commit on its way to the store. */
export interface Entry<Item, Outcome> {
  item: Item;
  /** Items of one key are flushed in their order. */
  key: unknown;
  settle: PromiseWithResolvers<Outcome>;
}

export interface HeldUpOptions<Item, Outcome> {
  flush(items: readonly Item[]): Promise<readonly (Outcome | typeof HELD_UP)[]>;
  clock: Clock;
  /** Errors after which an item is tried again. */
  isBusy(error: unknown): boolean;
  /** The last one was settled. */
  onEmpty(): void;
}

interface Group<Item, Outcome> {
  entries: Entry<Item, Outcome>[];
  /** Milliseconds until the next attempt, doubled after each. */
  retryMs: number;
  /** Monotonic milliseconds. */
  dueAt: number;
  /** Items in one attempt: one, after an error that may be the fault of any of them. */
  most: number;
}

const FIRST_RETRY_MS = 25;
const LONGEST_RETRY_MS = 1_000;
/** After an attempt that itself waited until its time was over. */
const FIRST_RETRY_AFTER_ERROR_MS = 1_000;
const LONGEST_RETRY_AFTER_ERROR_MS = 10_000;

/**
 * Items of a group commit whose rows another session holds, by key. Each key is flushed alone, one key at a time, beside
 * the batches of all others.
 */
export class HeldUpItems<Item, Outcome> {
  readonly #options: HeldUpOptions<Item, Outcome>;
  readonly #groups = new Map<unknown, Group<Item, Outcome>>();
  #timer: Timer | null = null;
  #isFlushing = false;
  #isOver = false;

  constructor(options: HeldUpOptions<Item, Outcome>) {
    this.#options = options;
  }

  get size(): number {
    let size = 0;
    for (const { entries } of this.#groups.values()) size += entries.length;
    return size;
  }

  /** Takes the entry if others of its key are held up: it must not overtake them. */
  joins(entry: Entry<Item, Outcome>): boolean {
    const group = this.#groups.get(entry.key);
    group?.entries.push(entry);
    return group !== undefined;
  }

  /** @param error by which the flush of them alone ended; null when it left them out. */
  add(entries: readonly Entry<Item, Outcome>[], error: unknown = null): void {
    for (const [key, added] of Map.groupBy(entries, (entry) => entry.key)) {
      const group = this.#groups.get(key) ?? { entries: [], retryMs: 0, dueAt: 0, most: Infinity };
      group.entries.push(...added);
      this.#groups.set(key, group);
      this.#postpone(group, error);
    }
    this.#schedule();
  }

  /** @returns those that wait; the flush under way, if there is one, settles nothing any more. */
  end(): Entry<Item, Outcome>[] {
    this.#isOver = true;
    this.#options.clock.clear(this.#timer);
    const left = [...this.#groups.values()].flatMap(({ entries }) => entries);
    this.#groups.clear();
    return left;
  }

  #postpone(group: Group<Item, Outcome>, error: unknown): void {
    const [first, longest] =
      error === null
        ? [FIRST_RETRY_MS, LONGEST_RETRY_MS]
        : [FIRST_RETRY_AFTER_ERROR_MS, LONGEST_RETRY_AFTER_ERROR_MS];
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
    const tried = group.entries.slice(0, group.most);
    // The next one of the others comes first after this.
    this.#groups.delete(key);
    this.#groups.set(key, group);
    try {
      const outcomes = await flush(tried.map(({ item }) => item));
      if (this.#isOver) return;
      const isHeldUp = new Set(settleAll(tried, outcomes));
      group.entries = group.entries.filter(
        (entry) => isHeldUp.has(entry) || !tried.includes(entry),
      );
      if (isHeldUp.size > 0) this.#postpone(group, null);
    } catch (error) {
      if (this.#isOver) return;
      if (isBusy(error)) this.#postpone(group, error);
      else if (tried.length > 1) group.most = 1;
      else group.entries.shift()!.settle.reject(error);
    }
    if (group.entries.length === 0) this.#groups.delete(key);
  }
}

/** Settles the items of one flush. @returns those that it left out. */
export function settleAll<Item, Outcome>(
  entries: readonly Entry<Item, Outcome>[],
  outcomes: readonly (Outcome | typeof HELD_UP)[],
): Entry<Item, Outcome>[] {
  return entries.filter(({ settle }, index) => {
    const outcome = outcomes[index];
    if (outcome === HELD_UP) return true;
    if (index < outcomes.length) settle.resolve(outcome as Outcome);
    else settle.reject(new Error('The flush answered fewer outcomes than it had items.'));
    return false;
  });
}
