/** Who holds a place, and how many may. */
export interface Claim {
  holder: string;
  most: number;
}

/** Where pings wait for the database. Nobody may take more of it than is due, or one caller could push out all others. */
export class Room {
  readonly #held = new Map<string, number>();

  /** Runs the work while it holds a place of each holder; null, and no work, when one of them has no more. */
  async during<Result>(
    claims: readonly Claim[],
    work: () => Promise<Result>,
  ): Promise<Result | null> {
    if (claims.some(({ holder, most }) => (this.#held.get(holder) ?? 0) >= most)) return null;
    for (const { holder } of claims) this.#add(holder, 1);
    try {
      return await work();
    } finally {
      for (const { holder } of claims) this.#add(holder, -1);
    }
  }

  #add(holder: string, places: 1 | -1): void {
    const held = (this.#held.get(holder) ?? 0) + places;
    if (held === 0) this.#held.delete(holder);
    else this.#held.set(holder, held);
  }
}
