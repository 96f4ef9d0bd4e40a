/**
 * Counters of things that come and go, such as the CPU seconds of connections: each keeps the value that it had when it was
 * seen last, so that sums never shrink.
 */
export class RunningTotals {
  readonly #latest = new Map<string, { group: string; value: number }>();

  /**
   * @param key names the thing and no later one.
   * @param group what its value is part of; null if that can't be seen now: it stays what it was, or is `other`.
   */
  set(key: string, group: string | null, value: number): void {
    this.#latest.set(key, { group: group ?? this.#latest.get(key)?.group ?? 'other', value });
  }

  /** Sums by group. */
  sums(): Map<string, number> {
    const sums = new Map<string, number>();
    for (const { group, value } of this.#latest.values())
      sums.set(group, (sums.get(group) ?? 0) + value);
    return sums;
  }
}
