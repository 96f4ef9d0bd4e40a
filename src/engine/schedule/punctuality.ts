/** Number of checks that came due in the last minute, and how many of them were late. */
export interface Punctuality {
  due: number;
  late: number;
}

/** A check is late when its first packet leaves more than this after it was due, or when it is skipped. */
export const LATE_MS = 500;

const SECONDS = 60;

/** Counts over the last 60 seconds of monotonic time. */
export class PunctualityWindow {
  readonly #due = new Uint32Array(SECONDS);
  readonly #late = new Uint32Array(SECONDS);
  #second = -Infinity;

  /** @param now monotonic milliseconds. */
  add({ due, late }: Punctuality, now: number): void {
    const at = this.#moveTo(now);
    this.#due[at]! += due;
    this.#late[at]! += late;
  }

  totals(now: number): Punctuality {
    this.#moveTo(now);
    return { due: sum(this.#due), late: sum(this.#late) };
  }

  #moveTo(now: number): number {
    const second = Math.floor(now / 1_000);
    const from = Math.max(this.#second + 1, second - SECONDS + 1);
    for (let passed = from; passed <= second; passed++) {
      this.#due[index(passed)] = 0;
      this.#late[index(passed)] = 0;
    }
    this.#second = second;
    return index(second);
  }
}

function index(second: number): number {
  return ((second % SECONDS) + SECONDS) % SECONDS;
}

function sum(counts: Uint32Array): number {
  return counts.reduce((total, count) => total + count, 0);
}
