import type { Clock } from './clock.ts';

const TOLERANCE_MS = 1_000;

/** Notices that the wall clock was set back, by comparing it with the monotonic one. */
export class SetbackWatch {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Wall time less monotonic time: constant while nobody sets the clock. */
  #offset: number | null = null;

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#clock = clock;
  }

  /** Whether the clock may have been set back since the last `settle`; true before the first. */
  isSetBack(): boolean {
    const offset = this.offset();
    if (this.#offset === null || offset < this.#offset - TOLERANCE_MS) return true;
    // Set forward, or drifting: a step back is seen from there.
    this.#offset = offset;
    return false;
  }

  /** To be read before work that takes time, and passed to `settle` after it: a step in between is noticed then. */
  offset(): number {
    return this.#clock.now() - this.#clock.monotonic();
  }

  /** Every step before this offset was read is dealt with. */
  settle(offset: number): void {
    this.#offset = offset;
  }
}
