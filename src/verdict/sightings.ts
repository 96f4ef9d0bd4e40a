/** So long nobody needs what was seen of a monitor: its place goes to another one. */
const KEPT_MS = 600_000;

/**
 * When each monitor was looked at last, and from which regions it was seen as others saw it, for 100,000 monitors in a
 * few megabytes: numbers side by side, no object for each. Regions are bits.
 */
export class Sightings {
  readonly #slots = new Map<number, number>();
  #hosts = new Uint32Array(1_024);
  #sound = new Uint32Array(1_024);
  #reached = new Uint8Array(1_024);
  #at = new Float64Array(1_024);

  get size(): number {
    return this.#slots.size;
  }

  /** @param host any number that is the host's; @param at epoch milliseconds. */
  set(monitorId: number, host: number, sound: number, isReached: boolean, at: number): void {
    const slot = this.#slots.get(monitorId) ?? this.#take(monitorId, at);
    this.#hosts[slot] = host;
    this.#sound[slot] = sound;
    this.#reached[slot] = isReached ? 1 : 0;
    this.#at[slot] = at;
  }

  /** When each host was last seen from a region as others saw it, if that was since then. */
  soundSince(region: number, since: number): Map<number, number> {
    return this.#newest(since, (slot) => ((this.#sound[slot]! >>> region) & 1) === 1);
  }

  /** When each host was last reached from anywhere, if that was since then. */
  reachedSince(since: number): Map<number, number> {
    return this.#newest(since, (slot) => this.#reached[slot] === 1);
  }

  #newest(since: number, isWanted: (slot: number) => boolean): Map<number, number> {
    const newest = new Map<number, number>();
    for (let slot = 0; slot < this.#slots.size; slot += 1) {
      const at = this.#at[slot]!;
      if (at < since || !isWanted(slot)) continue;
      const host = this.#hosts[slot]!;
      if (at > (newest.get(host) ?? -Infinity)) newest.set(host, at);
    }
    return newest;
  }

  #take(monitorId: number, now: number): number {
    if (this.#slots.size === this.#at.length) this.#makeRoom(now);
    const slot = this.#slots.size;
    this.#slots.set(monitorId, slot);
    return slot;
  }

  /** Those that were not seen for long go; where most were, there is twice the room. */
  #makeRoom(now: number): void {
    const kept = [...this.#slots].filter(([, slot]) => this.#at[slot]! >= now - KEPT_MS);
    const room = kept.length > this.#at.length / 2 ? this.#at.length * 2 : this.#at.length;
    const before = { hosts: this.#hosts, sound: this.#sound, reached: this.#reached, at: this.#at };
    this.#hosts = new Uint32Array(room);
    this.#sound = new Uint32Array(room);
    this.#reached = new Uint8Array(room);
    this.#at = new Float64Array(room);
    this.#slots.clear();
    for (const [index, [monitorId, slot]] of kept.entries()) {
      this.#slots.set(monitorId, index);
      this.#hosts[index] = before.hosts[slot]!;
      this.#sound[index] = before.sound[slot]!;
      this.#reached[index] = before.reached[slot]!;
      this.#at[index] = before.at[slot]!;
    }
  }
}
