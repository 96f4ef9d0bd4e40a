import { useSyncExternalStore } from 'react';

/** One timer for all times on the page. */
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | null = null;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, 1_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

/**
 * Current time, in milliseconds.
 *
 * @param stepMs the component renders again when a multiple of it passes, not each second
 */
export function useNow(stepMs = 1_000): number {
  return useFromNow((time) => Math.floor(time / stepMs) * stepMs);
}

/** What follows from the current time: the component renders again when it changes, which is looked at each second. */
export function useFromNow<Value extends number | null>(derive: (now: number) => Value): Value {
  return useSyncExternalStore(subscribe, () => derive(now));
}
