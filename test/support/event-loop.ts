import { setTimeout as sleep } from 'node:timers/promises';

/** Runs everything that is ready. */
export const turnOfTheEventLoop = () => new Promise<void>((resolve) => void setImmediate(resolve));

const TURNS_AT_ONCE = 10;

/**
 * Waits until something outside of this thread (a database, a process) makes the predicate true. After a few turns it
 * sleeps between them: a loop that only turns takes the core from what it waits for, and from the other test files.
 */
export async function waitUntil(isTrue: () => boolean): Promise<void> {
  for (let turn = 0; !isTrue(); turn += 1)
    await (turn < TURNS_AT_ONCE ? turnOfTheEventLoop() : sleep(1));
}
