import { setImmediate } from 'node:timers/promises';

/** Maximum time that long work blocks the event loop, in milliseconds. */
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
