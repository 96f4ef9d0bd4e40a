import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSharedTurns, type SharedTurns } from './turns.ts';

/** Work of as many milliseconds. */
function work(ms: number): void {
  for (const since = performance.now(); performance.now() - since < ms;);
}

/** Says by the turn of the event loop when each of them was at work. */
async function turnsOf(each: (shared: SharedTurns, noteTurn: () => void) => Promise<void>) {
  const shared = createSharedTurns();
  const turns: number[] = [];
  let turn = 0;
  const state = { isOver: false };
  const all = Promise.all(Array.from({ length: 4 }, () => each(shared, () => turns.push(turn))));
  void all.finally(() => (state.isOver = true));
  while (!state.isOver) {
    await setImmediate();
    turn += 1;
  }
  await all;
  return turns;
}

test('callers whose work is long go in order, one a turn', async () => {
  const turns = await turnsOf(async (shared, noteTurn) => {
    await shared.enter();
    noteTurn();
    work(6);
  });
  expect(new Set(turns).size).toBe(4);
  expect(turns).toEqual(turns.toSorted((a, b) => a - b));
});

test('callers whose work is short share a turn', async () => {
  const turns = await turnsOf(async (shared, noteTurn) => {
    await shared.enter();
    noteTurn();
  });
  expect(turns).toEqual([0, 0, 0, 0]);
});

test('a caller goes on in another turn after long work', async () => {
  const turns = await turnsOf(async (shared, noteTurn) => {
    await shared.enter();
    work(6);
    await shared.pause();
    noteTurn();
  });
  expect(Math.min(...turns)).toBeGreaterThan(0);
});
