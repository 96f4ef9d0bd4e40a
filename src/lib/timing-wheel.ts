import type { Clock, Timer } from './clock.ts';

/** What the wheel keeps in an entry, so that moving it needs no look-up. Start with `OUT_OF_WHEEL`. */
export interface Timed {
  /** Monotonic milliseconds at which it is due; meaningful only while it is in the wheel. */
  wheelAt: number;
  /** Where it is in the wheel; -1 when it is not in it. */
  wheelPosition: number;
}

export const OUT_OF_WHEEL: Readonly<Timed> = { wheelAt: 0, wheelPosition: -1 };

export interface TimingWheelOptions<E extends Timed> {
  clock: Clock;
  /** An entry is due; it has left the wheel. `lateMs` is how much later that is than it was due. Must not throw. */
  fire(entry: E, lateMs: number): void;
  /**
   * Called each time before entries fire. `lateMs` is how much later the wheel woke than it had asked for: much of it
   * means that this process stood still. May move any entry.
   */
  onWake?(lateMs: number): void;
}

/** Wakes are at least that far apart, so that entries that are due close together share one timer. */
const COALESCE_MS = 5;
/** What fires between two turns of the event loop: so many entries, for so long. */
const SLICE_ENTRIES = 64;
const SLICE_MS = 8;
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/**
 * Many instants on the monotonic clock behind one timer. An entry never fires early. A thousand that are due at once
 * fire in slices, with the event loop between them. A binary heap in one array: moving one of 100,000 entries takes
 * well below a microsecond, and the next instant is known exactly, so that an idle wheel sleeps.
 */
export class TimingWheel<E extends Timed> {
  readonly #clock: Clock;
  readonly #fire: (entry: E, lateMs: number) => void;
  readonly #onWake: (lateMs: number) => void;
  readonly #heap: E[] = [];
  #timer: Timer | null = null;
  /** Monotonic instant for which a wake is on its way, by the timer or by the next turn; Infinity when none is. */
  #wakeAt = Infinity;
  #lastFiredAt = -Infinity;
  #isWaking = false;
  #isStopped = false;

  constructor(options: TimingWheelOptions<E>) {
    this.#clock = options.clock;
    this.#fire = (entry, lateMs) => options.fire(entry, lateMs);
    this.#onWake = (lateMs) => options.onWake?.(lateMs);
  }

  get size(): number {
    return this.#heap.length;
  }

  /** Milliseconds by which the earliest entry is overdue; 0 when none is. */
  lagMs(): number {
    const first = this.#heap[0];
    return first ? Math.max(0, this.#clock.monotonic() - first.wheelAt) : 0;
  }

  /** Puts the entry in, or moves it, to that monotonic instant. */
  set(entry: E, at: number): void {
    if (this.#isStopped) return;
    const isNew = entry.wheelPosition === -1;
    entry.wheelAt = at;
    if (isNew) this.#rise(this.#heap.push(entry) - 1, entry);
    else this.#settle(entry.wheelPosition, entry);
    this.#arm();
  }

  /** Takes the entry out; nothing happens when it is not in. */
  remove(entry: E): void {
    const position = entry.wheelPosition;
    if (position === -1) return;
    entry.wheelPosition = -1;
    const last = this.#heap.pop();
    if (last && last !== entry) this.#settle(position, last);
  }

  /** Nothing fires any more. */
  stop(): void {
    this.#isStopped = true;
    this.#clock.clear(this.#timer);
    this.#timer = null;
    for (const entry of this.#heap) entry.wheelPosition = -1;
    this.#heap.length = 0;
  }

  #arm(): void {
    const first = this.#heap[0];
    if (!first || this.#isWaking || this.#isStopped) return;
    const now = this.#clock.monotonic();
    const wanted = Math.max(first.wheelAt, this.#lastFiredAt + COALESCE_MS, now);
    if (this.#wakeAt <= wanted) return;
    this.#clock.clear(this.#timer);
    const delay = Math.min(Math.ceil(wanted - now), LONGEST_DELAY_MS);
    this.#wakeAt = now + delay;
    this.#timer = this.#clock.after(delay, () => this.#wake());
  }

  #wake(): void {
    if (this.#isStopped) return;
    const lateMs = Math.max(0, this.#clock.monotonic() - this.#wakeAt);
    this.#timer = null;
    this.#wakeAt = Infinity;
    this.#isWaking = true;
    let isMoreDue = false;
    try {
      this.#onWake(lateMs);
      isMoreDue = this.#fireSlice();
    } finally {
      this.#isWaking = false;
      if (isMoreDue) this.#wakeSoon();
      else this.#arm();
    }
  }

  #wakeSoon(): void {
    this.#wakeAt = this.#clock.monotonic();
    this.#clock.soon(() => this.#wake());
  }

  /** Fires what is due, as much as fits between two turns. Answers whether something is left. */
  #fireSlice(): boolean {
    const now = this.#clock.monotonic();
    for (let fired = 0; ; fired++) {
      const first = this.#heap[0];
      if (!first || first.wheelAt > now) return false;
      if (fired === SLICE_ENTRIES || this.#clock.monotonic() - now > SLICE_MS) return true;
      this.remove(first);
      this.#lastFiredAt = now;
      this.#fire(first, now - first.wheelAt);
    }
  }

  /** Moves the entry from that position to where it belongs. */
  #settle(position: number, entry: E): void {
    const parent = this.#heap[(position - 1) >> 1];
    if (position > 0 && parent && parent.wheelAt > entry.wheelAt) this.#rise(position, entry);
    else this.#sink(position, entry);
  }

  #rise(from: number, entry: E): void {
    let position = from;
    while (position > 0) {
      const above = (position - 1) >> 1;
      const parent = this.#heap[above];
      if (!parent || parent.wheelAt <= entry.wheelAt) break;
      this.#place(position, parent);
      position = above;
    }
    this.#place(position, entry);
  }

  #sink(from: number, entry: E): void {
    let position = from;
    for (;;) {
      const left = this.#heap[2 * position + 1];
      const right = this.#heap[2 * position + 2];
      const child = left && right && right.wheelAt < left.wheelAt ? right : left;
      if (!child || child.wheelAt >= entry.wheelAt) break;
      const below = child.wheelPosition;
      this.#place(position, child);
      position = below;
    }
    this.#place(position, entry);
  }

  #place(position: number, entry: E): void {
    this.#heap[position] = entry;
    entry.wheelPosition = position;
  }
}
