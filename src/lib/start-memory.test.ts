import { expect, test } from 'vitest';
import { endStartOfThread } from './start-memory.ts';

test('the garbage of the start is collected', async () => {
  const garbage = new WeakRef({});
  // A reference that is new in a task keeps its object until the task ends.
  await new Promise((resolve) => setImmediate(resolve));
  endStartOfThread();
  expect(garbage.deref() === undefined).toBe(true);
});
