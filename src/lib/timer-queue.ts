import type { Clock, Timer } from './clock.ts';

/** Fields of an entry that the queue uses to find and move it. Start with `UNQUEUED_TIMER`. */
export interface QueuedTimer {
  /** Monotonic milliseconds at which the entry is due; meaningful only while queued. */
  timerAt: number;
  /** Index in the heap; -1 if not queued. */
  timerPosition: number;
}

export const UNQUEUED_TIMER: Readonly<QueuedTimer> = { timerAt: 0, timerPosition: -1 };

export interface TimerQueueOptions<E extends QueuedTimer> {
  clock: Clock;
  /** Called when an entry is due, after its removal. `lateMs` is its delay. Must not throw. */
  fire(entry: E, lateMs: number): void;
  /**
   * Called before entries fire. `lateMs` is how much later than requested the timer fired: a large value means that
   * this process was suspended. May move any entry.
   */
  onWake?(lateMs: number): void;
}

/** Minimum time between wake-ups, so that entries due close together share one timer. */
const MIN_WAKE_GAP_MS = 5;
/** Limits on what fires in one iteration of the event loop. */
const SLICE_ENTRIES = 64;
const SLICE_MS = 8;
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * Queue of monotonic instants behind one timer. Entries never fire early; a thousand due at once fire in slices, one
 * per event loop iteration. A binary heap: moving one of 100,000 entries takes well below a microsecond, and an idle
 * queue sleeps until the next instant.
 */
export class TimerQueue<E extends QueuedTimer> {
  readonly #clock: Clock;
  readonly #fire: (entry: E, lateMs: number) => void;
  readonly #onWake: (lateMs: number) => void;
  readonly #heap: E[] = [];
  #timer: Timer | null = null;
  /** Monotonic instant of the next wake-up, by timer or event loop; Infinity if none. */
  #wakeAt = Infinity;
  #lastFiredAt = -Infinity;
  #isWaking = false;
  #isStopped = false;

  constructor(options: TimerQueueOptions<E>) {
    this.#clock = options.clock;
    this.#fire = (entry, lateMs) => options.fire(entry, lateMs);
    this.#onWake = (lateMs) => options.onWake?.(lateMs);
  }

  get size(): number {
    return this.#heap.length;
  }

  /** Milliseconds by which the earliest entry is overdue; 0 if none is. */
  lagMs(): number {
    const first = this.#heap[0];
    return first ? Math.max(0, this.#clock.monotonic() - first.timerAt) : 0;
  }

  set(entry: E, at: number): void {
    if (this.#isStopped) return;
    const isNew = entry.timerPosition === -1;
    entry.timerAt = at;
    if (isNew) this.#rise(this.#heap.push(entry) - 1, entry);
    else this.#settle(entry.timerPosition, entry);
    this.#arm();
  }

  remove(entry: E): void {
    const position = entry.timerPosition;
    if (position === -1) return;
    entry.timerPosition = -1;
    const last = this.#heap.pop();
    if (last && last !== entry) this.#settle(position, last);
  }

  /** Removes all entries; nothing fires any more. */
  stop(): void {
    this.#isStopped = true;
    this.#clock.clear(this.#timer);
    this.#timer = null;
    for (const entry of this.#heap) entry.timerPosition = -1;
    this.#heap.length = 0;
  }

  #arm(): void {
    const first = this.#heap[0];
    if (!first || this.#isWaking || this.#isStopped) return;
    const now = this.#clock.monotonic();
    const wanted = Math.max(first.timerAt, this.#lastFiredAt + MIN_WAKE_GAP_MS, now);
    if (this.#wakeAt <= wanted) return;
    this.#clock.clear(this.#timer);
    const delay = Math.min(Math.ceil(wanted - now), MAX_DELAY_MS);
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

  #fireSlice(): boolean {
    const now = this.#clock.monotonic();
    for (let fired = 0; ; fired++) {
      const first = this.#heap[0];
      if (!first || first.timerAt > now) return false;
      if (fired === SLICE_ENTRIES || this.#clock.monotonic() - now > SLICE_MS) return true;
      this.remove(first);
      this.#lastFiredAt = now;
      this.#fire(first, now - first.timerAt);
    }
  }

  /** Moves the entry from that position to where it belongs in the heap. */
  #settle(position: number, entry: E): void {
    const parent = this.#heap[(position - 1) >> 1];
    if (position > 0 && parent && parent.timerAt > entry.timerAt) this.#rise(position, entry);
    else this.#sink(position, entry);
  }

  #rise(from: number, entry: E): void {
    let position = from;
    while (position > 0) {
      const above = (position - 1) >> 1;
      const parent = this.#heap[above];
      if (!parent || parent.timerAt <= entry.timerAt) break;
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
      const child = left && right && right.timerAt < left.timerAt ? right : left;
      if (!child || child.timerAt >= entry.timerAt) break;
      const below = child.timerPosition;
      this.#place(position, child);
      position = below;
    }
    this.#place(position, entry);
  }

  #place(position: number, entry: E): void {
    this.#heap[position] = entry;
    entry.timerPosition = position;
  }
}
