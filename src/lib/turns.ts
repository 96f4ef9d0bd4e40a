import { setImmediate as schedule } from 'node:timers';
import { setImmediate } from 'node:timers/promises';

const MAX_BLOCK_MS = 4;

/** Creates a function to await between the parts of long work: it lets the event loop run when the work has blocked it. */
export function createTurns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < MAX_BLOCK_MS) return;
    await setImmediate();
    since = performance.now();
  };
}

/** Lets work of many callers share the event loop. */
export type SharedTurns = ReturnType<typeof createSharedTurns>;

/**
 * Creates turns that callers share. Requests that arrive together would otherwise be handled in one turn of the event loop,
 * as nothing that a database in this process answers comes back to the loop: all else would wait for all of them.
 */
export function createSharedTurns() {
  const waiting: (() => void)[] = [];
  let isAdmitting = false;
  /** When this turn began; null before anything began in it. */
  let since: number | null = null;

  function isLong(): boolean {
    if (since !== null) return performance.now() - since >= MAX_BLOCK_MS;
    since = performance.now();
    schedule(() => (since = null));
    return false;
  }

  /** Admits the next caller. A tick that a microtask asks for comes once the caller waits for something of the next turn. */
  function admit(): void {
    isAdmitting = waiting.length > 0;
    if (!isAdmitting) return;
    if (isLong()) return void schedule(admit);
    waiting.shift()!();
    queueMicrotask(() => process.nextTick(admit));
  }

  return {
    /** To be awaited before work begins: callers go in order, one in each turn of the loop once these take long. */
    enter() {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      if (!isAdmitting) {
        isAdmitting = true;
        process.nextTick(admit);
      }
      return promise;
    },
    /** To be awaited between the parts of such work: goes on in the next turn if this one took long. */
    async pause() {
      if (isLong()) await setImmediate();
    },
  };
}

/** Spreads work that each id has once in `everyMs` over that time. @returns the next time of an id, epoch ms. */
export function nextShare(id: number, everyMs: number, now: number): number {
  const offset = (id * 7_919) % everyMs;
  return Math.floor((now - offset) / everyMs + 1) * everyMs + offset;
}
