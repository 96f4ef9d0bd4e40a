import { expect, test } from 'vitest';
import { createPasswordQueue, TooManyPasswords } from './password.ts';

/** Hashing that takes until it is told to finish. */
function slowHashing() {
  const begun: string[] = [];
  const finish: (() => void)[] = [];
  const queue = createPasswordQueue({
    async hash(password) {
      begun.push(password);
      await new Promise<void>((resolve) => finish.push(resolve));
      if (password === 'broken') throw new Error('boom');
      return `hash of ${password}`;
    },
    verify: () => Promise.reject(new Error('not asked')),
  });
  return { queue, begun, finishNext: () => finish.shift()!() };
}

/** Lets settled promises continue. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test('hashes two at a time; clients take turns, whatever one of them sends [5.21]', async () => {
  const { queue, begun, finishNext } = slowHashing();
  const flood = Array.from({ length: 10 }, (_, index) => queue.hash(`f${index}`, '192.0.2.1'));
  const own = queue.hash('own', '192.0.2.2');
  expect(begun).toEqual(['f0', 'f1']);
  for (let finished = 0; finished < 11; finished += 1) {
    finishNext();
    await settle();
    expect(begun.length).toBeLessThanOrEqual(finished + 3);
  }
  expect(begun.slice(0, 4)).toEqual(['f0', 'f1', 'f2', 'own']);
  expect(await own).toBe('hash of own');
  expect(await flood[9]).toBe('hash of f9');
});

test('refuses what one client sends beyond 20, and all beyond 100; a failure frees its slot', async () => {
  const { queue, begun, finishNext } = slowHashing();
  const waiting: Promise<unknown>[] = [
    queue.hash('broken', null).catch((error: Error) => error.message),
  ];
  waiting.push(queue.hash('x', null));
  for (let client = 1; client <= 5; client += 1) {
    const address = `192.0.2.${client}`;
    for (let sent = 0; sent < 20; sent += 1) {
      expect(queue.isFull(address)).toBe(false);
      waiting.push(queue.hash(`${client}`, address));
    }
    expect(queue.isFull(address)).toBe(true);
    await expect(queue.hash('y', address)).rejects.toThrow(TooManyPasswords);
  }
  // A network of 64 bits is one client; here all are refused.
  expect(queue.isFull('198.51.100.1')).toBe(true);
  await expect(queue.hash('y', '198.51.100.1')).rejects.toThrow(/Try again in a few seconds/);
  for (let finished = 0; finished < 102; finished += 1) {
    finishNext();
    await settle();
  }
  expect(await waiting[0]).toBe('boom');
  await Promise.all(waiting);
  expect(begun).toHaveLength(102);
  expect(queue.isFull('192.0.2.1')).toBe(false);
});
