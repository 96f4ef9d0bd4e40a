/**
 * Set of items in the order in which they were added, whose first item is found at once. To read the first item of a plain
 * Set steps over the place of each that was deleted before, so that emptying a long one from its front takes quadratic time.
 */
export class OrderedSet<Item extends {}> {
  readonly #items = new Set<Item>();
  /** Everything before its position is gone. */
  #rest = this.#items.values();
  /** The first item; undefined if it is to be found. */
  #first: Item | undefined;

  get size(): number {
    return this.#items.size;
  }

  has(item: Item): boolean {
    return this.#items.has(item);
  }

  add(item: Item): void {
    this.#items.add(item);
  }

  delete(item: Item): boolean {
    if (item === this.#first) this.#first = undefined;
    return this.#items.delete(item);
  }

  first(): Item | undefined {
    if (this.#items.size === 0) return undefined;
    this.#first ??= this.#rest.next().value;
    if (this.#first === undefined) {
      // It had come to the end before the present items were added.
      this.#rest = this.#items.values();
      this.#first = this.#rest.next().value;
    }
    return this.#first;
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.#items.values();
  }
}
